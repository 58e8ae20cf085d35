package claim

import (
	"testing"

	"pgregory.net/rapid"
)

// TestWhatIsPassedOverDeniesNothing draws texts of words: those that are not read for denials hold none.
func TestWhatIsPassedOverDeniesNothing(t *testing.T) {
	words := []string{"不", "没有", "严禁", "cannot", "isn't", "lacking", "yet to", "refusal", "no", "上海", "lodging", "650元", "，", " "}
	rapid.Check(t, func(t *rapid.T) {
		text := "meals " + rapid.SampledFrom(words).Draw(t, "word") + " paid"
		if (zhDenials.MatchString(text) || enDenials.MatchString(text)) && !mayDeny(text) {
			t.Fatalf("%q denies and is passed over", text)
		}
	})
	if mayDeny("meals are reimbursed") {
		t.Error("what denies nothing is read all the same")
	}
}
