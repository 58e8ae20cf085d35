package claim

import "testing"

// unseenPairs were written and judged after the rules stood, of the same kinds as the pairs beside this file.
var unseenPairs = []expectation{
	{saysContrary, "Parking costs 5 euros.", "It isn't correct that parking costs 5 euros."},
	{saysContrary, "会议室可以预订。", "会议室可以预订的说法不实。"},
	{saysContrary, "The gym is open daily.", "It is a myth that the gym is open daily."},
	{borneOut, "The gym is open daily.", "Contrary to rumours, the gym is open daily."},
	{saysContrary, "The pool is heated.", "The pool is unheated."},
	{saysContrary, "费用不包括午餐。", "费用包括午餐。"},
	{saysContrary, "The deposit is neither 200 nor 300 euros.", "The deposit is 300 euros."},
	{saysContrary, "押金不是200元或300元。", "押金为200元。"},
	{borneOut, "押金为400元。", "押金不是200元或300元，而是400元。"},
	{saysContrary, "The shop opens Tue–Sun.", "The shop opens Tuesday to Saturday."},
	{borneOut, "商店周二至周日营业。", "商店星期二到星期日营业。"},
	{borneOut, "Revenue was 2.4 million euros.", "Revenue was €2.4m."},
	{borneOut, "补助金为三万二千元。", "补助金为3.2万元。"},
	{notBorneOut, "信息科负责备份。", "档案科负责备份。"},
	{notBorneOut, "The Basel lab tests all samples twice.", "The Zurich lab tests all samples twice."},
	{atMostPartly, "补助为每月300元。", "外地员工的补助为每月500元。"},
	{atMostPartly, "The fee is 20 euros.", "The fee for late returns is 50 euros."},
	{saysContrary, "Tea is allowed in the library.", "Tea is prohibited in the library."},
	{borneOut, "Tea is not permitted in the library.", "Tea is prohibited in the library."},
	{saysContrary, "证书须在考试之前提交。", "证书须在考试之后提交。"},
	{noContrary, "The report covers Asia.", "The report covers Asia and Africa."},
	{borneOut, "The report covers Asia.", "The report covers Asia and Africa."},
	{borneOut, "Only the treasurer signs cheques.", "Cheques are signed only by the treasurer."},
	{borneOut, "午餐由公司提供。", "公司提供午餐，晚餐自理。"},
	{saysContrary, "晚餐由公司提供。", "公司提供午餐，不提供晚餐。"},
	{borneOut, "Visitors may use the car park on Saturday.", "Visitors may use the car park on Saturday, and the canteen is closed on Sunday."},
}

func TestSentencesOfTheSameKindsAreJudgedAlike(t *testing.T) { holds(t, unseenPairs) }
