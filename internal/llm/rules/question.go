package rules

import (
	"math"
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
	{wantNumber, regexp.MustCompile(`哪.*更[长短久高低大小多少快慢贵重轻便]|(?i)\bwhich\b.*\b(?:longer|shorter|cheaper|more expensive|higher|lower|faster|slower|larger|bigger|smaller)\b|多少|几[^乎何]|几$|多[长大高久远重深宽厚快]|百分之|(?i)\bhow (?:many|much|long|old|far|tall|high|large|big|often|fast|deep|wide)\b|\bwhat (?:percent\w*|number|amount|price|cost|size|rate|fee|population)\b`)},
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
	`哪[一]?[年天月日]|哪[两几三四五]?[个些位种部本首张款家座条支届所名国省市县里儿]?|是谁|谁|几[个些位种部本首张款家座条支届所名年月日次天岁人点层楼行页小]?|分别|各自|是否|是不是|有没有|能不能|可不可以|可以|应该|吗|呢|叫做|[？?！!。，,；;：]`)

// literal matches what must stay as it is: quoted names and titles.
var literal = regexp.MustCompile(`《[^》]*》|「[^」]*」|『[^』]*』|“[^”]*”|"[^"]*"`)

// term is something that an answer should mention.
type term struct {
	keys    []string // the term, then what may stand for it
	surface string
	weight  float64
	name    bool // a name, code or number: without it, a sentence is about something else
	memory  bool // from the conversation, not from the question
	pair    bool // two Chinese characters, which need not be a word
	char    bool // the second character of a pair
	part    bool // a part of an identifier or a compound
	kind    bool // it only names the kind of thing that is asked for
	word    bool // a word of letters
	chunk   int  // terms that follow each other directly are one chunk
}

// question is what is asked, taken apart.
type question struct {
	text     string
	zh       bool
	wants    want
	polar    bool // yes or no answers it
	terms    []term
	amount   *amount // a sum of money that it names
	demand   demand
	focus    []string // the terms of the very thing that is asked about
	subjects []string // terms that say, in English, whose the number or the deed is that is asked of
	plain    string   // the question, folded, with blanks for the words that only ask

	chunks int
}

// idioms are several words that together stand for another, with that word: the words of one of them alone
// say something else.
var idioms = []struct {
	form *regexp.Regexp
	says string
}{
	{regexp.MustCompile(`(?i)\b(days?|weeks?|hours?) off\b`), "$1 of leave"},
	{regexp.MustCompile(`(?i)\b(?:paid )?time off\b`), "leave"},
	{regexp.MustCompile(`(?i)\bsigns? off(?: on)?\b`), "approve"},
	{regexp.MustCompile(`(?i)\bpay (?:rise|raise)s?\b`), "salary increase"},
}

// plainly says an idiom in the word that documents have for it.
func plainly(text string) string {
	for _, i := range idioms {
		text = i.form.ReplaceAllString(text, i.says)
	}
	return text
}

// understand takes a question apart. The memory serves only a question that says too little by
// itself.
func understand(text, memory string) *question {
	text = plainly(commissioned(text))
	q := &question{text: text, zh: strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })}
	for _, c := range cues {
		if c.form.MatchString(text) {
			q.wants |= c.want
		}
	}
	q.polar = isPolar(text)
	rest := text
	if a, at, ok := namedAmount(text); ok {
		q.amount = &a
		q.terms = append(q.terms, term{keys: []string{amountKey}, surface: text[at[0]:at[1]], weight: 1.6})
		rest = text[:at[0]] + " " + text[at[1]:]
	}
	q.add(rest, false)
	q.demand = demandOf(text)
	q.focus = focusOf(text)
	q.subjects = subjectsOf(text)
	q.plain = analysis.Fold(bare(text, false))
	if memory != "" && q.elliptic() {
		q.add(firstLines(memory), true)
		q.temper()
	}
	return q
}

// memoryShare is how much all of a conversation's memory may weigh, compared with what the
// question itself says.
const memoryShare = 0.5

// temper lowers the weight of what comes from the memory, so that it tells what "that" is and never
// outweighs what is asked now.
func (q *question) temper() {
	own, remembered := 0.0, 0.0
	for _, t := range q.terms {
		if t.memory {
			remembered += t.weight
		} else {
			own += t.weight
		}
	}
	if own == 0 || remembered <= own*memoryShare {
		return
	}
	for i := range q.terms {
		if q.terms[i].memory {
			q.terms[i].weight *= own * memoryShare / remembered
		}
	}
}

// entitles reports whether the section that a unit stands in is called by what the question itself
// says, and by nothing else: "5 报销" after "那报销呢？".
func (q *question) entitles(u unit) bool {
	if len(u.heading) == 0 {
		return false
	}
	named := false
	for _, k := range analysis.Tokens(u.heading[len(u.heading)-1]) {
		if k.Kind != analysis.Word && k.Kind != analysis.Pair || k.Stop {
			continue
		}
		if !slices.ContainsFunc(q.terms, func(t term) bool { return !t.memory && slices.Contains(t.keys, k.Term) }) {
			return false
		}
		named = true
	}
	return named
}

// remembers reports whether the question leans on its conversation.
func (q *question) remembers() bool {
	return slices.ContainsFunc(q.terms, func(t term) bool { return t.memory })
}

// bare blanks the interrogatives of a question, but not inside quoted names.
//
// With mark, those that a kind of thing follows ("哪个公司") leave a mark, which is no term.
func bare(text string, mark bool) string {
	var b strings.Builder
	at := 0
	for _, span := range literal.FindAllStringIndex(text, -1) {
		b.WriteString(blank(text[at:span[0]], mark))
		b.WriteString(text[span[0]:span[1]])
		at = span[1]
	}
	b.WriteString(blank(text[at:], mark))
	return b.String()
}

// kindMark stands where an interrogative asked for a kind of thing.
const kindMark = "\u25a1"

// kindOf matches the interrogatives that a kind of thing follows.
var kindOf = regexp.MustCompile(`^(?:什么|哪.?[个些位种部本首张款家座条支届所名])$`)

func blank(text string, mark bool) string {
	return interrogative.ReplaceAllStringFunc(text, func(s string) string {
		if mark && kindOf.MatchString(s) {
			return " " + kindMark
		}
		return " "
	})
}

// add takes the terms of a text in.
func (q *question) add(text string, memory bool) {
	stripped := bare(text, true)
	if strings.Trim(stripped, " \n"+kindMark) == "" {
		stripped = text
	}
	runes := []rune(stripped)
	tokens := analysis.Query(stripped)
	end := -1
	for _, t := range tokens {
		if t.Span[0] > end {
			q.chunks++
		}
		if !t.Stop {
			end = max(end, t.Span[1])
		}
		if t.Stop || q.has(t.Term) {
			continue
		}
		n := q.classify(t, string(runes[t.Span[0]:t.Span[1]]))
		n.chunk = q.chunks
		if memory {
			n.weight, n.name, n.memory = n.weight*0.4, false, true
		}
		if asked(runes, t.Span[0]) {
			n.weight, n.kind = n.weight*0.4, true
		}
		q.terms = append(q.terms, n)
	}
	for _, t := range slices.Clone(q.terms) {
		if c := last(t); c.keys != nil && !q.has(c.keys[0]) {
			q.terms = append(q.terms, c)
		}
	}
	q.balance()
}

// last is the second character of a pair as a term of its own: a word of one character is often
// what is left of a word in another sentence ("投降", "降").
func last(pair term) term {
	r := []rune(pair.keys[0])
	if !pair.pair || len(r) != 2 {
		return term{}
	}
	single := pair
	single.keys, single.surface = []string{string(r[1])}, string(r[1])
	single.weight, single.pair, single.name = pair.weight*characterShare, false, false
	single.char = true
	return single
}

// characterShare is the weight of a single character, compared with its pair.
const characterShare = 0.6

// classify weighs a token by what kind of thing it is.
func (q *question) classify(t analysis.Token, surface string) term {
	n := term{keys: append([]string{t.Term}, synonyms(t.Term)...), surface: surface, weight: 1, pair: t.Kind == analysis.Pair, word: t.Kind == analysis.Word, part: t.Of >= 0 && t.Kind != analysis.Character}
	switch {
	case t.Of >= 0:
		n.weight = 0.5
	case t.Kind == analysis.Identifier && strings.Contains(surface, " "):
		n.weight = 0.5 // two words that may belong together
	case t.Kind == analysis.Identifier, t.Kind == analysis.Number:
		n.weight, n.name = 1.6, true
	case t.Kind == analysis.Word && vague(surface):
		n.weight = 0.3
	case t.Kind == analysis.Compound:
		n.weight = 0.5
	case t.Kind == analysis.Character:
		n.weight = 0.3
	case t.Kind == analysis.Pair && vaguePair(t.Term):
		n.weight = 0.3
	case t.Kind == analysis.Word && (named(surface, t.Span[0]) || q.zh && (len(surface) > 1 || unicode.IsUpper(rune(surface[0])))):
		n.weight, n.name = 1.4, true
	case t.Kind == analysis.Pair && place(t.Term):
		n.weight, n.name = 1.6, true
	}
	return n
}

// balance keeps a long name, which is many terms, from drowning the rest of the question.
func (q *question) balance() {
	size := map[int]float64{}
	for _, t := range q.terms {
		if t.weight >= 0.5 {
			size[t.chunk]++
		}
	}
	for i, t := range q.terms {
		q.terms[i].weight /= math.Pow(max(1, size[t.chunk]), chunkDamping)
	}
}

// chunkDamping is how much of a chunk's weight does not grow with its length.
const chunkDamping = 0.4

// asked reports whether what stands at a place of a bare question only names the kind of thing
// that is asked for: "which city", "哪个公司".
func asked(stripped []rune, at int) bool {
	before := strings.ToLower(strings.TrimRight(string(stripped[max(0, at-8):at]), " "))
	return strings.HasSuffix(before, "which") || strings.HasSuffix(before, "what") || strings.HasSuffix(before, kindMark)
}

func (q *question) has(key string) bool {
	return slices.ContainsFunc(q.terms, func(t term) bool { return t.keys[0] == key })
}

// named reports whether a word of letters looks like a name: a capital where no sentence begins,
// or capitals alone.
func named(surface string, at int) bool {
	r := []rune(surface)
	return len(r) > 1 && unicode.IsUpper(r[0]) && (at > 0 || unicode.IsUpper(r[1]))
}

// opening matches how a question begins that continues an earlier one.
var opening = regexp.MustCompile(`^(?:那|这|它|他|她|其|该|还有|另外|呢)|(?i)^(?:and|what about|how about|then|it|that|this|those)\b|呢[？?]?$`)

// elliptic reports whether a question needs the conversation to be understood.
func (q *question) elliptic() bool {
	return len(q.terms) < 2 || opening.MatchString(strings.TrimSpace(q.text))
}

// firstLines returns the beginning of the memory, where the latest questions are.
func firstLines(memory string) string {
	lines := strings.FieldsFunc(memory, func(r rune) bool { return r == '\n' })
	return clip(strings.Join(lines[:min(2, len(lines))], " "), 200)
}

// query is what to search for: the words of the question without those that only ask.
func (q *question) query() string {
	s := bare(q.text, false)
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
