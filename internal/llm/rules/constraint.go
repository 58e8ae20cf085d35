package rules

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/kaoju/kaoju/internal/analysis"
)

// constraint is a part of a question that says whom or what it is about: a place, a thing, a name. An
// answer that leans on evidence which mentions it nowhere is the answer to another question.
type constraint struct {
	text string // as the question writes it
	slot slot
}

// slot is where in a question a constraint stands.
type slot uint8

const (
	// loose constraints stand anywhere else, and are mostly words for which the answer has others.
	loose slot = iota
	// entity is what a question begins with or asks something of: "火星的…", "去火星…", a name.
	entity
	// thing is what a limit, a number or a time is asked of: "餐饮上限", "meal limit".
	thing
)

// Words of a question that evidence need not repeat to meet it, two characters each.
const generalHan = vaguePairs + kindPairs + " 多少 什么 怎么 怎样 如何 为何 是否 可以 能否 请问 告诉 知道 上限 限额 额度 标准 金额 数额 费用 价格 价钱 期间 次数 数量 比例 " +
	"公司 单位 员工 职工 人员 大家 个人 有关 相关 关于 对于 根据 按照 每天 每日 每晚 每年 每月 每周 每次 每人 一次 一天 一年 一个 单次 总共 一共 报销 申请 提交 使用 发生 出现 举行 进行 拥有 " +
	"属于 包括 叫做 称为 成为 主要 最大 最早 最后 最终 其中 以及 之间 里面 上面 "

// Characters that join a constraint to the rest of a question, before it and behind it, and those with
// which words begin that point at somebody.
const (
	joining  = "在到去往赴对给从由为被把将于是有的和与及或跟、，。？?！!：:；; 　\t\n"
	trailing = "的是有在能可要会该应须时里中内上下了过着和与及或吗呢 "
	persons  = "他她它我你您当"
)

var (
	// hanHead matches what a limit or a number is asked of, behind the thing whose it is.
	hanHead = regexp.MustCompile(`^(?:的)?(?:上限|下限|限额|额度|标准|费|金额|价格|补贴|补助|津贴|期限|时限|比例|折扣|是多少|为多少|有多少|多少|几|多久|多长)`)
	// wordHead is the same for English.
	wordHead = regexp.MustCompile(`(?i)\b([a-z-]{3,})\s+(?:limits?|caps?|fees?|allowances?|rates?|prices?|costs?|periods?|deadlines?)\b`)
)

// evidence is what a constraint is looked for in.
type evidence struct {
	text string // folded
	bags []bag  // the terms of its units
}

// mentions reports whether evidence has a term, or what may stand for it.
func (e evidence) mentions(t term) bool {
	return slices.ContainsFunc(e.bags, func(b bag) bool { return t.mentions(b.own) > 0 || t.mentions(b.around) > 0 }) ||
		strings.Contains(e.text, analysis.Fold(t.surface))
}

// lacks returns the constraints of a question that a sentence does not meet, so that it is no answer: the
// thing that a number is asked of must be mentioned by it or by what frames it, whom the question is
// about by the passage that it stands in.
func (f *finding) lacks(q *question, s scored) []string {
	valued := q.polar || q.wants&(wantNumber|wantLimit|wantTime|wantPerson) != 0
	var out []string
	if valued {
		for _, c := range q.constraints(f.frame(s.at)) {
			if c.slot == thing {
				out = append(out, c.text)
			}
		}
	}
	if valued || q.zh {
		for _, c := range q.constraints(f.around(s.at)) {
			if c.slot == entity && !slices.Contains(out, c.text) {
				out = append(out, c.text)
			}
		}
	}
	return out
}

// constraints returns those that evidence does not mention.
func (q *question) constraints(e evidence) []constraint {
	var out []constraint
	if q.zh {
		out = q.hanConstraints(e.text)
	}
	return append(out, q.wordConstraints(e)...)
}

// hanConstraints looks for runs of Chinese characters of which evidence holds no two neighbours, and no
// word of the family of theirs.
func (q *question) hanConstraints(evidence string) []constraint {
	text := []rune(q.plain)
	covered := q.covered(text, evidence)
	var out []constraint
	for i := 0; i < len(text); i++ {
		if covered[i] {
			continue
		}
		j := i
		for j < len(text) && !covered[j] {
			j++
		}
		if c, ok := constraintAt(text, i, j, evidence); ok {
			out = append(out, c)
		}
		i = j
	}
	return out
}

// covered tells for each character of a question whether it needs no evidence or has it.
func (q *question) covered(text []rune, evidence string) []bool {
	out := make([]bool, len(text)+1)
	for i, r := range text {
		if !unicode.Is(unicode.Han, r) {
			out[i] = true
			continue
		}
		if i+1 < len(text) && unicode.Is(unicode.Han, text[i+1]) {
			if pair := string(text[i : i+2]); strings.Contains(evidence, pair) || strings.Contains(generalHan, " "+pair+" ") {
				out[i], out[i+1] = true, true
			}
		}
	}
	for word, family := range kin() {
		at := strings.Index(q.plain, word)
		if at < 0 || !slices.ContainsFunc(family, func(o string) bool { return strings.Contains(evidence, o) }) {
			continue
		}
		from := len([]rune(q.plain[:at]))
		for i := range []rune(word) {
			out[from+i] = true
		}
	}
	return out
}

// constraintAt makes a constraint of the characters from i to j, which evidence does not hold.
func constraintAt(text []rune, i, j int, evidence string) (constraint, bool) {
	for i < j && strings.ContainsRune(joining, text[i]) {
		i++
	}
	for i < j && strings.ContainsRune(trailing, text[j-1]) {
		j--
	}
	run := text[i:j]
	foreign := 0
	for _, r := range run {
		if !strings.ContainsRune(evidence, r) {
			foreign++
		}
	}
	if len(run) < 2 || foreign < 2 && foreign < len(run) {
		return constraint{}, false // a single character is often what is left of a word
	}
	c := constraint{text: string(run)}
	if i > 0 && text[i-1] == ' ' || strings.ContainsRune(pointing+persons, run[0]) {
		return c, true // it says what kind of thing is asked for, or points at something
	}
	before, after := string(text[:i]), string(text[j:])
	switch {
	case hanHead.MatchString(after) && !strings.HasPrefix(after, "的"):
		c.slot = thing
	case strings.HasPrefix(after, "的"), strings.Trim(before, joining) == "", strings.TrimRight(before, toward) != before:
		c.slot = entity
	}
	return c, true
}

// wordConstraints looks for words of letters, numbers and codes.
func (q *question) wordConstraints(e evidence) []constraint {
	var out []constraint
	for _, t := range q.terms {
		if t.memory || t.part || t.kind || !t.word && !t.name || t.pair || t.char || t.keys[0] == amountKey || t.word && (vague(t.surface) || kindWord(t.keys[0])) || e.mentions(t) {
			continue
		}
		c := constraint{text: t.surface}
		switch {
		case t.name:
			c.slot = entity
		case q.heads(t.surface):
			c.slot = thing
		case slices.Contains(q.subjects, t.keys[0]):
			c.slot = entity
		}
		out = append(out, c)
	}
	return out
}

// Whose a number or a deed is: what does it ("does a resignation need", "are interns paid"), what it is done to ("who approves
// leases").
const (
	determiners = `(?:the |an? |our |my |your |all |each |every |any )?`
	ordinals    = `(?:(?:new|old|first|second|third|last|next|final|current|previous|same|other|average|typical|normal) )?`
)

var (
	doer      = regexp.MustCompile(`(?i)^.*?\b(?:how (?:many|much|long|often|soon|far)|when|what|within)\b.*?\b(?:do|does|did)\s+` + determiners + ordinals + `([a-z'-]+)\s+[a-z]`)
	polarDoer = regexp.MustCompile(`(?i)^\W*(?:is|are|was|were|do|does|did|can|could|may|might|must|should|will|has|have)\s+` + determiners + ordinals + `([a-z'-]+)\s+[a-z]`)
	doing     = regexp.MustCompile(`(?i)\bwho\s+(?:can |may |must |should |has to |will )?([a-z]+)\s+` + determiners + `([a-z'-]+)`)
	// anybody are words for people whom rules are for, as stems; texts often don't name them.
	anybody = " employe staff peopl person worker colleagu user compani member everyon anyon someon somebodi on team "
)

// subjectsOf returns the terms of those that a question names.
func subjectsOf(text string) []string {
	var out []string
	add := func(word string) {
		if w := words(word); len(w) > 0 && !strings.Contains(anybody, " "+w[len(w)-1]+" ") {
			out = append(out, w[len(w)-1])
		}
	}
	if m := doer.FindStringSubmatch(text); m != nil {
		add(m[1])
	}
	if m := polarDoer.FindStringSubmatch(text); m != nil {
		add(m[1])
	}
	if m := doing.FindStringSubmatch(text); m != nil && len(words(m[1])) > 0 {
		add(m[2])
	}
	return out
}

// heads reports whether a word says of what a limit or a price is asked.
func (q *question) heads(word string) bool {
	return slices.ContainsFunc(wordHead.FindAllStringSubmatch(q.text, -1), func(m []string) bool {
		return strings.EqualFold(m[1], word)
	})
}

// kin maps each Chinese word of a family to all of the family, as texts write them.
var kin = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(families) {
		words := strings.Fields(line)
		for _, w := range words {
			if r := []rune(w); len(r) >= 2 && unicode.Is(unicode.Han, r[0]) {
				out[w] = append(out[w], words...)
			}
		}
	}
	return out
})

// frame returns what a unit says and what frames it: its headings and title, its lead, the head of its
// table, the sentence before it.
func (f *finding) frame(i int) evidence {
	u := f.units[i]
	text, from := framed(u), i
	if i > 0 && f.units[i-1].passage == u.passage && !u.row {
		text, from = append(text, f.units[i-1].text), i-1
	}
	return evidence{analysis.Fold(strings.Join(text, "\n")), f.bags[from : i+1]}
}

// around returns what the passage of a unit says.
func (f *finding) around(i int) evidence {
	u, from, to := f.units[i], i, i+1
	for from > 0 && f.units[from-1].passage == u.passage {
		from--
	}
	for to < len(f.units) && f.units[to].passage == u.passage {
		to++
	}
	return evidence{analysis.Fold(strings.Join(append(framed(u), u.passage.text), "\n")), f.bags[from:to]}
}

func framed(u unit) []string {
	text := append([]string{u.text, u.header, u.lead, u.passage.title}, u.heading...)
	return append(text, u.passage.heading...)
}
