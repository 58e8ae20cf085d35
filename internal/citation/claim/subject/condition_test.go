package subject

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/analysis"
)

func TestAComplementEndsAtTheNextWordThatJoins(t *testing.T) {
	var got []string
	for _, m := range Complements("it is free for guests of the house and in the garden, from monday") {
		words := []string{m.By}
		for _, term := range m.Terms {
			words = append(words, term.Surface)
		}
		got = append(got, strings.Join(words, " "))
	}
	if diff := cmp.Diff([]string{"for guests", "in garden", "from monday"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestConditionsAreTheClausesBefore(t *testing.T) {
	for _, c := range []struct{ text, mark, want string }{
		{"If the device is lost, it is reported within 2 hours.", "2", "device lost"},
		{"The device is old, it is reported within 2 hours.", "2", ""}, // it says when nothing holds
		{"It is reported within 2 hours if the device is lost.", "2", ""},
		{"设备丢失的，须在2小时内报告。", "2", "设备丢失"},
		{"如果设备丢失，须在2小时内报告。", "2", "如果设备丢失"},
	} {
		folded := analysis.Fold(c.text)
		if s := Conditions(folded, strings.Index(folded, c.mark)).written(); s != c.want {
			t.Errorf("%s: %q, want %q", c.text, s, c.want)
		}
	}
}
