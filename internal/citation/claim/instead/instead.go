// Package instead tells what a text says in the place of what a claim says: another number, another party, another
// department, another sort of thing.
//
// A value is something of which a thing has one. Two texts that say the same in all other words and have one value of a
// kind each cannot both be true where these differ. Whether they say the same otherwise is for the caller to tell; what
// the values are is told here.
package instead

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Value is something of which a thing has one.
type Value struct {
	Kind    string // what it is a value of
	Is      string // which one: two values of a kind that differ exclude each other
	Written string
}

// Other returns a value of a claim in whose place a text has another one. All other values of the claim stand in the
// text too, and of that kind both have as many, so that there is one place for it.
func Other(claim, text []Value) (said, found Value, ok bool) {
	free := append([]Value{}, text...)
	var open []Value
	for _, v := range claim {
		at := index(free, v)
		if at < 0 {
			open = append(open, v)
			continue
		}
		free = append(free[:at], free[at+1:]...)
	}
	if len(open) != 1 {
		return Value{}, Value{}, false
	}
	n := 0
	for _, v := range free {
		if v.Kind != open[0].Kind {
			continue
		}
		if n++; n == 1 {
			found = v
		}
	}
	return open[0], found, n == 1 || n > 1 && open[0].Kind == sort
}

// index is where a list has a value that is the same.
func index(list []Value, v Value) int {
	for i, o := range list {
		if o.Kind == v.Kind && o.Is == v.Is {
			return i
		}
	}
	return -1
}

var (
	// address is where to write to.
	address = regexp.MustCompile(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+`)
	// floor is on which one something is.
	floor = regexp.MustCompile(`\b(ground|first|second|third|fourth|fifth|top) floor\b|([一二三四五六七八九十\d]+)[楼层]`)
)

// exclusive are words and names of one kind, a line each, of which one leaves no room for another; the ways to name
// one are joined by a slash.
const exclusive = `
party: landlord/lessor, tenant/lessee, buyer/purchaser, seller, provider/supplier/vendor, customer/client, employer, employee, lender, borrower, licensor, licensee, insurer, insured
party: 甲方, 乙方, 丙方
party: 买方, 卖方
party: 出租方/出租人, 承租方/承租人
party: 委托方/委托人, 受托方/受托人
party: 供应商/供方, 客户/需方
post: managing director/general manager/chief executive/ceo, line manager/supervisor, department head/head of department/head of the department, finance director/cfo/chief financial officer, chairman/chairwoman/chairperson, cashier
post: 总经理/总裁, 分管副总/分管副总裁/分管副总经理, 部门负责人/部门经理/部门主管, 直属主管, 财务总监/财务负责人, 采购总监/采购负责人, 董事长, 出纳, 采购员
department: finance department/finance team/finance, legal department/legal team, it department/information technology, human resources department/human resources, procurement department/procurement, marketing department
department: 财务部, 法务部, 信息部/信息技术部/it部, 人力资源部/人事部, 采购部, 市场部, 销售部, 行政部, 审计部, 研发部, 生产部, 物资部, 质量部
half: production environment/production, staging environment/staging
half: 上半年, 下半年
half: 平日/工作日, 周末, 节假日/法定节假日
often: daily, weekly, monthly, quarterly, yearly/annual/annually
way: telephone, email
way: 口头, 书面
ordinal: first, second, third, fourth, fifth
ordinal: 第一, 第二, 第三, 第四, 第五
`

type meaning struct{ kind, is string }

// exclusives maps each name to its kind and to which one of it that is, and finds them in a text, longer ones first.
var exclusives = sync.OnceValues(func() (map[string]meaning, *regexp.Regexp) {
	out := map[string]meaning{}
	for n, line := range strings.Split(strings.TrimSpace(exclusive), "\n") {
		kind, list, _ := strings.Cut(line, ": ")
		for i, thing := range strings.Split(list, ", ") {
			for way := range strings.SplitSeq(thing, "/") {
				if _, taken := out[way]; !taken {
					out[way] = meaning{kind + strconv.Itoa(n), kind + strconv.Itoa(i)}
				}
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(out), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	for i, n := range names {
		if n[0] <= 'z' {
			names[i] = `\b` + n + `\b`
		}
	}
	return out, regexp.MustCompile(strings.Join(names, "|"))
})

// Values returns the values of a folded text, but for its numbers, and the text without them.
func Values(folded string) ([]Value, string) {
	var out []Value
	for _, re := range [...]*regexp.Regexp{address, floor} {
		folded = re.ReplaceAllStringFunc(folded, func(s string) string {
			out = append(out, Value{re.String(), s, s})
			return " "
		})
	}
	known, names := exclusives()
	folded = names.ReplaceAllStringFunc(folded, func(s string) string {
		out = append(out, Value{known[s].kind, known[s].is, s})
		return " "
	})
	return out, folded
}

// sort is the kind of what something is.
const sort = "sort"

// sorts are words for what something is, a line for those of which nothing is two: a person is no place.
const sorts = `
person man woman boy girl singer actor actress musician writer author politician player director producer model comedian rapper songwriter scientist engineer athlete footballer president senator king queen poet painter dancer journalist lawyer doctor teacher screenwriter filmmaker entrepreneur wrestler boxer philosopher personality performer
dog cat horse bird fish animal
place city town village country state island continent province district suburb capital archipelago republic territory
film movie
song
album
novel book
painting sculpture
magazine newspaper
truck car ship aircraft train bicycle motorcycle vehicle
company airline university college hospital school corporation club
disease virus bacterium protein gene enzyme
`

var (
	sortOf = func() map[string]string {
		out := map[string]string{}
		for line := range strings.Lines(strings.TrimSpace(sorts)) {
			list := strings.Fields(line)
			for _, w := range list {
				out[w] = list[0]
			}
		}
		return out
	}()
	// isA is what a sentence says that its subject is, to the end of the words that say it.
	isA = regexp.MustCompile(`^.*?\b(?:is|was|are|were) (?:an?|the|one of the|both an?)((?: [\p{L}\d'’/-]+)+?)(?: (?:of|in|on|at|by|from|for|with|within|under|near|as|during|since|between|among|who|which|that|where|whose|to|and the|but|located|situated|created|directed|written|produced|recorded|performed|published|founded|formed|owned|developed|designed|set|born|released|known|based|starring|featuring)\b|\s*[,.;:(]|\s*$)`)
	// beside is what a sentence says in brackets, or between commas, before its verb.
	beside = regexp.MustCompile(`\([^()]*\)|（[^（）]*）|-lrb-.*?-rrb-|-lsb-.*?-rsb-`)
)

// WhatItIs returns what sorts of thing a sentence says that its subject is, and the words for the subject.
func WhatItIs(folded string) (sorts []Value, subject string) {
	folded = strings.Join(strings.Fields(beside.ReplaceAllString(folded, " ")), " ")
	m := isA.FindStringSubmatchIndex(folded)
	if m == nil {
		return nil, ""
	}
	words := strings.Fields(folded[m[2]:m[3]])
	var out []Value
	for i, w := range words {
		if s, ok := sortOf[w]; ok && (i == len(words)-1 || words[i+1] == "and") {
			out = append(out, Value{sort, s, w})
		}
	}
	return out, folded[:verb.FindStringIndex(folded)[0]]
}

// verb is what a sentence says by that its subject is something.
var verb = regexp.MustCompile(`\b(?:is|was|are|were)\b`)
