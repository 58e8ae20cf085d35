package claim

import (
	"testing"

	"github.com/kaoju/kaoju/internal/citation/claim/reading"
)

// heldTogetherPairs are sentences of which one place says every word, in its own form, and such of which none does.
var heldTogetherPairs = []expectation{
	// A word that no place has is not outvoted by the rest.
	{atMostPartly, "The club lends a racket, a towel and one ball.", "The club lends a racket and one ball."},
	{atMostPartly, "仓库钥匙由值班员保管，每晚清点。", "仓库钥匙由值班员保管。"},
	{atMostPartly, "样品送检费用由委托方照价全额退还。", "样品送检费用由委托方按八折退还。"},
	{atMostPartly, "合同原件永久存放在档案室。", "合同原件存放在档案室，保存十年。"},
	{atMostPartly, "The guarantee covers 24 months from the date of first delivery.", "The guarantee covers 24 months from the date of order."},
	{atMostPartly, "展品存放在C座三层的库房。", "展品存放在D座三层的库房。"},
	// Function words, frames, copulas, forms and known equals cost nothing.
	{borneOut, "According to the handbook, each employee may borrow two books.", "Employees may borrow two books."},
	{borneOut, "根据借阅办法的规定，员工可以借阅两本图书。", "员工可借阅两本图书。"},
	{borneOut, "The bike must be returned by the member.", "Members return the bike."},
	{borneOut, "Staff are paid on the last Friday.", "Employees are paid on the last Friday."},
	{borneOut, "检测报告须由质检部提交。", "检测报告应当由质检部门提交。"},
	{borneOut, "The purchase of the tickets is refunded.", "Purchased tickets are refunded."},
	// What is said elsewhere is not said here.
	{notBorneOut, "The pool area is cleaned with a brush.", "The pool area is cleaned with a hose. The sauna is cleaned with a brush."},
	{notBorneOut, "大件由本地车队运送。", "大件每周运送，由外地车队运送；小件每天运送，由本地车队运送。"},
	{notBorneOut, "The short lane is 50 m.", "Swim in the short lane for 25 m or the wide lane for 50 m."},
	{notBorneOut, "If the hall is full, doors close every two hours.", "Doors close every two hours, or every three hours if the hall is full."},
	{notBorneOut, "If the score falls below 40 points the team loses 5 places.", "If the score falls below 60 points the team loses 5 places; below 40 points it loses 12 places."},
	// A heading, the names of the columns, and the sentence before tell what a place speaks of.
	{borneOut, "The bicycle hire costs 12 euros.", "# Bicycle hire\n\nIt costs 12 euros."},
	{borneOut, "储物柜押金为20元。", "# 储物柜\n\n押金为20元。"},
	{borneOut, "The deposit for lockers is 8 euros.", "| Item | Deposit |\n|---|---|\n| Lockers | 8 euros |\n| Towels | 3 euros |"},
	{borneOut, "The ferry runs hourly.", "The ferry leaves from Pier Two. It runs hourly."},
	// Two sentences may each say one clause.
	{borneOut, "The hall seats 200 guests, and the terrace seats 40 guests.", "The hall seats 200 guests. The terrace seats 40 guests."},
	{borneOut, "礼堂可容纳200人，露台可容纳40人。", "礼堂可容纳200人。露台可容纳40人。"},
	// How often is as much as how many.
	{notBorneOut, "The lift is inspected once a year.", "The lift is inspected once a month."},
	{notBorneOut, "电梯每年检修一次。", "电梯每18个月检修一次。"},
	{notBorneOut, "奖金按周发放。", "奖金按月发放。"},
	{notBorneOut, "The fund pays an annual return.", "The fund pays a monthly return."},
	{notBorneOut, "首年管理费为每年600元。", "首年管理费为每月600元，次年起每年上调3%。"},
	{borneOut, "首年管理费为每月600元。", "首年管理费为每月600元，次年起每年上调3%。"},
	{notBorneOut, "Teams of eight or more pay 20 euros.", "Teams of 14 or more pay 20 euros if they book at least 8 days ahead."},
	{borneOut, "The lift is inspected monthly.", "The lift is inspected every month."},
	{borneOut, "电梯每季度检修一次。", "电梯每三个月检修一次。"},
}

func TestASentenceIsSupportedIfOnePlaceSaysAllOfIt(t *testing.T) { holds(t, heldTogetherPairs) }

// TestWhatNoPlaceSaysIsNamed holds that the reason of a verdict names the words, and that a supported sentence lacks none.
func TestWhatNoPlaceSaysIsNamed(t *testing.T) {
	for _, c := range []struct{ sentence, text, said string }{
		{"The club lends a racket, a towel and one ball.", "The club lends a racket and one ball.", "towel"},
		{"合同原件永久存放在档案室。", "合同原件存放在档案室。", "永久"},
		{"The lift is inspected in May.", "The lift is inspected in May.", ""},
	} {
		said := ""
		for _, r := range Judge(c.sentence, []*Source{NewSource(c.text)}).Reasons {
			if r.Code == "words" {
				said = r.Said
			}
		}
		if said != c.said {
			t.Errorf("%q against %q: lacks %q, want %q", c.sentence, c.text, said, c.said)
		}
	}
}

func TestARecordHoldsWhatItsColumnsAreCalled(t *testing.T) {
	s := reading.NewTable("", "product, warranty in months", []string{"drill, 24", "saw, 12"})
	for sentence, want := range map[string]bool{"The warranty of the drill is 24 months.": true, "The warranty of the saw is 24 months.": false} {
		if got := Judge(sentence, []*Source{s}).Verdict == Supported; got != want {
			t.Errorf("%q: supported %t, want %t", sentence, got, want)
		}
	}
}

// measuredPairs are sentences that state the same amounts in other units, or others.
var measuredPairs = []expectation{
	{borneOut, "油箱容量为2500毫升。", "油箱容量为 2.5 升。"},
	{notBorneOut, "油箱容量为2.5毫升。", "油箱容量为 2.5 升。"},
	{borneOut, "The rope is 150 cm long.", "The rope is 1.5 m long."},
	{notBorneOut, "The rope is 1.5 mm long.", "The rope is 1.5 m long."},
	{borneOut, "The dose is 250 mg of syrup.", "The dose is 0.25 g of syrup."},
	{notBorneOut, "The dose is 250 g of syrup.", "The dose is 250 mg of syrup."},
	{notBorneOut, "每包重量为30克。", "每包重量为30毫克。"},
	{borneOut, "The licence runs for three years.", "The licence runs for 36 months."},
	{notBorneOut, "The licence runs for two years.", "The licence runs for 36 months."},
	{notBorneOut, "Objections are accepted within 15 calendar days.", "Objections are accepted within 15 working days."},
	{notBorneOut, "异议须在15个自然日内提出。", "异议须在15个工作日内提出。"},
	{borneOut, "例会在下午3点开始。", "例会在 15:00 开始。"},
	{notBorneOut, "例会在下午5点开始。", "例会在 15:00 开始。"},
	{borneOut, "The library closes at 7:30 pm.", "The library closes at 19:30."},
	{notBorneOut, "The library closes at 7:30 am.", "The library closes at 19:30."},
	{notBorneOut, "周日开放时间为8:00至21:00。", "周一至周五 8:00至21:00，周日 10:00至18:00开放。"},
	{borneOut, "本办法自2025年7月1日起施行。", "本办法自 2025 年 7 月 1 日起施行。"},
	{saysContrary, "本办法自2025年9月1日起施行。", "本办法自 2025 年 7 月 1 日起施行。"},
	{borneOut, "The lease was signed on July 14, 2025.", "The lease was signed on 14 July 2025."},
	{borneOut, "会费自5月起为80元。", "会费为 80 元，自 2025 年 5 月起执行。"},
	// Parties, steps and duties.
	{notBorneOut, "若承租方逾期付款，承租方有权终止合同。", "承租方逾期付款的，出租方有权终止合同。"},
	{notBorneOut, "If the lender delays the lender may cancel.", "If the lender delays the borrower may cancel."},
	{notBorneOut, "先冲洗滤网，再关闭水泵。", "先关闭水泵，再冲洗滤网。"},
	{notBorneOut, "Guards must lock the side gate.", "Guards may lock the side gate."},
	{notBorneOut, "保安必须锁闭侧门。", "保安可以锁闭侧门。"},
}

func TestAmountsTimesPartiesAndStepsAreCompared(t *testing.T) { holds(t, measuredPairs) }
