package parse

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/tiff"
	"golang.org/x/image/webp"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
	"github.com/kaoju/kaoju/internal/parse/pdf"
)

// The bounds of a picture: pixels along one side, and all of them.
const (
	maxSide   = 20_000
	maxPixels = 25_000_000
)

// graphic is how pictures of one kind are read.
type graphic struct {
	magic  []string // what a file begins with
	config func(*bytes.Reader) (image.Config, error)
	decode func(*bytes.Reader) (image.Image, error)
}

func pngs() graphic {
	return graphic{
		magic:  []string{"\x89PNG\r\n\x1a\n"},
		config: func(r *bytes.Reader) (image.Config, error) { return png.DecodeConfig(r) },
		decode: func(r *bytes.Reader) (image.Image, error) { return png.Decode(r) },
	}
}

func jpegs() graphic {
	return graphic{
		magic:  []string{"\xff\xd8\xff"},
		config: func(r *bytes.Reader) (image.Config, error) { return jpeg.DecodeConfig(r) },
		decode: func(r *bytes.Reader) (image.Image, error) { return jpeg.Decode(r) },
	}
}

func tiffs() graphic {
	return graphic{
		magic:  []string{"II*\x00", "MM\x00*"},
		config: func(r *bytes.Reader) (image.Config, error) { return tiff.DecodeConfig(r) },
		decode: func(r *bytes.Reader) (image.Image, error) { return tiff.Decode(r) },
	}
}

func webps() graphic {
	return graphic{
		magic:  []string{"RIFF"},
		config: func(r *bytes.Reader) (image.Config, error) { return webp.DecodeConfig(r) },
		decode: func(r *bytes.Reader) (image.Image, error) { return webp.Decode(r) },
	}
}

// read reads what stands on a picture, if there is a program that recognises it. Its size is known before
// anything is decoded.
func (g graphic) read(ctx context.Context, l Limits, data []byte) (corpus.Parsed, error) {
	known := false
	for _, m := range g.magic {
		known = known || bytes.HasPrefix(data, []byte(m))
	}
	if !known {
		return corpus.Parsed{}, ooxml.Refuse("content_mismatch", "has a name for a picture, but its content is something else")
	}
	c, err := g.config(bytes.NewReader(data))
	switch {
	case err != nil:
		return corpus.Parsed{}, damagedPicture()
	case c.Width <= 0 || c.Height <= 0 || c.Width > maxSide || c.Height > maxSide || c.Width > maxPixels/c.Height:
		return corpus.Parsed{}, ooxml.Refuse("image_limit", "is a picture of %d by %d pixels, more than the %d that are allowed", c.Width, c.Height, maxPixels)
	}
	img, err := g.decode(bytes.NewReader(data))
	if err != nil {
		return corpus.Parsed{}, damagedPicture()
	}
	p, err := documents.Image(ctx, img, pdf.Limits{Lines: l.Places})
	if err != nil {
		return corpus.Parsed{}, err
	}
	size := [2]float32{float32(c.Width), float32(c.Height)}
	for _, b := range p.Blocks {
		for i, s := range b.Segments {
			at, _ := s.Locator.(corpus.PDFLocator)
			b.Segments[i].Locator = corpus.ImageLocator{Boxes: pdf.Pixels(at.Boxes), Size: size}
		}
	}
	return p, nil
}

func damagedPicture() error {
	return ooxml.Refuse("image_malformed", "is damaged: its picture can't be decoded")
}
