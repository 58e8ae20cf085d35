package reading

import "github.com/kaoju/kaoju/internal/citation/claim/coverage"

// outline is where a reader of a text is: under which headings, and in which table.
type outline struct {
	headings []int // sentences, the deepest last
	table    int   // the row with the names of the columns
}

// next returns what a sentence is under, which follows the one asked for before: its headings, and the first row of its table.
func (o *outline) next(sentences []Statement, i int) []int {
	out := append([]int{}, o.headings...)
	line := sentences[i].Text
	if coverage.Row(line) {
		if i == 0 || !coverage.Row(sentences[i-1].Text) {
			o.table = i
		}
		out = append(out, o.table)
	}
	if depth := coverage.Heading(line); depth > 0 {
		for n := len(o.headings); n > 0 && coverage.Heading(sentences[o.headings[n-1]].Text) >= depth; n-- {
			o.headings = o.headings[:n-1]
		}
		o.headings = append(o.headings, i)
	}
	return out
}
