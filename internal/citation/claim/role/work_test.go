package role

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// clausesOf is a sentence of some clauses, each of which says something of its own.
func clausesOf(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("office " + strconv.Itoa(i) + " does not have " + strconv.Itoa(i+7) + " desks, ")
	}
	return b.String()
}

func TestASentenceOfVeryManyClausesIsReadClauseByClause(t *testing.T) {
	claim := parts(prepare("Office 1 does not have 8 desks."))[0]
	for _, n := range []int{mostClauses + 1, 400} {
		list := parts(prepare(clausesOf(n)))
		if len(list) != n {
			t.Fatalf("%d clauses, want %d", len(list), n)
		}
		var texts, want []string
		for p := range candidates(list, claim) {
			texts = append(texts, p.text)
		}
		for _, p := range list {
			want = append(want, p.text)
		}
		if !slices.Equal(texts, want) {
			t.Errorf("of %d clauses %d are read", n, len(texts))
		}
	}
	few, read := parts(prepare(strings.Repeat("it does not have desks, ", mostClauses))), 0
	for range candidates(few, claim) {
		read++
	}
	if read <= len(few) {
		t.Errorf("of %d clauses none is read with what another says", len(few))
	}
}

// TestTheWorkGrowsWithTheLengthOfASentence counts what is allocated for a sentence and for one of twice as many pieces.
func TestTheWorkGrowsWithTheLengthOfASentence(t *testing.T) {
	const claim = "Office 3 has 99 desks and office 4 has 98 desks."
	for name, sentence := range map[string]func(n int) string{
		"clauses":         clausesOf,
		"denials":         func(n int) string { return strings.Repeat("office 3 does not have 99 desks, ", n) },
		"pronouns":        func(n int) string { return strings.Repeat("office 3 sells 98 desks and it has them, ", n) },
		"words":           func(n int) string { return "office 3 has desks, " + strings.Repeat("desks, ", n) },
		"words that lead": func(n int) string { return strings.Repeat("the, ", n) + "office 3 has desks" },
		"characters":      func(n int) string { return strings.Repeat("甲有，", n) },
	} {
		work := func(n int) float64 {
			text := sentence(n)
			return testing.AllocsPerRun(1, func() {
				Held("Office 3 has 99 desks.", text)
				Denied(claim, text)
				Swapped(claim, text)
			})
		}
		if once, twice := work(200), work(400); once == 0 || twice > 3*once {
			t.Errorf("%s: %.0f of twice as many as %.0f", name, twice, once)
		}
	}
}

func TestAClauseOfALongSentenceIsStillDenied(t *testing.T) {
	long := clausesOf(40)
	if !Denied("Office 30 has 37 desks.", long) || !Held("Office 30 does not have 37 desks.", long) {
		t.Error("what a clause says itself is not told among many")
	}
	if Denied("Office 30 does not have 37 desks.", long) || Held("Office 30 has 37 desks.", long) {
		t.Error("a clause among many is told for its contrary")
	}
}

func TestWhichOneIsMeantIsToldFarIntoASentence(t *testing.T) {
	list := tokens(prepare(strings.Repeat("计 ", 50) + "the desks of the office with an elevator, within reach"))
	var of []string
	for _, tok := range list {
		if tok.of {
			of = append(of, tok.text)
		}
	}
	if !slices.Equal(of, []string{"offic", "elev"}) {
		t.Errorf("%q say which one is meant", of)
	}
}
