package claim

import "testing"

// substituted are sentences that say another thing than their text by one word, or by one character, in its place.
var substituted = []expectation{
	// Verbs.
	{notBorneOut, "The policy covers water damage.", "The policy excludes water damage."},
	{notBorneOut, "The committee receives the budget in March.", "The committee rejects the budget in March."},
	{notBorneOut, "The tenant receives the deposit of 500 yuan.", "The tenant pays the deposit of 500 yuan."},
	{notBorneOut, "Employees pass the safety exam.", "Employees take the safety exam."},
	{notBorneOut, "Smith developed the drug.", "Smith tested the drug."},
	{notBorneOut, "The board established the fund.", "The board dissolved the fund."},
	{notBorneOut, "The clerk adds the invoice to the ledger.", "The clerk deletes the invoice from the ledger."},
	{notBorneOut, "The guard moves the barrier at night.", "The guard locks the barrier at night."},
	{notBorneOut, "Visitors enter the hall by the east door.", "Visitors leave the hall by the east door."},
	{notBorneOut, "The lab keeps the samples.", "The lab tests the samples."},
	{notBorneOut, "The guard calls the porter.", "The guard replaces the porter."},
	{notBorneOut, "The treasurer designed the form.", "The treasurer signed the form."},
	{notBorneOut, "The valve connects the two tanks.", "The valve separates the two tanks."},
	{notBorneOut, "The warranty applies to the battery.", "The warranty omits the battery."},
	{notBorneOut, "The team introduced the new tariff.", "The team criticised the new tariff."},
	{notBorneOut, "The main office completes the review in May.", "The main office cancels the review in May."},
	// Nouns, also in a longer sentence.
	{notBorneOut, "The area around the mill is closed.", "The road around the mill is closed."},
	{notBorneOut, "The night porter carries the brass lantern, the spare fuses and the yellow blankets up to the cabin before the frost sets in.",
		"The night porter carries the brass kettle, the spare fuses and the yellow blankets up to the cabin before the frost sets in."},
	// The last character.
	{notBorneOut, "设备故障须报部长。", "设备故障须报部门。"},
	{notBorneOut, "学生发热时通知校长。", "学生发热时通知校医。"},
	{notBorneOut, "发票交财务科。", "发票交财务部。"},
	{notBorneOut, "押金由出租方退还。", "押金由出租人退还。"},
	{notBorneOut, "每月检查水阀。", "每月检查水泵。"},
	{notBorneOut, "电梯故障请联系维修商。", "电梯故障请联系维修部。"},
	{notBorneOut, "加班须经主任同意。", "加班须经主管同意。"},
	{notBorneOut, "钥匙交给张三丰。", "钥匙交给张三。"},
	{notBorneOut, "钥匙由张三丰保管。", "钥匙由张三保管。"},
	{notBorneOut, "报告交给院士。", "报告交给院长。"},
	{notBorneOut, "样品送到仓管。", "样品送到仓库。"},
	{notBorneOut, "夜间由保洁值守。", "夜间由保安值守。"},
	{notBorneOut, "车辆停放在车棚。", "车辆停放在车库。"},
	{notBorneOut, "费用由承租商负担。", "费用由承租人负担。"},
	// What is so in principle, and what always.
	{notBorneOut, "报销须附发票。", "报销原则上须附发票。"},
	{notBorneOut, "报销原则上须附发票。", "报销须附发票。"},
	{notBorneOut, "会议在周一召开。", "会议通常在周一召开。"},
	{notBorneOut, "会议一般在周一召开。", "会议在周一召开。"},
	{notBorneOut, "Claims are paid within 5 days.", "Claims are usually paid within 5 days."},
	{notBorneOut, "Claims are generally paid within 5 days.", "Claims are paid within 5 days."},
	// A verb that says little for one that says another thing.
	{notBorneOut, "The warranty names the battery.", "The warranty omits the battery."},
	{notBorneOut, "The warranty includes the battery.", "The warranty omits the battery."},
	{notBorneOut, "The policy describes data transfers.", "The policy ignores data transfers."},
	{notBorneOut, "The crew takes the morning break.", "The crew skips the morning break."},
	{notBorneOut, "The committee makes the rules.", "The committee breaks the rules."},
	{notBorneOut, "The guard sets the alarm.", "The guard disables the alarm."},
	{notBorneOut, "The report states the cause.", "The report conceals the cause."},
	// A word that has a character in common with another one.
	{notBorneOut, "仓库主管每天检查车库。", "仓库主管每天检查车间。"},
	{notBorneOut, "工具放在车间。", "工具放在车库。"},
	{notBorneOut, "车间每天清点工具。", "车间每天清洗工具。"},
	// Who looks through a thing and who says yes to it.
	{notBorneOut, "采购由总务科审阅。", "采购由总务科审批。"},
	{notBorneOut, "采购由总务科审批。", "采购由总务科审阅。"},
}

func TestAnotherWordInThePlaceOfOneIsNoBend(t *testing.T) { holds(t, substituted) }

// Words that link two things may be each other's, and a hedge counts only where it stands.
func TestWordsThatLinkMayBeOthers(t *testing.T) {
	holds(t, []expectation{
		{borneOut, "Members get a discount of 10%.", "Members receive a discount of 10%."},
		{borneOut, "The kit includes a pump.", "The kit contains a pump."},
		{borneOut, "The tank contains 40 litres of water.", "The tank holds 40 litres of water."},
		{borneOut, "The suite consists of four oak chairs.", "The suite comprises four oak chairs."},
		{borneOut, "The tool is called a spokeshave.", "The tool is a spokeshave."},
		{borneOut, "Claims are generally paid within 5 days.", "Claims are usually paid within 5 days."},
		{borneOut, "报销通常须附发票。", "报销原则上须附发票。"},
		{borneOut, "超标部分由员工自理。", "报销原则上须附发票，超标部分由员工自理。"},
		{borneOut, "采购由总务科审批。", "采购须由总务科审批。"},
	})
}
