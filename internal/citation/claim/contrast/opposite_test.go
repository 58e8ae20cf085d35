package contrast

import (
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

func TestWordsBesideAWordEndAtTheClause(t *testing.T) {
	for _, c := range []struct{ text, word, want string }{
		{"the drug increases mortality in mice", "increas", "drug mortal mice"},
		{"costs fell; the drug increases mortality", "increas", "drug mortal"},
		{"the drug increases mortality, costs fell", "increas", "drug mortal"},
		{"nothing of it", "increas", ""},
		{"本季度差旅成本上升较快", "上升", "季 度 差 旅 成 本 较 快"},
		{"支出下降，差旅成本上升", "上升", "差 旅 成 本"},
	} {
		if got := strings.Join(around(analysis.Fold(c.text), c.word), " "); got != c.want {
			t.Errorf("%s beside %s: %q, want %q", c.text, c.word, got, c.want)
		}
	}
}

func TestOppositesCountWhereTheySpeakOfOneThing(t *testing.T) {
	for _, c := range []struct {
		claim, text string
		pair        [2]string
		want        bool
	}{
		{"The new drug increases mortality in old mice.", "the drug reduces mortality", [2]string{"increas", "reduc"}, true},
		{"The new drug increases mortality in old mice.", "mortality was measured twice, the fee reduces income", [2]string{"increas", "reduc"}, false},
		{"Costs increase.", "something else was reduced", [2]string{"increas", "reduc"}, true}, // it says one thing only
		{"本季度差旅成本上升较快", "今年差旅成本下降", [2]string{"上升", "下降"}, true},
		{"本季度差旅成本上升较快", "员工人数下降", [2]string{"上升", "下降"}, false},
	} {
		if got := sameThing(reading.NewClaim(c.claim), c.pair, &reading.NewSource(c.text).Sentences[0]); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.claim, c.text, got, c.want)
		}
	}
}
