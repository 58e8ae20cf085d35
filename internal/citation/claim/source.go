package claim

import (
	"maps"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/citation/claim/role"
)

// compact keeps the letters and digits of a folded text, and the marks that belong to numbers, with
// one blank between words of letters that are written with blanks.
func compact(folded string) string {
	runes := []rune(folded)
	var out []rune
	gap := false
	for i, r := range runes {
		inside := i > 0 && i+1 < len(runes) && unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i+1])
		switch {
		case r == ',' && inside:
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '%' || inside && strings.ContainsRune(".:/-", r):
			if gap && len(out) > 0 && joined(out[len(out)-1]) && joined(r) {
				out = append(out, ' ')
			}
			gap = false
			out = append(out, r)
		default:
			gap = true
		}
	}
	return string(out)
}

// joined reports whether a character would melt with a like one if the blank between them went.
func joined(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.Is(unicode.Han, r)
}

// Source is an excerpt, prepared for comparison.
type Source struct {
	compact    string
	quantities []stated
	sentences  []statement
	records    bool    // the sentences are records of a table
	columns    string  // folded: what these are called
	contrary   *Source // what its sentences say the contrary of, see framed; nil if they do of nothing

	once sync.Once
	read *passages // see passages
}

// statement is one sentence of an excerpt.
type statement struct {
	text       string
	folded     string
	compact    string
	quantities []stated
	words      map[string]bool // words, characters and pairs
	sequence   []string        // words and characters in order
	record     bool            // it is a record of a table, which is one clause
	partial    bool            // it is a part of the sentence that text holds
}

// clause is a part of a sentence that says one thing.
type clause struct {
	words      map[string]bool
	quantities []stated
}

var clauseEnd = regexp.MustCompile(`[,;:|，；：。!?]|\bbut\b|\bhowever\b|但是?`)

// inNumber matches the marks that belong to a number or a time of day: 15,000 and 10:30.
var inNumber = regexp.MustCompile(`\d(?:,\d{3})+\b|\d:\d\d\b`)

// clauseEnds returns where the clauses of a folded text end, and the next ones begin.
func clauseEnds(folded string) [][]int {
	return clauseEnd.FindAllStringIndex(inNumber.ReplaceAllStringFunc(folded, blanks), -1)
}

// clausesOf takes a folded text apart into its clauses.
func clausesOf(folded string) []string {
	var out []string
	from := 0
	for _, end := range clauseEnds(folded) {
		out = append(out, folded[from:end[0]])
		from = end[1]
	}
	return append(out, folded[from:])
}

// NewSource prepares a text, to be compared sentence by sentence.
func NewSource(excerpt string) *Source {
	s := &Source{compact: compact(fold(excerpt))}
	runes := []rune(excerpt)
	for _, span := range analysis.Sentences(excerpt) {
		s.add(string(runes[span[0]:span[1]]))
	}
	return s
}

// NewTable prepares the records of a table of separated values. What the columns are called belongs
// to every record, but decides no claim by itself.
func NewTable(whole, columns string, records []string) *Source {
	folded := fold(columns)
	words := vocabulary(folded)
	s := &Source{compact: compact(fold(whole)), records: true, columns: folded}
	s.quantities, _ = quantities(folded)
	for _, r := range records {
		s.add(r)
		st := &s.sentences[len(s.sentences)-1]
		maps.Copy(st.words, words)
		st.record = true
	}
	return s
}

// add takes in the next sentence. What it says the contrary of is kept apart from what it says.
func (s *Source) add(text string) {
	folded := fold(text)
	if core, beside, ok := framed(folded); ok {
		if s.contrary == nil {
			s.contrary = &Source{}
		}
		s.contrary.take(text, core, true)
		s.contrary.compact += "\n" + compact(core)
		s.take(text, beside, true)
		return
	}
	s.take(text, folded, false)
}

// listMark is the number of an item of a list, which counts nothing.
var listMark = regexp.MustCompile(`^\s*\d{1,2}(?:[.)]\s+|、)`)

// take takes in a folded sentence, or a part of one.
func (s *Source) take(text, folded string, partial bool) {
	qs, _ := quantities(listMark.ReplaceAllString(folded, ""))
	all := terms(folded)
	st := statement{text: text, folded: folded, compact: compact(folded), quantities: qs, words: vocabularyOf(all), partial: partial}
	for _, t := range all {
		st.sequence = append(st.sequence, t.text)
	}
	s.quantities = append(s.quantities, qs...)
	s.sentences = append(s.sentences, st)
}

// clauses returns the parts of a statement that state a quantity.
func (st statement) clauses() []clause {
	if st.record {
		return []clause{{st.words, st.quantities}}
	}
	var out []clause
	for _, part := range clausesOf(st.folded) {
		if qs, rest := quantities(part); len(qs) > 0 {
			out = append(out, clause{vocabulary(rest), qs})
		}
	}
	return out
}

// vocabulary returns the words, Chinese characters and pairs of a folded text.
func vocabulary(folded string) map[string]bool { return vocabularyOf(terms(folded)) }

func vocabularyOf(list []term) map[string]bool {
	out := map[string]bool{}
	for _, t := range list {
		out[t.text] = true
		out[t.left], out[t.right] = true, true
	}
	delete(out, "")
	return out
}

// literal returns the sentence of the excerpt that holds a claim word by word. A claim that is
// cut out of a denial, or of a longer number or word, is not held.
func (s *Source) literal(c claim) (string, bool) {
	if len([]rune(c.compact)) < 4 {
		return "", false
	}
	for _, st := range s.sentences {
		if _, ok := whole(st.compact, c.compact); ok && st.affirms(c.compact) && !c.onlyAsked(st) && !role.Denied(c.text, st.said()) && !c.beyondHours(st) {
			return st.text, true
		}
	}
	// A claim may run over several sentences of the excerpt.
	at, ok := whole(s.compact, c.compact)
	if !ok || s.contrary != nil || reached(lastRunes(s.compact[:at], zhReach)) {
		return "", false
	}
	for _, st := range s.sentences {
		if st.compact != "" && strings.Contains(c.compact, st.compact) {
			return st.text, true
		}
	}
	return "", false
}

// said is what a statement says: of a part of a sentence, that part.
func (st statement) said() string {
	if st.partial {
		return st.folded
	}
	return st.text
}

// affirms reports whether a piece that a statement holds stands in it somewhere without a denial before it in
// its clause that reaches it.
func (st statement) affirms(piece string) bool {
	from := 0
	for _, end := range append(clauseEnds(st.folded), []int{len(st.folded), len(st.folded)}) {
		rest, own := compact(st.folded[from:]), compact(st.folded[from:end[0]])
		if at, ok := whole(rest, piece); ok && at < max(1, len(own)) && !reached(rest[:at]) {
			return true
		}
		from = end[1]
	}
	return false
}

// reached reports whether what stands behind a text is denied by it.
func reached(before string) bool {
	n := 0
	for _, d := range denials(before) {
		if d.reach[1] == len(before) {
			n++
		}
	}
	return n%2 == 1
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

// lastRunes is the end of a text, of so many characters at most. It looks at no more than that.
func lastRunes(s string, n int) string {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return s[at:]
}

// firstRunes is the same of the beginning.
func firstRunes(s string, n int) string {
	at := 0
	for ; n > 0 && at < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return s[:at]
}

// stateds returns all quantities of sources.
func stateds(cited []*Source) []stated {
	var out []stated
	for _, s := range cited {
		out = append(out, s.quantities...)
	}
	return out
}
