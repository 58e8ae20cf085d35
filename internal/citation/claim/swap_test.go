package claim

import "testing"

// playsAnother are sentences that hold the words of a text and give a part in it to another.
var playsAnother = []struct{ sentence, text string }{
	// Who does something to whom.
	{"The tenant pays the landlord a deposit.", "The landlord pays the tenant a deposit."},
	{"Bravo bought Alpha in 2019.", "Alpha bought Bravo in 2019."},
	{"The auditor informs the board.", "The board informs the auditor."},
	{"Carol reports to David.", "David reports to Carol."},
	{"The client was sued by the contractor.", "The contractor was sued by the client."},
	{"The library lends the school its books.", "The school lends the library its books."},
	{"The train runs from Bonn to Kiel.", "The train runs from Kiel to Bonn."},
	{"Attendance fell from 80 to 120.", "Attendance fell from 120 to 80."},
	{"丙公司投资了丁公司。", "丁公司投资了丙公司。"},
	{"房东向租客支付押金。", "租客向房东支付押金。"},
	{"样品由买方寄给卖方。", "样品由卖方寄给买方。"},
	{"王芳是刘强的导师。", "刘强是王芳的导师。"},
	{"列车从南京开往苏州。", "列车从苏州开往南京。"},
	{"费率从 8% 上调到 5%。", "费率从 5% 上调到 8%。"},
	{"丙公司被丁公司起诉。", "丁公司被丙公司起诉。"},
	// Which of two does what, or has how many.
	{"The kitchen cleans the hall.", "The kitchen cooks the meals and the caretaker cleans the hall."},
	{"The caretaker cooks the meals.", "The kitchen cooks the meals and the caretaker cleans the hall."},
	{"Lyon has 12 rooms.", "Lyon has 40 rooms and Nice has 12 rooms."},
	{"Nice has 40 rooms and Lyon has 12 rooms.", "Lyon has 40 rooms and Nice has 12 rooms."},
	{"Type B holds 6 litres.", "Type A holds 6 litres and Type B holds 9 litres."},
	{"The legal office keeps the keys.", "The security office keeps the keys; the legal office keeps the files."},
	{"The security office keeps the files.", "The security office keeps the keys; the legal office keeps the files."},
	{"运营部负责设计。", "产品部负责设计，运营部负责推广。"},
	{"产品部负责推广，运营部负责设计。", "产品部负责设计，运营部负责推广。"},
	{"报告由质检部撰写。", "报告由生产部撰写，由质检部归档。"},
	{"报告由生产部归档。", "报告由生产部撰写，由质检部归档。"},
	{"南京仓库有 80 个货架。", "南京仓库有 60 个货架，无锡仓库有 80 个货架。"},
	{"C 型水箱容量 90 升。", "C 型水箱容量 70 升，D 型水箱容量 90 升。"},
	// What is within and what is left out.
	{"The policy covers theft.", "The policy covers fire but excludes theft."},
	{"The policy covers theft but excludes fire.", "The policy covers fire but excludes theft."},
	{"The rent is 900 dollars, heating excluded and power included.", "The rent is 900 dollars, heating included and power excluded."},
	{"套餐包含接送。", "套餐包含早餐，不包含接送。"},
	{"套餐包含接送，不包含早餐。", "套餐包含早餐，不包含接送。"},
	// Denials that reach what is cut out of them.
	{"The guard may unlock the gate.", "Neither the porter nor the guard may unlock the gate."},
	{"The porter and the guard may unlock the gate.", "Neither the porter nor the guard may unlock the gate."},
	{"满两年的会员不享受折扣。", "不满两年的会员不享受折扣。"},
	{"超过一万元的采购无须主任签字。", "超过一万元的采购须由主任签字。"},
	{"Guests may enter the vault without an escort.", "No guest may enter the vault without an escort."},
	// Exceptions.
	{"广州分店每天营业到 22 点。", "除广州分店外，各店每天营业到 22 点。"},
	{"展厅周末也开放。", "展厅每天 9 点至 17 点开放，周末除外。"},
	{"Interns receive a phone.", "All employees except interns receive a phone."},
	{"The pool opens Monday to Saturday except Saturday.", "The pool is open Monday to Saturday."},
	{"除临时工外，没有人领取补贴。", "临时工不领取补贴。"},
}

// playsTheSame are sentences that say the same of the same as a text, in another order or less of it.
var playsTheSame = []struct{ sentence, text string }{
	{"The tenant is paid a deposit by the landlord.", "The landlord pays the tenant a deposit."},
	{"Bravo was bought by Alpha in 2019.", "Alpha bought Bravo in 2019."},
	{"In 2019 Alpha bought Bravo.", "Alpha bought Bravo in 2019."},
	{"Alpha acquired Bravo.", "Bravo was acquired by Alpha in 2019."},
	{"The contractor was sued by the client.", "The client sued the contractor."},
	{"Within 14 days the landlord pays the tenant.", "The landlord pays the tenant within 14 days."},
	{"Cheques are signed by the treasurer.", "The treasurer signs cheques."},
	{"The price includes lunch.", "Lunch is included in the price."},
	{"Attendance fell from 120 to 80.", "Attendance fell from 120 to 80 in one year."},
	{"Berlin borders Potsdam.", "Potsdam borders Berlin."},
	{"丁公司被丙公司投资。", "丙公司投资了丁公司。"},
	{"租客向房东支付押金。", "租客应在 5 日内向房东支付押金。"},
	{"财务部审核采购合同。", "采购合同由财务部审核。"},
	{"采购合同由财务部审核。", "财务部审核采购合同。"},
	{"费率从 5% 上调到 8%。", "费率从 5% 上调到 8%，明年生效。"},
	{"刘强是王芳的导师。", "刘强是王芳的导师，也是校长。"},
	{"The caretaker cleans the hall.", "The kitchen cooks the meals and the caretaker cleans the hall."},
	{"The kitchen cooks the meals.", "The kitchen cooks the meals and the caretaker cleans the hall."},
	{"Nice has 12 rooms.", "Lyon has 40 rooms and Nice has 12 rooms."},
	{"Nice has 12 rooms and Lyon has 40 rooms.", "Lyon has 40 rooms and Nice has 12 rooms."},
	{"Type B holds 9 litres.", "Type A holds 6 litres and Type B holds 9 litres."},
	{"The legal office keeps the files.", "The security office keeps the keys; the legal office keeps the files."},
	{"The legal department signs contracts.", "The legal department and the finance department sign contracts."},
	{"The board approves the annual plan.", "The board approves the budget and the annual plan."},
	{"The firm was founded in 1998 and opened a second plant in 2004.", "The firm was founded in 1998 and opened a second plant in 2004."},
	{"The firm opened a second plant in 2004.", "The firm was founded in 1998 and opened a second plant in 2004."},
	{"运营部负责推广。", "产品部负责设计，运营部负责推广。"},
	{"报告由质检部归档。", "报告由生产部撰写，由质检部归档。"},
	{"报告先由生产部撰写，再由质检部归档。", "报告由生产部撰写，由质检部归档。"},
	{"无锡仓库有 80 个货架。", "南京仓库有 60 个货架，无锡仓库有 80 个货架。"},
	{"D 型水箱容量 90 升。", "C 型水箱容量 70 升，D 型水箱容量 90 升。"},
	{"The policy covers fire.", "The policy covers fire but excludes theft."},
	{"The policy excludes theft.", "The policy covers fire but excludes theft."},
	{"The rent is 900 dollars.", "The rent is 900 dollars, heating included and power excluded."},
	{"套餐包含早餐。", "套餐包含早餐，不包含接送。"},
	{"套餐不包含接送。", "套餐包含早餐，不包含接送。"},
	{"The guard may not unlock the gate.", "Neither the porter nor the guard may unlock the gate."},
	{"The porter may not unlock the gate.", "Neither the porter nor the guard may unlock the gate."},
	{"Neither the guard nor the porter may unlock the gate.", "Neither the porter nor the guard may unlock the gate."},
	{"超过一万元的采购须由主任签字。", "单笔超过一万元的采购须由主任签字。"},
	{"展厅每天 9 点至 17 点开放。", "展厅每天 9 点至 17 点开放，周末除外。"},
	{"除广州分店外，各店每天营业到 22 点。", "除广州分店外，各店每天营业到 22 点。"},
	{"All employees except interns receive a phone.", "All employees except interns receive a phone."},
	{"In Lyon the fee for parking is 12 euros a day.", "The parking fee in Lyon is 12 euros a day."},
	{"租金自 3 月起为 900 元。", "租金为 900 元，自 2026 年 3 月起执行。"},
	{"保修期 12 个月，灯泡除外。", "保修期为 12 个月，不含灯泡。"},
}

func TestWhatGivesAPartToAnotherIsNotSupported(t *testing.T) {
	for _, c := range playsAnother {
		if f := Judge(c.sentence, []*Source{NewSource(c.text)}); f.Verdict == Supported {
			t.Errorf("%q against %q is supported by %s, %v", c.sentence, c.text, f.Rule, f.Reasons)
		}
	}
}

func TestWhatGivesEachItsPartIsSupported(t *testing.T) {
	for _, c := range playsTheSame {
		if f := Judge(c.sentence, []*Source{NewSource(c.text)}); f.Verdict != Supported {
			t.Errorf("%q against %q is %s by %s, %v", c.sentence, c.text, f.Verdict, f.Rule, f.Reasons)
		}
	}
}
