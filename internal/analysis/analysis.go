// Package analysis turns text into the terms that are searched and compared.
//
// Documents and queries go through the same steps, so that what a person types meets what a
// document says: compatibility forms, case and width are folded, traditional characters become
// simplified ones, English words lose their endings, runs of Chinese characters become
// overlapping pairs, and identifiers such as ERR-1042 are kept whole beside their parts. Every
// token knows the place it came from, in code points of the text as it was given.
//
// Tokens and Query are for comparing and showing texts. A search uses a Lexicon, which gives the
// same tokens and more: the words of Chinese text, English words as they were written, the values
// of numbers, dates, and for a query what the words of a tenant stand for.
//
// The package knows nothing of documents.
package analysis

// Version names the rules by which text becomes terms, and those by which package index weighs what it stores with
// them. Terms of different versions must not be compared; stored terms carry it.
const Version = 3

// Kind says how a token came to be.
type Kind uint8

// The kinds of token. Character tokens stand beside the pairs of their run, so that a single
// character can be searched for. Compound and Identifier tokens stand beside the words
// they are made of: a compound is words joined by hyphens, an identifier has a digit, an
// underscore, a dot or another mark inside.
//
// The last four are terms for a search, which only a Lexicon gives. A Segment is a word of a run
// of Chinese characters, an Exact the form in which an English word was written where its stem is
// another, a Numeral the value of a number that is not written in plain digits, and a Date a day
// or a month in the form of ISO 8601.
const (
	Word Kind = iota
	Number
	Pair
	Character
	Compound
	Identifier
	Segment
	Exact
	Numeral
	Date
)

// String returns the kind in lower case, for messages.
func (k Kind) String() string {
	return [...]string{"word", "number", "pair", "character", "compound", "identifier", "segment", "exact", "numeral", "date"}[k]
}

// Extra reports whether tokens of the kind repeat text that other tokens already stand for.
func (k Kind) Extra() bool { return k >= Character }

// Measures reports whether tokens of the kind count in the length of a text. Chinese is measured
// in words as English is, so that one measure of a long text serves both.
func (k Kind) Measures() bool { return k == Word || k == Number || k == Segment }

// Span is a half-open range of code points.
type Span [2]int

// Token is one term of a text.
type Token struct {
	Term string
	Span Span
	Kind Kind
	// Stop marks a term that says nothing alone: an article, a question word, a pair around a
	// particle. A match needs a term that is not one.
	Stop bool
	// Title marks a term of a query that stands in the marks of a title: 《…》.
	Title bool
	// Of is the index of the compound, identifier or pair that the token is a part of, or of the
	// word that it is the exact form of; -1 if it stands for itself.
	Of int
	// Synonym marks a term of a query that nobody wrote: with others it says otherwise what stands
	// at its span. It is the number of words and pairs that say it; 0 for what was written.
	Synonym int
}

// Tokens returns the terms of a text that is to be found, in order of their beginning, a whole
// before its parts.
func Tokens(text string) []Token { return scan(text, false) }

// Query returns the terms to look for. It differs from Tokens only in that a run of two or more
// Chinese characters gives its pairs alone, and that a short word in small letters before a
// number is also tried as one identifier with it ("iso 9001").
func Query(text string) []Token { return scan(text, true) }

// Fold returns the text in the form in which two texts can be compared literally: compatibility
// forms, case, width, traditional characters, hyphens and apostrophes folded, invisible
// characters left out. White space stays as it is. Folding twice changes nothing.
func Fold(text string) string {
	glyphs := fold(nil, text)
	out := make([]rune, len(glyphs))
	for i, g := range glyphs {
		out[i] = g.r
	}
	return string(out)
}
