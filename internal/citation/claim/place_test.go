package claim

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/analysis"
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
		if got := newClaim(c.claim).sameThing(c.pair, &NewSource(c.text).sentences[0]); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.claim, c.text, got, c.want)
		}
	}
}

func TestNamesStandWhereThereIsOne(t *testing.T) {
	for text, want := range map[string][]placed{
		"The project is led by Alice Moore.":                  {{"led", "by", "Alice Moore", 19}},
		"The book was written by the physicist Alice Moore, ": {{"written", "by", "Alice Moore", 21}},
		"It was born in the United States.":                   {{"born", "in", "United States", 12}},
		"Born in Paris, he moved to New Orleans.":             {{"born", "in", "Paris", 5}}, // he may move again
		"The tool is used by Finance.":                        nil,                          // others may use it too
		"The office in Berlin is small.":                      nil,
		"It is paid by the town.":                             nil,
		"张三负责。":                                               nil,
		"报销由张三负责。":                                            {{"负责", "由", "张三", 6}},
	} {
		if diff := cmp.Diff(want, places(text, analysis.Fold(text)), cmp.AllowUnexported(placed{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestAnotherNameInTheSamePlace(t *testing.T) {
	for _, c := range []struct {
		claim, text, more string
		said, found       string
	}{
		{"The project is led by Bob Stone.", "The project is led by Alice Moore.", "", "Bob Stone", "Alice Moore"},
		{"The project is led by Bob Stone.", "The project is led by Alice Moore.", "Bob Stone came later.", "", ""}, // something else cited names him
		{"The project is led by Bob Stone.", "The project is paid by Alice Moore.", "", "", ""},                     // another word
		{"The project is led by Bob Stone.", "The project is led from Zurich.", "", "", ""},                         // another preposition
		{"The project is not led by Bob Stone.", "The project is led by Alice Moore.", "", "", ""},
		{"The project is led by Bob.", "The project is led by Bob Stone.", "", "", ""},
		{"It was ceded to Britain.", "It was ceded to the British.", "", "", ""},
		{"出差由张三审批。", "出差由李四审批。", "", "张三", "李四"},
		{"出差由张三审批。", "出差由李四负责。", "", "", ""},
		{"出差由张三审批。", "出差由李四审批。", "张三已离职。", "", ""},
		{"总部位于上海。", "公司总部位于苏州。", "", "上海", "苏州"},
		{"总部不位于上海。", "公司总部位于苏州。", "", "", ""},
	} {
		cited := []*Source{NewSource(c.text), NewSource(c.more)}
		got, apart, ok := newClaim(c.claim).otherName(&cited[0].sentences[0], cited)
		if ok != (c.said != "") || apart || got.Said != c.said || got.Found != c.found {
			t.Errorf("%q against %q and %q: %v %v; want %q and %q", c.claim, c.text, c.more, ok, got, c.said, c.found)
		}
	}
}

func TestANameInThePlaceOfAnotherOfAnotherThingExcludesNothing(t *testing.T) {
	for said, text := range map[string]string{
		"The Cedar Project is led by Bob Stone.":         "The Maple Project is led by Alice Moore.",
		"Domestic travel is approved by the controller.": "Travel is approved by the managing director.",
		"采购合同由张三审批。":                                     "销售合同由李四审批。",
	} {
		cited := []*Source{NewSource(text)}
		if r, apart, ok := newClaim(said).otherName(&cited[0].sentences[0], cited); ok && !apart {
			t.Errorf("%q against %q: %v", said, text, r)
		}
	}
}

func TestANameOfAnotherThingNeitherBearsOutNorContradicts(t *testing.T) {
	for _, p := range [][2]string{
		{"The Cedar Project is led by Bob Stone.", "The Maple Project is led by Alice Moore."},
		{"Domestic travel is approved by the controller.", "Travel is approved by the managing director."},
		{"采购合同由张三审批。", "销售合同由李四审批。"},
	} {
		if f := Judge(p[0], []*Source{NewSource(p[1])}); f.Verdict == Supported || f.Verdict == Contradicted {
			t.Errorf("%q against %q: %s by %s", p[0], p[1], f.Verdict, f.Rule)
		}
	}
}

func TestOneOfASetInThePlaceOfAnother(t *testing.T) {
	for _, c := range []struct {
		claim, text string
		want        bool
	}{
		{"The canteen is closed on Monday.", "The canteen is closed on Friday.", true},
		{"The canteen is closed on Monday.", "The canteen is closed on Monday.", false},
		{"The canteen is closed on Monday.", "The canteen is closed on Monday and Friday.", false},
		{"The canteen is closed on Monday and Friday.", "The canteen is closed on Sunday.", false},
		{"The canteen is not closed on Monday.", "The canteen is closed on Friday.", false},
		{"The canteen is closed on Monday.", "The canteen is red.", false}, // of another set
		{"例会在周二召开。", "例会在周四召开。", true},
		{"例会在周二召开。", "例会在星期二召开。", false}, // written otherwise
		{"例会在周二召开。", "例会在春季召开。", false},
		{"He is a British actor.", "He is an English actor.", false},
		{"The long story of the town ends with an American flag.", "After many years the tall Canadian visitor left.", false}, // of other things
	} {
		if _, got := newClaim(c.claim).otherChoice(&NewSource(c.text).sentences[0]); got != c.want {
			t.Errorf("%q against %q: %v, want %v", c.claim, c.text, got, c.want)
		}
	}
}

func TestEveryWordStandsInOneSet(t *testing.T) {
	seen := map[string]string{}
	for line := range strings.Lines(exclusives) {
		for thing := range strings.FieldsSeq(line) {
			for word := range strings.SplitSeq(thing, "/") {
				if at, ok := seen[word]; ok {
					t.Errorf("%s stands in %q and in %q", word, at, thing)
				}
				seen[word] = thing
			}
		}
	}
	if got := chosen("monday 周一 星期一"); len(got) != 3 || several(got, got[0].set) || slices.ContainsFunc(got, func(w chosenWord) bool { return w.choice != got[0].choice }) {
		t.Errorf("one day in three words: %+v", got)
	}
	if len(choices()) < len(seen)/2 {
		t.Errorf("only %d of %d words were read", len(choices()), len(seen))
	}
}
