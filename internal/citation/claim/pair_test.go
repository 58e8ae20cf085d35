package claim

import (
	"testing"
)

// together are sentences and texts that can both be true: about two subjects, of a place inside another, of a
// post and who holds it, of an abbreviation, of the two ends of a range.
var together = []struct{ sentence, text string }{
	{"采购合同由法务部审核", "销售合同由财务部审核"},
	{"采购合同由法务部审核。", "销售合同由财务部审核。"},
	{"The Cedar Project is led by Bob Stone.", "The Maple Project is led by Alice Moore."},
	{"The help desk is run by IT.", "The help desk is run by Information Technology."},
	{"The help desk is run by Information Technology.", "The help desk is run by IT."},
	{"The server room is managed by Information Technology.", "The server room is managed by the IT Department."},
	{"公司总部位于浦东。", "公司总部位于上海。"},
	{"公司总部位于上海。", "公司总部位于浦东。"},
	{"The archive is stored in Frankfurt.", "The archive is stored in Germany."},
	{"The archive is stored in Germany.", "The archive is stored in Frankfurt."},
	{"出境出差由总经理审批。", "出境出差由张三审批。"},
	{"出境出差由张三审批。", "出境出差由总经理审批。"},
	{"The Cedar Project is led by the Chief Engineer.", "The Cedar Project is led by Alice Moore."},
	{"The Cedar Project is led by Alice Moore.", "The Cedar Project is led by the Chief Engineer."},
	{"Full members may book a court three days ahead.", "Full members can book courts through the web. Guests may not book a court three days ahead."},
	{"Full members may book courts.", "Full members can book courts through the web. Guests may not book courts."},
	{"Full members may book courts.", "Guests may not book courts."},
	{"正式会员可以预订场地。", "正式会员可在网上预订场地。访客不得预订场地。"},
	{"正式员工可以预订会议室。", "访客不得预订会议室。"},
	{"每人最多领取5台，最低领取1台。", "每人最低领取1台，最多领取5台。"},
	{"每人最多领取5台。", "每人最低领取1台，最多领取5台。"},
	{"每人最少领取1台。", "每人最少领取1台，最多领取5台。"},
	{"报销金额最高500元。", "报销金额最低50元，最高500元。"},
	{"报销金额最低50元。", "报销金额最低50元，最高500元。"},
	{"You may book at most 5 days.", "You must book at least 2 days and at most 5 days."},
	{"You must book at least 2 days.", "You must book at least 2 days and at most 5 days."},
	{"The password has at least 12 characters.", "The password has at least 12 and at most 64 characters."},
	{"深圳住宿上限为每晚600元。", "上海住宿上限为每晚650元。"},
	{"The Berlin office is closed on Monday.", "The Munich office is closed on Friday."},
	{"The limit of the Berlin office is 650 euros.", "The limit of the Munich office is 500 euros."},
	{"笔记本电脑必须加密。", "手机无需加密。"},
	{"The company has an office in Berlin.", "The company has an office in Munich."},
	{"The contract is signed by Alice Moore.", "The contract is signed by Bob Stone and Alice Moore."},
	{"Laptops are replaced every 4 years.", "Phones are replaced every 2 years."},
	{"笔记本电脑每4年更换一次。", "手机每2年更换一次。"},
	{"The visa is issued by the Embassy.", "The visa is issued by France."},
	{"总部位于上海。", "公司总部位于上海市浦东新区。"},
	{"每人每年最多休假15天。", "每人每年最少休假5天。"},
	{"The password has at most 64 characters.", "The password has at least 12 characters."},
	{"每笔报销最高500元最低50元。", "每笔报销最低50元最高500元。"},
	{"The maximum is 5 days.", "The maximum is 5 days and the minimum is 2 days."},
	{"访客可以预订会议室，不得预订场地。", "会员可以预订场地。"},
	{"会员可以预订场地。", "访客可以预订会议室，不得预订场地。"},
	{"Members may book a court.", "Guests may use the gym, but may not book a court."},
	{"Full members may book a court three days ahead.", "Full members can book online, but guests may not book a court three days ahead."},
	{"3天以上的请假由总经理审批。", "3天以内的请假由主管审批。"},
	{"Purchases above 5,000 yuan are approved by the CEO.", "Purchases below 5,000 yuan are approved by the line manager."},
	{"5000元以上的采购必须招标。", "5000元以下的采购无需招标。"},
	{"Expenses above the limit are approved by the CEO.", "Expenses below the limit are approved by the supervisor."},
	{"The help desk is run by IT.", "The help desk is run by Finance and IT."},
	{"The tool is used by Finance.", "The tool is used by Legal."},
	{"差旅申请由人事部审批。", "差旅申请由人力资源部审批。"},
	{"差旅申请由信息部审批。", "差旅申请由信息技术部审批。"},
	{"The lab is located in Berlin.", "The lab is located in Building 7."},
	{"The head office is located in Bonn.", "The head office is located in Berlin-Mitte."},
	{"Travel expenses above the limit are refundable.", "Travel expenses below the limit are refundable."},
	{"The Cedar Project is led by Alice Moore.", "The Cedar Project, whose sponsor is Bob Stone, is led by A. Moore."},
	{"机房由王工管理。", "机房由王伟管理。"},
	{"预算由张总审批。", "预算由张伟审批。"},
	{"The Berlin canteen is closed on Monday.", "The Munich canteen is closed on Friday."},
	{"北京食堂周一关闭。", "上海食堂周五关闭。"},
	{"Interns have 5 days of leave.", "Managers have 10 days of leave."},
	{"实习生每年有5天年假。", "经理每年有10天年假。"},
	{"Laptops must be encrypted.", "Phones need not be encrypted."},
	{"Laptops have a warranty of 3 years.", "Printers have a warranty of 2 years."},
	{"工龄满10年的员工享有15天年假。", "工龄满20年的员工享有20天年假。"},
	{"Staff with 10 years of service have 15 days of leave.", "Staff with 20 years of service have 20 days of leave."},
	{"Temporary badges are issued at the front desk.", "Permanent badges are issued at the front desk."},
	{"研发部的年假为15天。", "行政部的年假为10天。"},
	{"出差补助每天100元。", "加班补助每天80元。"},
	{"Sick leave needs a certificate after three days.", "Unpaid leave needs approval after one day."},
	{"The warehouse in Hamburg stores batteries.", "The warehouse in Lyon does not store batteries."},
	{"Contractors may not enter the lab.", "Employees may enter the lab."},
	{"合同甲由张三签字。", "合同乙由李四签字。"},
	{"甲方承担运费。", "乙方承担税费。"},
	{"The lab is managed by Alice Moore.", "The lab is managed by Research."},
	{"The budget is approved by the board.", "The budget is approved by Alice Moore."},
	{"The keys are kept at the reception.", "The keys are kept in Berlin."},
	{"总部位于深圳。", "研发中心位于上海。"},
	{"总部位于中国。", "总部位于深圳南山区。"},
	{"深圳分公司成立于2010年。", "上海分公司成立于2012年。"},
	{"The first phase ends on 1 May 2026.", "The second phase ends on 1 July 2026."},
	{"第一阶段于5月1日结束。", "第二阶段于7月1日结束。"},
	{"一等座每公里0.8元。", "二等座每公里0.5元。"},
	{"主管级别每晚上限500元。", "经理级别每晚上限800元。"},
	{"Managers may fly business class.", "Staff may not fly business class."},
	{"经理可以乘坐商务舱。", "普通员工不得乘坐商务舱。"},
	{"周一例会由张三主持。", "周五例会由李四主持。"},
	{"The morning shift starts at 8.", "The evening shift starts at 16."},
	{"早班8点开始。", "晚班16点开始。"},
	{"Visitors get a red badge.", "Employees get a blue badge."},
	{"访客佩戴红色胸卡。", "员工佩戴蓝色胸卡。"},
	{"Remote staff receive a laptop worth 1,500 euros.", "Office staff receive a laptop worth 1,000 euros."},
	{"The contract with Acme ends in 2027.", "The contract with Globex ends in 2029."},
	{"与甲公司的合同2027年到期。", "与乙公司的合同2029年到期。"},
	{"Passwords expire after 90 days.", "Badges expire after 365 days."},
	{"密码90天过期。", "门禁卡365天过期。"},
	{"Server logs are kept for 180 days.", "Camera recordings are kept for 30 days."},
	{"国际航班可以报销行李费。", "国内航班不可以报销行李费。"},
	{"Requests below 500 euros need no approval.", "Requests above 500 euros need approval."},
	{"入职满一年的员工可以申请借款。", "试用期员工不得申请借款。"},
	{"The printer on floor 2 is broken.", "The printer on floor 3 is not broken."},
	{"2楼的打印机已停用。", "3楼的打印机未停用。"},
	{"年假最多可结转5天。", "年假最少休10天。"},
	{"The deposit is at most 500 euros.", "The rent is at most 900 euros."},
	{"IT部负责电脑。", "行政部负责家具。"},
	{"The IT department approves software.", "The CIO approves software."},
	{"差旅由部门负责人审批。", "差旅由王总审批。"},
	{"The handbook was written by HR.", "The handbook was written by Carol King."},
	{"合同由双方签字。", "合同由甲方签字。"},
	{"The office opens at 9.", "The office closes at 18."},
	{"办公室9点开门。", "办公室18点关门。"},
	{"Before a trip, employees request approval.", "After a trip, employees submit receipts."},
	{"出差前需申请。", "出差后需报销。"},
	{"Alice leads sales in Spain.", "Bob leads sales in Italy."},
	{"The server room is in Building A.", "The server room is in Munich."},
	{"Public holidays are paid.", "Unpaid leave is not paid."},
	{"法定节假日带薪。", "事假不带薪。"},
	{"实习合同不需要公证。", "劳动合同需要公证。"},
	{"员工离职时须归还电脑。", "员工入职时无须归还电脑。"},
}

func TestWhatCanBeTrueTogetherIsNoContradiction(t *testing.T) {
	for _, c := range together {
		if f := Judge(c.sentence, []*Source{NewSource(c.text)}); f.Verdict == Contradicted {
			t.Errorf("%q against %q is contradicted by %s, %v", c.sentence, c.text, f.Rule, f.Reasons)
		}
	}
}

// apartFrom are sentences and texts of which one alone can be true.
var apartFrom = []struct{ sentence, text string }{
	{"The Cedar Project is led by Bob Stone.", "The Cedar Project is led by Alice Moore."},
	{"The archive is stored in Geneva.", "The archive is stored in Zurich."},
	{"出境出差由张三审批。", "出境出差由李四审批。"},
	{"总部位于上海。", "公司总部位于苏州。"},
	{"采购合同由法务部审核。", "采购合同由财务部审核。"},
	{"每人最多领取1台。", "每人最低领取1台，最多领取5台。"},
	{"每人最少领取5台。", "每人最少领取1台，最多领取5台。"},
	{"每人最多领取3台。", "每人最少领取1台，最多领取5台。"},
	{"报销金额最低500元。", "报销金额最低50元，最高500元。"},
	{"报销金额最低100元。", "报销金额最低50元，最高500元。"},
	{"You may book at most 2 days.", "You must book at least 2 days and at most 5 days."},
	{"The password has at least 64 characters.", "The password has at least 12 and at most 64 characters."},
	{"The password has at most 10 characters.", "The password has at least 12 characters."},
	{"每笔报销最高50元。", "每笔报销最低50元最高500元。"},
	{"The minimum is 5 days.", "The minimum is 2 days and the maximum is 5 days."},
	{"The maximum is 2 days.", "The maximum is 5 days and the minimum is 2 days."},
	{"Travel requests are approved by Finance.", "Travel requests are approved by Legal."},
	{"差旅申请由人事部审批。", "差旅申请由财务部审批。"},
	{"超出部分可以报销。", "超出部分不予报销。"},
	{"员工不得携带锂电池登机。", "职工可以携带锂电池登机。"},
	{"Employees may carry batteries on board.", "Staff may not carry batteries on board."},
	{"The canteen is closed on Monday.", "The canteen is closed on Friday."},
	{"Laptops have a warranty of 3 years.", "Laptops have a warranty of 2 years."},
	{"The actual cost is above the budget.", "The actual cost is below the budget."},
	{"5天以上的请假由总经理审批。", "3天以上的请假由总经理审批。"},
	{"报表须在10点前提交。", "报表须在10点后提交。"},
	{"年假为15天。", "年假为10天。"},
	{"Contractors may enter the lab.", "Contractors may not enter the lab."},
	{"The lab is managed by Alice Moore.", "The lab is managed by Carol King."},
	{"机房由张三管理。", "机房由李四管理。"},
	{"密码每90天更换一次。", "密码每60天更换一次。"},
	{"The fee is refundable.", "The fee is non-refundable."},
	{"加班费按1.5倍计算。", "加班费按2倍计算。"},
	{"The office opens at 9:00.", "The office opens at 10:30."},
	{"出差须提前5天申请。", "出差须提前3天申请。"},
	{"年假不可以结转。", "年假可以结转。"},
	{"The data center is located in Paris.", "The data center is located in Lyon."},
	{"数据中心位于北京。", "数据中心位于上海。"},
	{"合同由甲方保管。", "合同由乙方保管。"},
	{"Visitors must wear a badge.", "Visitors need not wear a badge."},
	{"The training is mandatory.", "The training is optional."},
	{"培训必须参加。", "培训自愿参加。"},
	{"Costs rose in May.", "Costs fell in May."},
	{"例会每周一召开。", "例会每周三召开。"},
	{"The contract ends on 1 May 2026.", "The contract ends on 1 June 2026."},
}

func TestWhatCannotBeTrueTogetherIsAContradiction(t *testing.T) {
	for _, c := range apartFrom {
		if f := Judge(c.sentence, []*Source{NewSource(c.text)}); f.Verdict != Contradicted || f.Quote == "" {
			t.Errorf("%q against %q is %s by %s, %v", c.sentence, c.text, f.Verdict, f.Rule, f.Reasons)
		}
	}
}

// offices are rules of offices, judged by a reader before the check saw them: half of the pairs can be true
// together.
var offices = []struct {
	about, sentence, text string
	contradicts           bool
}{
	{"leave", "病假须在当天上午10点前通知主管。", "年假须在3个工作日前通知主管。", false},
	{"travel", "经济舱由部门经理审批。", "商务舱由总经理审批。", false},
	{"security", "访客证当天有效。", "员工证三年有效。", false},
	{"contracts", "采购合同的付款期为30天。", "销售合同的付款期为60天。", false},
	{"equipment", "显示器保修三年。", "键盘保修一年。", false},
	{"leave", "Parental leave is requested from Human Resources two months ahead.", "Annual leave is requested from the line manager two weeks ahead.", false},
	{"travel", "Train tickets may be booked without approval.", "Flights may not be booked without approval.", false},
	{"security", "Visitors must be accompanied in the server room.", "Administrators need not be accompanied in the server room.", false},
	{"contracts", "The lease of the Lyon office ends in 2027.", "The lease of the Paris office ends in 2030.", false},
	{"equipment", "Each employee may borrow at most three monitors.", "Each employee must keep at least one monitor.", false},
	{"leave", "婚假为5天。", "婚假为3天。", true},
	{"travel", "出差补助在回程后支付。", "出差补助在回程前支付。", true},
	{"security", "门禁卡可以转借他人。", "门禁卡不得转借他人。", true},
	{"contracts", "租赁合同由法务部保管。", "租赁合同由行政部保管。", true},
	{"equipment", "笔记本电脑每三年更换。", "笔记本电脑每四年更换。", true},
	{"leave", "Unused leave is carried over to the next year.", "Unused leave is not carried over to the next year.", true},
	{"travel", "Travel advances are paid by Finance.", "Travel advances are paid by Human Resources.", true},
	{"security", "Passwords must have at least 8 characters.", "Passwords must have at least 14 characters.", true},
	{"contracts", "The supplier contract ends in June.", "The supplier contract ends in September.", true},
	{"equipment", "Company phones may be used abroad.", "Company phones may not be used abroad.", true},
}

func TestRulesOfOfficesAreJudgedAsAReaderJudgesThem(t *testing.T) {
	for _, c := range offices {
		if f := Judge(c.sentence, []*Source{NewSource(c.text)}); (f.Verdict == Contradicted) != c.contradicts {
			t.Errorf("%s: %q against %q is %s by %s, %v", c.about, c.sentence, c.text, f.Verdict, f.Rule, f.Reasons)
		}
	}
}

func TestASourceThatSaysSoIsNotOverruledByASentenceAboutOthers(t *testing.T) {
	for _, c := range []struct{ sentence, text string }{
		{"Full members may book rooms through the web.", "Full members can book rooms through the web. Guests may not book rooms."},
		{"正式会员可以预订场地。", "正式会员可在网上预订场地。访客不得预订场地。"},
		{"每人最多领取5台，最低领取1台。", "每人最低领取1台，最多领取5台。"},
	} {
		if f := Judge(c.sentence, []*Source{NewSource(c.text)}); f.Verdict != Supported {
			t.Errorf("%q against %q is %s by %s, %v", c.sentence, c.text, f.Verdict, f.Rule, f.Reasons)
		}
	}
}
