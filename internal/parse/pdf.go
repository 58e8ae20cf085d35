package parse

import (
	"context"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/pdf"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sketch"
)

// MaxPDFBytes bounds a PDF document, most of which is pictures and fonts.
const MaxPDFBytes = 64 << 20

// documents is the one engine of this process for PDF documents.
var documents pdf.Engine

// PDF returns the engine that reads PDF documents, to be set up before the first one comes, warmed,
// and closed.
func PDF() *pdf.Engine { return &documents }

func readPDF(ctx context.Context, l Limits, data []byte) (corpus.Parsed, error) {
	return documents.Parse(ctx, data, pdf.Limits{Lines: l.Places})
}

// findPDF opens a place on a page, which may be some words of a line.
func findPDF(ctx context.Context, l Limits, data []byte, place corpus.Locator) (string, bool, error) {
	at, ok := place.(corpus.PDFLocator)
	if !ok {
		return "", false, nil
	}
	return documents.Resolve(ctx, data, pdf.Limits{Lines: l.Places}, at)
}

// Picture is a page of a document as it is seen.
type Picture = pdf.Picture

// Painter draws pages and sheets: Limits does in this process, a worker.Pool in processes of their own.
type Painter interface {
	// Picture draws a page, counted from 1, about so many pixels wide: at most as many, and fewer where the
	// picture would have more pixels in all than is allowed. A picture is its own only page, and is not made
	// larger; its size is in its own pixels. A file that has no such page, or that is of a format
	// without pages, is problem.NotFound, with how many pages there are if somebody looked; a page that can't be drawn is problem.Invalid "page_unreadable"; the
	// others are the errors of Parse.
	Picture(ctx context.Context, f File, page, width int) (Picture, error)
	// Sketch draws a sheet of a drawing; nil means the first. A file that has no such sheet, or is no drawing, is
	// problem.NotFound, with the sheets that there are if somebody looked; the others are the errors of Parse.
	Sketch(ctx context.Context, f File, sheet *sketch.Sheet) (sketch.Sketch, error)
}

var _ Painter = Limits{}

// Picture implements Painter.
func (l Limits) Picture(ctx context.Context, f File, page, width int) (Picture, error) {
	word := FormatOf(f)
	if word != FormatPDF && (word != FormatImage || page != 1) {
		return Picture{}, problem.Missing()
	}
	l = l.orDefault()
	if _, err := l.admit(ctx, f); err != nil {
		return Picture{}, err
	}
	if word == FormatImage {
		p, err := shown(f.Data, width)
		return p, l.named(f, err)
	}
	p, err := documents.Picture(ctx, f.Data, pdf.Limits{Lines: l.Places}, page, width)
	return p, l.named(f, err)
}
