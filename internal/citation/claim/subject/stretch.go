package subject

import (
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// Stretch is a run of words that only one of two subjects has, with the words that it stands between.
type Stretch struct {
	From, To    int     // among the terms of its subject
	Size        float64 // of its words
	Left, Right string  // the words beside it; "" if it begins, or ends, the subject
}

func (r Stretch) whole(s Subject) bool { return r.From == 0 && r.To == len(s.Terms) }

// Own returns the runs of words of a subject that the other does not hold.
func (s Subject) Own(o Subject) []Stretch {
	var out []Stretch
	open := false
	for i, t := range s.Terms {
		if o.Holds(t) {
			open = false
			continue
		}
		if !open {
			r := Stretch{From: i}
			if i > 0 {
				r.Left = s.Terms[i-1].Text
			}
			out = append(out, r)
		}
		r := &out[len(out)-1]
		r.To, r.Right, open = i+1, "", true
		r.Size += t.Size()
		if i+1 < len(s.Terms) {
			r.Right = s.Terms[i+1].Text
		}
	}
	return out
}

// Surface is how a run of words is written.
func (r Stretch) Surface(s Subject) string {
	var b strings.Builder
	for i, t := range s.Terms[r.From:r.To] {
		if i > 0 && !wording.Han(t.Text) {
			b.WriteString(" ")
		}
		b.WriteString(t.Surface)
	}
	return b.String()
}

// Behind returns the text behind a run of words, "" if the run does not stand there as it is written.
func (s Subject) Behind(folded string, r Stretch) string {
	last := s.Terms[r.To-1]
	if at := last.At + len(last.Surface); at < len(folded) && strings.HasPrefix(folded[last.At:], last.Surface) {
		return folded[at:]
	}
	if i := strings.Index(folded, r.Surface(s)); i >= 0 {
		return folded[i+len(r.Surface(s)):]
	}
	return ""
}
