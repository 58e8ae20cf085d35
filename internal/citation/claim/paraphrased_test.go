package claim

import "testing"

// paraphrased are sentences in other words than their text, each with a twin that is wrong in one point.
var paraphrased = []struct{ truly, wrong, text string }{
	{"Staff have to hand in their expense reports no later than 30 days after the trip.", "Staff have to hand in their expense reports no later than 60 days after the trip.", "Employees must submit expense reports within 30 days after the trip."},
	{"You are not allowed to smoke in the building.", "You are allowed to smoke in the building.", "Smoking in the building is prohibited."},
	{"Purchases over 5,000 euros need the approval of the finance director.", "Purchases over 5,000 euros need the approval of the line manager.", "Purchases over 5,000 euros must be approved by the finance director."},
	{"The company refunds travel costs within two weeks.", "The company refunds travel costs within four weeks.", "The company reimburses travel expenses within 14 days."},
	{"Employees don't have to take leave in August.", "Employees have to take leave in August.", "Employees are not required to take leave in August."},
	{"Contractors are permitted to use the car park at the weekend.", "Contractors are not permitted to use the car park at the weekend.", "Contractors may use the parking lot at the weekend."},
	{"The IT team replaces broken laptops free of charge.", "The IT team replaces broken phones free of charge.", "Broken laptops are replaced by the IT team at no charge."},
	{"A sick note is required from the third day of illness.", "A sick note is required from the first day of illness.", "From the third day of illness a medical certificate is required."},
	{"The invoice has to be paid within 30 days of receipt.", "The invoice has to be paid within 45 days of receipt.", "Invoices shall be paid within thirty days after receipt."},
	{"The deposit is given back within ten working days after the contract ends.", "The deposit is given back within ten calendar days after the contract ends.", "The deposit is returned within 10 business days after the end of the contract."},
	{"Overtime must be authorised by the supervisor in advance.", "Overtime must be authorised by the supervisor afterwards.", "Overtime requires prior approval by the supervisor."},
	{"Each visitor needs to wear a badge at all times.", "Each visitor needs to wear a helmet at all times.", "Visitors must wear a badge at all times."},
	{"The lease can be terminated by either party with three months' notice.", "The lease can be terminated only by the landlord with three months' notice.", "Either party may terminate the lease with three months' notice."},
	{"Passwords have to be changed every 90 days.", "Passwords have to be changed every 30 days.", "Passwords must be changed every 90 days."},
	{"The warehouse opens at 8 am.", "The warehouse opens at 9 am.", "The warehouse opens at 08:00."},
	{"Leave must be requested two weeks beforehand.", "Leave must be requested two months beforehand.", "Ask for leave two weeks in advance."},
	{"Half of the fee is due when the order is placed.", "A third of the fee is due when the order is placed.", "50% of the fee is due when the order is placed."},
	{"The supplier is liable for damage caused by late delivery.", "The customer is liable for damage caused by late delivery.", "The vendor is responsible for damage caused by late delivery."},
	{"Managers can work remotely twice a week.", "Managers can work remotely three times a week.", "Managers may work from home two days a week."},
	{"员工应当在出差结束后30天内递交报销材料。", "员工应当在出差结束后60天内递交报销材料。", "职工须于差旅结束后三十日内提交报销材料。"},
	{"会议室需要提前一天预约。", "会议室需要提前两天预约。", "会议室须提前1天预订。"},
	{"未经批准，任何人不可以进入机房。", "未经批准，任何人可以进入机房。", "未经审批，任何人不得进入机房。"},
	{"供货商应在收到订单后5个工作日内发货。", "供货商应在收到订单后5天内发货。", "供应商须在收到订单后五个工作日内发货。"},
	{"员工离职时要归还电脑。", "员工离职时要归还手机。", "员工离职时须交还计算机。"},
	{"试用期一般不超过六个月。", "试用期一般不超过三个月。", "试用期一般不超过6个月。"},
	{"采购金额超过五万元的，由财务总监批准。", "采购金额超过五万元的，由总经理批准。", "采购金额超过50,000元的，须经财务总监审批。"},
	{"每年享有十天带薪年休假。", "每年享有十五天带薪年休假。", "员工每年享有10天年假。"},
	{"禁止在仓库内吸烟。", "可以在仓库内吸烟。", "仓库内严禁吸烟。"},
	{"逾期未付的，每天按万分之五收取违约金。", "逾期未付的，每天按千分之五收取违约金。", "逾期未支付的，每日按万分之五收取违约金。"},
	{"押金将在合同终止后7日内退回。", "押金将在合同终止后15日内退回。", "押金于合同终止后7天内退还。"},
	{"来访人员须由员工陪同。", "来访人员无须由员工陪同。", "访客须由员工陪同。"},
	{"密码每三个月必须换一次。", "密码每六个月必须换一次。", "密码每3个月须更换一次。"},
	{"加班须事先得到主管的同意。", "加班须事后得到主管的同意。", "加班须事前取得主管同意。"},
	{"不满一年的员工没有年假。", "不满一年的员工有年假。", "工作不满一年的员工不享有年假。"},
	{"发票遗失的不能报销。", "发票遗失的可以报销。", "发票丢失的，不予报销。"},
	{"客户有权在七天内无理由退货。", "客户有权在十天内无理由退货。", "顾客可以在7日内无理由退货。"},
	{"保修期是两年，从购买之日算起。", "保修期是三年，从购买之日算起。", "质保期为自购买之日起2年。"},
	{"周末和法定假日不营业。", "周末和法定假日照常营业。", "周末及法定节假日不营业。"},
	{"合同由双方签署后生效。", "合同由甲方签署后生效。", "合同自双方签字后生效。"},
}

func TestASentenceInOtherWordsIsSupportedAndItsTwinIsNot(t *testing.T) {
	for _, p := range paraphrased {
		src := []*Source{NewSource(p.text)}
		if f := Judge(p.truly, src); f.Verdict != Supported {
			t.Errorf("%q against %q is %s by %s, %v", p.truly, p.text, f.Verdict, f.Rule, f.Reasons)
		}
		if f := Judge(p.wrong, src); f.Verdict == Supported {
			t.Errorf("%q against %q is supported by %s", p.wrong, p.text, f.Rule)
		}
	}
}

// valuesInstead are sentences that say the same as their text but for one value, and such as both can be so.
var valuesInstead = []expectation{
	{saysContrary, "三天以内的出差由部门负责人审批。", "三天以内的出差由直属主管审批。"},
	{saysContrary, "Report a lost device to people@acme.example within two hours.", "Report a lost device to security@acme.example within two hours."},
	{saysContrary, "触发停止条件后须在2小时内决定是否回退。", "触发停止条件后30分钟内决定是否回退。"},
	{saysContrary, "The cafe is on the first floor.", "The cafe is on the ground floor and closes at five."},
	{saysContrary, "Mohra is a truck.", "Mohra is a 1994 Indian action thriller film directed by Rajiv Rai."},
	{saysContrary, "免租期内乙方无须支付物业费。", "免租期45天，免租期内乙方仍须支付物业费。"},
	{saysContrary, "The dance originated in Australia.", "The dance is a form of theatre originating from Japan."},
	{noContrary, "The old badge is valid until March.", "The new badge is valid until December."},
	{noContrary, "Orders above 500 euros are approved by the line manager.", "Orders above 900 euros are approved by the managing director."},
	{noContrary, "The staging environment is run by Finance.", "The production environment is run by Research."},
	{noContrary, "Basildon is a town.", "Basildon is a place in Essex."},
	{notBorneOut, "触发停止条件后须在2小时之内决定是否回退。", "触发停止条件后30分钟内决定是否回退。"},
}

func TestAnotherValueInTheSameWordsIsAContradiction(t *testing.T) { holds(t, valuesInstead) }

// otherParties are sentences that say of another what may be so of both, and such as leave no room for it.
var otherParties = []expectation{
	{atMostPartly, "The Provider may terminate the agreement with 30 days' notice.", "The Customer may terminate the agreement with 30 days' notice."},
	{atMostPartly, "The landlord is entitled to inspect the cellar.", "The tenant is entitled to inspect the cellar."},
	{atMostPartly, "The seller can cancel the order before dispatch.", "The buyer can cancel the order before dispatch."},
	{atMostPartly, "The finance department may inspect the contract.", "The legal department may inspect the contract."},
	{atMostPartly, "The seller must insure the goods.", "The buyer must also insure the goods."},
	{atMostPartly, "甲方可以提前解除合同。", "乙方可以提前解除合同。"},
	{atMostPartly, "甲方有权查阅账册。", "乙方有权查阅账册。"},
	{atMostPartly, "甲方须为货物投保。", "乙方也须为货物投保。"},
	{atMostPartly, "总经理可以批准超额费用。", "财务总监可以批准超额费用。"},
	{saysContrary, "The seller can cancel the order.", "Only the buyer can cancel the order."},
	{saysContrary, "The seller must insure the goods.", "The buyer must insure the goods."},
	{saysContrary, "甲方须为货物投保。", "乙方须为货物投保。"},
	{saysContrary, "甲方可以提前解除合同。", "只有乙方可以提前解除合同。"},
}

func TestWhatAnotherMayDoIsNoContradiction(t *testing.T) { holds(t, otherParties) }

// addressees are sentences about employees, against rules that name nobody, and such as name somebody else.
var addressees = []expectation{
	{borneOut, "Employees must report a lost device within two hours.", "Report a lost device within two hours."},
	{borneOut, "员工须在五日内提交申请。", "须在五日内提交申请。"},
	{notBorneOut, "Employees must report a lost device within two hours.", "Visitors report a lost device within two hours."},
	{notBorneOut, "Employees must sign the form.", "# Visitors\n\nSign the form."},
	{notBorneOut, "员工须在五日内提交申请。", "客户须在五日内提交申请。"},
}

func TestARuleThatNamesNobodyIsForTheEmployees(t *testing.T) { holds(t, addressees) }

// withinRanges are sentences with a number that lies between two others of their text, or beyond them where the text says something of
// that too, and such as say a number and a half, or what is left out, in other words.
var withinRanges = []expectation{
	{atMostPartly, "A loan of 8 months costs 4 percent.", "Loans of 6 to 12 months cost 4 percent."},
	{atMostPartly, "A three-day pass costs 20 euros.", "A pass for one to four days costs 20 euros."},
	{atMostPartly, "A loan of 14 months costs 5 percent.", "Loans of 6 to 12 months cost 4 percent and longer ones 5 percent."},
	{atMostPartly, "4 万元的借款由信贷科审核。", "| 20,000 元至 90,000 元 | 借款由信贷科审核 |"},
	{atMostPartly, "租期 5 个月的押金为 300 元。", "租期 3 至 8 个月的押金为 300 元。"},
	{saysContrary, "A loan of 14 months costs 4 percent.", "Loans of 6 to 12 months cost 4 percent."},
	{saysContrary, "A nine-day pass costs 20 euros.", "A pass for one to four days costs 20 euros."},
	{saysContrary, "租期 9 个月的押金为 300 元。", "租期 3 至 8 个月的押金为 300 元。"},
	{borneOut, "水泵免费维修两年半。", "| 水泵 | 30 个月 | 免费维修 |"},
	{borneOut, "The lease runs for a year and a half.", "The lease runs for 18 months."},
	{saysContrary, "水泵免费维修两年半。", "水泵免费维修 36 个月。"},
	{saysContrary, "The lease runs for a year and a half.", "The lease runs for 12 months."},
	{noContrary, "水泵免费维修 30 个月，但人为损坏不在其内。", "| 水泵 | 30 个月 | 免费维修，人为损坏除外 |"},
	{saysContrary, "人为损坏不在保修范围内。", "保修范围包括人为损坏。"},
}

func TestANumberWithinARangeIsNoContradiction(t *testing.T) { holds(t, withinRanges) }
