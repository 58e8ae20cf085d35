package rules

import (
	"strings"
	"sync"

	"github.com/kaoju/kaoju/internal/analysis"
)

// families are words that stand for each other in the documents of an organisation, across the
// two languages. They widen what counts as a match; they never become part of an answer.
const families = `
住宿 酒店 宾馆 旅馆 hotel lodging accommodation
上限 限额 最高 最多 封顶 limit cap maximum
出差 差旅 travel trip
出境 境外 国外 出国 海外 abroad overseas
早餐 breakfast
采购 购买 purchase procurement
供应商 supplier vendor
补贴 补助 allowance
报销 reimburse reimbursement
餐费 伙食 餐补 meal
机票 航班 flight airfare
火车 高铁 train rail
退货 return
退款 refund
保修 质保 warranty
发票 invoice
密码 口令 password
请假 休假 年假 leave vacation
加班 overtime
工资 薪酬 薪资 salary pay
审批 批准 approval approve
发布 上线 release
回滚 rollback
故障 异常 fault failure
安装 部署 install deploy
升级 更新 upgrade update
价格 单价 售价 price cost
费用 fee cost
客户 customer client
合同 contract
部门 department
员工 职工 employee staff
电话 phone telephone
北京 beijing
上海 shanghai
广州 guangzhou
深圳 shenzhen
杭州 hangzhou
成都 chengdu
香港 hongkong
中国 china
母亲 生母
父亲 生父
导演 执导
长度 全长 总长 长约 长达 公里 千米
作者 所著 编著 撰写
别名 又名 又称 俗称
开始 begin start
founded established
located situated
到账 付款
`

// vagueWords say something about a question and nothing about its topic.
const vagueWords = " many much long old far often name names named called call kind kinds type types sort example term used use using " +
	"make made come came get got give given take taken find say said know known think thought work works does mean people person thing things " +
	"way ways happen happened also along typically usually current currently number " +
	"run runs fast quickly quick soon big high deep wide large tall heavy those less more likely order just even between start began begin put putting man woman "

// vague reports whether an English word is such a word.
func vague(word string) bool { return strings.Contains(vagueWords, " "+strings.ToLower(word)+" ") }

// vaguePairs do the same for Chinese, two characters each.
const vaguePairs = " 开始 需要 必须 进行 要求 应当 应该 情况 东西 一般 目前 现在 当前 具体 通常 大概 大约 左右 处理 办理 规定 我们 最多 最少 最高 最低 至少 " +
	"分别 各自 第一 一直 正式 起初 时间 时候 多长 多久 期限 时限 最后 "

func vaguePair(pair string) bool { return strings.Contains(vaguePairs, " "+pair+" ") }

// general reports whether an English term says in a heading only that rules follow.
func general(t string) bool {
	return strings.Contains(" period time term polici rule standard limit rate general overview summari detail inform ", " "+t+" ")
}

// places are names by which a rule is meant for one place and not another.
const places = "北京 上海 天津 重庆 广州 深圳 杭州 南京 苏州 成都 武汉 西安 长沙 郑州 青岛 大连 宁波 厦门 沈阳 济南 合肥 福州 昆明 贵阳 南宁 海口 三亚 " +
	"兰州 银川 西宁 太原 南昌 长春 无锡 佛山 东莞 珠海 温州 香港 澳门 台北 台湾 高雄 河北 山西 辽宁 吉林 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 " +
	"广东 海南 四川 贵州 云南 陕西 甘肃 青海 广西 西藏 宁夏 新疆 中国 美国 英国 法国 德国 日本 韩国 印度 泰国 越南 东京 大阪 首尔 伦敦 巴黎 柏林 纽约 欧洲 非洲 "

// place reports whether a pair of characters is such a name.
func place(pair string) bool { return strings.Contains(places, pair+" ") }

// lexicon maps the term of each word of a family to the terms of the others.
var lexicon = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(families) {
		var terms []string
		for word := range strings.FieldsSeq(line) {
			tokens := analysis.Query(word)
			if len(tokens) == 1 {
				terms = append(terms, tokens[0].Term)
			}
		}
		for i, t := range terms {
			out[t] = append(append(out[t], terms[:i]...), terms[i+1:]...)
		}
	}
	return out
})

func synonyms(t string) []string { return lexicon()[t] }

// alike reports whether two words may be forms of one word, or one of them is misspelt: most of
// their beginning is equal, or a single letter differs in a long word.
func alike(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) < 5 || len(y)-len(x) > 4 {
		return false
	}
	prefix := 0
	for prefix < len(x) && x[prefix] == y[prefix] {
		prefix++
	}
	if 10*prefix >= 7*len(y) {
		return true
	}
	suffix := 0
	for suffix < len(x)-prefix && x[len(x)-1-suffix] == y[len(y)-1-suffix] {
		suffix++
	}
	return len(x) >= 6 && prefix >= 2 && prefix+suffix >= len(y)-1 && prefix+suffix >= len(x)-1
}
