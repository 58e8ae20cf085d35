// Package parse turns the bytes of an original into normalised text with structure and places.
//
// Parse decides the format. Of a format that is text it decides the encoding too, and hands the
// decoded source to its parser; an office document is read from its bytes. For Markdown and plain
// text the normalised text is the decoded source itself, so every span is also
// a place in the source. For HTML and CSV the text is rendered, and each piece of it carries the
// range of source characters that it was made from. In an office document a piece is a paragraph or a cell, and
// its place is what a person would call it. Resolve goes the other way: from a locator and
// the original bytes back to the text that stands there.
//
// A file that cannot be read is problem.Invalid with one of the codes empty_document,
// unknown_type, content_mismatch, undecodable, too_large, too_deep, of an office document or a book
// document_encrypted, archive_… or xml_…, or of a picture image_limit or image_malformed; the detail names the file and the cause.
package parse

import (
	"bytes"
	"context"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// Notices that a parser can leave on a document.
const (
	// NoTextLayer says that the file was readable but holds no text.
	NoTextLayer = "no_text_layer"
	// EncodingRepaired says that a few bytes did not fit the encoding and stand as U+FFFD.
	EncodingRepaired = "encoding_repaired"
)

// File is an original on its way in. Name tells the format by its extension and is used in
// messages; MediaType, as the client declared it, is a hint for names without an extension.
type File struct {
	Name string
	// MediaType tells the format of a file whose name has no extension. Its charset is that of a text that neither
	// begins with a byte order mark nor declares an encoding itself, if the text can be in it.
	MediaType string
	Data      []byte
}

// Result is what a file was found to be, and its content.
type Result struct {
	Parsed corpus.Parsed
	// MediaType is the one that was found, with a charset only where the file is not UTF-8.
	MediaType string
	// Format is the kind word of the format's locators, such as "md" or "docx".
	Format string
	// Encoding is the name of the encoding in lower case, such as "utf-8", "utf-16-le", "gbk"; ""
	// for a format that is no text.
	Encoding string
}

// MaxBytes bounds an original that is read as text, unless Limits say otherwise.
const MaxBytes = 32 << 20

// MaxPlaces is the default bound on the places of one file. A place costs up to 250 bytes when
// parsed and about 2 KB at the peak from reading to publishing: with MaxPlaces and MaxBytes, one
// file stays under about 512 MiB of memory.
const MaxPlaces = 200_000

// Limits bound what one file may cost. A zero field means its default.
type Limits struct {
	Bytes int // size of the original; default MaxBytes, and MaxPDFBytes or MaxBookBytes for those
	// Places bounds the lines, cells and pieces with a place of their own; default MaxPlaces. A
	// place that repeats long names, such as the headings above it, counts for several.
	Places int
}

func (l Limits) orDefault() Limits {
	if l.Places <= 0 {
		l.Places = MaxPlaces
	}
	return l
}

// Reader reads files: Limits does in this process, a worker.Pool in processes of their own.
type Reader interface {
	// Parse reads a file. It stops with the context's error when that ends.
	Parse(ctx context.Context, f File) (Result, error)
	// Resolve opens a place in the original again, as the function Resolve says.
	Resolve(ctx context.Context, f File, loc corpus.Locator) (string, error)
	// Contents calls yield for each file that is in a file, in order, and stops at its first error. A format
	// that holds no others has none. The errors are those of Parse.
	Contents(ctx context.Context, f File, yield func(Content) error) error
}

var _ Reader = Limits{}

// Parse reads a file within the default limits.
func Parse(ctx context.Context, f File) (Result, error) { return Limits{}.Parse(ctx, f) }

// Parse reads a file. It stops with the context's error when that ends.
func (l Limits) Parse(ctx context.Context, f File) (Result, error) {
	l = l.orDefault()
	kind, err := l.admit(ctx, f)
	if err != nil {
		return Result{}, err
	}
	r := Result{MediaType: kind.media, Format: kind.word}
	if kind.text != nil {
		err = l.parseText(ctx, kind, f, &r)
	} else {
		r.Parsed, err = l.document(ctx, kind, f)
	}
	if err != nil {
		return Result{}, err
	}
	if len(r.Parsed.Blocks) == 0 && kind.word != FormatZIP {
		r.Parsed.Notices = append([]string{NoTextLayer}, r.Parsed.Notices...)
	}
	r.Parsed.Language = language(r.Parsed)
	return r, nil
}

// Markdown reads a text that is Markdown and no file, such as what a model wrote, within the default
// limits.
func Markdown(ctx context.Context, text string) (corpus.Parsed, error) {
	return parseMarkdown(&source{
		ctx: ctx, limits: Limits{}.orDefault(), name: "text.md", format: byExtension(".md"), decoded: decoded{text: text, encoding: "utf-8"},
	})
}

// parseText reads a file of a format that is text.
func (l Limits) parseText(ctx context.Context, kind *format, f File, r *Result) error {
	src, err := l.open(ctx, kind, f)
	if err != nil {
		return err
	}
	if r.Parsed, err = kind.text.parse(src); err != nil {
		return err
	}
	if src.repaired {
		r.Parsed.Notices = append(r.Parsed.Notices, EncodingRepaired)
	}
	r.Encoding = src.encoding
	if src.encoding != "utf-8" {
		r.MediaType += "; charset=" + src.encoding
	}
	return nil
}

// Resolve opens a locator in the original again and returns the text that stands there, as Parse
// renders it: for the locator of any segment, exactly the segment's text; for a locator that
// covers several, everything from the first to the last. A locator that does not fit the file is
// problem.Invalid "invalid_locator".
func Resolve(ctx context.Context, f File, loc corpus.Locator) (string, error) {
	return Limits{}.Resolve(ctx, f, loc)
}

// Resolve opens a place within the limits; see the function Resolve.
func (l Limits) Resolve(ctx context.Context, f File, loc corpus.Locator) (string, error) {
	l = l.orDefault()
	kind, err := l.admit(ctx, f)
	if err != nil {
		return "", err
	}
	text, ok := "", false
	switch {
	case loc == nil || loc.Kind() != kind.word:
	case kind.text != nil:
		text, ok, err = l.resolveText(ctx, kind, f, loc)
	default:
		text, ok, err = l.find(ctx, kind, f, loc)
	}
	if err == nil && !ok {
		return "", badLocator(f)
	}
	return text, err
}

func (l Limits) resolveText(ctx context.Context, kind *format, f File, loc corpus.Locator) (string, bool, error) {
	src, err := l.open(ctx, kind, f)
	if err != nil {
		return "", false, err
	}
	var char [2]int
	switch at := loc.(type) {
	case corpus.TextLocator:
		char = at.Char
	case corpus.CSVLocator:
		char = at.Char
	}
	if char[0] < 0 || char[0] > char[1] {
		return "", false, nil
	}
	return kind.text.resolve(src, char)
}

func badLocator(f File) error {
	return problem.New(problem.Invalid, "invalid_locator", "The place does not lie in the file %s.", quoted(f.Name))
}

// source is a decoded original.
type source struct {
	ctx    context.Context
	limits Limits
	name   string
	format *format
	decoded
}

// admit checks what is checked of any file before it is read, and returns its format.
func (l Limits) admit(ctx context.Context, f File) (*format, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	kind := formatOf(f.Name, f.MediaType)
	switch {
	case kind == nil:
		return nil, Refuse(f.Name, "unknown_type", "is of a type that is not supported")
	case len(f.Data) == 0:
		return nil, Refuse(f.Name, "empty_document", "is empty: it has no bytes")
	case len(f.Data) > kind.most(l):
		return nil, Refuse(f.Name, "too_large", "has %d bytes, more than the %d that are allowed", len(f.Data), kind.most(l))
	}
	return kind, nil
}

// open decodes a file of a format that is text.
func (l Limits) open(ctx context.Context, kind *format, f File) (*source, error) {
	if what := binary(f.Data); what != "" {
		return nil, Refuse(f.Name, "content_mismatch", "has a name for %s, but its content is %s", kind.title, what)
	}
	d, ok := decode(f.Data, kind.declared(f))
	switch {
	case !ok && bytes.IndexByte(f.Data, 0) < 0:
		return nil, Refuse(f.Name, "undecodable", "is not text in any encoding that is known here")
	case !ok || strings.IndexByte(d.text, 0) >= 0 || mostlyControl(d.text):
		return nil, Refuse(f.Name, "content_mismatch", "has a name for %s, but its content is binary data", kind.title)
	}
	return &source{ctx: ctx, limits: l, name: f.Name, format: kind, decoded: d}, nil
}

// tooMany is the error for a file with more places than the limit.
func (s *source) tooMany() error { return tooMany(s.name, s.limits) }

func tooMany(name string, l Limits) error {
	return Refuse(name, "too_large", "has more lines, cells or elements, with the names above them, than the %d that are allowed", l.Places)
}

// resolveSource returns the characters of the decoded source in the range.
func resolveSource(s *source, char [2]int) (string, bool, error) {
	from, ok := runeOffset(s.text, char[0])
	if !ok {
		return "", false, nil
	}
	length, ok := runeOffset(s.text[from:], char[1]-char[0])
	if !ok {
		return "", false, nil
	}
	return s.text[from : from+length], true, nil
}

// runeOffset returns the byte offset of the n-th code point; false if the text is shorter.
func runeOffset(text string, n int) (int, bool) {
	b := 0
	for ; n > 0 && b < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[b:])
		b += size
	}
	return b, n == 0
}
