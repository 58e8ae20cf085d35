package coverage

import (
	"regexp"
	"strings"
	"sync"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/paraphrase"
)

// light are characters of grammar: a place need not hold them. Those that deny are compared elsewhere.
const light = "的了吗呢吧啊呀么之与和及或在是而也就都被把从对于以其此这那哪什为有谁何则即便由将向给至到并且但又再还才均各该着过者若如当时个位名件条项台份次元地得所里中上下前后内外共已曾只仅不没无未非别凡因此属按每起止点分做作等享来去即使须应需要能会可请让使与同间期先第一好啦"

// lightWords are words of English that say nothing a place would have to hold, in their common form.
var lightWords = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, t := range analysis.Query("per via each every still ever even just only also too then thus hence therefore however moreover because since although though while when whenever unless except " +
		"until till upon within without during throughout ahead between among against toward towards into onto over out off up down away back " +
		"one ones thing things way case cases kind sort order need needs needed able unable cannot shall get gets got become becomes take takes taken taking took make makes made making " +
		"go goes going went come comes came put set sets let lets do done doing say says said state states stated specify specifies specified describe described mention mentions " +
		"both either neither nor yet all never always another other others own itself themselves himself herself yourself " +
		"last lasts lasting located situated namely including include includes regarding concerning according accordance " +
		"somebody someone anybody anyone everybody everyone person people time once valid period twice certain respective total " +
		"before after prior following later earlier long old whole entire full further therefore am pm oclock o'clock date") {
		if t.Of < 0 {
			out[t.Term] = true
		}
	}
	return out
})

// groups are words that say the same, a line each.
const groups = `
employee staff worker personnel workforce
start begin commence began begun started
finish conclude end ended complete completed
buy purchase bought procure
give provide supply offer lend grant gave given
receive obtain
allow permit admit authorise authorize allowed permitted admitted forbid prohibit ban forbidden prohibited banned disallow
include included includes including exclude excluded excludes excluding
department team division unit dept
keep retain kept store hold stored held preserve
run operate operating operation run ran
fee charge price cost costs priced tariff
phone telephone call called
repair fix mend
help assist assistance support
show display
use usage utilize utilise used operate
request ask apply application
require required necessary mandatory obligatory compulsory optional voluntary unnecessary
maximum most limit cap limited capped restricted
minimum least
annual year yearly annually
large big
small little
car vehicle automobile
photo photograph photography picture
child kid children
drop fall decrease decline fell fallen dropped reduce reduced lower
rise increase raise grow rose risen grew raised
email e-mail mail
website site
send submit deliver sent hand file submitted
free gratis complimentary
close shut closed
lose loss lost missing
pay payment paid
sell sale sold
choose choice chosen select selected pick
leave left depart departure
write written writing
weekday weekdays
agreement contract
discount off reduction
refund refunded reimburse reimbursed reimbursement
responsible responsibility charge accountable
ask request
manufacturer maker producer
customer client
firm company
replace replaced replacement exchange exchanged substitute
inform notify told notice notification tell
arrive arrival
build built building
meet meeting met
plan planned
young younger under below fewer less
above over exceed exceeding more
`

// commons maps a word to the one that stands for its group.
var commons = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(strings.TrimSpace(groups)) {
		first := ""
		for _, t := range analysis.Query(line) {
			if t.Of >= 0 {
				continue
			}
			t.Term = paraphrase.Word(t.Term)
			if first == "" {
				first = t.Term
			}
			if _, taken := out[t.Term]; !taken {
				out[t.Term] = first
			}
		}
	}
	return out
})

func common(term string) string {
	term = paraphrase.Word(term)
	if c, ok := commons()[term]; ok {
		return c
	}
	return term
}

var (
	// frame says who says it: the text itself, or the document that it is from.
	frame = regexp.MustCompile(`^\s*(?:according to|as (?:stated|described|set out|specified|laid down) in|under|in accordance with|per) (?:the |this |our |section |article |clause )*[\w ]{0,40}?(?:handbook|policy|policies|manual|document|guide|rules?|regulations?|agreement|contract|text|source|minutes|section|article|clause)[\w ]{0,12},|` +
		`^\s*(?:the|this) [\w ]{0,20}(?:handbook|policy|manual|document|guide|rules?|regulations?|agreement|contract|text|source|minutes) (?:states?|says?|specif(?:y|ies)|provides?|requires?) that\b|` +
		`^\s*(?:会议|双方|公司)(?:决定|确定|同意)|` +
		`^\s*(?:根据|按照|依据|依照|按)[^,，。]{0,24}(?:规定|要求|约定|记载|说明|手册|制度|办法|合同|规则|文件|资料)[,，]|` +
		`^\s*[^,，。]{0,10}(?:制度|手册|办法|合同|规则|文件|资料|规定|纪要)(?:中)?(?:规定|指出|明确|要求|显示|写明|约定)[,，:：]`)
	// same writes words of Chinese that say the same in one way, longer ones first.
	same = strings.NewReplacer(
		"乘坐", "乘", "坐", "乘", "未获得", "未", "未获", "未", "未经", "未", "时候", "", "算起", "", "起算", "", "来自", "自", "获得", "得", "取得", "得", "得到", "得", "主要", "", "称为", "", "叫做", "", "名为", "", "成为", "", "用途", "用", "一般", "", "通常", "", "原则上", "",
		"负责人", "负责人", "无须", "", "无需", "", "不必", "", "不得", "", "不能", "", "不可", "", "不准", "", "不允许", "", "不许", "", "不予", "", "禁止", "", "严禁", "",
		"可以", "", "能够", "", "有权", "", "得以", "", "允许", "", "准许", "", "必须", "", "应当", "", "应该", "", "需要", "", "务必", "", "方可", "", "才能", "",
		"没有", "", "未能", "", "并未", "", "目前", "", "现在", "", "其中", "", "然后", "", "最后", "", "之后", "", "之前", "", "以后", "", "以前", "", "期间", "", "之间", "", "之日", "", "之内", "", "以内", "",
		"如果", "", "因为", "", "由于", "", "所以", "", "因此", "", "原因", "", "而是", "", "已经", "", "负责", "", "进行", "", "作为", "", "或者", "", "以及", "", "并且", "", "情况", "", "相当于", "",
		"所有", "", "全部", "", "任何", "", "一律", "", "唯一", "", "总是", "", "从不", "", "其他", "", "的话", "", "属于", "", "部门", "部", "包括", "含", "包含", "含", "超过", "", "超出", "", "多于", "", "高于", "", "大于", "", "少于", "", "低于", "", "小于", "", "不足", "", "不到", "", "以上", "", "以下", "", "至少", "", "最少", "", "至多", "", "最多", "", "不满", "",
		"召开", "举行", "举办", "举行", "提供", "交", "提交", "交", "递交", "交", "出具", "交", "缴纳", "付", "交纳", "付", "缴付", "付", "支付", "付", "付款", "付", "缴费", "付费",
		"职工", "员工", "雇员", "员工", "享有", "", "享受", "", "拥有", "", "具有", "", "开始", "", "承担", "负担", "采购", "买", "购买", "买", "购置", "买", "更换", "换", "打开", "开", "开启", "开",
		"上涨", "涨", "上浮", "涨", "上调", "涨", "提高", "涨", "增加", "涨", "增长", "涨", "下降", "降", "降低", "降", "减少", "降", "下调", "降", "使用", "用", "选择", "选", "选定", "选", "证件", "证", "标准", "", "金额", "", "数额", "", "额度", "", "当天", "日", "当日", "日", "天", "日", "经理", "经理", "经济", "经济", "经验", "经验", "经营", "经营", "经办", "经办", "经费", "经费", "经历", "经历", "经常", "经常", "神经", "神经", "经", "", "剩余", "剩",
		"电话", "电话", "办理", "办", "领取", "领", "参加", "参与", "出席", "参与", "推迟", "延", "延期", "延", "延后", "延", "告知", "通知", "告诉", "通知", "休假", "假", "请假", "假", "放假", "假",
		"费用", "费", "资费", "费", "价格", "价", "价钱", "价", "地点", "", "时间", "", "日期", "", "地址", "址", "周", "周", "星期", "周", "礼拜", "周", "公里", "公里",
		"上午", "", "下午", "", "早上", "", "晚上", "", "中午", "", "凌晨", "", "傍晚", "", "钟", "",
	)
)

// Unframed takes off a sentence what says that a text says it.
func Unframed(folded string) string { return frame.ReplaceAllString(folded, "") }

// plain writes words that say the same in one way.
func plain(folded string) string { return same.Replace(folded) }
