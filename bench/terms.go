package main

import (
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
)

// strong returns the terms of a query that can find something, as the other engines are asked for
// them. The weak ones, which only add to scores, they are spared.
func strong(query string) []string {
	var out []string
	for _, t := range index.Terms(query) {
		if !t.Weak {
			out = append(out, plain(t.Text))
		}
	}
	return out
}

// analysed returns the terms of a chunk with its title and headings, between spaces: the other
// engines index what this product's analysis made of the text.
func analysed(title string, c corpus.Chunk) string {
	var out strings.Builder
	for _, text := range append([]string{title, c.Text}, c.HeadingPath...) {
		for _, t := range analysis.Tokens(text) {
			if !t.Stop {
				out.WriteString(plain(t.Term))
				out.WriteByte(' ')
			}
		}
	}
	return out.String()
}

// plain writes a term in letters and digits alone, so that no engine cuts it.
func plain(term string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r < '0' || r > '9') && (r < 'a' || r > 'z') {
			return 'q'
		}
		return r
	}, term)
}
