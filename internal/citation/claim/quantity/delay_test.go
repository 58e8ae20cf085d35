package quantity

import (
	"testing"

	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

func TestAPeriodIsWithinAfterOrAhead(t *testing.T) {
	for text, want := range map[string]delay{
		"within 30 days of receipt": within, "within the first 6 months": within, "no later than 14 days after departure": within, "not later than two weeks after": within, "30 days at the latest": within,
		"in the first 3 months": within, "at most 5 hours": within, "after 30 days": after, "after the first 90 days": after, "14 days after departure": after, "two weeks later": after, "once 3 months have passed": after,
		"at least 14 days after departure": after, "5 days before the meeting": ahead, "7 days in advance": ahead, "at least 24 hours ahead": ahead,
		"within 5 days before the meeting": anytime, "due 30 days after receipt": anytime, "30 days of leave": anytime, "5 rooms after the lobby": anytime, "with 30 days' notice": anytime,
		"30日内支付": within, "收到发票后14天内": within, "三个月以内": within, "不迟于7天": within, "最迟7天后": within, "30日后支付": after, "14天后退还": after, "满6个月": after, "7个工作日之后": after,
		"提前3天": ahead, "会议5天前": ahead, "5年内部规划": anytime, "3年后期": anytime, "到期30日后": anytime, "30天年假": anytime, "提前不超过3天": anytime,
	} {
		qs, _ := Read(wording.Fold(text))
		if len(qs) == 0 || qs[0].delay != want {
			t.Errorf("%q: %v, want %v", text, qs, want)
		}
	}
}
