// Package hours tells whether a sentence says of other days, or of another part of the day, that something is so
// than a text does.
//
// It reads texts that are folded as claims are: the days of the week in English and ranges of them with a hyphen, numbers
// in digits. It knows days and parts of the day alone, not the time by the clock.
package hours

import (
	"regexp"
	"strings"
)

// days is a set of days: one bit each from Monday on, and one for holidays.
type days uint8

const (
	weekdays days = 1<<5 - 1
	weekend  days = 1<<5 | 1<<6
	holidays days = 1 << 7
	everyDay days = 1<<8 - 1
)

// parts is a set of parts of the day.
type parts uint8

const (
	morning parts = 1 << iota
	noon
	afternoon
	evening
)

const (
	anyDay = `(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?`
	// dayForm names days. Working days that are counted, or of which one is picked, are none of the week.
	dayForm = `\b(` + anyDay + `) - (` + anyDay + `)\b|\b(` + anyDay + `)\b|` +
		`((?:[\d几数]\s*|干|[一两下次首隔当末]\s*)个?\s*工作日|\b(?:\d+|one|an?|few|several|next|following|first|last|same|previous) (?:full |more )?(?:(?:working|business|work) days?|weekdays?)\b)|` +
		`(工作日|平日|\bweekdays?\b|\b(?:working|business|work) days?\b)|(周末|双休日|\bweekends?\b)|(节假日|法定假日|公众假期|\b(?:public|bank|national) holidays?\b)|` +
		`(每天|每日|天天|\bdaily\b|\b(?:every|each) day\b|\ball week\b|\b(?:7|seven) days a week\b)`
	partForm = `上午|早上|早晨|清晨|中午|下午|午后|晚上|晚间|傍晚|夜间|\b(?:mornings?|noon|midday|afternoons?|evenings?|at night)\b`
	// glue stands between a day and the part of it that is meant.
	glue = `(?:[\s,，、的()（-]|\b(?:in|on|from|of|the|each|every|only|during)\b)*`
)

var (
	dayNames = [...]string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
	day      = regexp.MustCompile(dayForm)
	part     = regexp.MustCompile(partForm)
	// partOfDay is a day with the part of it that is meant, before or behind it; a list of days has one part.
	partOfDay = regexp.MustCompile(listed(dayForm) + glue + listed(partForm) + `|` + listed(partForm) + glue + `(?:` + dayForm + `)`)
	// excepting takes days away from those that are named.
	excepting = regexp.MustCompile(`除|不含|以外|之外|\b(?:except\w*|excluding|other than|apart from|outside|unless|but not)\b`)
	// lasting says what is so for as long as the day is, and not once on it.
	lasting = regexp.MustCompile(`开放|开馆|开门|开园|营业|办公|上班|工作|值班|值守|接待|受理|办理|服务|接诊|坐诊|出诊|供应|可用|运行|\b(?:open|opens|opening|available|staffed|accessible|attended|on duty|works?|runs?|operates?|operating|serves?|served)\b`)
	clock   = regexp.MustCompile(`\d{1,2}\s?(?::\d\d|点|时|[ap]\.?m\b)|\bat \d|半天|\bhalf\b`)
)

// listed matches one or more of a form, with what stands between them in a list.
func listed(form string) string {
	return `(?:` + form + `)(?:(?:[\s、,，和及]|\band\b|\bor\b)*(?:` + form + `))*`
}

// Other returns when a claim says that something is, and when a sentence does, where the claim goes beyond it: it names
// days of which the sentence names none, another part of the day, or whole days of which the sentence names a part.
func Other(claim, sentence string) (said, found string, ok bool) {
	if said, found, ok = otherDays(claim, sentence); ok {
		return said, found, true
	}
	if said, found, ok = otherPart(claim, sentence); ok {
		return said, found, true
	}
	return wholeDays(claim, sentence)
}

// Shares reports whether two texts name a day in common, or a part of it.
func Shares(a, b string) bool { return daysOf(a)&daysOf(b) != 0 || partsOf(a)&partsOf(b) != 0 }

func otherDays(claim, sentence string) (said, found string, ok bool) {
	ours, theirs := daysOf(claim), daysOf(sentence)
	if ours == 0 || theirs == 0 || ours&theirs != 0 || excepting.MatchString(claim+"\n"+sentence) {
		return "", "", false
	}
	return named(claim), named(sentence), true
}

func otherPart(claim, sentence string) (said, found string, ok bool) {
	ours, theirs := partsOf(claim), partsOf(sentence)
	if ours == 0 || theirs == 0 || ours&theirs != 0 {
		return "", "", false
	}
	return part.FindString(claim), part.FindString(sentence), true
}

// wholeDays finds the days of a claim of which a sentence names a part alone.
func wholeDays(claim, sentence string) (said, found string, ok bool) {
	ours := daysOf(claim)
	if ours == 0 || partsOf(claim) != 0 || clock.MatchString(claim) || !lasting.MatchString(claim) {
		return "", "", false
	}
	rest := partOfDay.ReplaceAllStringFunc(sentence, func(s string) string {
		if p := partsOf(s); p&morning != 0 && p&(afternoon|evening) != 0 || daysOf(s)&ours == 0 {
			return s
		}
		found = s
		return "\n"
	})
	if found == "" || daysOf(rest)&ours != 0 {
		return "", "", false
	}
	return named(claim), found, true
}

// daysOf returns the days that a text names. That something is daily on some days adds none to them.
func daysOf(text string) days {
	var out days
	daily := false
	for _, m := range day.FindAllStringSubmatch(text, -1) {
		switch {
		case m[1] != "":
			out |= span(index(m[1]), index(m[2]))
		case m[3] != "":
			out |= 1 << index(m[3])
		case m[5] != "":
			out |= weekdays
		case m[6] != "":
			out |= weekend
		case m[7] != "":
			out |= holidays
		case m[8] != "":
			daily = true
		}
	}
	if out == 0 && daily {
		return everyDay
	}
	return out
}

// span is the days from one to another, over the end of the week where that comes first.
func span(from, to int) days {
	out := days(1 << from)
	for i := from; i != to; {
		i = (i + 1) % len(dayNames)
		out |= 1 << i
	}
	return out
}

func index(name string) int {
	for i, d := range dayNames {
		if strings.TrimSuffix(name, "s") == d {
			return i
		}
	}
	return 0
}

// named is how a text names days first.
func named(text string) string {
	for _, m := range day.FindAllStringSubmatch(text, -1) {
		if m[4] == "" {
			return m[0]
		}
	}
	return ""
}

var partNames = map[rune]parts{'上': morning, '早': morning, '清': morning, '中': noon, '下': afternoon, '午': afternoon, '晚': evening, '傍': evening, '夜': evening,
	'm': morning, 'n': noon, 'a': afternoon, 'e': evening}

func partsOf(text string) parts {
	var out parts
	for _, s := range part.FindAllString(text, -1) {
		switch s {
		case "midday":
			out |= noon
		case "at night":
			out |= evening
		default:
			out |= partNames[[]rune(s)[0]]
		}
	}
	return out
}
