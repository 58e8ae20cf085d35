package claim

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/analysis"
)

func TestConditionsAreTheClausesBefore(t *testing.T) {
	for _, c := range []struct{ text, mark, want string }{
		{"If the device is lost, it is reported within 2 hours.", "2", "device lost"},
		{"The device is old, it is reported within 2 hours.", "2", ""}, // it says when nothing holds
		{"It is reported within 2 hours if the device is lost.", "2", ""},
		{"设备丢失的，须在2小时内报告。", "2", "设备丢失"},
		{"如果设备丢失，须在2小时内报告。", "2", "如果设备丢失"},
	} {
		folded := analysis.Fold(c.text)
		if s := conditions(folded, strings.Index(folded, c.mark)).written(); s != c.want {
			t.Errorf("%s: %q, want %q", c.text, s, c.want)
		}
	}
}

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
		if got := newClaim(c.sentence).elsewhen(c.pair, &NewSource(c.text).sentences[0]); got != c.want {
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
		if got := newClaim(c.sentence).doneByOthers([2]string{"use", "use"}, &NewSource(c.text).sentences[0]); got != c.want {
			t.Errorf("%q and %q: %v, want %v", c.sentence, c.text, got, c.want)
		}
	}
	if position("guests use it", "use") < 0 {
		t.Fatal("the word that the cases turn on is not found")
	}
}

func TestAComplementEndsAtTheNextWordThatJoins(t *testing.T) {
	var got []string
	for _, m := range complements("it is free for guests of the house and in the garden, from monday") {
		words := []string{m.by}
		for _, term := range m.terms {
			words = append(words, term.surface)
		}
		got = append(got, strings.Join(words, " "))
	}
	if diff := cmp.Diff([]string{"for guests", "in garden", "from monday"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestANumberStandsWhereItIsWritten(t *testing.T) {
	for text, want := range map[string]string{
		"每晚650元":            "650",
		"由统一部门保管二级密码":       "二",
		"it is due in may":  "in may",
		"on 3 june 2026":    "3",
		"the fee is twenty": "twenty",
		"年假为五天":             "五",
	} {
		list := statedIn(text)
		if len(list) == 0 {
			t.Fatalf("%s states nothing", text)
		}
		at := numberAt(text, list[0])
		if want == "" && at != -1 || want != "" && at != strings.Index(text, want) {
			t.Errorf("%s: at %d, want %q", text, at, want)
		}
	}
}
