package rules

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/analysis/topic"
	"github.com/kaoju/kaoju/internal/llm"
)

const (
	// topicShare is how much of what a summary is asked of a document must mention.
	topicShare = 0.6
	// besideShare is how much of it a further document must mention, compared with the one that mentions most.
	besideShare = 0.9
	// maxPoints and maxPointsLength bound a summary, in sentences and in code points.
	maxPoints       = 8
	maxPointsLength = 700
	// shownRows is how many rows of a table stand for it.
	shownRows = 3
)

// ruling matches the words of a sentence that lays something down.
var ruling = regexp.MustCompile(`必须|须|应当|不得|不能|禁止|可以|负责|适用|有效|(?i)\b(?:must|shall|may|required|mandatory|never|applies|apply|responsible|prohibited)\b`)

// fields matches a line of short fields about a document: its number, its version, who owns it.
var fields = regexp.MustCompile(`[·|].*[·|]`)

// summarize says in a few sentences what the passages say of a topic: from each section the sentence that has
// most in common with all others and says something that holds, in the order of the documents. There is no
// summary of what no document is about.
func summarize(text string, passages []passage) (string, []llm.Remark) {
	if about, ok := topic.Summary(text); ok && about != "" {
		text = about
	}
	q := understand(text, "")
	f := find(q, passages)
	l := q.labels()
	points := f.points(q)
	if len(points) == 0 {
		return unsettled(l, f, nil), leftOut(f)
	}
	var b strings.Builder
	b.WriteString(l.conclusion)
	head := ""
	for i, s := range points {
		if i > 0 {
			b.WriteString("\n")
		}
		if h := s; s.row && s.header != head && quotable(s.header) && strings.Contains(s.passage.text, s.header) {
			h.text, head = s.header, s.header
			b.WriteString(quote([]scored{h}, l.gap) + "\n")
		}
		b.WriteString(quote([]scored{s}, l.gap))
	}
	b.WriteString("\n" + l.toConfirm + l.partial + "\n" + l.nextSteps + l.whole + mark(points[0]))
	return b.String(), leftOut(f)
}

// points chooses the sentences of a summary.
func (f *finding) points(q *question) []scored {
	docs := f.about(q)
	if len(docs) == 0 {
		return nil
	}
	held := f.held()
	var sections [][]scored
	at := map[string]int{}
	for _, s := range f.placed() {
		if !slices.Contains(docs, s.passage.doc) || s.title || s.asks() || s.row && s.header == "" || !s.row && fields.MatchString(s.text) {
			continue
		}
		key := strings.Join(slices.Concat([]string{s.passage.doc}, s.passage.heading, s.heading), "\x00")
		if _, ok := at[key]; !ok {
			at[key] = len(sections)
			sections = append(sections, nil)
		}
		s.score = f.weight(s, held)
		sections[at[key]] = append(sections[at[key]], s)
	}
	chosen := f.choose(sections)
	slices.SortStableFunc(chosen, func(a, b scored) int {
		if a.passage.doc == b.passage.doc && a.passage.start != b.passage.start {
			return a.passage.start - b.passage.start
		}
		return a.at - b.at
	})
	return chosen
}

// about returns the documents that are about what is asked: those whose title says so, else those that mention
// nearly as much of it as the one that mentions most.
func (f *finding) about(q *question) []string {
	weights := weigh(q, f.bags)
	asked := map[string]bool{}
	for _, t := range q.terms {
		for _, k := range t.keys {
			asked[k] = true
		}
	}
	var titled, docs []string
	shares, most := map[string]float64{}, 0.0
	for _, p := range f.passages {
		if slices.Contains(docs, p.doc) {
			continue
		}
		docs = append(docs, p.doc)
		title := map[string]bool{}
		for _, t := range analysis.Tokens(p.title) {
			title[t.Term] = true
		}
		share := f.share(q, weights, p.doc)
		if about(analysis.Tokens(p.title), asked) >= headingShare || mentioned(q, weights, title) >= headingShare {
			titled = append(titled, p.doc)
		}
		shares[p.doc], most = share, max(most, share)
	}
	if len(titled) > 0 {
		return titled
	}
	return slices.DeleteFunc(docs, func(doc string) bool { return shares[doc] < max(topicShare, besideShare*most) })
}

// share is how much of a question a document mentions.
func (f *finding) share(q *question, weights []float64, doc string) float64 {
	all := map[string]bool{}
	for i, u := range f.units {
		if u.passage.doc == doc {
			for _, set := range []map[string]bool{f.bags[i].own, f.bags[i].around} {
				for k := range set {
					all[k] = true
				}
			}
		}
	}
	return mentioned(q, weights, all)
}

// mentioned is the share of the weight of a question's terms that a set holds.
func mentioned(q *question, weights []float64, set map[string]bool) float64 {
	total, held := 0.0, 0.0
	for i, t := range q.terms {
		total += weights[i]
		held += weights[i] * t.mentions(set)
	}
	if total == 0 {
		return 0
	}
	return held / total
}

// held counts for each term the sentences that mention it or stand below it.
func (f *finding) held() map[string]int {
	out := map[string]int{}
	for _, b := range f.bags {
		for t := range b.own {
			out[t]++
		}
		for t := range b.around {
			if !b.own[t] {
				out[t]++
			}
		}
	}
	return out
}

// weight is the worth of a sentence in a summary: how much its words have in common with the other sentences, and
// whether it lays something down or gives a figure.
func (f *finding) weight(s scored, held map[string]int) float64 {
	common, n := 0.0, 0.0
	for _, t := range slices.Sorted(maps.Keys(f.bags[s.at].own)) { // in order, so that the sum is the same each time
		common += math.Log(1 + float64(held[t]))
		n++
	}
	out := common / max(1, n) * brevity(f.bags[s.at].length, s.unit)
	if ruling.MatchString(s.text) {
		out *= 1.3
	}
	if hasDigit.MatchString(s.text) {
		out *= 1.2
	}
	if s.first {
		out *= 1.3
	}
	switch {
	case s.row:
		out *= 0.6
	case s.opens():
		out *= 0.3
	}
	return out
}

// choose takes the best of each section, then the second best, as long as there is room. Rows of a small table stand
// together.
func (f *finding) choose(sections [][]scored) []scored {
	for _, list := range sections {
		slices.SortStableFunc(list, func(a, b scored) int {
			switch {
			case a.score > b.score:
				return -1
			case a.score < b.score:
				return 1
			}
			return a.at - b.at
		})
	}
	var out []scored
	length := 0
	for round := 0; round < maxPoints; round++ {
		for _, list := range sections {
			if round >= len(list) || len(out) == maxPoints || round > 0 && len(sections) >= maxPoints {
				continue
			}
			if s := list[round]; !same(out, s.text) && length+f.bags[s.at].length <= maxPointsLength && (!s.row || round < shownRows) {
				out, length = append(out, s), length+f.bags[s.at].length
			}
		}
	}
	return out
}
