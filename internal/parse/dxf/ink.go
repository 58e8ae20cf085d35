package dxf

import "github.com/kaoju/kaoju/internal/sketch"

// The numbers of colours that are those of something else.
const (
	byBlock = 0
	byLayer = 256
)

// colour is what a layer or an entity says of its colour: a number of the index, or the colour itself.
type colour struct {
	index int
	exact bool
	rgb   int
}

// take reads the tags of a colour.
func (c *colour) take(t tag) {
	switch t.code {
	case 62:
		c.index = max(t.whole(), -t.whole())
	case 420:
		c.exact, c.rgb = true, t.whole()
	}
}

// ink is the ink of a colour that is its own.
func (c colour) ink() sketch.Ink {
	if c.exact {
		return sketch.InkOf(uint8(c.rgb>>16), uint8(c.rgb>>8), uint8(c.rgb)) //nolint:gosec // one byte each
	}
	switch {
	case c.index >= 1 && c.index <= 6:
		return []sketch.Ink{sketch.Red, sketch.Yellow, sketch.Green, sketch.Cyan, sketch.Blue, sketch.Magenta}[c.index-1]
	case c.index >= 10 && c.index < 250: // ten each of 24 hues
		return sketch.Hue((c.index/10 - 1) * 15)
	case c.index == 8 || c.index == 9 || c.index >= 250 && c.index < 255:
		return sketch.Grey
	}
	return sketch.Plain
}

// The weights of lines that are those of something else. The usual one is that of a program, which is thin.
const (
	weightByLayer = -1
	weightByBlock = -2
	weightUsual   = -3
)

// weight is how heavy an entity is drawn where it stands.
func (w *walk) weight(v visit, own int) uint8 {
	switch own = w.carried(v, own); { // in hundredths of a millimetre
	case own >= 120:
		return 3
	case own >= 70:
		return 2
	case own > 30:
		return 1
	}
	return 0
}

// carried is the weight that entities take from what shows their block.
func (w *walk) carried(v visit, own int) int {
	switch own {
	case weightByLayer:
		return w.layers[fold(v.layer)].weight
	case weightByBlock:
		return v.weight
	}
	return own
}

// ink is that with which an entity is drawn where it stands.
func (w *walk) ink(v visit, c colour) sketch.Ink {
	switch {
	case c.exact || c.index != byLayer && c.index != byBlock:
		return c.ink()
	case c.index == byBlock:
		return v.ink
	}
	return w.layers[fold(v.layer)].colour.ink()
}
