package contrast

import (
	"testing"

	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

func TestByWhomSomethingIsDoneIsCompared(t *testing.T) {
	for _, c := range []struct {
		claim, text string
		other       bool
	}{
		{"Leave is approved by the line manager.", "Leave is approved by the managing director.", true},
		{"Leave is approved by the finance department.", "Leave is approved by the legal department.", true},
		{"The room is booked by the secretary of the board.", "The room is booked by the secretary of the board and the porter.", false},
		{"Leave is approved by the supervisor.", "Leave is approved by the supervisor in writing.", false},
		{"Leave is approved by the line manager.", "Leave is approved by the supervisor.", false},
	} {
		if _, ok := otherDoer(wording.Fold(c.claim), wording.Fold(c.text)); ok != c.other {
			t.Errorf("%q against %q: %v", c.claim, c.text, ok)
		}
		if _, ok := otherDoer(wording.Fold(c.claim), wording.Fold(c.claim)); ok {
			t.Errorf("%q has another than itself", c.claim)
		}
	}
}
