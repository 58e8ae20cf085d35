package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWhatIsMissingIsCalledAsAPersonCallsIt(t *testing.T) {
	for missing, want := range map[string][]string{
		"打印机在":      {"打印机"},
		"停车要收":      {"停车"},
		"产假有":       {"产假"},
		"停车要收费":     {"停车", "收费"},
		"食堂能刷卡":     {"食堂", "刷卡"},
		"宿舍会不会断电":   {"宿舍", "断电"},
		"咖啡机坏了找":    {"咖啡机"},
		"负责门禁卡":     {"门禁卡"},
		"财务总监":      {"财务总监"},
		"年会在":       {"年会"},
		"火星":        {"火星"},
		"理还":        nil, // the end of one word and the beginning of the next
		"VPN":       {"VPN"},
		"parking":   {"parking"},
		"ERR-9999":  {"ERR-9999"},
		"dental 9":  {"dental 9"},
		"":          {""},
		"班车要不要预约":   {"班车", "预约"},
		"健身房是否对外开放": {"健身房", "对外开放"},
	} {
		if diff := cmp.Diff(want, wording(missing)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", missing, diff)
		}
	}
	if got := wordings([]string{"打印机在", "打印机", "停车要收"}); !cmp.Equal(got, []string{"打印机", "停车"}) {
		t.Errorf("%q: each name once", got)
	}
}

// TestANameIsAPieceOfWhatWasAsked draws questions: no name that is missing was made up.
func TestANameIsAPieceOfWhatWasAsked(t *testing.T) {
	scraps := []string{"打印机", "在", "会", "年", "停车", "要收", "VPN", "9", " ", "火星", "了", "卡", "ERR-1", "林晓雯"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(scraps), 0, 8).Draw(t, "text"), "")
		for _, w := range wording(text) {
			if !strings.Contains(text, w) {
				t.Fatalf("%q is called %q", text, w)
			}
		}
	})
}

func TestAnAbstentionNamesWords(t *testing.T) {
	text := "会议室在三楼。年假为15天。"
	for question, want := range map[string][]string{
		"打印机在哪里？":     {"打印机"},
		"打印机在几楼？":     {"打印机"},
		"停车要收多少钱？":    {"停车"},
		"产假有多少天？":     {"产假"},
		"谁负责门禁卡的发放？":  {"门禁卡", "发放"},
		"食堂的营业时间有多长？": {"食堂", "营业"},
	} {
		q := understand(question, "")
		passages := []passage{{ref: "S1", doc: "d", text: text}}
		got, _ := write(q, find(q, passages), q.parts(passages))
		var names []string
		for line := range strings.SplitSeq(got, "\n") {
			if name, ok := strings.CutPrefix(line, "- "+q.labels().absent); ok {
				names = append(names, name)
			}
		}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", question, got, diff)
		}
	}
}

func TestAQuestionWhichOfSeveralIsOne(t *testing.T) {
	for _, c := range []struct{ question, text, says string }{
		{"总经理和财务总监谁审批报销？", "报销由财务总监审批。", "报销由财务总监审批。"},
		{"总经理和财务总监谁审批报销？", "财务总监复核报销。总经理审批报销。", "总经理审批报销。"},
		{"谁审批报销，总经理和财务总监？", "报销由财务总监审批。", "报销由财务总监审批。"},
		{"总经理和财务总监中哪位审批报销？", "报销由财务总监审批。", "报销由财务总监审批。"},
		{"张三和李四谁审批报销？", "报销由李四审批。", "报销由李四审批。"},
		{"Alice and Bob: who approves travel?", "Travel is approved by Bob.", "Travel is approved by Bob."},
		{"Who of Alice and Bob approves travel?", "Travel is approved by Bob.", "Travel is approved by Bob."},
	} {
		q := understand(c.question, "")
		passages := []passage{{ref: "S1", doc: "d", text: c.text}}
		got, _ := write(q, find(q, passages), q.parts(passages))
		l := q.labels()
		if first, _, _ := strings.Cut(got, "\n"); !strings.HasPrefix(first, l.conclusion+c.says) || strings.Contains(got, l.absent) || strings.Contains(got, l.unanswered) {
			t.Errorf("%s: %s", c.question, got)
		}
	}
	for _, question := range []string{"总经理和财务总监的邮箱地址是多少？", "食堂和停车场谁负责？", "谁是总经理和财务总监？"} {
		if got := understand(question, "").parts(nil); len(got) != 2 || got[0].among {
			t.Errorf("%s is asked of each: %+v", question, got)
		}
	}
	q := understand("总经理和财务总监谁审批报销？", "")
	passages := []passage{{ref: "S1", doc: "d", text: "会议室在三楼。"}}
	if got, _ := write(q, find(q, passages), q.parts(passages)); !strings.HasPrefix(got, "INSUFFICIENT_EVIDENCE") {
		t.Errorf("nothing is said of it: %s", got)
	}
}

func TestDaysOffAreLeaveAndNoOtherDays(t *testing.T) {
	for _, c := range []struct{ question, text, says string }{
		{"How many days off do I get?", "Employees get 25 days of annual leave. Parking costs 5 euros a day.", "Employees get 25 days of annual leave."},
		{"How many days off do new employees get?", "New employees get a badge on day one. Employees have 25 days of annual leave.", "Employees have 25 days of annual leave."},
		{"How many days off are there?", "Passwords expire after 90 days. Annual leave is 25 days.", "Annual leave is 25 days."},
		{"How many days off do I have?", "- Notice period: 30 days\n- Annual leave: 25 days\n- Probation: 90 days", "Annual leave: 25 days"},
		{"How much time off do I get?", "The office opens at 8. Annual leave is 25 days.", "Annual leave is 25 days."},
	} {
		q := understand(c.question, "")
		passages := []passage{{ref: "S1", doc: "d", text: c.text}}
		got, _ := write(q, find(q, passages), nil)
		if first, _, _ := strings.Cut(got, "\n"); !strings.HasPrefix(first, "Conclusion: "+c.says) {
			t.Errorf("%s: %s", c.question, first)
		}
	}
	q := understand("How many days off do I get?", "")
	passages := []passage{{ref: "S1", doc: "d", text: "Passwords expire after 90 days. Laptops are returned within 5 days."}}
	if got, _ := write(q, find(q, passages), nil); !strings.HasPrefix(got, "INSUFFICIENT_EVIDENCE") {
		t.Errorf("other days answer for days off: %s", got)
	}
}

func TestIdiomsAreSaidInAWord(t *testing.T) {
	for text, want := range map[string]string{
		"How many days off?":         "How many days of leave?",
		"Who signs off on travel?":   "Who approve travel?",
		"When does the light go off": "When does the light go off",
		"打印机在哪里？":                    "打印机在哪里？",
	} {
		if got := plainly(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
