package contrast

import (
	"testing"

	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

func TestOneSideOfAThingLeavesNoRoomForTheOther(t *testing.T) {
	for _, c := range []struct{ claim, text, found string }{
		{"补助在回程后支付。", "补助在回程前支付。", "回程前"},
		{"补助在回程之后支付。", "补助在回程前支付。", "回程前"},
		{"报表须在10点前提交。", "报表须在10点后提交。", "0点后"},
		{"补助在回程后支付。", "补助在出发前支付。", ""}, // of another thing
		{"补助在回程后支付。", "申请在回程前提出，补助在回程后支付。", ""},
		{"目前没有。", "目后没有。", ""},
		{"以实际前提为准。", "以实际后为准。", ""},
	} {
		r, ok := otherOrder(reading.NewClaim(c.claim), &reading.NewSource(c.text).Sentences[0])
		if ok != (c.found != "") || r.Found != c.found {
			t.Errorf("%q against %q: %v %+v, want %q", c.claim, c.text, ok, r, c.found)
		}
	}
}
