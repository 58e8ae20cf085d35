package claim

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/coverage"
)

// place is where a text may say all that a claim does: a sentence, a part of one that says something of its own, or some
// that follow each other, with the headings they are under and the sentence that tells what they speak of.
type place struct {
	held    []coverage.Text
	own     []coverage.Text // of those, the words of the sentences themselves, without their numbers
	numbers []stated
	said    []*statement // the sentences themselves
	each    []place      // of several sentences, what each holds
	folded  string       // of one sentence or a part of one, its text
}

// passages are the places of a source. They are read once, since many sentences of an answer are held against one source.
type passages struct {
	sentences []place // sentences that say one thing, and the parts of the others
	wide      []place // the others whole
	runs      []place // sentences that follow each other
}

const (
	// mostBefore is how many parts of a sentence before one may tell what it speaks of.
	mostBefore = 6
	// mostLeant is how many sentences in a row may each lean on the one before.
	mostLeant = 3
	// run is how many sentences that follow each other may say together what a long one says.
	run = 3
)

// passages returns the places of a source. Sources are shared between goroutines.
func (s *Source) passages() *passages {
	s.once.Do(func() { s.read = s.readPassages() })
	return s.read
}

// readPassages reads each sentence once, with what stands over it.
func (s *Source) readPassages() *passages {
	texts := make([]coverage.Text, len(s.sentences))
	for i, st := range s.sentences {
		texts[i] = coverage.Read(st.folded, st.said())
	}
	general := []coverage.Text{coverage.Topic(texts), coverage.Read(s.columns, s.columns)}
	var out passages
	var over outline
	wholes := make([]place, len(s.sentences))
	for i := range s.sentences {
		around := place{held: general, said: []*statement{&s.sentences[i]}}
		for _, k := range over.next(s.sentences, i) {
			around = around.with(texts[k], s.sentences[k].quantities)
		}
		for k := i; k > max(0, i-mostLeant) && coverage.LeansOn(s.sentences[k].text); k-- {
			around = around.with(texts[k-1].Words(), nil)
		}
		wholes[i] = around.with(texts[i], s.sentences[i].quantities)
		wholes[i].folded = s.sentences[i].folded
		wholes[i].own = []coverage.Text{read(s.sentences[i].folded, s.sentences[i].said()).Text}
		parts := segments(s.sentences[i].folded)
		if len(parts) == 1 || s.sentences[i].record || coverage.Row(s.sentences[i].text) {
			out.sentences = append(out.sentences, wholes[i])
			continue
		}
		out.wide = append(out.wide, wholes[i])
		out.sentences = append(out.sentences, around.parts(parts, texts[i])...)
	}
	for i := 0; !s.records && i+1 < len(wholes); i++ {
		out.runs = append(out.runs, joinPlaces(wholes[i:min(i+run, len(wholes))]))
	}
	return &out
}

// with is a place with more that it holds.
func (p place) with(text coverage.Text, numbers []stated) place {
	p.held = append(p.held[:len(p.held):len(p.held)], text)
	p.numbers = append(p.numbers[:len(p.numbers):len(p.numbers)], numbers...)
	return p
}

// joinPlaces is what some places hold together.
func joinPlaces(list []place) place {
	out := place{each: list}
	for _, p := range list {
		out.held, out.own = append(out.held, p.held...), append(out.own, p.own...)
		out.numbers, out.said = append(out.numbers, p.numbers...), append(out.said, p.said...)
	}
	return out
}

// parts are the places of a sentence of which each part says something of its own, around which p holds what stands.
func (p place) parts(parts []string, whole coverage.Text) []place {
	var out []place
	var before []coverage.Text
	for _, part := range parts {
		own := whole.Part(part)
		plain := read(part, part)
		here := p.with(own, plain.numbers)
		here.own, here.folded = []coverage.Text{plain.Text}, part
		if len(before) > 0 && !own.Begins(before[0]) {
			for _, b := range before {
				here = here.with(b, nil)
			}
		}
		if !strictly.MatchString(part) && len(before) < mostBefore {
			before = append(before, own.Words())
		}
		out = append(out, here)
	}
	return out
}

// outline is where a reader of a text is: under which headings, and in which table.
type outline struct {
	headings []int // sentences, the deepest last
	table    int   // the row with the names of the columns
}

// next returns what a sentence is under, which follows the one asked for before: its headings, and the first row of its table.
func (o *outline) next(sentences []statement, i int) []int {
	out := append([]int{}, o.headings...)
	line := sentences[i].text
	if coverage.Row(line) {
		if i == 0 || !coverage.Row(sentences[i-1].text) {
			o.table = i
		}
		out = append(out, o.table)
	}
	if depth := coverage.Heading(line); depth > 0 {
		for n := len(o.headings); n > 0 && coverage.Heading(sentences[o.headings[n-1]].text) >= depth; n-- {
			o.headings = o.headings[:n-1]
		}
		o.headings = append(o.headings, i)
	}
	return out
}

// segmentEnd is where a sentence may begin to say another thing in the same way.
var segmentEnd = regexp.MustCompile(`[；;]|[,，]?\s(?:or|and)\s|[,，]\s?(?:或|而)?`)

var (
	bounded = regexp.MustCompile(`^\s*(?:more|less|fewer|above|below|over|under|older|younger|higher|lower|longer)\b`)
	between = regexp.MustCompile(`\bbetween\b[^,;]*$`)
	aTime   = regexp.MustCompile(`\d:\d\d`)
)

// told is what a stretch tells that stands between two places where a sentence may begin to say another thing.
type told struct{ number, time, often bool }

func (t told) or(o told) told {
	return told{t.number || o.number, t.time || o.time, t.often || o.often}
}

// toldBy reads each stretch of a sentence once, and returns what each tells, and what all from it on do.
func toldBy(folded string, ends [][]int) (each, rest []told) {
	from := 0
	for _, loc := range append(ends, []int{len(folded), len(folded)}) {
		part := folded[from:loc[0]]
		each = append(each, told{mentionsNumber(part), aTime.MatchString(part), coverage.Recurs(part)})
		from = loc[1]
	}
	rest = slices.Clone(each)
	for i := len(rest) - 2; i >= 0; i-- {
		rest[i] = rest[i].or(rest[i+1])
	}
	return each, rest
}

// segments takes a sentence apart where both sides state a number.
func segments(folded string) []string {
	ends := segmentEnd.FindAllStringIndex(folded, -1)
	if len(ends) == 0 {
		return []string{folded}
	}
	each, rest := toldBy(folded, ends)
	var out []string
	var left told
	from := 0
	for i, loc := range ends {
		mark, right := strings.TrimSpace(folded[loc[0]:loc[1]]), rest[i+1]
		left = left.or(each[i])
		switch {
		case mark == ";" || mark == "；":
		case between.MatchString(lastRunes(folded[from:loc[0]], segmentReach)), inNumber.MatchString(folded[max(0, loc[0]-1):min(len(folded), loc[1]+3)]):
			continue
		case bounded.MatchString(firstRunes(folded[loc[1]:], segmentReach)):
			continue
		case mark == "," || mark == "，":
			if !(left.time && right.time) && !(left.often && right.often && right.number) {
				continue
			}
		case !left.number || !right.number:
			continue
		}
		out = append(out, folded[from:loc[0]])
		from, left = loc[1], told{}
	}
	return append(out, folded[from:])
}

// segmentReach is how many characters beside the end of a segment say whether it is one.
const segmentReach = 160

func mentionsNumber(folded string) bool {
	numbers, _ := quantities(folded)
	return len(numbers) > 0
}
