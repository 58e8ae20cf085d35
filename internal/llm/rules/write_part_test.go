package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWhereAWordOfSeveralBeginsAndEnds(t *testing.T) {
	for _, c := range []struct {
		question string
		about    []string
		whole    string
	}{
		{"北京和火星的住宿上限", []string{"北京", "火星"}, "北京和火星"},
		{"请问去北京和火星出差能报多少", []string{"北京", "火星"}, "北京和火星"},
		{"上海、南京、苏州的住宿上限", []string{"上海", "南京", "苏州"}, "上海、南京、苏州"},
		{"北京和火星住宿标准是多少", []string{"北京", "火星"}, "北京和火星"},
		{"AX-100和AX-200的保修期多长", []string{"AX-100", "AX-200"}, "ax-100和ax-200"},
		{"年假以及病假有多少天", []string{"年假", "病假"}, "年假以及病假"},
		{"我和他的上限", nil, ""}, // too short to name anything
	} {
		var about []string
		whole := ""
		for _, p := range understand(c.question, "").splitHan() {
			about, whole = append(about, p.about), p.whole
		}
		if diff := cmp.Diff(c.about, about); diff != "" || whole != c.whole {
			t.Errorf("%s: %q (-want +got):\n%s", c.question, whole, diff)
		}
	}
}

// TestAnyQuestionIsTakenApartInBounds draws questions: the parts are few, name what they are about, and are
// shorter than the whole.
func TestAnyQuestionIsTakenApartInBounds(t *testing.T) {
	scraps := []string{"上海", "火星", "和", "与", "、", "以及", "的", "住宿上限", "是多少", "去", "《战争与和平》", "共和", "？", " ", "Shanghai", " and ", "on ", "Mars", "lodging", " limits", "What is the ", "AX-1", "\xff", "[S1]"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(scraps), 0, 10).Draw(t, "question"), "")
		parts := understand(text, "").parts([]passage{{doc: "a", text: lodging}})
		if len(parts) == 1 || len(parts) > maxParts {
			t.Fatalf("%q has %d parts", text, len(parts))
		}
		for _, p := range parts {
			if p.about == "" || !strings.Contains(text, p.about) || !strings.Contains(p.text, p.about) || len(p.text) >= len(text) {
				t.Fatalf("%q has the part %q about %q", text, p.text, p.about)
			}
		}
	})
}

func TestReadingGoesOnForThePartThatIsNotAnswered(t *testing.T) {
	passages := []passage{{doc: "a", text: lodging}}
	q := understand("北京和火星的住宿上限是多少", "")
	parts := q.parts(passages)
	if f := least(find(q, passages), parts); f != parts[1].finding || f.settled {
		t.Errorf("what is known least well is not the part about %s", parts[1].about)
	}
	q = understand("上海的住宿上限是多少", "")
	whole := find(q, passages)
	if least(whole, q.parts(passages)) != whole {
		t.Error("a question that asks one thing is not looked at whole")
	}
}

func TestWhatIsMissingOfAPartIsSaidOnce(t *testing.T) {
	for question, want := range map[string]string{
		"北京和火星的住宿上限是多少":                                      "\n待确认：在已读内容中没有找到：火星\n下一步：换一种说法再问，或向资料负责人核实：火星",
		"What is the lodging limit in Shanghai and on Mars?": "\nTo confirm: not found in what was read: Mars\nNext steps: ask again in other words, or ask the owner of the documents: Mars",
	} {
		if got := ask(question); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %q, want it to end in %q", question, got, want)
		}
	}
	// It is mentioned, but nothing says what is asked of it.
	got := reply(fixedRequest("上海和成都的住宿上限是多少", given{ref: "C1", key: "a", title: "差旅制度", text: lodging}, given{ref: "C2", key: "b", title: "办公室", text: "成都办公室于三月启用。"})).Text
	if !strings.Contains(got, "650") || !strings.Contains(got, "待确认：没有找到能回答这一部分的内容：成都") {
		t.Errorf("%s", got)
	}
	var a text
	a.note("one", "two")
	if a.note("one", "two"); len(a.confirm) != 1 || len(a.next) != 1 {
		t.Errorf("said twice: %+v", a)
	}
}

func TestASentenceThatAnswersTwoPartsIsQuotedOnce(t *testing.T) {
	got := reply(fixedRequest("上海和北京的住宿上限是多少", given{ref: "C1", key: "a", title: "差旅制度", text: lodging})).Text
	conclusion, _, _ := strings.Cut(got, "\n")
	if strings.Count(conclusion, "650 元") != 1 || !strings.Contains(conclusion, "700 元") {
		t.Errorf("%s", got)
	}
}

func TestWhatComesNearestIsSaidToLackTheItem(t *testing.T) {
	// The item stands in what was read, only not in what answers for the place.
	given := []given{{ref: "C1", key: "a", title: "差旅制度", text: lodging}, {ref: "C2", key: "b", title: "Laundry", text: "餐饮由前台安排，不收押金。"}}
	got := reply(fixedRequest("上海的餐饮上限是多少", given...)).Text
	if !strings.HasPrefix(got, "INSUFFICIENT_EVIDENCE") || !strings.Contains(got, "最接近的内容没有提到：餐饮") {
		t.Errorf("%s", got)
	}
	if got = ask("What is the meal limit in Shanghai?"); !strings.HasPrefix(got, "INSUFFICIENT_EVIDENCE") || !strings.Contains(got, "does not mention: meal") {
		t.Errorf("%s", got)
	}
}
