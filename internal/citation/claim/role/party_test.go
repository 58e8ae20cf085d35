package role

import "testing"

func TestWhatIsSaidOfAnotherPartyIsSeen(t *testing.T) {
	for _, c := range []struct {
		claim, sentence string
		swapped         bool
	}{
		{"买方逾期付款的，买方有权解除合同。", "买方逾期付款的，卖方有权解除合同。", true},
		{"买方逾期付款的，卖方有权解除合同。", "买方逾期付款的，卖方有权解除合同。", false},
		{"若甲方违约，甲方可要求赔偿。", "若甲方违约，乙方可要求赔偿。", true},
		{"If the tenant leaves early the tenant may keep the deposit.", "If the tenant leaves early the landlord may keep the deposit.", true},
		{"If the tenant leaves early, the landlord may keep the deposit.", "The landlord may keep the deposit if the tenant leaves early.", false},
		{"The lender must notify the borrower.", "The lender must notify the borrower.", false},
		{"公司每年组织一次体检。", "公司每年为员工组织一次体检。", false},
		{"The contractor was sued by the client.", "The client sued the contractor.", false},
		{"The deposit is kept.", "The landlord may keep the deposit.", false},
	} {
		if s, ok := OtherParty(c.claim, c.sentence); ok != c.swapped {
			t.Errorf("%q against %q: %v %t, want %t", c.claim, c.sentence, s, ok, c.swapped)
		}
	}
}

func TestStepsInAnotherOrderAreSeen(t *testing.T) {
	for _, c := range []struct {
		claim, sentence string
		swapped         bool
	}{
		{"先加盖公章，再登记编号。", "先登记编号，再加盖公章，最后归档保存。", true},
		{"先登记编号，最后归档保存。", "先登记编号，再加盖公章，最后归档保存。", false},
		{"先开启东侧阀门，再开启西侧阀门。", "先开启西侧阀门，最后开启东侧阀门。", true},
		{"财务付款后由总监审批。", "总监审批后由财务付款。", true},
		{"总监审批后财务付款。", "总监审批后由财务付款。", false},
		{"First close the valve, then open the drain.", "First open the drain, then close the valve.", true},
		{"Open the drain before closing the valve.", "Close the valve before opening the drain.", true},
		{"Close the valve after opening the drain.", "Open the drain before closing the valve.", false},
		{"After opening the drain, close the valve.", "Before opening the drain, close the valve.", true},
		{"Close the valve.", "Open the drain before closing the valve.", false},
	} {
		if s, ok := OtherSteps(c.claim, c.sentence); ok != c.swapped {
			t.Errorf("%q against %q: %v %t, want %t", c.claim, c.sentence, s, ok, c.swapped)
		}
	}
}

func TestDutyAndLeaveAreToldApart(t *testing.T) {
	for _, c := range []struct {
		claim, sentence string
		swapped         bool
	}{
		{"Drivers must park in the yard.", "Drivers may park in the yard.", true},
		{"Drivers can park in the yard.", "Drivers shall park in the yard.", true},
		{"司机必须在院内停车。", "司机可以在院内停车。", true},
		{"司机可在院内停车。", "司机应当在院内停车。", true},
		{"司机应在院内停车。", "司机须在院内停车。", false},
		{"Drivers may park in the yard.", "Drivers park in the yard.", false},
		{"Keys must be carried by guards.", "Keys may only be carried by guards.", false},
		{"系统可靠。", "系统必须可靠。", false},
	} {
		if s, ok := OtherDuty(c.claim, c.sentence); ok != c.swapped {
			t.Errorf("%q against %q: %v %t, want %t", c.claim, c.sentence, s, ok, c.swapped)
		}
	}
}
