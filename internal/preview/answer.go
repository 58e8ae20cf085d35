package preview

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
)

// Answer returns what a model wrote as HTML, by the renderer and the sanitiser of documents. What is
// markup is left out, and there are no places: nobody cites an answer. A link is its text with its
// address behind it, in a span of the class doc-address. A text that holds more lines than a
// document may is problem.Invalid "too_large".
func Answer(ctx context.Context, markdown string) (string, error) {
	parsed, err := parse.Markdown(ctx, strings.ToValidUTF8(markdown, "\ufffd"))
	if err != nil {
		return "", err
	}
	d := document{text: parsed.Text, blocks: parsed.Blocks, total: utf8.RuneCountInString(parsed.Text)}
	r := newRenderer(d, corpus.Span{End: d.total})
	r.bare = true
	r.document()
	return sanitise(r.String()), nil
}
