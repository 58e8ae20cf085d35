package contrast

import (
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/citation/claim/reading"
	"github.com/kaoju/kaoju/internal/citation/claim/subject"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

func TestTwoCasesAreToldApart(t *testing.T) {
	for _, c := range []struct {
		sentence, text string
		pair           [2]string
		want           bool
	}{
		{"Parking is free for visitors.", "Parking is not free for employees.", [2]string{"free", "free"}, true},
		{"Parking is free for visitors.", "Parking is not free for visitors on Sundays.", [2]string{"free", "free"}, false},
		{"Parking is free for visitors.", "Parking is not free on Sundays.", [2]string{"free", "free"}, false}, // another preposition
		{"Meals are reimbursed in Berlin.", "Meals are not reimbursed in Munich.", [2]string{"reimburs", "reimburs"}, true},
		{"In Berlin meals are reimbursed.", "In Munich meals are not reimbursed.", [2]string{"reimburs", "reimburs"}, false}, // that is the subject's affair
		{"Meals are reimbursed.", "Meals are not reimbursed in Munich.", [2]string{"reimburs", "reimburs"}, false},
	} {
		if got := elsewhen(reading.NewClaim(c.sentence), c.pair, &reading.NewSource(c.text).Sentences[0]); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.sentence, c.text, got, c.want)
		}
	}
}

func TestWhatOneDoesAnotherNeedNotDo(t *testing.T) {
	for _, c := range []struct {
		sentence, text string
		want           bool
	}{
		{"Guests use the guest network.", "Interns do not use the guest network.", true},
		{"Guests don't use the guest network.", "Interns use the guest network.", true},
		{"Guests use the guest network.", "Guests do not use the guest network.", false},
		{"Guests use the network of the office.", "Guests of the office do not use the network.", false},
		{"Guests may use the network.", "Interns may never use the network.", false}, // its verb is known without
	} {
		if got := doneByOthers(reading.NewClaim(c.sentence), [2]string{"use", "use"}, &reading.NewSource(c.text).Sentences[0]); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.sentence, c.text, got, c.want)
		}
	}
	if wording.Position("guests use it", "use") < 0 {
		t.Fatal("the word that the cases turn on is not found")
	}
}

func TestASubjectThatIsSpokenOfElsewhereIsTheSame(t *testing.T) {
	film, tangled := subject.Before("the film was", len("the film was")), subject.Before("tangled is", len("tangled is"))
	if tangled.Other(film, wording.Vocabulary("tangled is a silent film")) {
		t.Error("the film is what the claim says that Tangled is")
	}
	if !tangled.Other(film, wording.Vocabulary("tangled is a rope")) {
		t.Error("no film is spoken of")
	}
	c := reading.NewClaim("Anne Sullivan was born in April.")
	st := reading.NewSource("Johanna Mansfield Sullivan was born in May, better known as Anne.").Sentences[0]
	if apart(c, strings.Index(c.Folded, "april"), strings.Index(st.Folded, "may"), &st) {
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
		claim, st := reading.NewClaim(c.sentence), &reading.NewSource(c.text).Sentences[0]
		if got := twoCases(claim, claim.Quantities[0], st.Quantities[0], st); got != c.want {
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
		if got := splits(reading.NewClaim(c.sentence), c.pair, &reading.NewSource(c.text).Sentences[0]); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.sentence, c.text, got, c.want)
		}
	}
}

func TestARecordOfATableHasTheSubjectThatItsRowSays(t *testing.T) {
	c := reading.NewClaim("The Berlin office is closed on Monday.")
	st := reading.NewSource("The Munich office is closed on Friday.").Sentences[0]
	if !elsewhere(c, [2]string{"monday", "friday"}, &st) {
		t.Error("two offices are one")
	}
	if st.Record = true; elsewhere(c, [2]string{"monday", "friday"}, &st) {
		t.Error("the columns of a table are read as a sentence")
	}
}
