package claim

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestASentenceIsTakenApartWhereBothSidesStateANumber(t *testing.T) {
	for sentence, want := range map[string][]string{
		"the hall seats 200 and the terrace seats 40": {"the hall seats 200", "the terrace seats 40"},
		"the hall and the terrace seat 40":            {"the hall and the terrace seat 40"},
		"between 20 and 30 guests":                    {"between 20 and 30 guests"},
		"20 guests, or more at 30 euros":              {"20 guests, or more at 30 euros"},
		"礼堂可容纳200人；露台很大":                              {"礼堂可容纳200人", "露台很大"},
		"5,000 euros":                                 {"5,000 euros"},
		"":                                            {""},
	} {
		if diff := cmp.Diff(want, segments(sentence)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", sentence, diff)
		}
	}
}

func TestASentenceIsUnderItsHeadingsAndInItsTable(t *testing.T) {
	s := NewSource("# Hire\n\n## Boats\n\nThey float.\n\n## Bikes\n\n| Kind | Price |\n|---|---|\n| Race | 9 euros |")
	var o outline
	under := map[string]string{}
	for i, st := range s.sentences {
		var over []string
		for _, k := range o.next(s.sentences, i) {
			over = append(over, s.sentences[k].text)
		}
		under[st.text] = strings.Join(over, " > ")
	}
	for line, want := range map[string]string{"They float.": "# Hire > ## Boats", "| Race | 9 euros |": "# Hire > ## Bikes > | Kind | Price |", "# Hire": ""} {
		if under[line] != want {
			t.Errorf("%q is under %q, want %q", line, under[line], want)
		}
	}
}

func TestRunsAreSentencesThatFollowEachOther(t *testing.T) {
	p := NewSource("One lamp. Two doors. Red walls. Blue roof.").passages()
	var got []int
	for _, r := range p.runs {
		got = append(got, len(r.said))
	}
	if diff := cmp.Diff([]int{3, 3, 2}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if q := NewTable("", "lamp, door", []string{"1, 2", "3, 4"}).passages(); len(q.runs) != 0 {
		t.Error("records say nothing together")
	}
}

func TestAClaimThatMixesSentencesSwitchesOften(t *testing.T) {
	s := NewSource("The red depot stores tyres and lamps. The blue depot stores coats and boots.")
	run := s.passages().runs[0]
	for sentence, want := range map[string]int{
		"the red depot stores tyres, the blue depot stores coats": 1,
		"the red depot stores coats, the blue depot stores tyres": 2,
		"coats tyres boots lamps":                                 3,
	} {
		c := newClaim(sentence)
		if got := c.switches(read(c.folded, c.text), run.each); got != want {
			t.Errorf("%q goes over %d times, want %d", sentence, got, want)
		}
	}
}

func TestTheEndOfATextIsNotReadPastItsLength(t *testing.T) {
	for _, n := range []int{0, 1, 3, 9} {
		if got := lastRunes("一二三", n); got != string([]rune("一二三")[max(0, 3-n):]) {
			t.Errorf("last %d: %q", n, got)
		}
		if got := firstRunes("一二三", n); got != string([]rune("一二三")[:min(3, n)]) {
			t.Errorf("first %d: %q", n, got)
		}
	}
}
