package conflict

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/citation/claim/reading"
	"github.com/kaoju/kaoju/internal/sharedtest"
)

var update = flag.Bool("update", false, "write golden files")

// evidenceOf makes evidence of a version of a document.
func evidenceOf(ref, document, key, title, excerpt string) Passage {
	return Passage{Ref: ref, Document: document, Key: key, Title: title, Source: reading.NewSource(excerpt)}
}

func TestWhatTwoSourcesDisagreeInIsNamed(t *testing.T) {
	for name, c := range map[string]struct{ question, a, b, kind string }{
		"a number":                  {"", "上海住宿上限为每晚650元。", "上海的住宿上限为每晚500元。", "value"},
		"a number in another form":  {"", "上海住宿上限为每晚650元。", "上海住宿上限为每晚六百五十元。", ""},
		"the same in another unit":  {"", "设备保修期为24小时内响应。", "设备保修期为1440分钟内响应。", ""},
		"another unit of one sort":  {"", "The pump runs for 2 hours a day.", "The pump runs for 90 minutes a day.", "value"},
		"days and working days":     {"", "出差须提前3天申请。", "出差须提前3个工作日申请。", ""},
		"a date":                    {"", "This policy is in force since March 1, 2026.", "This policy is in force since 2026-04-01.", "value"},
		"a date, less exact":        {"", "本制度自2026年10月1日起执行。", "本制度自2026年10月起执行。", ""},
		"denied":                    {"", "员工可以携带锂电池登机。", "员工不可以携带锂电池登机。", "negation"},
		"denied in English":         {"", "Meals of the journey are reimbursed.", "Meals of the journey are not reimbursed.", "negation"},
		"denied twice":              {"", "员工可以携带锂电池登机。", "员工并非不可以携带锂电池登机。", ""},
		"the opposite":              {"", "Using the guest network at home is mandatory.", "Using the guest network at home is optional.", "opposite"},
		"the opposite in Chinese":   {"", "超过5万元的采购合同必须招标。", "超过5万元的采购合同无需招标。", "opposite"},
		"another place":             {"", "上海住宿上限为每晚650元。", "北京市区住宿的上限为每晚500元。", ""},
		"another name":              {"", "The limit of the Berlin office is 650 euros.", "The limit of the Munich office is 500 euros.", ""},
		"another code":              {"", "故障码ERR-1042表示设备过热，需停机20分钟。", "故障码ERR-1043表示设备过热，需停机30分钟。", ""},
		"other words, not asked":    {"", "境外出差的申请由财务部负责人在线审批。", "境外出差的申请由行政部负责人在线审批。", ""},
		"other words, asked":        {"Who approves the purchase of a laptop for a contractor?", "The purchase of a laptop for a contractor is approved by finance.", "The purchase of a laptop for a contractor is approved by legal.", "words"},
		"other words of the asking": {"Who approves a laptop for a contractor?", "The purchase of a new laptop for a contractor is approved by finance.", "The purchase of a new laptop for a trainee is approved by finance.", ""},
		"numbers alone":             {"", "650", "500", ""},
		"nothing in common":         {"", "上海住宿上限为每晚650元。", "The canteen opens at 11:30.", ""},
	} {
		evidence := []Passage{evidenceOf("S1", "d1", "a", "", c.a), evidenceOf("S2", "d2", "b", "", c.b)}
		got := Find(c.question, evidence, []string{"S1"})
		switch {
		case c.kind == "" && len(got) != 0:
			t.Errorf("%s: %+v, want none", name, got)
		case c.kind != "" && (len(got) != 1 || got[0].Kind != c.kind || got[0].Refs != [2]string{"S1", "S2"} || got[0].Quotes != [2]string{c.a, c.b}):
			t.Errorf("%s: %+v, want %s", name, got, c.kind)
		}
	}
}

func TestVersionsOfOneDocumentThatSayOtherWordsDisagree(t *testing.T) {
	old, now := "境外出差的申请由财务部负责人在线审批。", "境外出差的申请由行政部负责人在线审批。"
	of := func(keys ...string) []Pair {
		return Find("", []Passage{evidenceOf("S1", "v1", keys[0], "", old), evidenceOf("S2", "v2", keys[1], "", now)}, []string{"S1", "S2"})
	}
	if got := of("travel", "travel"); len(got) != 1 || got[0].Kind != "words" {
		t.Errorf("two versions that name another approver: %+v", got)
	}
	if got := of("travel", "purchase"); len(got) != 0 {
		t.Errorf("two documents that may speak of different things: %+v", got)
	}
}

func TestADisagreementNeedsASideThatIsCited(t *testing.T) {
	evidence := []Passage{
		evidenceOf("S1", "d1", "a", "", "上海住宿上限为每晚650元。"), evidenceOf("S2", "d2", "b", "", "上海住宿上限为每晚500元。"),
		evidenceOf("S3", "d3", "c", "", "上海住宿上限为每晚600元。"),
	}
	for refs, want := range map[string]string{
		"":         "",
		"S1":       "S1-S2 S1-S3",
		"S3":       "S1-S3 S2-S3",
		"S1 S2 S3": "S1-S2 S1-S3 S2-S3",
	} {
		var got []string
		for _, c := range Find("", evidence, strings.Fields(refs)) {
			got = append(got, c.Refs[0]+"-"+c.Refs[1])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("of %q cited: %v, want %q", refs, got, want)
		}
	}
}

func TestAPairThatWasReadTwiceIsToldOfOnce(t *testing.T) {
	evidence := []Passage{
		evidenceOf("C1", "d1", "a", "", "上海住宿上限为每晚650元。"), evidenceOf("C2", "d2", "b", "", "上海住宿上限为每晚500元。"),
		evidenceOf("S1", "d1", "a", "", "上海住宿上限为每晚650元。"), evidenceOf("S2", "d2", "b", "", "上海住宿上限为每晚500元。"),
	}
	if got := Find("", evidence, []string{"C1", "C2", "S1", "S2"}); len(got) != 2 || got[0].Refs != [2]string{"C1", "C2"} {
		t.Errorf("%d pairs: %+v", len(got), got) // the second is the pair in the other order
	}
}

func TestHowManyDisagreementsAreToldOfIsBounded(t *testing.T) {
	var evidence []Passage
	var refs []string
	for i := range 30 {
		ref := fmt.Sprintf("S%d", i+1)
		refs = append(refs, ref)
		evidence = append(evidence, evidenceOf(ref, ref, ref, "", fmt.Sprintf("上海住宿上限为每晚%d元。", 100+i)))
	}
	if got := Find("", evidence, refs); len(got) != mostConflicts {
		t.Errorf("%d conflicts, want %d", len(got), mostConflicts)
	}
}

// TestQualityOfTheDisagreements looks for disagreements among documents that answer a question
// rightly, wrongly or not at all. Most of the wrong ones are told in words of their own, in which
// rules see no disagreement.
func TestQualityOfTheDisagreements(t *testing.T) {
	if detecting {
		t.Skip("the same figures are compared without the race detector")
	}
	type question struct {
		Text      string
		Documents []struct{ Text, Type, Answer string }
	}
	misled, found, others, flagged, differ, same := 0, 0, 0, 0, 0, 0
	for _, q := range sharedtest.Records[question](t, "data", "eval", "ramdocs", "conflict.jsonl") {
		var evidence []Passage
		var refs []string
		wrong := map[string]bool{}
		answers := map[string]string{}
		for i, d := range q.Documents {
			ref := fmt.Sprintf("S%d", i+1)
			refs = append(refs, ref)
			evidence = append(evidence, evidenceOf(ref, ref, ref, "", d.Text))
			answers[ref] = d.Answer
			if d.Type == "misinfo" {
				wrong[ref] = true
			}
		}
		hit, any := false, false
		for _, c := range Find(q.Text, evidence, refs) {
			a, b := c.Refs[0], c.Refs[1]
			any = true
			if answers[a] != answers[b] {
				differ++
				hit = hit || wrong[a] || wrong[b]
			} else {
				same++
			}
		}
		switch {
		case len(wrong) > 0:
			misled++
			if hit {
				found++
			}
		default:
			others++
			if any {
				flagged++
			}
		}
	}
	got := fmt.Sprintf("ramdocs: of %d questions with a wrong document, a disagreement with it found in %d; of %d others, some found in %d\n"+
		"pairs told of: %d of documents that answer differently, %d of others\n", misled, found, others, flagged, differ, same)
	golden := filepath.Join("testdata", "conflicts.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s moved; look at the pairs behind it, then run with -update (-want +got):\n%s", golden, diff)
	}
}
