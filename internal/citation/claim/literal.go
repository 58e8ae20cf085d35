package claim

import (
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/polarity"
	"github.com/kaoju/kaoju/internal/citation/claim/reading"
	"github.com/kaoju/kaoju/internal/citation/claim/role"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// literal returns the sentence of the excerpt that holds a claim word by word. A claim that is
// cut out of a denial, or of a longer number or word, is not held.
func literal(c reading.Claim, s *Source) (string, bool) {
	if len([]rune(c.Compact)) < 4 {
		return "", false
	}
	for _, st := range s.Sentences {
		if _, ok := whole(st.Compact, c.Compact); ok && affirms(st, c.Compact) && !onlyAsked(c, st) && !role.Denied(c.Text, st.Said()) && !beyondHours(c, st) {
			return st.Text, true
		}
	}
	// A claim may run over several sentences of the excerpt.
	at, ok := whole(s.Compact, c.Compact)
	if !ok || s.Contrary != nil || polarity.Reached(wording.LastRunes(s.Compact[:at], polarity.HanReach)) {
		return "", false
	}
	for _, st := range s.Sentences {
		if st.Compact != "" && strings.Contains(c.Compact, st.Compact) {
			return st.Text, true
		}
	}
	return "", false
}

// affirms reports whether a piece that a statement holds stands in it somewhere without a denial before it in
// its clause that reaches it.
func affirms(st reading.Statement, piece string) bool {
	for from, to := range wording.Spans(st.Folded) {
		rest, own := wording.Compact(st.Folded[from:]), wording.Compact(st.Folded[from:to])
		if at, ok := whole(rest, piece); ok && at < max(1, len(own)) && !polarity.Reached(rest[:at]) {
			return true
		}
	}
	return false
}

// whole finds a piece that begins and ends where words and numbers do.
func whole(text, piece string) (int, bool) {
	for from := 0; ; {
		i := strings.Index(text[from:], piece)
		if i < 0 {
			return 0, false
		}
		i += from
		end := i + len(piece)
		if !(i > 0 && ascii(text[i-1]) && ascii(text[i])) && !(end < len(text) && ascii(text[end-1]) && ascii(text[end])) {
			return i, true
		}
		from = i + 1
	}
}

func ascii(b byte) bool { return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b == '.' || b == '%' }
