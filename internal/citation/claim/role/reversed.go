package role

import (
	"regexp"
	"slices"
	"strings"
)

var (
	enPassive = regexp.MustCompile(`^(.*?)\b(?:is|are|was|were|be|been)((?: \w+){1,3}? by|(?: \w+)? (?:included|contained) in) (.*)$`)
	// nominal says with a noun who does something: "purchases need the approval of the director".
	nominal   = regexp.MustCompile(`^(.*?)\b(?:needs?|requires?|must have|subject to)(?: the| an?| prior| written)*( (?:approval|consent|agreement|permission|authori[sz]ation|signature)) (?:of|by|from) (.*)$`)
	zhPassive = regexp.MustCompile(`^(.*?)(?:被|由)(.*)$`)
	// mutual are words around which the order of two things says nothing.
	mutual = regexp.MustCompile(`^(?:nor|or|neither|interact|meet|marri|border|equal|merg|differ|compar|match|adjoin|correl|associ|和|与|并|婚|邻|同|等|合)`)
)

const (
	// copied is the share of each of two clauses in the other with which one may be an edited copy.
	copied = 0.85
	// retold is that share of a clause that says the same of the same things side by side.
	retold = 0.7
	// beside is how many tokens stand at most between a thing and what is said of it.
	beside = 2
)

// active writes who does something before what is done, and to what after it.
func active(text string) string {
	if m := enPassive.FindStringSubmatch(text); m != nil {
		return m[3] + m[2] + " " + m[1]
	}
	if m := nominal.FindStringSubmatch(text); m != nil {
		return m[3] + m[2] + " " + m[1]
	}
	if m := zhPassive.FindStringSubmatch(text); m != nil {
		return m[2] + " " + m[1]
	}
	return text
}

// ordered is a clause with its tokens in the order in which it tells who does what to what.
type ordered struct {
	part
	told []token
}

func inOrder(list []part) []ordered {
	var out []ordered
	for _, p := range list {
		out = append(out, ordered{p, tokens(active(p.text))})
	}
	return out
}

// reversed tells whether a claim names two things around a third in the other order than a clause does.
func reversed(k, t ordered) (Swap, bool) {
	ours, theirs := k.told, t.told
	near := 1 - max(weigh(without(ours, t.words))/weigh(ours), weigh(without(theirs, k.words))/weigh(theirs))
	if near < retold {
		return Swap{}, false
	}
	here, there := places(ours, theirs), places(theirs, ours)
	once := slices.DeleteFunc(slices.Clone(ours), func(t token) bool { _, ok := here[t.text]; return !ok })
	for n, v := range once {
		if mutual.MatchString(v.text) || v.text == "是" && !owned(k.text, t.text) {
			continue
		}
		for _, a := range once[:n] {
			for _, b := range once[n+1:] {
				if b.of || v.of || there[b.text] >= there[v.text] || there[v.text] >= there[a.text] {
					continue
				}
				if near >= copied || near >= retold && adjoin(here, a, v, b) && adjoin(there, b, v, a) {
					return Swap{show([]token{a, v, b}), show([]token{b, v, a})}, true
				}
			}
		}
	}
	return Swap{}, false
}

// adjoin reports whether two things stand beside what is said of them.
func adjoin(at map[string]int, a, v, b token) bool {
	return at[v.text]-at[a.text] <= beside && at[b.text]-at[v.text] <= beside
}

// owned reports whether two texts say with 是 what someone is to another.
func owned(texts ...string) bool {
	return !slices.ContainsFunc(texts, func(s string) bool {
		_, said, _ := strings.Cut(s, "是")
		return !strings.Contains(said, "的")
	})
}

// places returns where the tokens stand that each of two lists holds once.
func places(list, other []token) map[string]int {
	count := map[string]int{}
	for _, t := range other {
		count[t.text]++
	}
	out, seen := map[string]int{}, map[string]int{}
	for i, t := range list {
		if seen[t.text]++; count[t.text] == 1 {
			out[t.text] = i
		}
		if seen[t.text] > 1 {
			delete(out, t.text)
		}
	}
	return out
}
