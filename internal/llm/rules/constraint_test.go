package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/analysis"
)

// handout speaks of lodging by place, and of meals and parking in sentences of their own.
const handout = "# 差旅制度\n\n## 住宿\n\n上海住宿上限为每晚 650 元，北京和深圳相同。南京住宿上限为每晚 560 元。\n\n## 其他\n\n出差须提前三天申请。加班餐每餐不超过 35 元。\n\n" +
	"## Lodging\n\nThe lodging limit in Shanghai is 650 yuan a night. The lodging limit in Nanjing is 560 yuan a night.\n\n## Other\n\nEach overtime meal is paid up to 35 yuan. The deposit fee for a bicycle is 90 yuan."

func ask(question string) string {
	return reply(fixedRequest(question, given{ref: "C1", key: "travel", title: "差旅制度", text: handout})).Text
}

// said is a text as evidence.
func said(text string) evidence {
	own := map[string]bool{}
	for _, t := range analysis.Tokens(text) {
		own[t.Term] = true
	}
	return evidence{analysis.Fold(text), []bag{{own: own}}}
}

func TestANeighbouringItemIsNoAnswer(t *testing.T) {
	for question, want := range map[string]struct{ says, lacks string }{
		"上海的住宿上限是多少":                                 {says: "650"},
		"上海的酒店上限是多少":                                 {says: "650"}, // a word of the same family
		"南京住宿上限是多少？":                                 {says: "560"},
		"上海的餐饮上限是多少":                                 {lacks: "餐饮"},
		"上海的停车费上限是多少":                                {lacks: "停车"},
		"上海的洗衣费是多少？":                                 {lacks: "洗衣"},
		"上海打车补贴是多少":                                  {lacks: "打车"},
		"What is the lodging limit in Shanghai?":     {says: "650"},
		"What is the hotel limit in Nanjing?":        {says: "560"},
		"What is the laundry limit in Shanghai?":     {lacks: "laundry"},
		"What is the parking fee for a bicycle?":     {lacks: "parking"},
		"How much is the deposit fee for a bicycle?": {says: "90"},
	} {
		got := ask(question)
		switch insufficient := strings.HasPrefix(got, "INSUFFICIENT_EVIDENCE"); {
		case want.says != "" && (insufficient || !strings.Contains(got, want.says)):
			t.Errorf("%s: %s; want %s", question, got, want.says)
		case want.lacks != "" && (!insufficient || !strings.Contains(got, want.lacks)):
			t.Errorf("%s: %s; want it to say that %q is missing", question, got, want.lacks)
		}
	}
}

func TestWhomAQuestionIsAboutIsMentionedByThePassageThatAnswers(t *testing.T) {
	passages := []given{
		{ref: "C1", key: "a", title: "荷兰", text: "荷兰位于欧洲西北部，风车很多。荷兰的首都是阿姆斯特丹。"},
		{ref: "C2", key: "b", title: "比利时", text: "交通运输方式有铁路、公路和运河。首都是布鲁塞尔。"},
	}
	if got := reply(fixedRequest("荷兰的交通运输方式有哪些？", passages...)).Text; !strings.HasPrefix(got, "INSUFFICIENT_EVIDENCE") {
		t.Errorf("an answer about another country: %s", got)
	}
	passages[1].text = "荷兰的" + passages[1].text
	if got := reply(fixedRequest("荷兰的交通运输方式有哪些？", passages...)).Text; !strings.Contains(got, "铁路") {
		t.Errorf("no answer where the passage names the country: %s", got)
	}
}

func TestConstraintsAreFoundWithTheirSlots(t *testing.T) {
	type found struct {
		text string
		slot slot
	}
	for _, c := range []struct {
		question, evidence string
		want               []found
	}{
		{"上海的餐饮上限是多少", "上海住宿上限为每晚650元", []found{{"餐饮", thing}}},
		{"火星的住宿上限是多少", "上海住宿上限为每晚650元", []found{{"火星", entity}}},
		{"去火星出差住宿上限是多少", "上海出差住宿上限为每晚650元", []found{{"火星", entity}}},
		{"上海的住宿上限是多少", "上海酒店每晚650元", nil},                         // of one family
		{"他们的组织叫什么", "上海住宿上限为每晚650元", []found{{"他们的组织叫", loose}}}, // it points
		{"哪些杂志刊登了文章", "上海住宿上限为每晚650元", []found{{"杂志刊登了文章", loose}}},
		{"what is the meal limit in Shanghai", "the lodging limit in shanghai", []found{{"meal", thing}}},
		{"what is the lodging limit on Mars", "the lodging limit in shanghai", []found{{"Mars", entity}}},
		{"what does ERR-1042 mean", "err-1043 means heat", []found{{"ERR-1042", entity}}},
		{"how many nights are paid", "all nights are reimbursed", []found{{"paid", loose}}},
	} {
		var got []found
		for _, k := range understand(c.question, "").constraints(said(c.evidence)) {
			got = append(got, found(k))
		}
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(found{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.question, diff)
		}
	}
}

// TestEvidenceThatRepeatsAQuestionMeetsIt draws questions: what holds all their words lacks nothing, and
// more evidence never makes more constraints.
func TestEvidenceThatRepeatsAQuestionMeetsIt(t *testing.T) {
	words := []string{"上海", "火星", "的", "住宿", "餐饮", "停车费", "上限", "是多少", "和", "什么", " Mars ", " limit ", " ERR-1042 ", " the ", "？", "12"}
	rapid.Check(t, func(t *rapid.T) {
		question := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 8).Draw(t, "question"), "")
		some := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 8).Draw(t, "evidence"), "")
		q := understand(question, "")
		if got := q.constraints(said(question)); len(got) != 0 {
			t.Fatalf("%q does not meet itself: %v", question, got)
		}
		texts := func(list []constraint) (out []string) {
			for _, c := range list {
				out = append(out, c.text)
			}
			return out
		}
		less, more := texts(q.constraints(said(""))), strings.Join(texts(q.constraints(said(some))), "\n")
		if !slices.ContainsFunc(less, func(s string) bool { return s != "" }) && more != "" {
			t.Fatalf("%q lacks %q of %q and nothing of nothing", question, more, some)
		}
	})
}
