package rules

import (
	"encoding/csv"
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
)

var (
	hasDigit  = regexp.MustCompile(`[0-9０-９]|[一二两三四五六七八九十百千万亿半][一二三四五六七八九十百千万亿]*[个名位人年月日天元次种条座支届所件张篇部岁倍分成米里吨]|(?i)\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|million|billion|dozen|half|twice)\b`)
	hasTime   = regexp.MustCompile(`[0-9]{1,4}\s*[年月日号时点]|[0-9]{3,4}|[0-9]{1,2}:[0-9]{2}|[一二三四五六七八九十○〇零]+[年月日]|之日|当[日天]|次[日月]|世纪|年代|[周星]期?[一二三四五六日天]|上午|下午|(?i)\b(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekends?|century|[0-9]{1,2}(?:st|nd|rd|th))\b`)
	hasPlace  = regexp.MustCompile(`[省市县区州镇村国路街岛山湖河港]|(?i:\b(?:in|at|near|from|of)\b) [A-Z]`)
	isPlaced  = regexp.MustCompile(`位于|坐落|座落|地处|隶属|设[在于]|地址|[0-9]号|(?i)\b(?:located|situated|headquartered|based)\b`)
	hasReason = regexp.MustCompile(`因为|由于|因此|所以|因而|为了|原因|导致|使得|故|因|(?i)\b(?:because|due to|since|therefore|as a result|in order to|so that|owing to|caused?)\b`)
	hasTitle  = regexp.MustCompile(`《|「|『|“|"`)
	hasPerson = regexp.MustCompile(`[\p{Han}]{1,3}(?:先生|女士|教授|博士|经理|主任|总|部长|院长|导演|皇帝|王|公)|·|由[\p{Han}]{2,}|负责|[a-z,] [A-Z][a-z]+ [A-Z][a-z]+`)
)

// A number as it is written before what it counts.
const number = `(?:[0-9][0-9,.]*|[一二两三四五六七八九十百千万半]+|(?i:\b(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|thousand|million|half)\b))`

// measure is a way to ask for a number of something, with the form that such a number has.
type measure struct {
	asked, given *regexp.Regexp
	head         *regexp.Regexp // what the head of a column says that holds such numbers bare
}

func measured(asked, given, head string) measure {
	return measure{regexp.MustCompile(asked), regexp.MustCompile(`(?i)` + given), regexp.MustCompile(`(?i)` + head)}
}

// measures are tried in their order.
var measures = []measure{
	measured(`几点|(?i)\bwhat time\b|\b(?:\w+ )?hours (?:are|of)\b|\bwhat (?:are|is) (?:the )?(?:\w+ ){0,2}hours\b`, `[0-9]{1,2}:[0-9]{2}|[0-9一二三四五六七八九十]+\s*[点时]|\b[0-9]{1,2} ?[ap]\.?m`, `时间|time|hours`),
	measured(`更贵|更便宜|(?i)\bcheaper\b|\bmore expensive\b|多少钱|多少元|几元|(?:费|价格?|金额|房租|租金|工资|薪资)(?:是|为)?多少`, number+`\s*(?:元|块|yuan|us dollars|dollars|rmb|usd)|[¥$€£]\s*[0-9]|[0-9.]+\s*%`, `元|价|费|金额|yuan|price|cost|fee`),
	measured(`多少个?人|几个?人|(?:多少|几)[名位](?:[^数]|$)`, number+`\s*(?:多?个?人|[名位]|people\b|persons?\b|employees\b|staff\b)`, `人数|people|headcount`),
	measured(`[多几]少?[天日]`, number+`\s*(?:个)?(?:工作|自然)?[天日]|`+number+` (?:\w+ )?days?\b`, `天|日|days`),
	measured(`(?:多少|几)年`, number+`\s*(?:个)?[年]|`+number+` years?\b`, `年|years`),
	measured(`更[长短久]|(?i)\b(?:longer|shorter)\b|多久|多长|(?:期限|时限|时长|工期|交期)|(?i)\bhow long\b|\bhow (?:quickly|soon)\b`, number+`\s*(?:个)?(?:工作)?(?:年|月|周|天|日|小时|分钟|秒|季度|学期|公里|千米|米|里)|`+
		number+` (?:\w+ )?(?:years?|months?|weeks?|days?|hours?|minutes?|seconds?|decades?|centur\w+|km|kilomet\w+|miles?|met(?:er|re)s?|feet|foot|ft|inches|pages?|cm|mm|m)\b|[0-9]{4}|[0-9]{1,2}:[0-9]{2}`, `[天日月年]|小时|分钟|days|months|hours`),
	measured(`(?:多少|几)层`, number+`\s*层|`+number+` (?:floors?|stor(?:ey|ie)s?)\b`, `层|floors?`),
	measured(`(?:多少|几)个?(?:等?级|档)`, `(?:[0-9一二三四五六七八九十]+|\b[A-Za-z])\s*个?(?:等?级|档)`, `级|档`),
	measured(`(?:多少|几)位`, number+`\s*位|`+number+` (?:digits|characters)\b`, `位`),
	measured(`电话|分机|号码|(?i)\b(?:phone|telephone|extension)\b`, `[0-9][0-9 -]{2,}[0-9]`, `电话|phone|extension|分机`),
	measured(`邮箱|邮件地址|(?i)\be-?mail\b`, `\S@\S`, `邮箱|mail`),
}

// counted matches an English question for a number of things: the things are the first group.
var counted = regexp.MustCompile(`(?i)\bhow many (?:more |other |different |total )?((?:[a-z-]+ )?[a-z-]+)`)

// demand is the form in which the asked number must be given; the zero value demands nothing.
type demand struct {
	given, head *regexp.Regexp
	thing       map[string]bool // or else a number directly before one of these words
	counts      bool            // it asks how many of a thing there are
}

// demandOf reads what a question counts or measures.
func demandOf(text string) demand {
	if m := countForm.FindStringSubmatch(text); m != nil && m[1] != "人" {
		noun := regexp.QuoteMeta(m[1])
		return demand{given: regexp.MustCompile(number + `\s*多?[名个位家种条台套件张篇]?` + noun + `|` + noun + `[^，。；,;]{0,6}` + number), head: regexp.MustCompile(noun), counts: true}
	}
	for _, m := range measures {
		if m.asked.MatchString(text) {
			return demand{given: m.given, head: m.head}
		}
	}
	m := counted.FindStringSubmatch(text)
	if m == nil {
		return demand{}
	}
	d := demand{thing: map[string]bool{}, counts: true}
	things := strings.Fields(strings.ToLower(m[1]))
	if len(things) == 2 && strings.HasSuffix(things[1], "s") && !strings.HasSuffix(things[0], "s") {
		things = things[1:] // "working days"
	}
	for _, t := range analysis.Query(things[0]) {
		if t.Of < 0 && !t.Stop {
			d.thing[t.Term] = true
		}
	}
	if len(d.thing) == 0 || d.thing["peopl"] || d.thing["time"] || d.thing["person"] {
		return demand{}
	}
	return d
}

func (d demand) none() bool { return d.given == nil && len(d.thing) == 0 }

// met reports whether a text gives a number as demanded.
func (d demand) met(text string, tokens []analysis.Token) bool {
	if d.given != nil {
		return d.given.MatchString(text)
	}
	for i, t := range tokens {
		if !d.thing[t.Term] {
			continue
		}
		for j := i - 1; j >= max(0, i-2); j-- {
			if tokens[j].Kind == analysis.Number || numberWord.MatchString(tokens[j].Term) {
				return true
			}
		}
	}
	return false
}

var numberWord = regexp.MustCompile(`^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelv|twelve|fifteen|twenti|thirti|forti|fifti|hundr|thousand|million|dozen|sever|no|onli|singl)$`)

// metBelow reports whether a cell gives a bare number below a head that says what it counts.
func (d demand) metBelow(head, cell string, headTerms map[string]bool) bool {
	if !strings.ContainsAny(cell, "0123456789") {
		return false
	}
	if d.given != nil {
		return d.head.MatchString(head)
	}
	for t := range d.thing {
		if headTerms[t] {
			return true
		}
	}
	return false
}

// metIn reports whether any cell of a row does.
func (d demand) metIn(row []cell) bool {
	return slices.ContainsFunc(row, func(c cell) bool { return d.metBelow(c.head, c.text, c.terms) })
}

// typed reports whether a text holds a thing of each kind that is asked for.
func typed(w want, text string) bool {
	checks := []struct {
		want want
		form *regexp.Regexp
	}{
		{wantNumber, hasDigit}, {wantTime, hasTime}, {wantPlace, hasPlace}, {wantReason, hasReason},
		{wantLimit, hasDigit}, {wantTitle, hasTitle}, {wantPerson, hasPerson},
	}
	for _, c := range checks {
		if w&c.want != 0 && !c.form.MatchString(text) {
			return false
		}
	}
	return w != 0
}

// bonus is what it adds to hold the kind of thing that was asked for.
func bonus(w want, typed bool, text string) float64 {
	switch {
	case w&wantPlace != 0 && isPlaced.MatchString(text):
		return 0.35
	case !typed || w == 0:
		return 0
	case w&(wantNumber|wantTime|wantLimit) != 0:
		return 0.35
	case w&wantReason != 0:
		return 0.25
	}
	return 0.12
}

// cells cuts a table row.
func cells(row string) []string {
	var out []string
	switch {
	case strings.Contains(row, "|"):
		out = strings.Split(row, "|")
	case strings.Contains(row, "\t"):
		out = strings.Split(row, "\t")
	default:
		record, err := csv.NewReader(strings.NewReader(row)).Read()
		if err != nil {
			return nil
		}
		out = record
	}
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return out
}
