package hours

import (
	"regexp"
	"strings"
)

const (
	// openWord says that people are let in, or are served.
	openWord = `开放|开馆|开园|营业|办公|接待`
	// restDay is what days something is closed on are called by, one or several of them.
	restDay = `(?:(?:on|at|over|during|for|every|each|all|the|national|official|法定|每|逢|周|的| )*(?:` + dayForm + `)[\s,，、和及-]*(?:and |or )?)+`
)

var (
	hanClosed = regexp.MustCompile(`(不)?(闭馆|休馆|闭园|停业(?:休息)?|歇业|关闭|关门|不开馆|不开园|不对外开放)([^时前后了账帐]|$)`)
	// notOpen and opensNot say it in English, with the days behind; a time by the clock is no day.
	notOpen  = regexp.MustCompile(`\bnot open((?: to (?:the |all )?\w+)? ` + restDay + `)`)
	opensNot = regexp.MustCompile(`\b(?:do|does) not open( ` + restDay + `)`)
	// without takes days out of those on which something is open.
	without   = regexp.MustCompile(`除(?:了)?((?:` + restDay + `))(?:以外|之外|外)`)
	leftOut   = regexp.MustCompile(`不含(` + restDay + `)`)
	exceptDay = regexp.MustCompile(`,? (?:except|excluding|other than|apart from|but not)( ` + restDay + `)`)
	opens     = regexp.MustCompile(openWord)
	isOpen    = regexp.MustCompile(`\b(?:is|are) (?:\w+ )?open\b|\bopens?\b`)
	someDay   = regexp.MustCompile(dayForm)
)

// Plain writes in one way on which days something is closed: as "closed" in English and as 不开放 in Chinese. Days that
// are excepted from those on which it is open are such days. It looks at days alone: what is closed for good, and when it
// closes on a day, stays.
func Plain(folded string) string {
	if !someDay.MatchString(folded) {
		return folded
	}
	if word := opens.FindString(folded); word != "" {
		folded = leftOut.ReplaceAllString(folded, "${1}不"+word)
		folded = without.ReplaceAllString(folded, "${1}不"+word)
	}
	if isOpen.MatchString(folded) {
		folded = exceptDay.ReplaceAllString(folded, ", closed$1")
	}
	folded = notOpen.ReplaceAllString(opensNot.ReplaceAllString(folded, "closes$1"), "closed$1")
	var out strings.Builder
	for _, clause := range clauses(folded) {
		if someDay.MatchString(clause) {
			clause = hanClosed.ReplaceAllStringFunc(clause, func(s string) string {
				m := hanClosed.FindStringSubmatch(s)
				denial, open := "不", "开放"
				if m[1] != "" {
					denial = "" // not closed
				}
				if strings.Contains(m[2], "业") {
					open = "营业"
				}
				return denial + open + m[3]
			})
		}
		out.WriteString(clause)
	}
	return out.String()
}

// clauses cuts a text behind the marks that end a clause.
func clauses(text string) []string {
	return strings.FieldsFunc(strings.NewReplacer(",", ",\x00", "，", "，\x00", "；", "；\x00", ";", ";\x00", "。", "。\x00").Replace(text), func(r rune) bool { return r == 0 })
}
