package parse

import (
	"bytes"
	"context"
	endian "encoding/binary"
	"image"
	"image/jpeg"
	"image/png"
	"slices"

	"golang.org/x/image/draw"
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
	more   func([]byte) bool // reports pictures behind the first one, which are not read; nil for a kind that has none
}

// FurtherPictures is the notice that a file holds pictures behind its first one, which are not read.
const FurtherPictures = "further_pictures"

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
		more:   furtherTIFF,
	}
}

// furtherTIFF reports whether the first directory of a TIFF file names another one, which is that of the next picture.
func furtherTIFF(data []byte) bool {
	var order endian.ByteOrder = endian.LittleEndian
	if bytes.HasPrefix(data, []byte("MM")) {
		order = endian.BigEndian
	}
	at := func(from uint64, n uint64) []byte {
		if from+n > uint64(len(data)) {
			return nil
		}
		return data[from : from+n]
	}
	first := at(4, 4)
	if first == nil {
		return false
	}
	begin := uint64(order.Uint32(first))
	count := at(begin, 2)
	if count == nil {
		return false
	}
	next := at(begin+2+12*uint64(order.Uint16(count)), 4)
	return next != nil && order.Uint32(next) != 0
}

func webps() graphic {
	return graphic{
		magic:  []string{"RIFF"},
		config: func(r *bytes.Reader) (image.Config, error) { return webp.DecodeConfig(r) },
		decode: func(r *bytes.Reader) (image.Image, error) { return webp.Decode(r) },
	}
}

// open decodes a picture. Its size is known before anything is decoded.
func (g graphic) open(data []byte) (image.Image, error) {
	if !g.fits(data) {
		return nil, ooxml.Refuse("content_mismatch", "has a name for a picture, but its content is something else")
	}
	c, err := g.config(bytes.NewReader(data))
	switch {
	case err != nil:
		return nil, damagedPicture()
	case c.Width <= 0 || c.Height <= 0 || c.Width > maxSide || c.Height > maxSide || c.Width > maxPixels/c.Height:
		return nil, ooxml.Refuse("image_limit", "is a picture of %d by %d pixels, more than the %d that are allowed", c.Width, c.Height, maxPixels)
	}
	img, err := g.decode(bytes.NewReader(data))
	if err != nil {
		return nil, damagedPicture()
	}
	return img, nil
}

func (g graphic) fits(data []byte) bool {
	return slices.ContainsFunc(g.magic, func(m string) bool { return bytes.HasPrefix(data, []byte(m)) })
}

// read reads what stands on a picture, if there is a program that recognises it.
func (g graphic) read(ctx context.Context, l Limits, data []byte) (corpus.Parsed, error) {
	img, err := g.open(data)
	if err != nil {
		return corpus.Parsed{}, err
	}
	p, err := documents.Image(ctx, img, pdf.Limits{Lines: l.Places})
	if err != nil {
		return corpus.Parsed{}, err
	}
	if g.more != nil && g.more(data) {
		p.Notices = append(p.Notices, FurtherPictures)
	}
	size := sizeOf(img)
	for _, b := range p.Blocks {
		for i, s := range b.Segments {
			at, _ := s.Locator.(corpus.PDFLocator)
			b.Segments[i].Locator = corpus.ImageLocator{Boxes: pdf.Pixels(at.Boxes), Size: size}
		}
	}
	return p, nil
}

func sizeOf(img image.Image) [2]float32 {
	return [2]float32{float32(img.Bounds().Dx()), float32(img.Bounds().Dy())}
}

// shown returns a picture so many pixels wide, or as wide as it is if that is less, on white.
func shown(data []byte, width int) (Picture, error) {
	kinds := []graphic{pngs(), jpegs(), tiffs(), webps()}
	n := slices.IndexFunc(kinds, func(g graphic) bool { return g.fits(data) })
	if n < 0 {
		n = 0 // which says what is wrong
	}
	img, err := kinds[n].open(data)
	if err != nil {
		return Picture{}, err
	}
	size := img.Bounds().Size()
	across := max(1, min(width, size.X))
	to := image.NewRGBA(image.Rect(0, 0, across, max(1, size.Y*across/size.X)))
	draw.Draw(to, to.Rect, image.White, image.Point{}, draw.Src)
	draw.CatmullRom.Scale(to, to.Rect, img, img.Bounds(), draw.Over, nil)
	var out bytes.Buffer
	if err := png.Encode(&out, to); err != nil {
		return Picture{}, err
	}
	return Picture{PNG: out.Bytes(), Size: sizeOf(img)}, nil
}

func damagedPicture() error {
	return ooxml.Refuse("image_malformed", "is damaged: its picture can't be decoded")
}
