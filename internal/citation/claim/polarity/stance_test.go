package polarity

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/analysis"
)

func TestOppositesAreKnownFromBothSides(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want [][2]string
	}{
		{"the drug increases mortality", "the drug reduces mortality", [][2]string{{"increas", "reduc"}}},
		{"the drug reduces mortality", "the drug increases mortality", [][2]string{{"reduc", "increas"}}},
		{"the drug increases mortality", "mortality rose and fell", nil},
		{"the drug increases mortality", "the drug has an effect on mortality", nil},
		{"apply before the trip", "apply after the trip", [][2]string{{"befor", "after"}}},
		{"必须招标", "自愿招标", [][2]string{{"必须", "自愿"}}},
		{"费用由甲方支付，属于收入", "费用由甲方支付，属于支出", [][2]string{{"收入", "支出"}}},
		{"the fee is refundable", "the fee is non-refundable", [][2]string{{"refund", "non-refundable"}}},
		{"", "必须", nil},
	} {
		a, b := analysis.Fold(c.a), analysis.Fold(c.b)
		got := StanceOf(a, Attitudes(a)).Against(StanceOf(b, Attitudes(b)))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s / %s (-want +got):\n%s", c.a, c.b, diff)
		}
	}
}
