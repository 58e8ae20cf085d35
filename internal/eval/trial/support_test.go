package trial_test

import (
	"slices"
	"testing"

	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/eval/trial"
)

// twice says the same under two citations, of which one alone holds it.
const twice = "上海的住宿上限为每晚 650 元[C1]。\n\n上海的住宿上限为每晚 650 元[C4]。"

func TestASentenceThatStandsTwiceIsCheckedAgainAtItsPlace(t *testing.T) {
	const halved = "- {id: x, question: 上海住宿上限是多少, route: fixed_rag, groups: citation, support: 0.5}\n"
	r := newHouse(t, saying(twice)).hold(halved, trial.Options{})
	if got := codes(r, "x"); len(got) > 0 {
		t.Errorf("%v: %+v", got, r.Cases[0].Findings)
	}
	if k := r.Cases[0].Checks; k == nil || k.Supported != 1 || k.NotFound != 1 {
		t.Fatalf("the two sentences are to have two verdicts: %+v", k)
	}
	swapped := newHouse(t, saying(twice))
	showing(func(a *desk.Account) { slices.Reverse(a.Run.Checks) })(swapped)
	if got := codes(swapped.hold(halved, trial.Options{}), "x"); !slices.Equal(got, []string{"citation:check_not_reproduced"}) {
		t.Errorf("checks that changed places: %v", got)
	}
	moved := newHouse(t, saying(twice+"\n\n北京住多久都可以[C1]。"))
	showing(func(a *desk.Account) { slices.Reverse(a.Run.Checks) })(moved)
	if got := codes(moved.hold("- {id: x, question: 上海住宿上限是多少, route: fixed_rag, groups: citation, support: 0}\n", trial.Options{}), "x"); !slices.Equal(got, []string{"citation:check_not_reproduced"}) {
		t.Errorf("checks of other sentences: %v", got)
	}
}

func TestNoSupportAtAllIsAskedForByNamingNone(t *testing.T) {
	for share, want := range map[string][]string{
		"": {"citation:not_supported"}, ", support: 0.5": {"citation:not_supported"}, ", support: 0": nil,
	} {
		r := newHouse(t, saying("火星基地的氧气配额很充足[C1]。")).hold(
			"- {id: x, question: 上海住宿上限是多少, route: fixed_rag, groups: citation"+share+"}\n", trial.Options{})
		if got := codes(r, "x"); !slices.Equal(got, want) {
			t.Errorf("support%s: %v", share, got)
		}
	}
}
