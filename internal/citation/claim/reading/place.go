package reading

import (
	"github.com/kaoju/kaoju/internal/citation/claim/coverage"
	"github.com/kaoju/kaoju/internal/citation/claim/quantity"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// Place is where a text may say all that a claim does: a sentence, a part of one that says something of its own, or some
// that follow each other, with the headings they are under and the sentence that tells what they speak of.
type Place struct {
	Held    []coverage.Text   // all that it holds, itself and what is around it
	Own     []coverage.Text   // of those, the words of the sentences themselves, without their numbers
	Numbers []quantity.Stated // of all that it holds
	Said    []*Statement      // the sentences themselves
	Each    []Place           // of several sentences, what each holds
	Folded  string            // of one sentence or a part of one, its text
}

// Places are the places of a source. They are read once, since many sentences of an answer are held against one source.
type Places struct {
	Sentences []Place // sentences that say one thing, and the parts of the others
	Wide      []Place // the others whole
	Runs      []Place // sentences that follow each other
}

const (
	// mostBefore is how many parts of a sentence before one may tell what it speaks of.
	mostBefore = 6
	// mostLeant is how many sentences in a row may each lean on the one before.
	mostLeant = 3
	// run is how many sentences that follow each other may say together what a long one says.
	run = 3
)

// Places returns the places of a source. Sources are shared between goroutines.
func (s *Source) Places() *Places {
	s.once.Do(func() { s.read = s.readPlaces() })
	return s.read
}

// readPlaces reads each sentence once, with what stands over it.
func (s *Source) readPlaces() *Places {
	texts := make([]coverage.Text, len(s.Sentences))
	for i, st := range s.Sentences {
		texts[i] = coverage.Read(st.Folded, st.Said())
	}
	general := []coverage.Text{coverage.Topic(texts), coverage.Read(s.columns, s.columns)}
	var out Places
	var over outline
	wholes := make([]Place, len(s.Sentences))
	for i := range s.Sentences {
		around := Place{Held: general, Said: []*Statement{&s.Sentences[i]}}
		for _, k := range over.next(s.Sentences, i) {
			around = around.with(texts[k], s.Sentences[k].Quantities)
		}
		for k := i; k > max(0, i-mostLeant) && coverage.LeansOn(s.Sentences[k].Text); k-- {
			around = around.with(texts[k-1].Words(), nil)
		}
		wholes[i] = around.with(texts[i], s.Sentences[i].Quantities)
		wholes[i].Folded = s.Sentences[i].Folded
		wholes[i].Own = []coverage.Text{Ask(s.Sentences[i].Folded, s.Sentences[i].Said()).Text}
		parts := Segments(s.Sentences[i].Folded)
		if len(parts) == 1 || s.Sentences[i].Record || coverage.Row(s.Sentences[i].Text) {
			out.Sentences = append(out.Sentences, wholes[i])
			continue
		}
		out.Wide = append(out.Wide, wholes[i])
		out.Sentences = append(out.Sentences, around.parts(parts, texts[i])...)
	}
	for i := 0; !s.Records && i+1 < len(wholes); i++ {
		out.Runs = append(out.Runs, joinPlaces(wholes[i:min(i+run, len(wholes))]))
	}
	return &out
}

// with is a place with more that it holds.
func (p Place) with(text coverage.Text, numbers []quantity.Stated) Place {
	p.Held = append(p.Held[:len(p.Held):len(p.Held)], text)
	p.Numbers = append(p.Numbers[:len(p.Numbers):len(p.Numbers)], numbers...)
	return p
}

// joinPlaces is what some places hold together.
func joinPlaces(list []Place) Place {
	out := Place{Each: list}
	for _, p := range list {
		out.Held, out.Own = append(out.Held, p.Held...), append(out.Own, p.Own...)
		out.Numbers, out.Said = append(out.Numbers, p.Numbers...), append(out.Said, p.Said...)
	}
	return out
}

// parts are the places of a sentence of which each part says something of its own, around which p holds what stands.
func (p Place) parts(parts []string, whole coverage.Text) []Place {
	var out []Place
	var before []coverage.Text
	for _, part := range parts {
		own := whole.Part(part)
		plain := Ask(part, part)
		here := p.with(own, plain.Numbers)
		here.Own, here.Folded = []coverage.Text{plain.Text}, part
		if len(before) > 0 && !own.Begins(before[0]) {
			for _, b := range before {
				here = here.with(b, nil)
			}
		}
		if !wording.Strict.MatchString(part) && len(before) < mostBefore {
			before = append(before, own.Words())
		}
		out = append(out, here)
	}
	return out
}
