package parse

import (
	"context"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/pdf"
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
