package rules

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/analysis"
)

// maxParts is how many questions one question is taken for at most.
const maxParts = 4

var (
	// joined is what stands between two of which the same is asked.
	joined = regexp.MustCompile(`以及|、|和|与|及|跟`)
	// joinedInside are words that hold such a character and join nothing.
	joinedInside = regexp.MustCompile(`共和|和平|总和|饱和|和解|温和|缓和|和谐|和睦|暖和|参与|与会|与否|给与|及时|涉及|普及|及格|埃及|波及|触及|提及|以及其|跟踪|跟进|跟单`)
	// compares matches what is asked of several together and of none alone.
	compares = regexp.MustCompile(`区别|差别|差异|差距|不同|相同|关系|比较|相比|对比|之间|共同|总共|合计|一共|加起来|哪个|谁更|(?i)\b(?:between|differ\w*|compar\w*|versus|together|altogether|in total|relation\w*)\b`)
	// endOf is where what a right-hand part is may end: a head of what is asked.
	endOf = regexp.MustCompile(`(?:上限|下限|限额|额度|标准|费用|金额|价格|补贴|补助|津贴|期限|时限|比例|折扣)$`)
	// namesJoined matches two names of an English question.
	namesJoined = regexp.MustCompile(`(?:\b(in|on|at|for|of|to|from|by) )?(\p{Lu}[\p{L}\d-]*(?: \p{Lu}[\p{L}\d-]*)*) and (?:(in|on|at|for|of|to|from|by) )?(\p{Lu}[\p{L}\d-]*(?: \p{Lu}[\p{L}\d-]*)*)`)
	// thingsJoined matches two things of which a limit or a price is asked.
	thingsJoined = regexp.MustCompile(`\b([a-z]{3,}) and ([a-z]{3,}) (limits?|caps?|fees?|allowances?|rates?|prices?|costs?|periods?|deadlines?)\b`)
)

var (
	// chooses matches what asks which of several, behind them: "中哪位", and "谁" where they are people.
	chooses  = regexp.MustCompile(`(?:[之当其]?中|里面?|[两二三][者个位])(?:由|是|应由|归)?(?:谁|哪(?:一)?[个位种家项方者])`)
	whoseAct = regexp.MustCompile(`(?:由|是|应由|归)?(?:谁|哪(?:一)?位)`)
	// people is how those end, or begin, who may do something: a post, a department, a name.
	people = regexp.MustCompile(`(?:经理|总监|主任|主管|部门?|[部处科校院厂社组董事店队]长|专员|人员|[师总裁]|助理|秘书|出纳|会计|小组|委员会|负责人)$|^[` + analysis.Surnames + `]\p{Han}{1,2}$`)
	// choosing matches how one begins that does the same, before those it joins: "谁审批报销，", "who of".
	choosing = regexp.MustCompile(`(?:谁|哪(?:一)?[个位种家项方]).*[,，:：]\s*$|(?i)\b(?:who|which)(?: one)? of\b|(?i)^\W*(?:who|which)\b.*[,:]\s*$`)
	// chosenBehind matches an English question that names those it joins first: "Alice and Bob: who approves".
	chosenBehind = regexp.MustCompile(`(?i)^\s*[,:]\s*(?:who|which)\b`)
)

// part is one of the questions that a question asks at once, with what the passages say to it.
type part struct {
	about string // the words by which it differs from the others
	among bool   // it is one of several of which the question asks which
	*question
	*finding
}

// parts takes a question apart that asks the same of several: of "上海和北京的住宿上限" the limit of each is
// asked. There are none if it asks one thing, compares, or names what the passages join in the same
// words.
func (q *question) parts(passages []passage) []part {
	if q.wants&(wantNumber|wantLimit|wantTime|wantPerson|wantPlace) == 0 && !endOf.MatchString(strings.TrimRight(q.text, "？?。 ")) || compares.MatchString(q.text) {
		return nil
	}
	list := q.splitHan()
	if !q.zh {
		list = q.splitWords()
	}
	if len(list) < 2 || len(list) > maxParts {
		return nil
	}
	var out []part
	for _, s := range list {
		if slices.ContainsFunc(passages, func(p passage) bool { return s.whole != "" && strings.Contains(analysis.Fold(p.text), s.whole) }) {
			return nil
		}
		sub := understand(s.text, "")
		sub.wants |= q.wants
		out = append(out, part{s.about, s.among, sub, find(sub, passages)})
	}
	return out
}

// chosen returns the one of several that is answered for, as all that was asked, where a question asks which
// of them: nothing is missing if nothing is said of the others. Where none is, or the whole question is
// answered, that stands.
func chosen(f *finding, parts []part) []part {
	for _, p := range parts {
		if !f.settled && p.settled {
			p.about = ""
			return []part{p}
		}
	}
	return nil
}

// piece is a question made of one part.
type piece struct {
	about, text string
	whole       string // the parts as the question joins them, folded
	among       bool   // the question asks which of the parts
}

// splitHan takes a Chinese question apart at what joins two words.
func (q *question) splitHan() []piece {
	if literal.MatchString(q.text) {
		return nil
	}
	masked := joinedInside.ReplaceAllStringFunc(q.text, func(s string) string { return strings.Repeat("\x00", len(s)) })
	locs := joined.FindAllStringIndex(masked, -1)
	if len(locs) == 0 || len(locs) >= maxParts {
		return nil
	}
	from := begins(masked, locs[0][0])
	last := locs[len(locs)-1]
	end := q.ends(masked, last[1], utf8.RuneCountInString(q.text[from:locs[0][0]]))
	var members []string
	at := from
	for _, l := range append(locs, []int{end, end}) {
		if at > l[0] {
			return nil
		}
		members = append(members, strings.TrimSpace(q.text[at:l[0]]))
		at = l[1]
	}
	prefix, suffix := q.text[:from], q.text[end:]
	among := choosing.MatchString(prefix) || starts(chooses, suffix) || starts(whoseAct, suffix) && !slices.ContainsFunc(members, func(m string) bool { return !people.MatchString(m) })
	whole := len(members) == 2 && strings.HasPrefix(suffix, "的") && strings.HasSuffix(prefix, "的")
	var out []piece
	for i, m := range members {
		if utf8.RuneCountInString(m) < 2 || strings.ContainsRune(m, 0) {
			return nil
		}
		s := piece{about: m, text: prefix + m + suffix, whole: analysis.Fold(q.text[from:end]), among: among}
		if whole && i == 0 {
			s.text = prefix + m // "上海的住宿上限和北京的餐饮上限": each has its own
		} else if whole {
			s.text = m + suffix
		}
		out = append(out, s)
	}
	return out
}

// starts reports whether a text begins with what a form matches, behind blanks and a comma.
func starts(form *regexp.Regexp, text string) bool {
	loc := form.FindStringIndex(strings.TrimLeft(text, " ,，:："))
	return loc != nil && loc[0] == 0
}

// begins returns where the word begins that ends at a place: behind what joins it to the rest.
func begins(text string, end int) int {
	for i := end; i > 0; {
		r, n := utf8.DecodeLastRuneInString(text[:i])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' || strings.ContainsRune(joining, r) {
			return i
		}
		i -= n
	}
	return 0
}

// ends returns where the word ends that begins at a place: before what joins it to the rest, what asks,
// and the head of what is asked. Where no such mark is near, it is as long as the word before it.
func (q *question) ends(text string, from, size int) int {
	stop := len(text)
	for i, r := range text[from:] {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' || strings.ContainsRune(joining, r) {
			stop = from + i
			break
		}
	}
	for _, form := range [...]*regexp.Regexp{chooses, whoseAct} {
		if loc := form.FindStringIndex(text[from:stop]); loc != nil && (form == chooses || people.MatchString(text[from:from+loc[0]])) {
			return from + loc[0] // it asks which of them, so that they end here
		}
	}
	if loc := interrogative.FindStringIndex(text[from:stop]); loc != nil {
		stop = from + loc[0]
	}
	if loc := endOf.FindStringIndex(text[from:stop]); loc != nil && loc[0] > 0 {
		stop = from + loc[0]
	}
	if n := utf8.RuneCountInString(text[from:stop]); n > size+1 && n > 4-size {
		return from + len(string([]rune(text[from:stop])[:size]))
	}
	return stop
}

// splitWords takes an English question apart at two names or two things that "and" joins.
func (q *question) splitWords() []piece {
	if m := namesJoined.FindStringSubmatchIndex(q.text); m != nil {
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return q.text[m[2*i]:m[2*i+1]]
		}
		before, after := group(1), group(3)
		among := choosing.MatchString(q.text[:m[4]]) || chosenBehind.MatchString(q.text[m[1]:])
		if among {
			before = "" // "who of Alice and Bob"
		}
		if after == "" {
			after = before
		}
		with := func(preposition, name string) piece {
			return piece{about: name, text: q.text[:m[0]] + strings.TrimSpace(preposition+" "+name) + q.text[m[1]:], whole: analysis.Fold(q.text[m[4]:m[1]]), among: among}
		}
		return []piece{with(before, group(2)), with(after, group(4))}
	}
	if m := thingsJoined.FindStringSubmatchIndex(q.text); m != nil {
		var out []piece
		for _, i := range []int{2, 4} {
			word := q.text[m[i]:m[i+1]]
			out = append(out, piece{about: word, text: q.text[:m[0]] + word + " " + q.text[m[6]:], whole: analysis.Fold(q.text[m[0]:m[5]])})
		}
		return out
	}
	return nil
}
