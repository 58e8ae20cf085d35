package svg

import (
	"strconv"
	"strings"
	"sync"

	"github.com/kaoju/kaoju/internal/sketch"
)

// paint is what a shape is drawn or filled with.
type paint struct {
	ink  sketch.Ink
	none bool
	pale bool // white, or so near to it that on paper nothing would be seen
}

// paintOf reads a colour. One that is not known is plain, and a pattern is grey.
func paintOf(s, missing string) paint {
	s = strings.ToLower(strings.TrimSpace(s))
	if s == "" {
		s = missing
	}
	switch {
	case s == "none" || s == "transparent":
		return paint{none: true}
	case strings.HasPrefix(s, "url("):
		return paint{ink: sketch.Grey}
	}
	if rgb, ok := colours()[s]; ok {
		return solid(rgb)
	}
	if rgb, ok := hexadecimal(s); ok {
		return solid(rgb)
	}
	if inside, ok := strings.CutPrefix(s, "rgb"); ok {
		return solid(inParts(inside))
	}
	return paint{}
}

func solid(rgb [3]uint8) paint {
	return paint{ink: sketch.InkOf(rgb[0], rgb[1], rgb[2]), pale: min(rgb[0], rgb[1], rgb[2]) > 240}
}

func hexadecimal(s string) ([3]uint8, bool) {
	digits, ok := strings.CutPrefix(s, "#")
	if len(digits) == 3 || len(digits) == 4 {
		digits = strings.Repeat(digits[:1], 2) + strings.Repeat(digits[1:2], 2) + strings.Repeat(digits[2:3], 2)
	}
	if !ok || len(digits) < 6 {
		return [3]uint8{}, false
	}
	n, err := strconv.ParseUint(digits[:6], 16, 32)
	return [3]uint8{uint8(n >> 16), uint8(n >> 8), uint8(n)}, err == nil //nolint:gosec // one byte each
}

// inParts reads what follows "rgb": three numbers, or parts of a hundred.
func inParts(s string) [3]uint8 {
	s = strings.Trim(strings.TrimPrefix(s, "a"), "() ")
	var out [3]uint8
	for i := range out {
		n, rest := leading(strings.TrimLeft(s, " ,"))
		if strings.HasPrefix(rest, "%") {
			n, rest = n*255/100, rest[1:]
		}
		out[i], s = uint8(min(max(n, 0), 255)), rest
	}
	return out
}

// colours are the names that are often used.
var colours = sync.OnceValue(func() map[string][3]uint8 {
	return map[string][3]uint8{
		"black": {}, "white": {255, 255, 255}, "red": {255, 0, 0}, "green": {0, 128, 0}, "blue": {0, 0, 255}, "yellow": {255, 255, 0},
		"orange": {255, 165, 0}, "purple": {128, 0, 128}, "magenta": {255, 0, 255}, "cyan": {0, 255, 255}, "lime": {0, 255, 0},
		"gray": {128, 128, 128}, "grey": {128, 128, 128}, "lightgray": {211, 211, 211}, "lightgrey": {211, 211, 211},
		"darkgray": {169, 169, 169}, "darkgrey": {169, 169, 169}, "silver": {192, 192, 192}, "navy": {0, 0, 128}, "teal": {0, 128, 128},
		"maroon": {128, 0, 0}, "brown": {165, 42, 42}, "pink": {255, 192, 203}, "gold": {255, 215, 0}, "crimson": {220, 20, 60},
		"darkred": {139, 0, 0}, "darkgreen": {0, 100, 0}, "darkblue": {0, 0, 139}, "steelblue": {70, 130, 180}, "skyblue": {135, 206, 235},
		"lightblue": {173, 216, 230}, "lightgreen": {144, 238, 144}, "tomato": {255, 99, 71}, "aqua": {0, 255, 255}, "fuchsia": {255, 0, 255},
	}
})
