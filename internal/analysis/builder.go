package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/problem"
)

// NewLexicon makes a lexicon of Chinese words and of groups whose members mean the same, such as
// an abbreviation and its long form in either language. What can't be used is problem.Invalid
// "invalid_lexicon", and names the entry.
func NewLexicon(words []string, groups [][]string) (*Lexicon, error) {
	b := NewBuilder()
	for _, w := range words {
		if err := b.Word(w); err != nil {
			return nil, err
		}
	}
	for _, g := range groups {
		if err := b.Same(g); err != nil {
			return nil, err
		}
	}
	return b.Lexicon(), nil
}

// Builder makes a lexicon entry by entry. What an entry has that can't be used is problem.Invalid
// "invalid_lexicon" with the reason, and leaves the entry out.
type Builder struct {
	words  map[string]bool
	groups int
	// phrases are what queries can say, in the order of their first entry; at finds them.
	phrases []phrase
	at      map[string]int
}

// NewBuilder makes a builder of an empty lexicon.
func NewBuilder() *Builder { return &Builder{words: map[string]bool{}, at: map[string]int{}} }

func refused(format string, args ...any) error {
	return problem.New(problem.Invalid, "invalid_lexicon", "%s", fmt.Sprintf(format, args...))
}

// Word takes a word that is kept whole.
func (b *Builder) Word(w string) error {
	folded := []rune(Fold(strings.TrimSpace(w)))
	if len(folded) < 2 || len(folded) > MaxWord || slices.ContainsFunc(folded, func(r rune) bool { return !isChinese(r) }) {
		return refused("The word %q is not one of 2 to %d Chinese characters; other names can be synonyms.", w, MaxWord)
	}
	if len(b.words) == MaxWords && !b.words[string(folded)] {
		return refused("The word %q is one more than the %d that a lexicon can have.", w, MaxWords)
	}
	b.words[string(folded)] = true
	return nil
}

// Same takes a group whose members mean the same: a query that says one also finds the others.
func (b *Builder) Same(members []string) error {
	folded, err := b.members(members, 2)
	if err != nil {
		return err
	}
	b.groups++
	for _, f := range folded {
		b.also(f, folded)
	}
	return nil
}

// OneWay takes a rule: a query that says one of from also finds each of to, and not the other way
// round.
func (b *Builder) OneWay(from, to []string) error {
	said, err := b.members(from, 1)
	if err != nil {
		return err
	}
	found, err := b.members(to, 1)
	if err != nil {
		return err
	}
	for _, f := range said {
		if slices.Contains(found, f) {
			return refused("The synonym %q stands on both sides.", f)
		}
	}
	b.groups++
	for _, f := range said {
		b.also(f, found)
	}
	return nil
}

// members folds the members of a group, each once.
func (b *Builder) members(members []string, least int) (folded []string, err error) {
	if b.groups == MaxGroups {
		return nil, refused("The group %q is one more than the %d that a lexicon can have.", members, MaxGroups)
	}
	for _, m := range members {
		f := strings.Join(strings.Fields(Fold(m)), " ")
		if n := len([]rune(f)); n == 0 || n > MaxSynonym || len(Query(m)) == 0 {
			return nil, refused("The synonym %q has no word to search for, or more than %d characters.", m, MaxSynonym)
		}
		if !slices.Contains(folded, f) {
			folded = append(folded, f)
		}
	}
	if len(folded) < least || len(folded) > MaxGroup {
		return nil, refused("The group %q has not %d to %d different synonyms.", members, least, MaxGroup)
	}
	return folded, nil
}

// also says what a query that says the phrase finds beside it.
func (b *Builder) also(said string, found []string) {
	at, ok := b.at[said]
	if !ok {
		at = len(b.phrases)
		b.at[said], b.phrases = at, append(b.phrases, phrase{text: []rune(said)})
	}
	p := &b.phrases[at]
	for _, f := range found {
		if f != said && !slices.Contains(p.other, f) {
			p.other = append(p.other, f)
		}
	}
}

// Lexicon returns what was taken. The builder is done with.
func (b *Builder) Lexicon() *Lexicon {
	l := &Lexicon{words: b.words, reach: map[rune]int{}, phrases: map[rune][]phrase{}}
	for w := range b.words {
		r := []rune(w)
		l.reach[r[0]] = max(l.reach[r[0]], len(r))
	}
	for _, p := range b.phrases {
		l.phrases[p.text[0]] = append(l.phrases[p.text[0]], p)
	}
	for _, list := range l.phrases {
		slices.SortStableFunc(list, func(a, b phrase) int { return len(b.text) - len(a.text) })
	}
	return l
}
