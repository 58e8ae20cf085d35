// Package peer knows names of one kind and one rank, of which one leaves no room for another: cities, countries,
// departments, posts, parties of a contract, people.
//
// It says nothing of where a name stands: whether there can be one only is compared elsewhere.
package peer

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/kaoju/kaoju/internal/analysis"
)

// peers are names of one kind and one rank, of which one leaves no room for another where there can be one
// only: cities, countries, departments, posts, parties of a contract. A line is a kind; the ways to name one
// thing are joined by a slash, with _ for a blank. A place inside another, and a post beside the person who
// holds it, stand on different lines or on none. Departments that firms often keep together are one thing.
const peers = `
beijing/北京 shanghai/上海 guangzhou/广州 shenzhen/深圳 tianjin/天津 chongqing/重庆 hangzhou/杭州 nanjing/南京 suzhou/苏州 wuhan/武汉 chengdu/成都 xi'an/xian/西安 qingdao/青岛 dalian/大连 xiamen/厦门 ningbo/宁波 wuxi/无锡 changsha/长沙 zhengzhou/郑州 jinan/济南 hefei/合肥 fuzhou/福州 kunming/昆明 shenyang/沈阳 harbin/哈尔滨 changchun/长春 dongguan/东莞 foshan/佛山 zhuhai/珠海 nanchang/南昌 guiyang/贵阳 nanning/南宁 haikou/海口 sanya/三亚 lanzhou/兰州 taiyuan/太原 shijiazhuang/石家庄 urumqi/乌鲁木齐 hong_kong/香港 macau/澳门 taipei/台北 tokyo/东京 osaka/大阪 kyoto/京都 seoul/首尔 busan/釜山 bangkok/曼谷 hanoi/河内 jakarta/雅加达 manila/马尼拉 kuala_lumpur/吉隆坡 mumbai/孟买 delhi/new_delhi/德里/新德里 dubai/迪拜 london/伦敦 manchester birmingham edinburgh glasgow dublin/都柏林 paris/巴黎 lyon/里昂 marseille/马赛 berlin/柏林 munich/慕尼黑 hamburg/汉堡 frankfurt/法兰克福 cologne/科隆 stuttgart/斯图加特 dresden leipzig vienna/维也纳 zurich/苏黎世 geneva/日内瓦 basel/巴塞尔 bern/伯尔尼 rome/罗马 milan/米兰 naples/那不勒斯 turin/都灵 venice/威尼斯 trieste florence/佛罗伦萨 madrid/马德里 barcelona/巴塞罗那 valencia lisbon/里斯本 porto amsterdam/阿姆斯特丹 rotterdam/鹿特丹 brussels/布鲁塞尔 antwerp copenhagen/哥本哈根 stockholm/斯德哥尔摩 oslo/奥斯陆 helsinki/赫尔辛基 warsaw/华沙 krakow prague/布拉格 budapest/布达佩斯 bucharest athens/雅典 istanbul/伊斯坦布尔 ankara moscow/莫斯科 kyiv/kiev/基辅 new_york/new_york_city/纽约 boston/波士顿 chicago/芝加哥 los_angeles/洛杉矶 san_francisco/旧金山 seattle/西雅图 houston/休斯敦 dallas/达拉斯 austin denver atlanta/亚特兰大 miami/迈阿密 philadelphia/费城 detroit toronto/多伦多 montreal/蒙特利尔 vancouver/温哥华 sydney/悉尼 melbourne/墨尔本 brisbane perth auckland/奥克兰 cairo/开罗 nairobi/内罗毕 lagos johannesburg/约翰内斯堡 cape_town/开普敦 são_paulo/sao_paulo/圣保罗 buenos_aires/布宜诺斯艾利斯 mexico_city/墨西哥城
china/中国 japan/日本 south_korea/韩国 india/印度 vietnam/越南 thailand/泰国 malaysia/马来西亚 indonesia/印度尼西亚/印尼 philippines/菲律宾 pakistan/巴基斯坦 germany/德国 france/法国 italy/意大利 spain/西班牙 portugal/葡萄牙 netherlands/荷兰 belgium/比利时 switzerland/瑞士 austria/奥地利 poland/波兰 sweden/瑞典 norway/挪威 denmark/丹麦 finland/芬兰 ireland/爱尔兰 united_kingdom/uk/britain/great_britain/england/scotland/wales/英国 united_states/usa/us/america/美国 canada/加拿大 mexico/墨西哥 brazil/巴西 argentina/阿根廷 chile/智利 australia/澳大利亚 new_zealand/新西兰 russia/俄罗斯 ukraine/乌克兰 turkey/土耳其 egypt/埃及 kenya/肯尼亚 nigeria/尼日利亚 south_africa/南非 israel/以色列 iran/伊朗 greece/希腊 hungary/匈牙利
finance/accounting/accounts/treasury/财务/会计/计财/计划财务/财会 legal/compliance/legal_and_compliance/legal_affairs/法务/法律/法律事务/合规/法务合规 hr/human_resources/people/personnel/人事/人力资源/人力 it/information_technology/information_systems/信息/信息技术/信息化/网络/科技/技术 procurement/purchasing/采购/供应/供应链/物资 marketing/sales/市场/销售/营销/市场营销 administration/facilities/facility_management/行政/总务/后勤/综合/综合管理 research/engineering/r&d/research_and_development/development/研发/工程/开发 customer_service/customer_support/客服/客户服务 production/manufacturing/生产/制造 audit/internal_audit/审计/内审/稽核 quality/quality_assurance/质量/质检/品质 logistics/warehouse/物流/仓储 training/培训
chief_executive/ceo/managing_director/general_manager/president/总经理/总裁/首席执行官 cfo/chief_financial_officer/finance_director/财务总监/首席财务官 cto/chief_technology_officer/technical_director/技术总监/首席技术官 chairman/chair/chairwoman/chairperson/董事长 line_manager/supervisor/direct_manager/直属上级/直接上级/直属主管/直属经理/主管 cashier/出纳 secretary/秘书
甲方 乙方 丙方
买方 卖方
出租方/出租人 承租方/承租人
landlord tenant
buyer seller
公司/单位/用人单位 员工/个人/本人/职工
`

// name is where a name stands: which kind, and which of its things.
type name struct {
	kind  string
	thing int
}

var peerOf = sync.OnceValue(func() map[string]name {
	out := map[string]name{}
	for kind, line := range strings.Split(peers, "\n") {
		for thing, ways := range strings.Fields(line) {
			for way := range strings.SplitSeq(ways, "/") {
				out[strings.ReplaceAll(way, "_", " ")] = name{string(rune('a' + kind)), thing}
			}
		}
	}
	return out
})

// placeKinds is how many of the first kinds of peers are places: cities and countries.
const placeKinds = 2

// HanPlaces finds the Chinese names of places in a text, and tells all ways to name each.
var HanPlaces = sync.OnceValues(func() (*regexp.Regexp, map[string][]string) {
	ways := map[string][]string{}
	for _, line := range strings.Split(strings.TrimSpace(peers), "\n")[:placeKinds] {
		for thing := range strings.FieldsSeq(line) {
			names := strings.Split(strings.ReplaceAll(thing, "_", " "), "/")
			for _, n := range names {
				if n[0] > 'z' {
					ways[n] = names
				}
			}
		}
	}
	longest := slices.SortedFunc(maps.Keys(ways), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return regexp.MustCompile(strings.Join(longest, "|")), ways
})

var (
	// trimmings are what a name of a place or a department is written with or without.
	trimmings = regexp.MustCompile(`^the | (?:department|dept|team|division|city)$`)
	hanEnding = regexp.MustCompile(`(?:部门|部|处|科|市)$`)

	hanPerson = regexp.MustCompile(`^[` + analysis.Surnames + `]\p{Han}{1,2}$`)
	// notPerson are characters and words of posts, departments and firms.
	notPerson = regexp.MustCompile(`[部处科室司局院组会员长总经理师任管门方人者办团层级家店厂行]|[工姐哥姓某]$|先生|女士|小姐|同志`)
	enPerson  = regexp.MustCompile(`^\p{Lu}[\p{Ll}'’-]+(?: \p{Lu}\.)?(?: \p{Lu}[\p{L}'’-]*\p{Ll}){1,2}$`)
	noPerson  = regexp.MustCompile(`\b(?:[a-z]*(?:services?|resources?|operations?|relations?|systems?|affairs|accounts?|studios?|pictures|records|works|industries|technolog(?:y|ies)|partners)|department|team|office|committee|board|council|division|unit|group|company|inc|ltd|llc|corp|corporation|gmbh|bank|universit(?:y|ies)|college|school|institute|agency|embassy|ministry|cent(?:er|re)|desk|union|association|society|foundation|club|house|street|park|manager|director|head|chief|officer|president|engineer|architect|lead|leader|secretary|assistant|counsel|controller|administrator|coordinator|supervisor|executive|security|safety|management|support|technology|information|customer|human|project|legal|finance|data|protection|quality)\b`)
)

// person is the kind of names of people.
const person = "person"

// kindOf returns of what kind a name is, and which of that kind; false if that is not known.
func kindOf(written string) (name, bool) {
	folded := strings.TrimSpace(analysis.Fold(written))
	for _, n := range [...]string{folded, hanEnding.ReplaceAllString(trimmings.ReplaceAllString(folded, ""), "")} {
		if p, ok := peerOf()[n]; ok {
			return p, true
		}
	}
	switch {
	case hanPerson.MatchString(folded) && !notPerson.MatchString(folded):
	case enPerson.MatchString(written) && !noPerson.MatchString(folded):
	default:
		return name{}, false
	}
	return name{kind: person}, true
}

// Exclude reports whether two names are of one kind and of two of it. Names of people are two where they
// have no word in common; a Chinese name is one word.
func Exclude(a, b string) bool {
	p, ok := kindOf(a)
	q, fine := kindOf(b)
	if !ok || !fine || p.kind != q.kind {
		return false
	}
	if p.kind != person {
		return p.thing != q.thing
	}
	return !slices.ContainsFunc(strings.Fields(analysis.Fold(a)), func(w string) bool {
		return slices.Contains(strings.Fields(analysis.Fold(b)), w)
	})
}

// Same reports whether two names are known to be of one thing.
func Same(a, b string) bool {
	p, ok := kindOf(a)
	q, fine := kindOf(b)
	return ok && fine && p.kind != person && p == q
}
