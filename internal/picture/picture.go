// Package picture gives pages of documents as they are seen, and marks places on them.
//
// A page is drawn by whoever reads files, in a process that holds nothing else, and its picture is kept in a
// folder for the next one who wants it. Who may see a page is decided above; what is kept can be made
// again at any time, and can be forgotten at any time.
package picture

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io"
	"log/slog"
	"math"
	"strconv"
	"time"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/preview"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sketch"
)

// The widths that a picture can have, in pixels.
const (
	MinWidth     = 200
	MaxWidth     = 2400
	DefaultWidth = 1200
)

// DefaultTime bounds how long a page is drawn.
const DefaultTime = 30 * time.Second

// maxPixels is more than whoever draws pages makes, and bounds what a picture costs here.
const maxPixels = 12_000_000

// Picture is a page as it is seen.
type Picture struct {
	PNG  []byte
	Size [2]float32 // of the page in points, in the frame of its places
}

// Album gives pictures of pages. It is safe for concurrent use.
type Album struct {
	painter parse.Painter
	folder  Folder
	time    time.Duration
	log     *slog.Logger
	drawing chan struct{}
	marking chan struct{}
	extents *extents
}

// Options say how an Album works. A zero field means its default.
type Options struct {
	Painter parse.Painter
	Folder  Folder
	// Parallel is how many pages are drawn at once, and how many are marked; default 1. What waits has not been
	// read from the disk.
	Parallel int
	Time     time.Duration
	Log      *slog.Logger // is told of faults of the folder; nil means nobody
}

// New makes an album. It touches no file.
func New(o Options) *Album {
	if o.Time <= 0 {
		o.Time = DefaultTime
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	n := max(1, o.Parallel)
	return &Album{
		painter: o.Painter, folder: o.Folder, time: o.Time, log: o.Log,
		drawing: make(chan struct{}, n), marking: make(chan struct{}, n), extents: newExtents(),
	}
}

// Page returns a page of a version, counted from 1, so many pixels wide; original is read if the page has to be
// drawn. A page that is not there, or a version without pages, is problem.NotFound; one that
// takes too long is problem.Unavailable "page_too_slow"; the others are the errors of a parse.Painter.
//
// A page that was begun is drawn to its end and kept, even if nobody waits for it any more: who turns pages
// fast asks for it again.
func (a *Album) Page(ctx context.Context, d corpus.Document, original io.Reader, number, width int) (Picture, error) {
	word := wordOf(d)
	if word != parse.FormatPDF && (word != parse.FormatImage || number > 1) || number < 1 {
		return Picture{}, problem.Missing()
	}
	name := key(string(d.Tenant), string(d.ID), string(d.Checksum), strconv.Itoa(number), strconv.Itoa(width))
	version := versionOf(d)
	return made(ctx, a, work[Picture]{
		lacks: func() bool { return a.extents.lacksPage(version, number) },
		kept:  func() (Picture, bool) { return a.folder.page(name) },
		make: func(ctx context.Context) (Picture, error) {
			f, err := file(d, original)
			if err != nil {
				return Picture{}, err
			}
			drawn, err := a.painter.Picture(ctx, f, number, width)
			a.extents.learn(version, drawn.Pages, nil)
			if p := (Picture{PNG: drawn.PNG, Size: drawn.Size}); err != nil || sound(p) {
				return p, err
			}
			return Picture{}, problem.New(problem.Invalid, "page_unreadable", "The page can't be drawn.")
		},
		keep: func(p Picture) error { return a.folder.keep(name, p) },
	})
}

// Sketch returns a sheet of a drawing as an SVG that is made here; nil means the first one. A sheet that is not there, or a
// version that is no drawing, is problem.NotFound; the rest is as for a page.
func (a *Album) Sketch(ctx context.Context, d corpus.Document, original io.Reader, sheet *sketch.Sheet) ([]byte, error) {
	word := wordOf(d)
	if word != parse.FormatDXF && (word != parse.FormatSVG || sheet != nil && *sheet != sketch.Sheet{}) {
		return nil, problem.Missing()
	}
	version := versionOf(d)
	parts := []string{"sketch", string(d.Tenant), string(d.ID), string(d.Checksum)}
	if sheet != nil {
		parts = append(parts, sheet.Name, strconv.FormatBool(sheet.Hidden))
	}
	name := key(parts...)
	return made(ctx, a, work[[]byte]{
		lacks: func() bool { return sheet != nil && a.extents.lacksSheet(version, *sheet) },
		kept:  func() ([]byte, bool) { return a.folder.get(name) },
		make: func(ctx context.Context) ([]byte, error) {
			f, err := file(d, original)
			if err != nil {
				return nil, err
			}
			drawn, err := a.painter.Sketch(ctx, f, sheet)
			a.extents.learn(version, 0, drawn.Sheets)
			if err != nil {
				return nil, err
			}
			if !drawn.Sound() {
				return nil, problem.New(problem.Invalid, "page_unreadable", "The drawing can't be drawn.")
			}
			svg, err := preview.Sketch(&drawn, word)
			return []byte(svg), err
		},
		keep: func(svg []byte) error { return a.folder.put(name, svg) },
	})
}

// work is how something is drawn that may be kept.
type work[T any] struct {
	lacks func() bool // it is known not to be there
	kept  func() (T, bool)
	make  func(context.Context) (T, error)
	keep  func(T) error
}

// at returns what is kept; problem.NotFound if it is known not to be there.
func (w work[T]) at() (p T, kept bool, err error) {
	if w.lacks() {
		return p, false, problem.Missing()
	}
	p, kept = w.kept()
	return p, kept, nil
}

// made returns what is kept, or draws it and keeps it. It is a function because methods have no parameters of types.
func made[T any](ctx context.Context, a *Album, w work[T]) (T, error) {
	var none T
	if p, ok, err := w.at(); ok || err != nil {
		return p, err
	}
	if err := enter(ctx, a.drawing); err != nil {
		return none, err
	}
	defer func() { <-a.drawing }()
	if p, ok, err := w.at(); ok || err != nil { // Who was before us wanted the same page, or one that is not there either.
		return p, err
	}
	slow := problem.New(problem.Unavailable, "page_too_slow", "The page could not be drawn in time.")
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), a.time, slow)
	defer cancel()
	p, err := w.make(ctx)
	if err != nil {
		return none, err
	}
	if err := w.keep(p); err != nil {
		a.log.Warn("a picture of a page was not kept", "error", err)
	}
	return p, nil
}

// versionOf names a version apart from every other, also from one with the same bytes.
func versionOf(d corpus.Document) string {
	return key(string(d.Tenant), string(d.ID), string(d.Checksum))
}

func wordOf(d corpus.Document) string { return parse.FormatOf(parse.File{MediaType: d.MediaType}) }

// file reads an original, under a name under which it is read as what it was found to be.
func file(d corpus.Document, original io.Reader) (parse.File, error) {
	data, err := io.ReadAll(io.LimitReader(original, d.Size+1))
	return parse.File{Name: parse.Named(string(d.Key), d.MediaType), Data: data}, err
}

// Forget removes every picture that is kept, and what is remembered of versions.
func (a *Album) Forget() error {
	a.extents.forget()
	if err := a.folder.empty(); err != nil {
		return problem.Wrap(err, problem.Unavailable, "pictures_left", "Pictures of pages could not be removed.")
	}
	return nil
}

// sound reports whether a picture is one of a bounded size: what drew it may have been led astray by the
// document.
func sound(p Picture) bool {
	c, err := png.DecodeConfig(bytes.NewReader(p.PNG))
	if err != nil || c.Width <= 0 || c.Height <= 0 || c.Width > maxPixels/c.Height {
		return false
	}
	for _, v := range p.Size {
		if !(v > 0) || math.IsInf(float64(v), 0) {
			return false
		}
	}
	return true
}

// Mark returns a picture with places on it marked. The boxes are in points, in the frame of the page; what
// lies outside of it is not seen.
func (a *Album) Mark(ctx context.Context, p Picture, boxes []corpus.Box) (Picture, error) {
	if len(boxes) == 0 {
		return p, nil
	}
	if err := enter(ctx, a.marking); err != nil {
		return Picture{}, err
	}
	defer func() { <-a.marking }()
	img, err := png.Decode(bytes.NewReader(p.PNG))
	if err != nil {
		return Picture{}, problem.Wrap(err, problem.Invalid, "page_unreadable", "The page can't be drawn.")
	}
	page := canvas(img)
	mark(page, rectangles(page.Bounds(), p.Size, boxes))
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&out, page); err != nil {
		return Picture{}, err
	}
	return Picture{PNG: out.Bytes(), Size: p.Size}, nil
}

func enter(ctx context.Context, slots chan struct{}) error {
	select {
	case slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// rectangles brings boxes from points into the pixels of a picture.
func rectangles(bounds image.Rectangle, size [2]float32, boxes []corpus.Box) []image.Rectangle {
	across, down := float64(bounds.Dx())/float64(size[0]), float64(bounds.Dy())/float64(size[1])
	out := make([]image.Rectangle, 0, len(boxes))
	for _, b := range boxes {
		r := image.Rect(
			pixel(math.Floor(float64(b[0])*across)), pixel(math.Floor(float64(b[1])*down)),
			pixel(math.Ceil(float64(b[2])*across)), pixel(math.Ceil(float64(b[3])*down)),
		)
		out = append(out, r.Intersect(bounds))
	}
	return out
}

// pixel makes a number of pixels of a float, whatever it is.
func pixel(v float64) int { return int(max(-1e6, min(1e6, v))) }
