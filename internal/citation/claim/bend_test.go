package claim

import (
	"testing"

	"github.com/kaoju/kaoju/internal/citation/claim/coverage"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

// bentPairs are sentences that say in other words, or with a word more, what one place does, and such that add something.
var bentPairs = []expectation{
	// Words that carry what is said may be others or missing.
	{borneOut, "The tank contains 40 litres of water.", "The tank holds 40 litres of water."},
	{borneOut, "复印纸的采购必须由总务科批准。", "复印纸的购买由总务科批准。"},
	// A word whose rest is the word for the same.
	{borneOut, "该仪器的用途是测量水温。", "该仪器用于测量水温。"},
	// A plain word more in a short sentence is what it says.
	{notBorneOut, "The club lends rackets, towels and balls.", "The club lends rackets and balls."},
	{notBorneOut, "合同原件永久存放在档案室。", "合同原件存放在档案室。"},
	{notBorneOut, "The garage is heated and guarded.", "The garage is heated."},
	// One less in a long one says nearly the same, unless it turns what is said or names somebody.
	{borneOut, "The northern depot, which opened in spring, stores spare tyres, brake pads, filters, lamps and winter coats for the drivers of the tram fleet.",
		"The northern depot opened in spring and stores spare tyres, brake pads, filters, lamps and coats for drivers of the tram fleet."},
	{notBorneOut, "The northern depot, which opened in spring, stores unused tyres, brake pads, filters, lamps and coats for the drivers of the tram fleet.",
		"The northern depot opened in spring and stores tyres, brake pads, filters, lamps and coats for drivers of the tram fleet."},
	// Where a sentence asks, it says nothing.
	{notBorneOut, "The new valve reduces noise in the boiler room.", "We examine whether the new valve reduces noise in the boiler room."},
	// What is so while a time goes on, what after it.
	{notBorneOut, "Trainees on probation may use the workshop.", "Trainees who have passed their probation may use the workshop."},
	{borneOut, "Trainees who have passed their probation may use the workshop.", "Trainees who have passed their probation may use the workshop alone."},
	{notBorneOut, "试用期内的员工可以借用工具。", "试用期满的员工可以借用工具。"},
	// Addresses are literal.
	{notBorneOut, "Faults are reported to desk@mill.example.", "Faults are reported to guard@mill.example."},
	{borneOut, "Faults are reported to guard@mill.example.", "Faults must be reported to guard@mill.example."},
	// A denial reaches a list.
	{notBorneOut, "Paint may be kept in the cellar.", "Paint is kept in the shed, never in the attic, the hall or the cellar."},
	// The end of a range is no lower bound.
	{notBorneOut, "超过500元的订单由科长审批。", "200元至500元的订单由科长审批。"},
	{borneOut, "200元至500元的订单由科长审批。", "200元至500元的订单由科长审批，其余由处长审批。"},
	// Nor is a number.
	{notBorneOut, "The discount is at least 20% for schools.", "The discount is 20% for schools."},
	{borneOut, "For schools the discount is at least 20%.", "The discount is at least 20% for schools."},
	// Of each and of one.
	{notBorneOut, "两名司机都必须持有证书。", "须有两名司机，其中一名持有证书。"},
	// What comes first.
	{notBorneOut, "检修人员必须先提交申请才能进入机房。", "检修人员可以先进入机房，再提交申请。"},
	// A question that asks when has a time for an answer.
	{notBorneOut, "展览是什么时候开幕的？市长。", "展览由市长于5月开幕。"},
}

func TestWhatAPlaceMayLackIsBounded(t *testing.T) { holds(t, bentPairs) }

func TestNothingBendsThatMustStand(t *testing.T) {
	for word, must := range map[string]bool{"increase": true, "unsafe": true, "only": true, "x42": true, "crucial": false, "holds": false} {
		c := reading.NewClaim("It is so.")
		if got := mustStand(c, coverage.Word{Term: word, Surface: word}); got != must {
			t.Errorf("%s must stand: %t", word, got)
		}
	}
}
