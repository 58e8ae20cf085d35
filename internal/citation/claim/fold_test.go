package claim

import (
	"testing"

	"github.com/kaoju/kaoju/internal/citation/claim/numeral"
)

// periodPairs are days, periods and numbers, written in one way and in another.
var periodPairs = []expectation{
	{saysContrary, "营业时间为周一至周六。", "营业时间为星期一到星期五。"},
	{borneOut, "营业时间为周一至周五。", "营业时间为星期一到星期五。"},
	{borneOut, "营业时间为星期一至星期五。", "营业时间为周一到周五。"},
	{borneOut, "营业时间为礼拜一到礼拜五。", "营业时间为星期一到星期五。"},
	{saysContrary, "营业时间为礼拜一到礼拜六。", "营业时间为星期一到星期五。"},
	{saysContrary, "营业时间为礼拜一到礼拜六。", "营业时间为周一至周五。"},
	{saysContrary, "客服时间为周一至周日。", "客服时间为周一至周五。"},
	{saysContrary, "The office is open Monday to Saturday.", "The office is open Mon–Fri."},
	{saysContrary, "The office is open Mon-Sat.", "The office is open Monday to Friday."},
	{borneOut, "The office is open Monday to Friday.", "The office is open Mon–Fri."},
	{borneOut, "The office is open Mon-Fri.", "The office is open from Monday to Friday."},
	{borneOut, "The office is open Mon.-Fri.", "The office is open from Monday through Friday."},
	{saysContrary, "The office is open Mon to Sat.", "The office is open Mon to Fri."},
	{saysContrary, "营业时间：Mon–Sat。", "营业时间：周一至周五。"},
	{saysContrary, "营业时间为周一至周六。", "营业时间为Mon–Fri。"},
	{borneOut, "营业时间为周一至周五。", "营业时间为Mon–Fri。"},
	{notBorneOut, "营业时间为周一至周六，全年开放。", "营业时间为星期一到星期五，全年开放。"},
	{noContrary, "营业时间为周二至周四。", "营业时间为周一至周五。"},
	{borneOut, "每周工作时间为40小时。", "每周工作时间为四十小时。"},
	{borneOut, "员工每周工作40小时。", "员工每周工作四十小时。"},
	{borneOut, "员工每周40小时。", "员工每周四十小时。"},
	{borneOut, "餐补为每周500元。", "餐补为每周五百元。"},
	{borneOut, "员工每周可远程办公3天，每周3天。", "员工每周可远程办公三天，每周三天。"},
	{notBorneOut, "员工每周10小时。", "员工每周四十小时。"},
	{saysContrary, "餐补为每周100元。", "餐补为每周五百元。"},
	{notBorneOut, "远程办公为每周2天。", "远程办公为每周三天。"},
	{borneOut, "例会时间为周一10点。", "例会时间为周一十点。"},
	{borneOut, "Delivery takes between 25 and 35 days.", "Delivery takes between twenty-five and thirty-five days."},
	{notBorneOut, "Delivery takes between 25 and 45 days.", "Delivery takes between twenty-five and thirty-five days."},
	{borneOut, "Employees may not claim any more than 650 yuan.", "Employees may not claim any more than 650 yuan per night."},
	{notBorneOut, "Employees may not claim any more than 650 yuan.", "Employees may claim any more than 650 yuan."},
	{notBorneOut, "Employees may claim taxis.", "Employees may not claim any more taxis."},
	{borneOut, "Interns do not receive vouchers.", "Interns do not receive vouchers any more."},
	{borneOut, "The discount does not apply to interns.", "The discount does not apply any longer to interns."},
	{saysContrary, "The discount applies to interns.", "The discount does not apply any longer to interns."},
	{saysContrary, "活动时间为三月至五月。", "活动时间为3月至4月。"},
	{borneOut, "活动时间为三月至四月。", "活动时间为3月到4月。"},
	{borneOut, "活动时间为3-4月。", "活动时间为3月到4月。"},
	{saysContrary, "活动时间为3-5月。", "活动时间为3月到4月。"},
	{saysContrary, "The campaign runs from March to June.", "The campaign runs from March to May."},
	{borneOut, "The campaign runs from March to May.", "The campaign runs March–May."},
	{saysContrary, "The campaign runs March to June.", "The campaign runs March–May."},
	{borneOut, "The campaign runs from Mar to May.", "The campaign runs from March to May."},
	{saysContrary, "活动时间为5月1日至5月7日。", "活动时间为5月1日至5月5日。"},
	{borneOut, "活动时间为5月1日至5日。", "活动时间为5月1日至5月5日。"},
	{saysContrary, "活动时间为5月1日至7日。", "活动时间为5月1日至5日。"},
	{saysContrary, "The fair lasts from 1 to 7 May 2026.", "The fair lasts from 1 to 5 May 2026."},
	{borneOut, "The fair lasts from 1 May to 5 May 2026.", "The fair lasts from 1 to 5 May 2026."},
	{borneOut, "The budget is 15 thousand yuan.", "The budget is 15,000 yuan."},
	{borneOut, "The budget is 15,000 yuan.", "The budget is 15 thousand yuan."},
	{borneOut, "预算为1.5万元。", "预算为15,000元。"},
	{borneOut, "预算为15000元。", "预算为1.5万元。"},
	{borneOut, "预算为一万五千元。", "预算为1.5万元。"},
	{borneOut, "预算为1.5亿元。", "预算为150,000,000元。"},
	{borneOut, "预算为15k元。", "预算为15000元。"},
	{borneOut, "The budget is 15k yuan.", "The budget is 15,000 yuan."},
	{borneOut, "The budget is $15k.", "The budget is $15,000."},
	{borneOut, "The budget is $15K.", "The budget is 15 thousand dollars."},
	{borneOut, "The budget is 1.5 million yuan.", "The budget is 1,500,000 yuan."},
	{borneOut, "The budget is $1.5m.", "The budget is $1.5 million."},
	{borneOut, "The budget is fifteen thousand yuan.", "The budget is 15,000 yuan."},
	{borneOut, "The budget is one and a half million yuan.", "The budget is 1,500,000 yuan."},
	{borneOut, "The budget is one hundred and fifty yuan.", "The budget is 150 yuan."},
	{borneOut, "The budget is two hundred fifty yuan.", "The budget is 250 yuan."},
	{borneOut, "The town has 15 thousand inhabitants.", "The town has 15,000 inhabitants."},
	{borneOut, "The town has 15,000 inhabitants.", "The town has fifteen thousand inhabitants."},
	{borneOut, "全镇有1.5万居民。", "全镇有15000居民。"},
	{borneOut, "全镇有1.5万名居民。", "全镇有居民1.5万人。"},
	{borneOut, "该项目投资3千万元。", "该项目投资3000万元。"},
	{borneOut, "该项目投资三千万元。", "该项目投资3000万元。"},
	{borneOut, "该项目投资30百万元。", "该项目投资3000万元。"},
	{borneOut, "单价为2百元。", "单价为200元。"},
	{borneOut, "单价为两百五十元。", "单价为250元。"},
	{borneOut, "单价为二百五。", "单价为250元。"},
	{borneOut, "产量为2.5千吨。", "产量为2500吨。"},
	{borneOut, "The file may have 1.5 MB.", "The file may have 1.5MB."},
	{saysContrary, "The budget is 15 thousand yuan.", "The budget is 1,500 yuan."},
	{saysContrary, "预算为1.5万元。", "预算为1500元。"},
	{saysContrary, "预算为1.5万元。", "预算为150,000元。"},
	{saysContrary, "The budget is $15k.", "The budget is $15 million."},
	{saysContrary, "The budget is 1.5 million yuan.", "The budget is 1.5 billion yuan."},
	{saysContrary, "The budget is 15k yuan.", "The budget is 50,000 yuan."},
	{borneOut, "The prize is half a million euros.", "The prize is 500,000 euros."},
	{borneOut, "The building cost 2 bn dollars.", "The building cost 2 billion dollars."},
	{borneOut, "赔偿上限为10万元。", "赔偿上限为100,000元。"},
	{borneOut, "赔偿上限为十万元。", "赔偿上限为10万元。"},
	{borneOut, "赔偿上限为20万美元。", "赔偿上限为200,000美元。"},
}

func TestDaysPeriodsAndNumbersAreComparedWhateverTheirForm(t *testing.T) { holds(t, periodPairs) }

func TestNumberWordsAreReadAsOneNumberWhereTheyAreOne(t *testing.T) {
	for text, want := range map[string]string{
		"one hundred and fifty": "150", "two thousand three hundred and four": "2304", "a hundred": "100", "one": "one",
		"twenty-five": "25", "nineteen ninety": "19 90", "two or three": "2 or 3", "five million two hundred thousand": "5200000",
		"between twenty-five and thirty-five days": "between 25 and 35 days", "one hundred and two hundred": "100 and 200", "one hundred and fifty and two hundred": "150 and 200",
		"two, three and four": "2, 3 and 4", "five and six and seven": "5 and 6 and 7", "twenty-five thirty-five": "25 35", "one and two hundred": "one and 200", "twenty-five thirty-five and two hundred": "25 35 and 200", "ten and a hundred and five": "10 and 105",
		"one two": "one 2", "fifteen thousand": "15000", "二百五": "250", "一千零五": "1005", "一万五": "15000", "一百五十": "150",
	} {
		if got := numeral.Arabic(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"$1.5m": "$1.5 million", "2 bn dollars": "2 billion dollars", "5 m long": "5 m long", "half a million": "0.5 million", "one and a half million": "1.5 million",
	} {
		if got := numeral.Magnitudes(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
