package matter

import (
	"regexp"
	"strings"
	"sync"
)

// sets are words by which one sentence is about another case than a sentence with another of the same set: for whom a
// rule is, where, when, above or below a bound. Each line is a set; its cases are apart by a blank, the ways to write one
// by a slash, and an underscore is a blank. A case behind a minus is an exception: a sentence that names it is about
// another case than one that names none. One behind a plus is the usual case, which a question may name without asking
// about it alone.
const sets = `
+employee/employees/staff/员工/职工 landlord/landlords/lessor/房东/出租方/出租人 tenant/tenants/lessee/租户/租客/承租方/承租人 customer/customers/client/clients/buyer/buyers/客户/顾客/买方 supplier/suppliers/vendor/vendors/seller/供应商/卖方 -visitor/visitors/访客/来访者 -intern/interns/trainee/trainees/实习生/见习生 -contractor/contractors/freelancers/外包人员/承包商 student/students/学生 teacher/teachers/教师
国内/境内/domestic/北京/上海/广州/深圳/杭州/南京/成都/重庆/天津/武汉/西安/苏州 国外/境外/海外/出境/出国/国际/overseas/abroad/international/foreign
以上/above 以下/below
白天/日间/白班/daytime/day_shift 夜间/夜里/夜班/at_night/night_shift/overnight
工作日/weekday/weekdays 周末/weekend/weekends 节假日/holidays
-part-time/兼职 full-time/全职
单程/one-way 往返/return_ticket
线上/online 线下/in-store/in_store
成人/adult/adults -儿童/child/children
上午/morning 下午/afternoon 晚上/evening
室内/indoor/indoors 室外/户外/outdoor/outdoors
`

// kase is a case of a set.
type kase struct {
	set, at          int
	exception, usual bool
}

// named is a case with what finds its names in a folded text.
type named struct {
	kase
	form *regexp.Regexp
}

var cases = sync.OnceValue(func() (out []named) {
	for set, line := range strings.Split(strings.TrimSpace(sets), "\n") {
		for at, field := range strings.Fields(line) {
			names, exception := strings.CutPrefix(field, "-")
			names, usual := strings.CutPrefix(names, "+")
			var forms []string
			for name := range strings.SplitSeq(names, "/") {
				form := regexp.QuoteMeta(strings.ReplaceAll(name, "_", " "))
				if name[0] < 0x80 {
					form = `\b` + form + `\b`
				}
				forms = append(forms, form)
			}
			out = append(out, named{kase{set, at, exception, usual}, regexp.MustCompile(strings.Join(forms, "|"))})
		}
	}
	return out
})

// everyDay holds such a word and names no case: 每晚, "non-working days" and 日 count.
var everyDay = regexp.MustCompile(`个?工作日(?:内|之内|以内|前)|(?:[0-9一二三四五六七八九十两几]|多少)\s*个?工作日|国际(?:学校|部)`)

// casesIn returns the cases that a folded text names, by their set.
func casesIn(folded string) map[int]map[kase]bool {
	folded = everyDay.ReplaceAllString(folded, "")
	out := map[int]map[kase]bool{}
	for _, c := range cases() {
		if c.form.MatchString(folded) {
			if out[c.set] == nil {
				out[c.set] = map[kase]bool{}
			}
			out[c.set][c.kase] = true
		}
	}
	return out
}

// unusual returns cases without those of sets of which only the usual one is named.
func unusual(list map[int]map[kase]bool) map[int]map[kase]bool {
	for set, named := range list {
		for c := range named {
			if c.usual && len(named) == 1 {
				delete(list, set)
			}
		}
	}
	return list
}

// other reports whether two texts each name cases of a set, and none in common.
func other(ours, theirs map[int]map[kase]bool) bool {
	for set, list := range ours {
		if len(theirs[set]) > 0 && !overlap(list, theirs[set]) {
			return true
		}
	}
	return false
}

func overlap(a, b map[kase]bool) bool {
	for c := range a {
		if b[c] {
			return true
		}
	}
	return false
}

// excepted reports whether a text is about an exception of which another one says nothing.
func excepted(ours, theirs map[int]map[kase]bool) bool {
	for set, list := range ours {
		if len(theirs[set]) > 0 {
			continue
		}
		for c := range list {
			if c.exception && len(list) == 1 {
				return true
			}
		}
	}
	return false
}
