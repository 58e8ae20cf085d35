package conflict

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const house = "上海住宿上限为每晚650元，北京为700元。超出部分不予报销。员工可以携带锂电池。采购必须招标。\n" +
	"The Cedar Project is led by Alice Moore. Some meals are reimbursed before June 1, 2026. Firmware v2.3.1 fixes ERR-1042."

var scraps = []string{
	"上海", "北京", "住宿上限", "为", "每晚", "650元", "700元", "，", "。", "不予", "报销", "必须", "招标", "The Cedar Project", " is led by ", "Alice Moore", "Bob", " not ",
	"ERR-1042", "2026-10-01", "三天", "50%", "only ", "\n", "| a | b |", "[S1]", "１２",
}

// text draws a text of scraps.
func text(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(scraps), 0, 12).Draw(t, label), "")
}

// TestAnyTwoTextsAreComparedWithoutHarm draws evidence, nonsense for the most part.
func TestAnyTwoTextsAreComparedWithoutHarm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one, two, title := text(t, "one"), text(t, "two"), text(t, "title")
		read := []Passage{evidenceOf("S1", "a", "k", title, one), evidenceOf("S2", "b", "k", "", two)}
		for _, c := range Find(text(t, "question"), read, []string{"S1", "S2"}) {
			if !strings.Contains(one, c.Quotes[0]) || !strings.Contains(two, c.Quotes[1]) || c.Kind == "" {
				t.Fatalf("%+v", c)
			}
		}
		read[1].Document = "a"
		if got := Find("", read, []string{"S1", "S2"}); len(got) != 0 {
			t.Fatalf("a document disagrees with itself: %+v", got)
		}
	})
}

func BenchmarkConflicts(b *testing.B) {
	var evidence []Passage
	var refs []string
	for i := range 6 {
		ref := fmt.Sprintf("S%d", i+1)
		refs = append(refs, ref)
		evidence = append(evidence, evidenceOf(ref, ref, ref, "", strings.Repeat(house+"\n", 10)))
	}
	for b.Loop() {
		Find("上海住宿上限", evidence, refs)
	}
}

func TestTextsAboutDifferentPeopleDoNotDisagree(t *testing.T) {
	for _, c := range []struct {
		one, two string
		want     int
	}{
		{"国内出差每人每天的补助标准为120元。", "国外出差每人每天的补助标准为200元。", 0},
		{"国内出差每人每天的补助标准为120元。", "国内出差每人每天的补助标准为200元。", 1},
		{"Full-time employees have ten days of paid leave.", "Part-time employees have five days of paid leave.", 0},
		{"Full-time employees have ten days of paid leave.", "Full-time employees have five days of paid leave.", 1},
	} {
		read := []Passage{evidenceOf("S1", "a", "k", "", c.one), evidenceOf("S2", "b", "l", "", c.two)}
		if got := Find("", read, []string{"S1"}); len(got) != c.want {
			t.Errorf("%q and %q: %+v", c.one, c.two, got)
		}
	}
}
