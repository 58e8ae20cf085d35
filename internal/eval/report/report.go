// Package report writes what came of an evaluation for people and for programs: a table for a
// terminal, JUnit for build servers, and one page with charts that needs nothing but itself.
//
// Everything in a result that a person or a document could have written is data here: it is
// escaped where it is markup, and stripped of control characters where it is text.
package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/glyph"
)

// shortfall is a finding with the case that it is about.
type shortfall struct {
	Case   eval.CaseResult
	Groups []eval.Group // in which it was found
	eval.Finding
}

// failures lists the findings in the order of the cases; what several groups found alike is told
// once, and what every try found alike, too.
func failures(r eval.Result) []shortfall {
	var out []shortfall
	for _, c := range r.Cases {
		seen := map[string]int{}
		for _, f := range c.Findings {
			key := f.Code + "\x00" + f.Detail
			i, known := seen[key]
			if !known {
				seen[key] = len(out)
				out = append(out, shortfall{c, []eval.Group{f.Group}, f})
			} else if !slices.Contains(out[i].Groups, f.Group) {
				out[i].Groups = append(out[i].Groups, f.Group)
			}
		}
	}
	return out
}

// percent writes a share as a person reads it, and never rounds one that is not whole to 100 or 0.
func percent(share float64) string {
	s := fmt.Sprintf("%.1f", 100*share)
	switch {
	case s == "100.0" && share < 1:
		s = "99.9"
	case s == "0.0" && share > 0:
		s = "0.1"
	}
	return strings.TrimSuffix(s, ".0") + " %"
}

// figure is one named number.
type figure struct {
	Name, Value string
	Share       float64
	Counted     bool // a count, not a share
}

func ranking(w words, m *eval.RankingMean, k int) []figure {
	if m == nil {
		return nil
	}
	out := []figure{}
	if m.Cases > 0 {
		mean := func(name string, v float64) figure {
			return figure{Name: name, Value: fmt.Sprintf("%.3f", v), Share: v}
		}
		out = append(out, mean(fmt.Sprintf("hit@%d", k), m.Hit), mean(fmt.Sprintf("recall@%d", k), m.Recall), mean("MRR", m.MRR), mean("nDCG@10", m.NDCG),
			figure{Name: w.rightVersion, Value: percent(m.RightVersion), Share: m.RightVersion})
	}
	return append(out, figure{Name: w.forbidden, Value: fmt.Sprint(m.Forbidden), Counted: true})
}

func citations(w words, c *eval.CitationShare) []figure {
	if c == nil {
		return nil
	}
	share := func(name string, v float64) figure { return figure{Name: name, Value: percent(v), Share: v} }
	return []figure{
		share(w.cited, c.Cited), share(w.supported, c.Supported), share(w.partly, c.Partly), share(w.notFound, c.NotFound),
		share(w.contradicted, c.Contradicted), {Name: w.oldVersions, Value: fmt.Sprint(c.OldVersions), Counted: true},
	}
}

// engine names what answered.
func engine(w words, r eval.Result) string {
	if r.Engine == "model" {
		return clean(r.Model)
	}
	return w.rules
}

// clean takes out control characters and what turns the direction of text.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && glyph.Steers(r) {
			return ' '
		}
		return r
	}, s)
}

// width is the number of columns that a text takes on a terminal.
func width(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.Is(unicode.Han, r) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff60:
			n += 2
		default:
			n++
		}
	}
	return n
}

func pad(s string, to int) string { return s + strings.Repeat(" ", max(0, to-width(s))) }
