package claim

import (
	"testing"

	"github.com/kaoju/kaoju/internal/citation/claim/paraphrase"
)

func TestWhatIsClosedOnADayIsNotOpenOnIt(t *testing.T) {
	holds(t, []expectation{
		{borneOut, "图书馆在节假日不开放。", "图书馆周一至周五9:00-17:00开放，节假日除外。"},
		{borneOut, "游客中心法定节假日不开放。", "游客中心每日9点至17点开放，法定节假日除外。"},
		{borneOut, "展馆节假日不开放。", "展馆节假日闭馆。"},
		{borneOut, "展馆周一闭馆。", "展馆周一不开放。"},
		{borneOut, "档案室节假日不对外开放。", "档案室节假日关闭。"},
		{borneOut, "商店周日不营业。", "商店周日停业休息。"},
		{borneOut, "The library is not open on public holidays.", "The library is closed on public holidays."},
		{borneOut, "The library is closed on public holidays.", "The library is not open on public holidays."},
		{borneOut, "The shop closes on Sundays.", "The shop does not open on Sundays."},
		{borneOut, "The library is closed on public holidays.", "The library is open every day except public holidays."},
		{notBorneOut, "展馆节假日闭馆。", "展馆节假日开放。"},
		{saysContrary, "展馆节假日开放。", "展馆节假日闭馆。"},
		{saysContrary, "展馆节假日不闭馆。", "展馆节假日闭馆。"},
		{notBorneOut, "展馆周二闭馆。", "展馆周一闭馆。"},
		{notBorneOut, "图书馆节假日开放。", "图书馆周一至周五9:00-17:00开放，节假日除外。"},
		{saysContrary, "商店周日营业。", "商店周日停业休息。"},
		{saysContrary, "The library is open on public holidays.", "The library is closed on public holidays."},
		{notBorneOut, "The library is open on public holidays.", "The library is open every day except public holidays."},
		{notBorneOut, "The shop closes on Sundays.", "The shop opens on Sundays."},
		{notBorneOut, "The shop closes on Mondays.", "The shop is closed on Sundays."},
	})
}

func TestWordsThatSayTheVerySameAreHeld(t *testing.T) {
	holds(t, []expectation{
		{borneOut, "甲方在收到发票后30日内付款。", "甲方收到发票后30日内支付。"},
		{borneOut, "甲方须于收到发票后30天内完成付款。", "甲方收到发票后30日内支付。"},
		{borneOut, "甲方在收到发票后30日内付清合同款。", "甲方收到发票后30日内支付合同款。"},
		{borneOut, "收到发票后三十天内，甲方付款。", "甲方收到发票后30日内支付。"},
		{borneOut, "押金在7天内归还。", "押金在7天内退还。"},
		{borneOut, "员工应向人事部递交申请。", "员工应向人事部提交申请。"},
		{borneOut, "Party A pays within 30 days of receiving the invoice.", "Party A shall pay within 30 days after receipt of the invoice."},
		{borneOut, "The customer makes payment within 30 days of receiving the invoice.", "The customer shall pay within 30 days after receipt of the invoice."},
		{notBorneOut, "乙方收到发票后30日内付款。", "甲方收到发票后30日内支付。"},
		{saysContrary, "甲方收到发票后60日内付款。", "甲方收到发票后30日内支付。"},
		{saysContrary, "甲方收到发票前30日内付款。", "甲方收到发票后30日内支付。"},
		{notBorneOut, "甲方收到发票30日后付款。", "甲方收到发票后30日内支付。"},
		{saysContrary, "押金不予归还。", "押金予以退还。"},
		{notBorneOut, "The customer makes payment within 60 days of receiving the invoice.", "The customer shall pay within 30 days after receipt of the invoice."},
	})
}

func TestAWordThatIsPartOfALongerOneStays(t *testing.T) {
	for text, want := range map[string]string{
		"预付款为30%": "预付款为30%", "付款期限": "付款期限", "应付款项": "应付款项", "付款方承担": "付款方承担", "甲方付款,乙方发货": "甲方支付,乙方发货", "验收后付款": "验收后支付",
		"receiving dock": "receiving dock", "late payments": "late payments", "on receiving the goods": "on receipt of the goods",
	} {
		if got := paraphrase.Plain(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
