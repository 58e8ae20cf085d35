package reading

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
		if diff := cmp.Diff(want, Segments(sentence)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", sentence, diff)
		}
	}
}

func TestASentenceIsUnderItsHeadingsAndInItsTable(t *testing.T) {
	s := NewSource("# Hire\n\n## Boats\n\nThey float.\n\n## Bikes\n\n| Kind | Price |\n|---|---|\n| Race | 9 euros |")
	var o outline
	under := map[string]string{}
	for i, st := range s.Sentences {
		var over []string
		for _, k := range o.next(s.Sentences, i) {
			over = append(over, s.Sentences[k].Text)
		}
		under[st.Text] = strings.Join(over, " > ")
	}
	for line, want := range map[string]string{"They float.": "# Hire > ## Boats", "| Race | 9 euros |": "# Hire > ## Bikes > | Kind | Price |", "# Hire": ""} {
		if under[line] != want {
			t.Errorf("%q is under %q, want %q", line, under[line], want)
		}
	}
}

func TestRunsAreSentencesThatFollowEachOther(t *testing.T) {
	p := NewSource("One lamp. Two doors. Red walls. Blue roof.").Places()
	var got []int
	for _, r := range p.Runs {
		got = append(got, len(r.Said))
	}
	if diff := cmp.Diff([]int{3, 3, 2}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if q := NewTable("", "lamp, door", []string{"1, 2", "3, 4"}).Places(); len(q.Runs) != 0 {
		t.Error("records say nothing together")
	}
}
