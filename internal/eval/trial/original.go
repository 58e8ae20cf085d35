package trial

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/seal"
)

// original looks for a passage in the bytes that its document came as: at the place that it names,
// under the checksum that the document has.
func (y *try) original(ctx context.Context, e citation.Evidence) {
	wrong := func(code, format string, args ...any) {
		y.fault(eval.Traceability, code, "[%s] "+format, append([]any{e.Ref}, args...)...)
	}
	if seal.Hash(e.Nonce, e.Excerpt) != e.Hash {
		wrong("excerpt_hash", "does not have the hash that it was stored under")
	}
	doc, err := y.truth(ctx, e.Document)
	if err != nil {
		wrong("no_such_document", "names %s, which is not in the store", e.Document)
		return
	}
	if doc.Version != e.Version || doc.Key != e.Key {
		wrong("mislabelled", "calls itself version %d of %s and is version %d of %s", e.Version, e.Key, doc.Version, doc.Key)
	}
	data, err := y.bytes(ctx, doc)
	if err != nil {
		wrong("no_original", "the original of %s can't be read: %s", doc.ID, said(err))
		return
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != string(doc.Checksum) {
		wrong("checksum", "the original of %s does not have its checksum", doc.ID)
		return
	}
	file := parse.File{Name: string(doc.Key), MediaType: doc.MediaType, Data: data}
	if !parse.Supported(file.Name) {
		file.Name = ""
	}
	var reader parse.Reader = parse.Limits{}
	if y.Originals != nil {
		reader = y.Originals
	}
	if !stands(ctx, reader, file, e) {
		wrong("place", "is not what stands in the original of %s at its place", doc.ID)
	}
}

func (t *trial) bytes(ctx context.Context, doc corpus.Document) ([]byte, error) {
	body, err := t.Blobs.Open(ctx, doc.Checksum)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(io.LimitReader(body, doc.Size+1))
}

// stands reports whether an excerpt is what its locators lead to: each part at its own place, and
// nothing but white space and the marks between parts beside them.
func stands(ctx context.Context, reader parse.Reader, file parse.File, e citation.Evidence) bool {
	runes := []rune(e.Excerpt)
	covered := make([]bool, len(runes))
	for _, s := range e.Segments {
		from, to := max(0, s.Span.Start-e.Span.Start), min(len(runes), s.Span.End-e.Span.Start)
		if from >= to {
			continue
		}
		there, err := reader.Resolve(ctx, file, s.Locator)
		if err != nil || !strings.Contains(there, string(runes[from:to])) {
			return false
		}
		for i := from; i < to; i++ {
			covered[i] = true
		}
	}
	letters, loose := 0, 0
	for i, r := range runes {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters++
			if !covered[i] {
				loose++
			}
		}
	}
	if loose == 0 && letters > 0 {
		return true
	}
	// A passage without exact places for its parts has one for all of it.
	there, err := reader.Resolve(ctx, file, e.Locator)
	return err == nil && strings.Contains(dense(there), dense(e.Excerpt))
}

func dense(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}
