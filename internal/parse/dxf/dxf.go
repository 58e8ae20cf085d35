// Package dxf reads DXF drawings: their texts, with the layer, the entity and the region of each.
//
// A text is read once, however often its block is shown; it is placed where the block stands first. The
// attributes of an object are lines of name and value. Texts are in order of the sheets and layouts,
// then of the layers, then as a person reads them. The measures that a dimension shows are read from
// its block, or from the dimension where it has none. Lines and other shapes are not read.
//
// Left out, with a notice, is what nobody sees: entities and attributes that are invisible, and what is on
// a layer that is off or frozen. Definitions of attributes in a block are forms, and no text. What is in a
// block that stands nowhere is read apart and marked as hidden. Regions are estimates, because the fonts
// are not in the file.
package dxf

import (
	"context"
	"errors"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/problem"
)

// ErrLarge says that a drawing in binary form says more than is allowed.
var ErrLarge = errors.New("the drawing is too large as text")

// PartLeftOut is the notice that the rest of a drawing is damaged.
const PartLeftOut = "part_left_out"

func refuse(code, cause string, args ...any) error {
	return problem.New(problem.Invalid, code, cause, args...)
}

// Parse reads the text of a drawing. A file that can't be read is problem.Invalid, whose words continue
// "The file NAME …"; one of more text than the limits allow is layout.ErrFull.
func Parse(ctx context.Context, text string, limits layout.Limits) (corpus.Parsed, error) {
	d, err := read(ctx, text, false)
	if err != nil {
		return corpus.Parsed{}, err
	}
	w := &walk{contents: d, ctx: ctx}
	if err := w.all(); err != nil {
		return corpus.Parsed{}, err
	}
	page := layout.Page{Limits: limits}
	if err := w.lay(&page); err != nil {
		return corpus.Parsed{}, err
	}
	p := page.Parsed("")
	if w.dropped > 0 {
		p.Notices = append(p.Notices, layout.HiddenLeftOut)
	}
	if d.partial {
		p.Notices = append(p.Notices, PartLeftOut)
	}
	return p, nil
}

// CodePage returns the encoding that a drawing declares, as it is written there; "" if it declares
// none, as drawings before 1987 do, or if it is of 2007 or later, since when all texts are UTF-8.
func CodePage(data []byte) string {
	head := string(data[:min(len(data), headBytes)])
	if version := variable(head, "$ACADVER"); len(version) == 6 && version >= "AC1021" {
		return ""
	}
	return strings.ToLower(variable(head, "$DWGCODEPAGE"))
}

// headBytes is how far the variables of a drawing are looked for.
const headBytes = 256 << 10

// variable returns the value of a variable of the header: on the second line after its name.
func variable(head, name string) string {
	_, rest, ok := strings.Cut(head, name)
	lines := strings.SplitN(rest, "\n", 4)
	if !ok || len(lines) < 4 {
		return ""
	}
	return strings.TrimSpace(lines[2])
}
