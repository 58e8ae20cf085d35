package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAQuestionIsTakenApartWhereItAsksTheSameOfSeveral(t *testing.T) {
	for question, want := range map[string][]string{
		"北京和火星的住宿上限":                                         {"北京的住宿上限", "火星的住宿上限"},
		"上海、南京和火星的住宿上限是多少":                                   {"上海的住宿上限是多少", "南京的住宿上限是多少", "火星的住宿上限是多少"},
		"去北京与火星出差的住宿上限是多少？":                                  {"去北京出差的住宿上限是多少？", "去火星出差的住宿上限是多少？"},
		"上海的住宿和餐饮上限是多少":                                      {"上海的住宿上限是多少", "上海的餐饮上限是多少"},
		"上海的住宿上限和北京的餐饮上限是多少":                                 {"上海的住宿上限", "北京的餐饮上限是多少"},
		"北京和火星住宿上限是多少":                                       {"北京住宿上限是多少", "火星住宿上限是多少"},
		"食堂和停车场几点开门":                                         {"食堂几点开门", "停车场几点开门"},
		"上海和北京的住宿上限有什么区别":                                    nil, // it compares
		"上海和北京的住宿上限一共是多少":                                    nil,
		"埃及和平协议签署的时间是什么时候":                                   nil, // parts of words
		"《战争与和平》的作者是谁":                                       nil, // a title
		"上海的住宿上限是多少":                                         nil,
		"怎样申请和审批出差":                                          nil, // nothing of which each has its own is asked
		"What is the limit in Shanghai and on Mars?":         {"What is the limit in Shanghai?", "What is the limit on Mars?"},
		"What is the limit in Shanghai and Nanjing?":         {"What is the limit in Shanghai?", "What is the limit in Nanjing?"},
		"What are the lodging and meal limits in Shanghai?":  {"What are the lodging limits in Shanghai?", "What are the meal limits in Shanghai?"},
		"How much is the difference between Rome and Paris?": nil,
		"How much is the fee for bread and butter?":          nil,
		"How long is the notice period?":                     nil,
	} {
		var got []string
		for _, p := range understand(question, "").parts(nil) {
			got = append(got, p.text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", question, diff)
		}
	}
}

func TestWhatPassagesJoinIsOneThing(t *testing.T) {
	q := understand("研发和测试部的人数是多少", "")
	if got := q.parts([]passage{{text: "公司有研发和测试部。"}}); got != nil {
		t.Errorf("taken apart though a passage names it so: %v", got)
	}
	if got := q.parts([]passage{{text: "公司有研发部。"}}); len(got) != 2 {
		t.Errorf("%d parts, want 2", len(got))
	}
}

func TestAPartWithoutAnAnswerIsNamed(t *testing.T) {
	for question, want := range map[string]struct{ says, confirm []string }{
		"北京和火星的住宿上限":                                           {[]string{"650"}, []string{"火星"}},
		"火星和北京的住宿上限是多少":                                        {[]string{"650"}, []string{"火星"}},
		"上海的住宿和餐饮上限是多少":                                        {[]string{"650"}, []string{"餐饮"}},
		"上海和南京的住宿上限是多少":                                        {[]string{"650", "560"}, nil},
		"上海、南京和火星的住宿上限是多少":                                     {[]string{"650", "560"}, []string{"火星"}},
		"What is the lodging limit in Shanghai and on Mars?":   {[]string{"650"}, []string{"Mars"}},
		"What is the lodging limit in Shanghai and Nanjing?":   {[]string{"650", "560"}, nil},
		"What are the lodging and laundry limits in Shanghai?": {[]string{"650"}, []string{"laundry"}},
	} {
		got := ask(question)
		conclusion, rest, _ := strings.Cut(got, "\n")
		for _, s := range want.says {
			if !strings.Contains(conclusion, s) {
				t.Errorf("%s: %s; want it to conclude %s", question, got, s)
			}
		}
		_, confirm, confirms := strings.Cut(rest, "\n")
		if confirms != (len(want.confirm) > 0) {
			t.Errorf("%s: %s; want something to confirm: %v", question, got, want.confirm)
		}
		for _, s := range want.confirm {
			if !strings.Contains(confirm, s) {
				t.Errorf("%s: %s; want it to name %s", question, got, s)
			}
		}
	}
}

func TestAQuestionNoPartOfWhichIsAnsweredNamesThemAll(t *testing.T) {
	for question, names := range map[string][]string{
		"火星和月球的住宿上限是多少":                                   {"火星", "月球"},
		"What is the lodging limit on Mars and on Venus?": {"Mars", "Venus"},
	} {
		got := ask(question)
		if !strings.HasPrefix(got, "INSUFFICIENT_EVIDENCE") || strings.Count(got, "\n- ") != len(names) {
			t.Errorf("%s: %s", question, got)
		}
		for _, n := range names {
			if !strings.Contains(got, n) {
				t.Errorf("%s: %s does not name %s", question, got, n)
			}
		}
	}
}

// What answers for both may name the parts otherwise than the question does.
func TestAnAnswerToTheWholeIsOneWhereNoPartIsAnsweredAlone(t *testing.T) {
	for _, c := range []struct {
		question, text string
		says           []string
	}{
		{"用户名和密码的长度限制是多少？", "用户名长度为6至20位。密码长度至少12位。", []string{"12位"}},
		{"What are the hotel and meal limits?", "Hotel: up to 150 euros a night. Meals: up to 40 euros a day.", []string{"150"}},
		{"What is the meal limit in Berlin and in Paris?", "In Berlin meals are paid up to 40 euros, in Paris up to 60 euros.", []string{"40", "60"}},
	} {
		q := understand(c.question, "")
		passages := []passage{{ref: "S1", doc: "d", text: c.text}}
		got, _ := write(q, find(q, passages), q.parts(passages))
		if strings.HasPrefix(got, "INSUFFICIENT_EVIDENCE") || strings.Contains(got, q.labels().unanswered) || strings.Contains(got, q.labels().absent) {
			t.Errorf("%s: %s", c.question, got)
		}
		for _, s := range c.says {
			if !strings.Contains(got, s) {
				t.Errorf("%s: %s; want it to say %s", c.question, got, s)
			}
		}
	}
}
