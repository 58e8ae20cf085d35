package dxf

import (
	"slices"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/drawing"
	"github.com/kaoju/kaoju/internal/parse/layout"
)

// part is what is read under one layer of a sheet.
type part struct {
	text   // of the first one
	labels []drawing.Label
}

// lay puts the texts down: sheet by sheet, what is seen before what is hidden, layer by layer.
func (w *walk) lay(p *layout.Page) error {
	for _, hidden := range []bool{false, true} {
		for _, sheet := range w.sheets(hidden) {
			if err := lay(p, sheet); err != nil {
				return err
			}
		}
	}
	return nil
}

// sheets parts the texts by sheets and layers, in the order in which these come first.
func (w *walk) sheets(hidden bool) [][]part {
	var out [][]part
	sheets := map[string]int{}
	parts := map[[2]string]int{}
	for _, t := range w.found {
		if t.hidden != hidden {
			continue
		}
		n, ok := sheets[t.shown]
		if !ok {
			n = len(out)
			sheets[t.shown] = n
			out = append(out, nil)
		}
		key := [2]string{t.shown, fold(t.layer)}
		i, ok := parts[key]
		if !ok {
			i = len(out[n])
			parts[key] = i
			out[n] = append(out[n], part{text: t})
		}
		out[n][i].labels = append(out[n][i].labels, t.Label)
	}
	return out
}

// lay puts one sheet down. Its name is a heading, but for that of the drawing itself.
func lay(p *layout.Page, parts []part) error {
	var outline layout.Outline
	level := 1
	first := parts[0]
	at := corpus.DXFLocator{Region: first.labels[0].Place.(corpus.DXFLocator).Region, Shown: first.shown, Hidden: first.hidden}
	if first.shown != "model" {
		at.Entity = "LAYOUT"
		if err := heading(p, &outline, level, first.shown, at); err != nil {
			return err
		}
		level++
	}
	for _, part := range parts {
		at.Entity, at.Layer = "LAYER", part.layer
		at.Region = part.labels[0].Place.(corpus.DXFLocator).Region
		if err := heading(p, &outline, level, part.layer, at); err != nil {
			return err
		}
		if err := drawing.Lay(p, outline.Path(), part.labels); err != nil {
			return err
		}
	}
	return nil
}

func heading(p *layout.Page, o *layout.Outline, level int, name string, at corpus.DXFLocator) error {
	o.Push(level, name)
	_, err := p.Add(layout.Block{
		Kind: corpus.Heading, Level: level, Path: slices.Clone(o.Path()), Head: -1, Pieces: []layout.Piece{{Text: layout.Name(name), Place: at}},
	})
	return err
}
