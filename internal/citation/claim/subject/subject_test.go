package subject

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// written is a subject as its text writes it.
func (s Subject) written() string {
	var words []string
	for _, t := range s.Terms {
		words = append(words, t.Surface)
	}
	if len(s.Terms) > 0 && wording.Han(s.Terms[0].Text) {
		return strings.Join(words, "")
	}
	return strings.Join(words, " ")
}

func TestTheSubjectStandsBeforeTheVerb(t *testing.T) {
	for _, c := range []struct{ text, mark, want string }{
		{"The Cedar Project is led by Bob.", "led", "cedar project"},
		{"Full members may book a court.", "book", "full members"},
		{"Costs rose in May.", "rose", "costs"},
		{"The drug increases mortality.", "mortality", "drug increases"}, // no verb is known
		{"Anne Sullivan (born in 1866, in spring) was a teacher.", "teacher", "anne sullivan"},
		{"Guests can use the gym, but may not book a court.", "book", "guests"}, // of the clause before
		{"Who leads it? Bob is the lead.", "lead.", "bob"},
		{"How many rooms are there? Five.", "five", ""}, // what is asked is no subject
		{"销售合同由财务部审核。", "财务", "销售合同"},
		{"全体员工不得携带锂电池。", "携带", ""}, // it holds for everybody
		{"职工可以携带手机。", "携带", "员工"},
		{"访客可以预订会议室，不得预订场地。", "场地", "访客"},
	} {
		folded := analysis.Fold(c.text)
		if s := Before(folded, strings.LastIndex(folded, c.mark)).written(); s != c.want {
			t.Errorf("%s before %q: %q, want %q", c.text, c.mark, s, c.want)
		}
	}
}

func TestTwoSubjectsAreToldFromOneNamedTwice(t *testing.T) {
	for _, c := range []struct {
		one, two string
		want     bool
	}{
		{"the cedar project is", "the maple project is", true},
		{"the limit of the berlin office is", "the limit of the munich office is", true},
		{"full members may", "guests may", true},
		{"full members", "guests", false}, // no verb says that this is the whole subject
		{"the project is", "the maple project is", false},
		{"tim roth is", "timothy simon roth is", false},
		{"employees may", "staff may", false},
		{"staff with 10 years of service have", "staff with 20 years of service have", true},
		{"采购合同由", "销售合同由", true},
		{"合同由", "采购合同由", false},
		{"员工可以", "职工可以", false},
		{"contractors may", "employees may", true},
		{"managers may", "all employees may", false}, // nobody is an exception
		{"early shift starts", "late shift starts", true},
		{"早班", "晚班", true}, // no verb is needed
		{"访客可以", "会员可以", true},
		{"it is", "the maple project is", false},
	} {
		one, two := Before(c.one, len(c.one)), Before(c.two, len(c.two))
		if got := one.Other(two, one.Words); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.one, c.two, got, c.want)
		}
		if got := two.Other(one, two.Words); got != c.want {
			t.Errorf("%q and %q, the other way: %v, want %v", c.two, c.one, got, c.want)
		}
	}
}

// TestNoSubjectIsAnotherThanItself draws texts and places in them.
func TestNoSubjectIsAnotherThanItself(t *testing.T) {
	scraps := []string{"the cedar project", " is ", " may ", "guests", ", ", "。", "? ", "(", ")", "5天以上", "采购合同", "由", "不得", " known as ", "10 years", "员工"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(scraps), 1, 10).Draw(t, "text"), "")
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		for at < len(text) && text[at]&0xC0 == 0x80 {
			at++
		}
		if s := Before(text, at); s.Other(s, s.Words) {
			t.Fatalf("%q at %d: %+v is another than itself", text, at, s)
		}
	})
}
