package parse

import (
	"context"
	"errors"
	"path"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/docx"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
	"github.com/kaoju/kaoju/internal/parse/pptx"
	"github.com/kaoju/kaoju/internal/parse/xlsx"
	"github.com/kaoju/kaoju/internal/problem"
)

// reader reads a format from its bytes. A file that it can't read is an *ooxml.Refusal or
// problem.Invalid, whose words continue "The file NAME …"; one with more in it than the limits allow
// is layout.ErrFull.
type reader func(ctx context.Context, l Limits, data []byte) (corpus.Parsed, error)

// finder opens a place in a format that is read from its bytes, with the errors of a reader; false if
// there is no such place.
type finder func(ctx context.Context, l Limits, data []byte, place corpus.Locator) (string, bool, error)

// maxText bounds the normalised text of a document whose text is packed, in bytes.
const maxText = 20 << 20

func (l Limits) layout() layout.Limits { return layout.Limits{Places: l.Places, Bytes: maxText} }

func readDOCX(ctx context.Context, l Limits, data []byte) (corpus.Parsed, error) {
	return docx.Parse(ctx, data, docx.Options{
		Layout: l.layout(),
		Embedded: func(name string, data []byte) (corpus.Parsed, error) {
			kind := byExtension(path.Ext(name))
			if kind == nil || kind.text == nil {
				return corpus.Parsed{}, Refuse(name, "unknown_type", "is of a type that is not read inside a document")
			}
			r, err := l.Parse(ctx, File{Name: name, Data: data})
			return r.Parsed, err
		},
	})
}

func readXLSX(ctx context.Context, l Limits, data []byte) (corpus.Parsed, error) {
	return xlsx.Parse(ctx, data, xlsx.Options{Layout: l.layout()})
}

func readPPTX(ctx context.Context, l Limits, data []byte) (corpus.Parsed, error) {
	return pptx.Parse(ctx, data, pptx.Options{Layout: l.layout()})
}

// document reads a file of a format that is no text.
func (l Limits) document(ctx context.Context, kind *format, f File) (corpus.Parsed, error) {
	p, err := kind.read(ctx, l, f.Data)
	return p, l.named(f, err)
}

// named puts the file's name into what a reader or finder says.
func (l Limits) named(f File, err error) error {
	var r *ooxml.Refusal
	var p *problem.Error
	switch {
	case errors.As(err, &r):
		return Refuse(f.Name, r.Code, "%s", r.Cause)
	case errors.Is(err, layout.ErrFull):
		return tooMany(f.Name, l)
	case errors.As(err, &p) && p.Kind == problem.Invalid:
		return Refuse(f.Name, p.Code, "%s", p.Detail)
	}
	return err
}

// find opens a locator in a file of such a format: by reading it again, and picking the pieces that
// are at that place.
func (l Limits) find(ctx context.Context, kind *format, f File, place corpus.Locator) (string, bool, error) {
	if kind.find != nil {
		text, ok, err := kind.find(ctx, l, f.Data, place)
		return text, ok, l.named(f, err)
	}
	p, err := l.document(ctx, kind, f)
	if err != nil {
		return "", false, err
	}
	var segments []corpus.Segment
	for _, b := range p.Blocks {
		segments = append(segments, b.Segments...)
	}
	span, ok := corpus.Find(segments, place)
	if !ok {
		return "", false, nil
	}
	from, _ := runeOffset(p.Text, span.Start)
	length, _ := runeOffset(p.Text[from:], span.Len())
	return p.Text[from : from+length], true, nil
}
