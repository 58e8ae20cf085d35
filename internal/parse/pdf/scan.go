package pdf

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/ocr"
)

// Notices that a document with pages without text can be left with.
const (
	// Recognised says that text was recognised on pictures of pages, and may hold errors.
	Recognised = "ocr_text"
	// Uncertain says that the program which did so was unsure of much of it.
	Uncertain = "ocr_uncertain"
	// Unrecognised says that pages which may hold text were not read: they took too long, or failed.
	Unrecognised = "ocr_page_failed"
)

// perInch is how large a page is drawn to be read, in pixels to an inch, unless it is too large for that.
const perInch = 200

// How sure the program must be: of a word to keep it, of the words of a page on the whole to keep any of
// them, since a page upside down gives words too, and of those of a document to say nothing of it.
const (
	keepAbove    = 30
	readAbove    = 70
	certainAbove = 80
)

// scanner reads pages that are pictures.
type scanner struct {
	ocr    *ocr.Engine
	spent  time.Duration
	failed bool
	sure   float64 // sum over the characters that were kept
	chars  int
	left   int // characters that were not kept
}

// scan puts what stands on the picture of a page without text into its sheet.
func (s *session) scan(ctx context.Context, into *sheet) error {
	if len(into.glyphs) > 0 || !s.scanner.ocr.Ready(ctx) {
		return ctx.Err()
	}
	return s.scanner.page(ctx, into, func() (image.Image, [2]float32, error) {
		return s.doc.draw(into.number, int(into.size[0]*perInch/72))
	})
}

// page reads a page that is drawn for it, and counts the time of both. When the time of a file is over, no page is drawn.
func (c *scanner) page(ctx context.Context, into *sheet, draw func() (image.Image, [2]float32, error)) error {
	if c.spent >= c.ocr.FileTime() {
		c.failed = true
		return nil
	}
	began := time.Now()
	defer func() { c.spent += time.Since(began) }()
	img, size, err := draw()
	if err != nil {
		c.failed = true
		return nil
	}
	return c.fill(ctx, into, img, size)
}

// fill puts what stands on a picture into a sheet. A picture that can't be read leaves the sheet as it is.
func (c *scanner) fill(ctx context.Context, into *sheet, img image.Image, size [2]float32) error {
	glyphs, err := c.read(ctx, img, size)
	if errors.Is(err, ocr.ErrFailed) && ctx.Err() == nil {
		c.failed = true
		return nil
	}
	into.glyphs = glyphs
	return err
}

// Image reads what stands on a picture that is a file of its own, as on a page of which each pixel is a
// two-hundredth of an inch. Without a program that recognises characters, nothing stands on it.
func (e *Engine) Image(ctx context.Context, img image.Image, limits Limits) (corpus.Parsed, error) {
	c := scanner{ocr: e.OCR}
	if !c.ocr.Ready(ctx) {
		return corpus.Parsed{}, ctx.Err()
	}
	b := img.Bounds()
	s := &sheet{number: 1, size: [2]float32{float32(b.Dx()) * 72 / perInch, float32(b.Dy()) * 72 / perInch}}
	if err := c.fill(ctx, s, img, s.size); err != nil {
		return corpus.Parsed{}, err
	}
	column := 0
	out := writer{sheets: []place{{size: s.size}}, notices: c.notices()}
	if err := out.take(s.lines(&column), limits.orDefault()); err != nil {
		return corpus.Parsed{}, err
	}
	return out.parsed(), nil
}

// Pixels returns boxes of such a picture in its pixels.
func Pixels(boxes []corpus.Box) []corpus.Box {
	out := make([]corpus.Box, len(boxes))
	for i, b := range boxes {
		for j, v := range b {
			out[i][j] = float32(math.Round(float64(v) * perInch / 72))
		}
	}
	return out
}

// read returns the glyphs of the words on a picture of a page of some size in points.
func (c *scanner) read(ctx context.Context, img image.Image, size [2]float32) ([]glyph, error) {
	ink := grey(img)
	if ink == nil {
		return nil, nil
	}
	var picture bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&picture, ink); err != nil {
		return nil, err
	}
	scale := size[0] / float32(ink.Rect.Dx())
	words, err := c.ocr.Words(ctx, picture.Bytes(), int(72/scale))
	if err != nil {
		return nil, err
	}
	sure, chars := certainty(words)
	if chars > 0 && sure < readAbove*float64(chars) {
		return nil, ocr.ErrFailed
	}
	words = slices.DeleteFunc(evened(words), func(w ocr.Word) bool { return w.Confidence < keepAbove })
	kept, n := certainty(words)
	c.sure, c.chars, c.left = c.sure+kept, c.chars+n, c.left+chars-n
	return letters(words, scale), nil
}

// evened gives words of scripts without spaces that follow each other on a line one confidence: that of all their
// characters. Where one of them ends and the next begins is the program's guess, and a single character of which it is
// said to be unsure is often right; without it the line would say something else.
func evened(words []ocr.Word) []ocr.Word {
	joined := func(w ocr.Word) bool { return !strings.ContainsFunc(w.Text, func(r rune) bool { return !eastern(r) }) }
	for i := 0; i < len(words); {
		n := i + 1
		for n < len(words) && joined(words[i]) && joined(words[n]) && words[n].Line == words[i].Line {
			n++
		}
		sum, chars := certainty(words[i:n])
		for k := range words[i:n] {
			words[i+k].Confidence = sum / float64(max(1, chars))
		}
		i = n
	}
	return words
}

// certainty returns how sure the program is of words, summed over their characters, and how many these are.
func certainty(words []ocr.Word) (sum float64, chars int) {
	for _, w := range words {
		n := utf8.RuneCountInString(w.Text)
		sum += w.Confidence * float64(n)
		chars += n
	}
	return sum, chars
}

// notices says how text came to be here that the document does not hold as such.
func (c *scanner) notices() (out []string) {
	if c.chars > 0 {
		out = append(out, Recognised)
	}
	if c.chars > 0 && (c.sure/float64(c.chars) < certainAbove || c.left*10 > c.chars) {
		out = append(out, Uncertain)
	}
	if c.failed {
		out = append(out, Unrecognised)
	}
	return out
}

// grey returns a picture without its colours; nil for one of a single colour, on which nothing stands.
func grey(img image.Image) *image.Gray {
	b := img.Bounds()
	out := image.NewGray(image.Rect(0, 0, b.Dx(), b.Dy()))
	for y := range b.Dy() {
		for x := range b.Dx() {
			out.Set(x, y, img.At(b.Min.X+x, b.Min.Y+y))
		}
	}
	if len(out.Pix) == 0 || bytes.Count(out.Pix, out.Pix[:1]) == len(out.Pix) {
		return nil
	}
	return out
}

// letters makes glyphs of words, each of which has an equal share of its word's width and the height of its
// line. Lines of about one height have one size: how high a line is depends on its letters.
func letters(words []ocr.Word, scale float32) []glyph {
	usual := usualHeight(words)
	styles := map[float32]*style{}
	styled := func(height float32) *style {
		if height > 0.7*usual && height < 1.5*usual {
			height = usual
		}
		size := half(height * scale)
		if styles[size] == nil {
			styles[size] = &style{size: size}
		}
		return styles[size]
	}
	var out []glyph
	for _, w := range words {
		runes := []rune(w.Text)
		left, width := float32(w.Box[0]), float32(w.Box[2]-w.Box[0])/float32(len(runes))
		style := styled(float32(w.Line[3] - w.Line[1]))
		for i, r := range runes {
			at := left + width*float32(i)
			out = append(out, glyph{
				r: r, style: style, space: i == 0,
				box: corpus.Box{at * scale, float32(w.Line[1]) * scale, (at + width) * scale, float32(w.Line[3]) * scale},
			})
		}
	}
	return out
}

// usualHeight returns the height of the line that the middle character stands in.
func usualHeight(words []ocr.Word) float32 {
	var heights []int
	for _, w := range words {
		for range utf8.RuneCountInString(w.Text) {
			heights = append(heights, w.Line[3]-w.Line[1])
		}
	}
	if len(heights) == 0 {
		return 0
	}
	slices.Sort(heights)
	return float32(heights[len(heights)/2])
}
