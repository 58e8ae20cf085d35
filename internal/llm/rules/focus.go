package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
)

var (
	// actForm matches what somebody does about whom is asked: "由谁审批".
	actForm = regexp.MustCompile(`谁(?:来|去|负责)?([\p{Han}]{2,})[?？。]?\s*$`)
	// countForm matches what is counted: "多少名员工".
	countForm = regexp.MustCompile(`(?:多少|几)[名个位家种条台套件张篇]([\p{Han}]{2,4})[?？。]?\s*$`)
	// subjectForm matches what is asked about, before the words that ask at the end.
	subjectForm = regexp.MustCompile(`^(.*[\p{Han}a-zA-Z0-9])(?:是(?:什么|多少|谁)|怎么样|怎样)[?？。]?\s*$`)
	// amountOf matches what a number is asked of: "产假有多少天".
	amountOf = regexp.MustCompile(`^(.*?[\p{Han}a-zA-Z0-9])(?:一共|总共|共|大概|分别|各自|最多|最少|最高|最低|至少|单次|每[天日月年次人晚])*(?:应该|可以|能|要|该|须|需要?)?(?:有|是|为|占|在|收|花|到|分成|分为|分|报销?|付|赔|借|领)?(?:多少|多长|多久|几)`)
	// givenForm matches a thing of which so much is given: "能领多少补贴".
	givenForm = regexp.MustCompile(`(?:多少|几)(?:元|块|个)?(?:的)?(\p{Han}{2,4}?)(?:[?？。呢吗]|$)`)
	// nounForm matches the thing that an English question is about.
	nounForm = regexp.MustCompile(`(?i)^\W*(?:what|which|who|how (?:long|much|high|large|big|old|far|wide|deep|tall))(?:'s|\s+(?:is|are|was|were))\s+(?:the |an? |our |my )?` +
		`((?:[a-z0-9'-]+\s+){0,3}?[a-z0-9'-]+)(?:\s+(?:of|for|in|on|at|if|when|to|from|with|by|that|which|who|per|during|under|called|known|used|held|located|made|and|or|between|before|after|as)\b|\s*[?.,;]|\s*$)`)
	// unitsForm matches what so many units are of: "How many days of parental leave do I get?"
	unitsForm = regexp.MustCompile(`(?i)^\W*how (?:many|much) (?:[a-z-]+ ){1,2}of (?:the |an? |our |my )?((?:[a-z0-9'-]+\s+){0,2}?[a-z0-9'-]+)\s*(?:[?.,;]|$|\b(?:do|does|did|is|are|was|were|can|could|may|must|should|will|has|have|per|for|in|each|every)\b)`)
	// doneForm matches what was done: "When was Acme founded?"
	doneForm = regexp.MustCompile(`(?i)^\W*(?:when|where|how|why|who)\s+(?:is|are|was|were)\s+(?:the |an? |our |my )?(?:[a-z0-9'-]+\s+){1,3}?([a-z]{3,}(?:ed|en|ilt|ught|und|id|orn|ade))\W*$`)
	// deedForm matches what somebody does: "Who approves refunds?"
	deedForm = regexp.MustCompile(`(?i)^\W*who\s+(?:can\s+|may\s+|must\s+|should\s+|has to\s+|will\s+)?([a-z]{4,})\s+[a-z]`)
	// weighForm matches what something does: "What does the laptop weigh?"
	weighForm = regexp.MustCompile(`(?i)^\W*(?:what|how much|when|where)\s+(?:does|do|did)\s+(?:the |an? |our |my )?(?:[a-z0-9'-]+\s+){1,3}?([a-z]+)\W*$`)
)

// measureWord matches what is behind a number and no thing.
var measureWord = regexp.MustCompile(`^(?:工作|自然)?(?:块?钱|人民币|小时|分钟|星期|个月|公里|千米|平方|时间|年份|年级|[天日年月周级岁]).*`)

// focusOf returns the terms of the very thing that a question asks about. A sentence that shares
// all other words with the question, but not these, is about something else.
func focusOf(text string) []string {
	if isPolar(text) {
		return polarFocus(text)
	}
	if m := actForm.FindStringSubmatch(text); m != nil {
		return lastPair(m[1])
	}
	if m := countForm.FindStringSubmatch(text); m != nil {
		return lastPair(m[1])
	}
	if m := subjectForm.FindStringSubmatch(text); m != nil {
		return lastPair(m[1])
	}
	if m := givenForm.FindStringSubmatch(text); m != nil && !measureWord.MatchString(m[1]) {
		return lastPair(m[1])
	}
	if m := amountOf.FindStringSubmatch(text); m != nil {
		return lastPair(m[1])
	}
	if m := unitsForm.FindStringSubmatch(text); m != nil {
		return words(m[1])
	}
	if m := doneForm.FindStringSubmatch(text); m != nil {
		return words(m[1])
	}
	if m := nounForm.FindStringSubmatch(text); m != nil {
		return words(m[1])
	}
	if m := deedForm.FindStringSubmatch(text); m != nil {
		return words(m[1])
	}
	if m := weighForm.FindStringSubmatch(text); m != nil {
		return words(m[1])
	}
	return nil
}

// lastPair returns the term of the last two characters, or of the last word or code.
func lastPair(text string) []string {
	tokens := analysis.Query(text)
	for _, t := range slices.Backward(tokens) {
		switch {
		case t.Of >= 0 || t.Stop:
			continue
		case t.Kind == analysis.Pair && (vaguePair(t.Term) || kindPair(t.Term)):
			return nil
		}
		return []string{t.Term}
	}
	return nil
}

// kindPairs name a kind of answer, which a sentence that gives one need not name, or a relation
// between people, for which texts have many words.
const kindPairs = " 原因 地址 地区 意思 名字 名称 类型 地点 位置 含义 目的 作用 用途 特点 理由 内容 源地 职业 日期 年份 的是 指的 别名 全称 简称 代表 结果 " +
	"母亲 父亲 生母 妻子 儿子 女儿 丈夫 老师 作者 谥号 "

func kindPair(pair string) bool { return strings.Contains(kindPairs, " "+pair+" ") }

// kindWord reports whether an English term does the same.
func kindWord(t string) bool {
	return strings.Contains(" exampl function purpos differ mean reason role qualiti result effect ", " "+t+" ")
}

// words returns the terms of the words that say something.
func words(text string) []string {
	var out []string
	for _, t := range analysis.Query(text) {
		if !t.Stop && t.Of < 0 && !(t.Kind == analysis.Word && (vague(t.Term) || kindWord(t.Term))) {
			out = append(out, t.Term)
		}
	}
	return out
}

// focused reports whether a unit or its context mentions all of the thing that is asked about.
func (q *question) focused(all []unit, bags []bag, i int) bool {
	for _, key := range q.focus {
		at := slices.IndexFunc(q.terms, func(t term) bool { return t.keys[0] == key })
		if at < 0 {
			continue
		}
		t := q.terms[at]
		held := t.mentions(bags[i].own) > 0 || t.mentions(bags[i].around) > 0
		if !held && i > 0 && all[i-1].passage == all[i].passage && !all[i].row {
			held = t.mentions(bags[i-1].own) > 0
		}
		if !held {
			return false
		}
	}
	return true
}
