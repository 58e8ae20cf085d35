package pdf

import (
	"context"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/progress"
	"github.com/kaoju/kaoju/internal/problem"
)

// Notices that a document can be left with.
const (
	// PageLimit says that the pages after the limit were not read.
	PageLimit = "pdf_page_limit"
	// PageFailed says that some page could not be read.
	PageFailed = "pdf_page_failed"
	// ContentLimit says that some page holds more than is read of one, so that text of it may be missing.
	ContentLimit = "pdf_content_limit"
)

// Limits bound what one document may cost. A zero field means its default.
type Limits struct {
	Pages  int // that are read; default 2,000
	Lines  int // and cells of tables, one by one; default 200,000
	Stream int // bytes of one stream of drawing, unpacked; default 32 MiB

	Glyphs  int // of one page; default 100,000
	Objects int // of one page, or of a form on it, that are looked at; default 20,000
}

func (l Limits) orDefault() Limits {
	if l.Pages <= 0 {
		l.Pages = 2000
	}
	if l.Lines <= 0 {
		l.Lines = 200_000
	}
	if l.Stream <= 0 {
		l.Stream = 32 << 20
	}
	if l.Glyphs <= 0 {
		l.Glyphs = 100_000
	}
	if l.Objects <= 0 {
		l.Objects = 20_000
	}
	return l
}

// Parse reads a document. What can't be read is problem.Invalid with one of the codes
// content_mismatch, pdf_malformed, document_encrypted, stream_limit, too_large; the detail continues
// "The file NAME …". The context is looked at between pages: a call into PDFium can't be stopped.
func (e *Engine) Parse(ctx context.Context, data []byte, limits Limits) (corpus.Parsed, error) {
	limits = limits.orDefault()
	if err := admit(ctx, data, limits.Stream); err != nil {
		return corpus.Parsed{}, err
	}
	s := session{engine: e, data: data, scanner: scanner{ocr: e.OCR}}
	defer s.close()
	if err := s.open(ctx); err != nil {
		return corpus.Parsed{}, err
	}
	out := writer{outline: s.doc.outline(), title: s.doc.title()}
	if err := s.open(ctx); err != nil { // a fault in the bookmarks or the title costs only these
		return corpus.Parsed{}, err
	}
	if err := s.read(ctx, limits, &out); err != nil {
		return corpus.Parsed{}, err
	}
	s.close() // What PDFium holds of a long document is not needed beside what is made of it.
	p := out.parsed()
	if len(p.Blocks) == 0 && damaged(data) {
		return corpus.Parsed{}, malformed("is damaged, and no text of it could be saved")
	}
	return p, nil
}

// session reads one document, with another machine where one broke.
type session struct {
	engine  *Engine
	data    []byte
	machine *machine
	doc     *document
	broken  int
	scanner scanner
}

// maxBroken is how many machines a document may break.
const maxBroken = 3

// open makes sure that the document is open in a machine that works.
func (s *session) open(ctx context.Context) error {
	if s.machine != nil && s.machine.err == nil {
		return nil
	}
	if s.machine != nil {
		s.close()
		if s.broken++; s.broken >= maxBroken {
			return malformed("breaks the reader of PDF documents again and again")
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	var err error
	if s.machine, err = s.engine.machine(ctx); err != nil {
		if ctx.Err() != nil { // nobody waits for it any more; PDFium is well
			return ctx.Err()
		}
		return problem.Wrap(err, problem.Unavailable, "pdf_unavailable", "PDF documents can't be read at the moment.")
	}
	s.doc, err = s.machine.open(s.data)
	return err
}

func (s *session) close() {
	if s.machine != nil {
		_ = s.machine.close() // Nothing of it is used again.
		s.machine, s.doc = nil, nil
	}
}

func (s *session) read(ctx context.Context, limits Limits, out *writer) error {
	pages := s.doc.pages
	if pages > limits.Pages {
		pages = limits.Pages
		out.notices = append(out.notices, PageLimit)
	}
	failed, column, cut := 0, 0, false
	for n := 1; n <= pages; n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		sheet, err := s.doc.read(n, limits)
		if err != nil {
			failed++
			sheet = blank()
		} else if err := s.scan(ctx, sheet); err != nil {
			return err
		}
		cut = cut || sheet.cut
		out.sheets = append(out.sheets, place{sheet.label, sheet.size})
		if err := out.take(sheet.lines(&column), limits); err != nil {
			return err
		}
		if err := s.open(ctx); err != nil {
			return err
		}
		progress.Tell(ctx, n, pages)
	}
	if failed == pages {
		return malformed("has no page that can be read")
	}
	if failed > 0 {
		out.notices = append(out.notices, PageFailed)
	}
	out.notices = append(out.notices, s.scanner.notices()...)
	if cut {
		out.notices = append(out.notices, ContentLimit)
	}
	return nil
}

// blank stands for a page that can't be read.
func blank() *sheet { return &sheet{} }

// Resolve returns the text that stands at a place, as Parse writes it: for the place of a segment
// exactly its text, for a wider one everything from its first word to its last. False means that
// there is no text at this place.
func (e *Engine) Resolve(ctx context.Context, data []byte, limits Limits, at corpus.PDFLocator) (string, bool, error) {
	p, err := e.Parse(ctx, data, limits)
	if err != nil {
		return "", false, err
	}
	text := []rune(p.Text)
	span := corpus.Span{Start: -1}
	for _, b := range p.Blocks {
		for _, s := range b.Segments {
			l, ok := s.Locator.(corpus.PDFLocator)
			if !ok || l.Page < at.Page || l.Page > max(at.Page, at.PageEnd) {
				continue
			}
			if l.Page == at.Page && slices.Equal(l.Boxes, at.Boxes) && at.PageEnd == 0 {
				return string(text[s.Span.Start:s.Span.End]), true, nil
			}
			if part, ok := within(text, s, l, at); ok {
				if span.Start < 0 {
					span.Start = part.Start
				}
				span.End = part.End
			}
		}
	}
	if span.Start < 0 {
		return "", false, nil
	}
	return string(text[span.Start:span.End]), true, nil
}

// within returns the words of a segment whose middle lies in a box of the place.
func within(text []rune, s corpus.Segment, l, at corpus.PDFLocator) (corpus.Span, bool) {
	if l.Page > at.Page {
		return s.Span, true
	}
	words := strings.Fields(string(text[s.Span.Start:s.Span.End]))
	out := corpus.Span{Start: -1}
	from := s.Span.Start
	for i, w := range words {
		end := from + len([]rune(w))
		if i < len(l.Boxes) {
			x, y := center(l.Boxes[i])
			if slices.ContainsFunc(at.Boxes, func(b corpus.Box) bool {
				return b.Holds(x, y, 0.1) || l.Boxes[i].Holds((b[0]+b[2])/2, (b[1]+b[3])/2, 0)
			}) {
				if out.Start < 0 {
					out.Start = from
				}
				out.End = end
			}
		}
		from = end + 1
	}
	return out, out.Start >= 0
}
