package claim

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/citation/claim/contrast"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

const House = "上海住宿上限为每晚650元，北京为700元。超出部分不予报销。员工可以携带锂电池。采购必须招标。\n" +
	"The Cedar Project is led by Alice Moore. Some meals are reimbursed before June 1, 2026. Firmware v2.3.1 fixes ERR-1042."

func TestReasonsNameWhatWasNotBorneOut(t *testing.T) {
	for sentence, want := range map[string][]Reason{
		"上海住宿上限为每晚650元":                                  nil, // it stands there
		"上海住宿上限为每晚800元。":                                 {{"number", "800元", "650元"}},
		"上海住宿上限为每晚700元。":                                 {{"number", "700元", "650元"}},
		"故障码ERR-1043表示过热。":                               {{"number", "err-1043", ""}, {"words", "故障码, 表示过热", ""}},
		"Some meals are reimbursed before July 1, 2026.": {{"number", "2026-07-01", "2026-06-01"}},
		"Some meals are reimbursed before June 2, 2026.": {{"number", "2026-06-02", "2026-06-01"}},
		"The Cedar Project is led by Bob Moore.":         {{"name", "bob", ""}, {"words", "bob", ""}},
		"超出部分予以报销。":                                      {{"negation", "部 分 予 报 销", ""}, {"words", "以", ""}},
		"采购自愿招标。":                                        {{"opposite", "自愿", "必须"}, {"words", "自愿", ""}},
		"All meals are reimbursed before June 1, 2026.":  {{"quantifier", "all", ""}, {"words", "all", ""}},
		"Meals with wine are reimbursed at weekends.":    {{"words", "wine, weekends", ""}},
	} {
		f := Judge(sentence, []*Source{NewSource(House)})
		got := f.Reasons
		if sentence == "超出部分予以报销。" && len(got) > 0 && got[0].Code == "negation" {
			// How far a denial reaches is the affair of its own test.
			got = append([]Reason{{"negation", want[0].Said, ""}}, got[1:]...)
		}
		if sentence == "超出部分予以报销。" {
			got, want = got[:1], want[:1]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (%s by %s) (-want +got):\n%s", sentence, f.Verdict, f.Rule, diff)
		}
	}
}

func TestReasonsAreBounded(t *testing.T) {
	var words []string
	for i := range 40 {
		words = append(words, fmt.Sprintf("%cword", 'a'+i%26))
	}
	f := Judge(strings.Join(words, " "), []*Source{NewSource(House)})
	for _, r := range f.Reasons {
		if n := strings.Count(r.Said, ",") + 1; n > contrast.MostNamed {
			t.Errorf("a reason names %d words: %s", n, r.Said)
		}
	}
}

func TestWhatSpeaksAgainstASentenceLowersItsScore(t *testing.T) {
	score := func(sentence string) float64 {
		return Judge(sentence, []*Source{NewSource(House)}).Score
	}
	for _, c := range []struct{ better, worse string }{
		{"上海住宿上限为每晚650元", "上海的住宿费上限是每晚650元。"},
		{"上海的住宿上限是每晚650元。", "上海的住宿上限是每晚800元。"},
		{"上海的住宿上限是每晚650元。", "上海的住宿上限是每晚700元。"},
		{"上海的住宿上限是每晚650元。", "深圳的住宿上限是每晚650元。"},
		{"员工都可以携带锂电池。", "员工都不可以携带锂电池。"},
		{"所有采购都必须招标。", "所有采购都自愿招标。"},
		{"Alice Moore leads the Cedar Project.", "Bob Stone leads the Cedar Project."},
		{"Some meals are reimbursed before June 1.", "Some meals are reimbursed before June 9."},
		{"Some of the meals are reimbursed.", "Only some of the meals are reimbursed."},
		{"The Cedar Project is led by Alice.", "The canteen opens at weekends."},
	} {
		if a, b := score(c.better), score(c.worse); a <= b {
			t.Errorf("%q scores %.3f, %q %.3f", c.better, a, c.worse, b)
		}
	}
}

var scraps = []string{
	"上海", "北京", "住宿上限", "为", "每晚", "650元", "700元", "，", "。", "不予", "报销", "必须", "招标", "The Cedar Project", " is led by ", "Alice Moore", "Bob", " not ",
	"ERR-1042", "2026-10-01", "三天", "50%", "only ", "\n", "| a | b |", "[S1]", "１２",
}

func Text(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(scraps), 0, 12).Draw(t, label), "")
}

// TestAnyTextIsJudgedInBounds draws sentences and sources, nonsense for the most part.
func TestAnyTextIsJudgedInBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sentence, excerpt, more := Text(t, "sentence"), Text(t, "excerpt"), Text(t, "more")
		a := Judge(sentence, []*Source{NewSource(excerpt)})
		switch {
		case math.IsNaN(a.Score) || a.Score < 0 || a.Score > 1:
			t.Fatalf("a score of %v", a.Score)
		case a.Verdict == Supported && len(reading.NewClaim(sentence).Quantities) > 0 && hasReason(a, "number"):
			t.Fatalf("%q is supported by %q with a number that is not there: %+v", sentence, excerpt, a.Reasons)
		case a.Verdict == NotSupported && a.Quote != "":
			t.Fatalf("not found, and decided by %q", a.Quote)
		case a.Quote != "" && !strings.Contains(excerpt, a.Quote):
			t.Fatalf("the quote %q is not in %q", a.Quote, excerpt)
		}
		if b := Judge(sentence, []*Source{NewSource(excerpt)}); cmp.Diff(a.Reasons, b.Reasons) != "" || a.Verdict != b.Verdict || a.Score != b.Score {
			t.Fatalf("%q is judged %+v, then %+v", sentence, a, b)
		}
		// More sources leave what stands word for word as it is.
		if c := Judge(sentence, []*Source{NewSource(excerpt), NewSource(more)}); a.Rule == "literal" && c.Rule != "literal" {
			t.Fatalf("%q stands in %q and is judged %s by %s", sentence, excerpt, c.Verdict, c.Rule)
		}
	})
}

func hasReason(f Finding, code string) bool {
	for _, r := range f.Reasons {
		if r.Code == code {
			return true
		}
	}
	return false
}

func FuzzJudge(f *testing.F) {
	f.Add("上海住宿上限为每晚650元。", House)
	f.Add("not no never 不不不 三分之零 half of 0分之5", "百分之五 2026年13月45日 1973-74")
	f.Add("\xff\xfe", "\x00")
	f.Fuzz(func(t *testing.T, sentence, excerpt string) {
		if len(sentence)+len(excerpt) > 4000 {
			return
		}
		if a := Judge(sentence, []*Source{NewSource(excerpt)}); math.IsNaN(a.Score) || a.Score < 0 || a.Score > 1 {
			t.Errorf("a score of %v", a.Score)
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	src := NewSource(strings.Repeat(House+"\n", 10))
	for b.Loop() {
		Judge("在上海，住宿的上限是每晚 650 元。", []*Source{src, src, src})
	}
}

func TestANumberIsTheSameWithItsMarksAndInWords(t *testing.T) {
	for _, p := range [][2]string{{"The limit is 15 thousand yuan.", "The limit is 15,000 yuan."}, {"上限为1.5万元。", "上限为15,000元。"}} {
		for _, q := range [][2]string{p, {p[1], p[0]}} {
			if f := Judge(q[0], []*Source{NewSource(q[1])}); f.Verdict != Supported {
				t.Errorf("%q against %q is %s by %s, %v", q[0], q[1], f.Verdict, f.Rule, f.Reasons)
			}
		}
	}
}
