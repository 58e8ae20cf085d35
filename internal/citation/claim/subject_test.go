package claim

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/analysis"
)

// written is a subject as its text writes it.
func (s subject) written() string {
	var words []string
	for _, t := range s.terms {
		words = append(words, t.surface)
	}
	if len(s.terms) > 0 && han(s.terms[0].text) {
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
		if s := before(folded, strings.LastIndex(folded, c.mark)).written(); s != c.want {
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
		one, two := before(c.one, len(c.one)), before(c.two, len(c.two))
		if got := one.other(two, one.words); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.one, c.two, got, c.want)
		}
		if got := two.other(one, two.words); got != c.want {
			t.Errorf("%q and %q, the other way: %v, want %v", c.two, c.one, got, c.want)
		}
	}
}

func TestASubjectThatIsSpokenOfElsewhereIsTheSame(t *testing.T) {
	film, tangled := before("the film was", len("the film was")), before("tangled is", len("tangled is"))
	if tangled.other(film, vocabulary("tangled is a silent film")) {
		t.Error("the film is what the claim says that Tangled is")
	}
	if !tangled.other(film, vocabulary("tangled is a rope")) {
		t.Error("no film is spoken of")
	}
	c := newClaim("Anne Sullivan was born in April.")
	st := NewSource("Johanna Mansfield Sullivan was born in May, better known as Anne.").sentences[0]
	if c.apart(strings.Index(c.folded, "april"), strings.Index(st.folded, "may"), &st) {
		t.Error("another name of hers makes her somebody else")
	}
}

func TestNumbersOfTwoCasesAreNoRivals(t *testing.T) {
	for _, c := range []struct {
		sentence, text string
		want           bool
	}{
		{"3天以上的请假由总经理审批。", "3天以内的请假由主管审批。", true},
		{"3天以上的请假由总经理审批。", "5天以上的请假由总经理审批。", false}, // the same is said of both
		{"工龄10年的员工享有15天年假。", "工龄20年的员工享有20天年假。", true},
		{"年假为10天。", "年假为15天。", false}, // behind the verb
		{"Purchases above 500 yuan are approved by the head.", "Purchases above 900 yuan are approved by the chairman.", true},
	} {
		claim, st := newClaim(c.sentence), &NewSource(c.text).sentences[0]
		if got := claim.condition(claim.quantities[0], st.quantities[0], st); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.sentence, c.text, got, c.want)
		}
	}
}

func TestOppositesBeforeTheVerbTellTwoCasesApart(t *testing.T) {
	for _, c := range []struct {
		sentence, text string
		pair           [2]string
		want           bool
	}{
		{"Expenses above the limit are refundable.", "Expenses below the limit are refundable.", [2]string{"abov", "below"}, true},
		{"The expenses are above the limit.", "The expenses are below the limit.", [2]string{"abov", "below"}, false},
		{"Temporary badges are free.", "The badge is permanent.", [2]string{"temporari", "perman"}, false}, // of one of the two alone
		{"高于预算的费用由总经理审批。", "低于预算的费用由主管审批。", [2]string{"高于", "低于"}, true},
		{"实际费用是高于预算的。", "实际费用是低于预算的。", [2]string{"高于", "低于"}, false},
	} {
		if got := newClaim(c.sentence).splits(c.pair, &NewSource(c.text).sentences[0]); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.sentence, c.text, got, c.want)
		}
	}
}

func TestARecordOfATableHasTheSubjectThatItsRowSays(t *testing.T) {
	c := newClaim("The Berlin office is closed on Monday.")
	st := NewSource("The Munich office is closed on Friday.").sentences[0]
	if !c.elsewhere([2]string{"monday", "friday"}, &st) {
		t.Error("two offices are one")
	}
	if st.record = true; c.elsewhere([2]string{"monday", "friday"}, &st) {
		t.Error("the columns of a table are read as a sentence")
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
		if s := before(text, at); s.other(s, s.words) {
			t.Fatalf("%q at %d: %+v is another than itself", text, at, s)
		}
	})
}
