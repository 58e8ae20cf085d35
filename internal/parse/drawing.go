package parse

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/dxf"
	"github.com/kaoju/kaoju/internal/parse/ooxml"
	"github.com/kaoju/kaoju/internal/parse/svg"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sketch"
)

// readDXF reads a drawing in either form.
func readDXF(ctx context.Context, l Limits, data []byte) (corpus.Parsed, error) {
	d, err := exchanged(data)
	if err != nil {
		return corpus.Parsed{}, err
	}
	p, err := dxf.Parse(ctx, d.text, l.layout())
	if err == nil && d.repaired {
		p.Notices = append(p.Notices, EncodingRepaired)
	}
	return p, err
}

// exchanged decodes a DXF drawing. One in binary form is read as the text that says the same.
func exchanged(data []byte) (decoded, error) {
	if dxf.Binary(data) {
		text, err := dxf.Text(data, 2*MaxBytes)
		if err != nil {
			return decoded{}, problem.New(problem.Invalid, "too_large", "says more than the %d bytes of text that are allowed", 2*MaxBytes)
		}
		data = text
	}
	return drawn(data)
}

func readSVG(ctx context.Context, l Limits, data []byte) (corpus.Parsed, error) {
	data, err := graphics(data)
	if err != nil {
		return corpus.Parsed{}, err
	}
	p, err := svg.Parse(ctx, data, svg.Options{Layout: l.layout()})
	return p, mistaken(data, err)
}

// graphics returns the bytes of an SVG drawing in UTF-8, if they are in an encoding that its first bytes name.
func graphics(data []byte) ([]byte, error) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		d, ok := marked(data)
		if !ok {
			return nil, problem.New(problem.Invalid, "undecodable", "is not text in the encoding that its first bytes name")
		}
		data = []byte(d.text)
		if _, rest, ok := bytes.Cut(data, []byte("?>")); ok && bytes.HasPrefix(data, []byte("<?xml")) {
			data = rest // it names the encoding that is undone
		}
	}
	return data, nil
}

// mistaken is the error of a file that is no drawing at all.
func mistaken(data []byte, err error) error {
	var r *ooxml.Refusal
	if errors.As(err, &r) && r.Code == "xml_malformed" && !bytes.Contains(data, []byte("<svg")) {
		return problem.New(problem.Invalid, "content_mismatch", "has a name for an SVG drawing, but its content is something else")
	}
	return err
}

// Sketch implements Painter.
func (l Limits) Sketch(ctx context.Context, f File, sheet *sketch.Sheet) (sketch.Sketch, error) {
	word := FormatOf(f)
	if word != FormatDXF && word != FormatSVG {
		return sketch.Sketch{}, problem.Missing()
	}
	l = l.orDefault()
	if _, err := l.admit(ctx, f); err != nil {
		return sketch.Sketch{}, err
	}
	var s sketch.Sketch
	ok, err := sheet == nil || *sheet == sketch.Sheet{}, error(nil)
	if word == FormatDXF {
		s, ok, err = sketchDXF(ctx, f.Data, sheet)
	} else if ok {
		s, err = sketchSVG(ctx, f.Data)
	}
	if err == nil && !ok {
		err = problem.Missing()
	}
	return s, l.named(f, err)
}

func sketchDXF(ctx context.Context, data []byte, sheet *sketch.Sheet) (sketch.Sketch, bool, error) {
	d, err := exchanged(data)
	if err != nil {
		return sketch.Sketch{}, false, err
	}
	return dxf.Sketch(ctx, d.text, sheet)
}

func sketchSVG(ctx context.Context, data []byte) (sketch.Sketch, error) {
	data, err := graphics(data)
	if err != nil {
		return sketch.Sketch{}, err
	}
	s, err := svg.Sketch(ctx, data, ooxml.Limits{})
	return s, mistaken(data, err)
}

// drawn decodes a drawing.
func drawn(data []byte) (decoded, error) {
	mismatch := problem.New(problem.Invalid, "content_mismatch", "has a name for a DXF drawing, but its content is something else")
	if bytes.IndexByte(data, 0) >= 0 && !bytes.HasPrefix(data, []byte("\xff\xfe")) && !bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return decoded{}, mismatch
	}
	page := dxf.CodePage(data)
	if dos := dosPage(page); dos != nil && !utf8.Valid(data) {
		d, ok := decodeAs(data, dos, page)
		if ok {
			return d, nil
		}
	}
	d, ok := decode(data, pageLabel(page))
	if !ok || strings.IndexByte(d.text, 0) >= 0 {
		return decoded{}, mismatch
	}
	return d, nil
}

// pageLabel returns the usual name of an encoding that a drawing names by a number; "" for one that
// says nothing.
func pageLabel(page string) string {
	number := strings.TrimPrefix(page, "ansi_")
	switch number {
	case "936", "gb2312":
		return "gbk"
	case "950", "big5":
		return "big5"
	case "932":
		return "shift_jis"
	case "949", "ksc5601":
		return "euc-kr"
	case "874", "1250", "1251", "1252", "1253", "1254", "1255", "1256", "1257", "1258":
		return "windows-" + number
	}
	return ""
}

// dosPage returns an encoding of the days before Windows; nil for any other.
func dosPage(page string) *charmap.Charmap {
	switch strings.TrimPrefix(page, "dos") {
	case "437":
		return charmap.CodePage437
	case "850":
		return charmap.CodePage850
	case "852":
		return charmap.CodePage852
	case "855":
		return charmap.CodePage855
	case "860":
		return charmap.CodePage860
	case "862":
		return charmap.CodePage862
	case "863":
		return charmap.CodePage863
	case "865":
		return charmap.CodePage865
	case "866":
		return charmap.CodePage866
	}
	return nil
}
