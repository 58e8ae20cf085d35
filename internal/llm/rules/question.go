package rules

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/analysis"
)

// want is a kind of thing that a question asks for.
type want uint16

// The kinds. A question may ask for several.
const (
	wantNumber want = 1 << iota
	wantTime
	wantPerson
	wantPlace
	wantReason
	wantLimit
	wantLink
	wantTitle
)

// cue is a way to ask for something, in either language.
type cue struct {
	want want
	form *regexp.Regexp
}

var cues = []cue{
	{wantNumber, regexp.MustCompile(`多少|几[^乎何]|几$|多[长大高久远重深宽厚快]|百分之|(?i)\bhow (?:many|much|long|old|far|tall|high|large|big|often|fast|deep|wide)\b|\bwhat (?:percent\w*|number|amount|price|cost|size|rate|fee|population)\b`)},
	{wantLimit, regexp.MustCompile(`上限|下限|限额|额度|最多|最高|最低|最少|至少|不超过|(?i)\b(?:limits?|caps?|maximum|minimum|at most|at least|up to|threshold)\b`)},
	{wantTime, regexp.MustCompile(`什么时候|何时|何年|何月|何日|哪[一]?[年天月日]|几[年月日号点]|什么时间|时间是|日期|年份|哪个(?:年代|世纪|时期|朝代)|(?i)\bwhen\b|\b(?:what|which) (?:year|date|day|month|time|century|decade)\b|\bdeadline\b`)},
	{wantPerson, regexp.MustCompile(`谁|哪位|何人|哪个人|什么人|(?i)\bwho(?:se|m)?\b`)},
	{wantPlace, regexp.MustCompile(`哪里|哪儿|何处|何地|位于|在哪|什么地方|哪个(?:国家|城市|省|市|县|区|地方|地区)|哪[国省市县]|(?i)\bwhere\b|\b(?:what|which) (?:city|country|state|place|town|region|county)\b`)},
	{wantReason, regexp.MustCompile(`为什么|为何|原因|缘何|(?i)\bwhy\b|\bwhat (?:caused?|reasons?)\b`)},
	{wantLink, regexp.MustCompile(`网址|链接|网站|地址|邮箱|(?i)\b(?:url|links?|website|e-?mail|address|https?)\b`)},
	{wantTitle, regexp.MustCompile(`[哪什么几](?:一)?[部本首张篇款]|什么(?:书|电影|歌|作品|专辑|小说|节目|游戏)`)},
}

// interrogative matches the words that only make a sentence a question.
var interrogative = regexp.MustCompile(`请问|请告诉我|什么时候|什么时间|什么地方|什么样的?|是什么|有什么|什么|是多少|有多少|多少|为什么|为何|何时|何处|怎么样|怎么|怎样|如何|` +
	`哪[一]?[年天月日]|哪[两几三四五]?[个些位种部本首张款家座条支届所名国省市县里儿]?|是谁|谁|几[个些位种部本首张款家座条支届所名年月日次天岁人]?|是否|是不是|有没有|能不能|可不可以|吗|呢|叫做|[？?！!。，,；;：]`)

// literal matches what must stay as it is: quoted names and titles.
var literal = regexp.MustCompile(`《[^》]*》|「[^」]*」|『[^』]*』|“[^”]*”|"[^"]*"`)

// term is something that an answer should mention.
type term struct {
	keys    []string // the term, then what may stand for it
	surface string
	weight  float64
	name    bool // a name, code or number: without it, a sentence is about something else
	memory  bool // from the conversation, not from the question
}

// question is what is asked, taken apart.
type question struct {
	text  string
	zh    bool
	wants want
	terms []term
}

// understand takes a question apart. The memory serves only a question that says too little by
// itself.
func understand(text, memory string) *question {
	q := &question{text: text, zh: strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })}
	for _, c := range cues {
		if c.form.MatchString(text) {
			q.wants |= c.want
		}
	}
	q.add(text, false)
	if memory != "" && q.elliptic() {
		q.add(lastLines(memory), true)
	}
	return q
}

// bare blanks the interrogatives of a question, but not inside quoted names.
func bare(text string) string {
	var b strings.Builder
	at := 0
	for _, span := range literal.FindAllStringIndex(text, -1) {
		b.WriteString(interrogative.ReplaceAllString(text[at:span[0]], " "))
		b.WriteString(text[span[0]:span[1]])
		at = span[1]
	}
	b.WriteString(interrogative.ReplaceAllString(text[at:], " "))
	return b.String()
}

// add takes the terms of a text in.
func (q *question) add(text string, memory bool) {
	stripped := bare(text)
	if strings.TrimSpace(stripped) == "" {
		stripped = text
	}
	runes := []rune(stripped)
	for _, t := range analysis.Query(stripped) {
		if t.Stop || q.has(t.Term) {
			continue
		}
		surface := string(runes[t.Span[0]:t.Span[1]])
		n := term{keys: append([]string{t.Term}, synonyms(t.Term)...), surface: surface, weight: 1, memory: memory}
		switch {
		case t.Kind == analysis.Identifier, t.Kind == analysis.Number:
			n.weight, n.name = 1.6, true
		case t.Kind == analysis.Compound:
			n.weight = 0.5
		case t.Kind == analysis.Word && named(surface, t.Span[0]):
			n.weight, n.name = 1.4, true
		case t.Kind == analysis.Pair && place(t.Term):
			n.weight, n.name = 1.6, true
		}
		if t.Of >= 0 {
			n.weight, n.name = 0.5, false
		}
		if memory {
			n.weight, n.name = n.weight*0.4, false
		}
		q.terms = append(q.terms, n)
	}
}

func (q *question) has(key string) bool {
	return slices.ContainsFunc(q.terms, func(t term) bool { return t.keys[0] == key })
}

// named reports whether an English word looks like a name: a capital where no sentence begins.
func named(surface string, at int) bool {
	r := []rune(surface)
	return at > 0 && len(r) > 1 && unicode.IsUpper(r[0])
}

// opening matches how a question begins that continues an earlier one.
var opening = regexp.MustCompile(`^(?:那|这|它|他|她|其|该|还有|另外|呢)|(?i)^(?:and|what about|how about|then|it|that|this|those)\b|呢[？?]?$`)

// elliptic reports whether a question needs the conversation to be understood.
func (q *question) elliptic() bool {
	return len(q.terms) < 2 || opening.MatchString(strings.TrimSpace(q.text))
}

// lastLines returns the end of the memory, where the latest question is.
func lastLines(memory string) string {
	lines := strings.FieldsFunc(memory, func(r rune) bool { return r == '\n' })
	s := strings.Join(lines[max(0, len(lines)-2):], " ")
	r := []rune(s)
	return string(r[max(0, len(r)-200):])
}

// query is what to search for: the words of the question without those that only ask.
func (q *question) query() string {
	s := bare(q.text)
	if !q.zh {
		s = content(s)
	}
	s = strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "的 ", " ")
	for _, t := range q.terms {
		if t.memory && len(s) < 200 {
			s += " " + t.surface
		}
	}
	if s = strings.TrimSpace(s); s == "" {
		s = strings.TrimSpace(q.text)
	}
	return clip(s, 200)
}

// content drops the English words that say nothing, and keeps the others as they were written.
func content(s string) string {
	var out []string
	for word := range strings.FieldsSeq(s) {
		tokens := analysis.Query(word)
		if slices.ContainsFunc(tokens, func(t analysis.Token) bool { return !t.Stop }) {
			out = append(out, strings.Trim(word, `.,;:()`))
		}
	}
	return strings.Join(out, " ")
}

// fewer is a second, different search: other words for the same, or only the rarest ones.
func (q *question) fewer() string {
	var other, names []string
	long := ""
	for _, t := range q.terms {
		if t.memory {
			continue
		}
		other = append(other, t.keys[1:]...)
		if t.name {
			names = append(names, t.surface)
		} else if len(t.surface) > len(long) {
			long = t.surface
		}
	}
	switch {
	case len(other) > 0:
		return clip(strings.Join(append(names, other...), " "), 200)
	case len(names) > 0 && len(q.terms) > len(names):
		return clip(strings.Join(names, " "), 200)
	}
	return long
}

// clip bounds a text in code points.
func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return strings.TrimSpace(string(r[:n]))
	}
	return s
}
