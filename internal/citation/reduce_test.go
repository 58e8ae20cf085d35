package citation_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kaoju/kaoju/internal/citation"
	"pgregory.net/rapid"
)

func TestSentencesKnowTheirReferences(t *testing.T) {
	type brief struct {
		Text string
		Refs []string
		Own  bool
	}
	for name, c := range map[string]struct {
		text string
		want []brief
	}{
		"inside":               {"甲是1[S1]。乙是2[S2]。", []brief{{"甲是1。", []string{"S1"}, true}, {"乙是2。", []string{"S2"}, true}}},
		"behind the full stop": {"甲是1。[S1]乙是2。[S2]", []brief{{"甲是1。", []string{"S1"}, true}, {"乙是2。", []string{"S2"}, true}}},
		"behind, with blanks":  {"A is one. [S1] B is two. [S2][S3]", []brief{{"A is one.", []string{"S1"}, true}, {"B is two.", []string{"S2", "S3"}, true}}},
		"as the subject":       {"It is so. [S1] says that B is two.", []brief{{"It is so.", []string{"S1"}, false}, {"says that B is two.", []string{"S1"}, true}}},
		"at the paragraph's end": {"甲是1。乙是2。[S1]\n丙是3。", []brief{
			{"甲是1。", []string{"S1"}, false}, {"乙是2。", []string{"S1"}, true}, {"丙是3。", nil, false},
		}},
		"heads and code are none": {"结论：甲是1[S1]。\n```\n乙[S2]\n```\n## 依据\n- 丙是3 [S3]\n---\n", []brief{{"甲是1。", []string{"S1"}, true}, {"丙是3", []string{"S3"}, true}}},
		"emphasis":                {"**上限**是`650`元 [S1]", []brief{{"上限是650元", []string{"S1"}, true}}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []brief
			for _, s := range citation.Sentences(c.text) {
				got = append(got, brief{s.Text, s.Refs, s.Own})
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("sentences (-want +got):\n%s", diff)
			}
		})
	}
}

// without returns what a viewer may read who lost one reference.
func without(lost string) func(string) bool {
	return func(ref string) bool { return ref != lost }
}

func TestAnAnswerIsReducedToWhatIsStillReadable(t *testing.T) {
	text := "结论：上海上限650元[S1]。研发手册另有规定[S2]。两者合计[S1][S2]。\n\n依据：\n- 制度第三条 [S1]\n- 手册第七条 [S2]\n\n待确认：早餐"
	a, err := citation.Accept(text, evidence("S1", "S2"))
	if err != nil {
		t.Fatal(err)
	}
	got, withheld := citation.Reduce(a, without("S2"))
	want := citation.Answer{
		Text:     "上海上限650元[S1]。\n\n- 制度第三条 [S1]",
		Sections: citation.Sections{Conclusion: "上海上限650元[S1]。", Basis: "- 制度第三条 [S1]"}, Refs: []string{"S1"},
	}
	if diff := cmp.Diff(want, got); diff != "" || !withheld {
		t.Errorf("withheld %v (-want +got):\n%s", withheld, diff)
	}
	if same, withheld := citation.Reduce(a, without("S9")); withheld || cmp.Diff(a, same) != "" {
		t.Error("an answer whose evidence is all readable was reduced")
	}
	if none, withheld := citation.Reduce(a, func(string) bool { return false }); !withheld || none.Text != "" || none.Refs != nil || none.Sections != (citation.Sections{}) {
		t.Errorf("nothing is readable, and %+v remains", none)
	}
}

func TestMissingListsAndCodeAreWithheldToo(t *testing.T) {
	a, err := citation.Accept("INSUFFICIENT_EVIDENCE\n- 手册只说 CANARY [S1]\n- 制度\n```\nCANARY\n```", evidence("S1"))
	if err != nil {
		t.Fatal(err)
	}
	got, withheld := citation.Reduce(a, without("S1"))
	if !withheld || strings.Contains(fmt.Sprintf("%+v", got), "CANARY") || got.Missing != nil {
		t.Errorf("withheld %v, left %+v", withheld, got)
	}
}

func TestChecksOfUnreadableEvidenceAreWithheld(t *testing.T) {
	checks := []citation.Check{
		{Sentence: "a", Labels: []string{"S1"}}, {Sentence: "b", Labels: []string{"S1", "S2"}}, {Sentence: "c", Labels: []string{}},
	}
	if diff := cmp.Diff(checks[:1], citation.ReduceChecks(checks, without("S2"))); diff != "" {
		t.Errorf("checks (-want +got):\n%s", diff)
	}
}

// TestNoWordOfUnreadableEvidenceSurvives writes answers of marked sentences and takes evidence
// away: a mark of a sentence that leans on it must be nowhere in what remains, and marks of
// sentences that lean on readable evidence alone must all be there.
func TestNoWordOfUnreadableEvidenceSurvives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		refs := []string{"S1", "S2", "S3"}
		var b strings.Builder
		leans := map[string][]string{}
		for i := range rapid.IntRange(1, 8).Draw(t, "sentences") {
			mark := fmt.Sprintf("标记%c", 'A'+i)
			own := rapid.SliceOfNDistinct(rapid.SampledFrom(refs), 1, 2, rapid.ID).Draw(t, "refs")
			leans[mark] = own
			marks := "[" + strings.Join(own, "][") + "]"
			b.WriteString(rapid.SampledFrom([]string{"", "结论：", "依据：", "- ", "## 下一步\n"}).Draw(t, "lead"))
			if rapid.Bool().Draw(t, "inside") {
				b.WriteString("这里是" + mark + marks + "。")
			} else {
				b.WriteString("这里是" + mark + "。" + marks)
			}
			b.WriteString(rapid.SampledFrom([]string{"\n", "\n\n"}).Draw(t, "gap"))
		}
		a, err := citation.Accept(b.String(), evidence(refs...))
		if err != nil {
			t.Fatal(err)
		}
		lost := rapid.SampledFrom(refs).Draw(t, "lost")
		got, withheld := citation.Reduce(a, without(lost))
		everything := fmt.Sprintf("%+v", got)
		for mark, own := range leans {
			hidden := slices.Contains(own, lost)
			if hidden && (strings.Contains(everything, mark) || !withheld) {
				t.Fatalf("%s leans on %v and is left without %s in %q", mark, own, lost, everything)
			}
			if !hidden && !strings.Contains(got.Text, mark) {
				t.Fatalf("%s leans on %v and is gone without %s from %q", mark, own, lost, got.Text)
			}
		}
	})
}
