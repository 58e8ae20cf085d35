package contrast

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

func TestAPlaceThatNothingCitedNamesIsMissing(t *testing.T) {
	for _, c := range []struct {
		claim, text string
		want        []string
	}{
		{"上海办公室周一开放。", "北京办公室周一开放。", []string{"上海"}},
		{"上海办公室周一开放。", "Shanghai 办公室周一开放。", nil},
		{"旧金山和纽约的办公室在美国。", "New York 的办公室在美利坚。", []string{"旧金山", "美国"}},
		{"印尼分公司周一开放。", "印度尼西亚分公司周一开放。", nil},
		{"印度尼西亚分公司周一开放。", "印尼分公司周一开放。", nil}, // and not of India
		{"上海和上海浦东的办公室。", "北京办公室。", []string{"上海"}},
		{"办公室周一开放。", "北京办公室周一开放。", nil},
	} {
		got := Foreign(analysis.Fold(c.claim), []*reading.Source{reading.NewSource("会议室在三楼。"), reading.NewSource(c.text)})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s and %s: %q, want %q", c.claim, c.text, got, c.want)
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
		cited := []*reading.Source{reading.NewSource(c.text), reading.NewSource(c.more)}
		got, apart, ok := otherName(reading.NewClaim(c.claim), &cited[0].Sentences[0], cited)
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
		cited := []*reading.Source{reading.NewSource(text)}
		if r, apart, ok := otherName(reading.NewClaim(said), &cited[0].Sentences[0], cited); ok && !apart {
			t.Errorf("%q against %q: %v", said, text, r)
		}
	}
}
