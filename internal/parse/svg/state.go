package svg

import (
	"strings"

	"github.com/kaoju/kaoju/internal/parse/drawing"
	"github.com/kaoju/kaoju/internal/parse/layout"
)

// state is what an element takes from those around it.
type state struct {
	frame           drawing.Frame
	size            float64 // of the font
	anchor, visible string
	fill, stroke    string
	filled          float64 // opacity of the fill
	gone            bool    // nothing in it is seen
	id, layer       string
	depth           int
	around          *chain
}

// chain is the elements around a place, innermost first.
type chain struct {
	node   *node
	before *chain
}

// start is the state around the root element. The units of a drawing are those of its view.
func (n *node) start() state {
	return state{frame: drawing.Identity(), size: 16, visible: "visible", filled: 1}
}

// inside is the state in an element.
func (s state) inside(n *node) state {
	s.depth++
	s.around = &chain{n, s.around}
	if n.id != "" {
		s.id = n.id
	}
	if n.layer != "" {
		s.layer = layout.Name(n.layer)
	}
	a := n.attrs
	if a["display"] == "none" || zero(a["opacity"]) {
		s.gone = true
	}
	inherit := func(into *string, name string) {
		if v := strings.TrimSpace(a[name]); v != "" && v != "inherit" {
			*into = v
		}
	}
	inherit(&s.visible, "visibility")
	inherit(&s.anchor, "text-anchor")
	inherit(&s.fill, "fill")
	inherit(&s.stroke, "stroke")
	if v, ok := a["fill-opacity"]; ok {
		s.filled = 1
		if zero(v) {
			s.filled = 0
		}
	}
	if v, ok := a["font-size"]; ok {
		s.size = fontSize(v, s.size)
	}
	s.frame = s.frame.Then(n.frame)
	if n.no != 1 && (n.name == "svg" || n.name == "symbol") {
		s.frame = s.frame.Then(n.fit(s.size))
	}
	return s
}

// unseen reports that a text here would not be seen.
func (s state) unseen() bool {
	bare := s.stroke == "" || s.stroke == "none"
	return s.gone || s.visible == "hidden" || s.visible == "collapse" || s.size <= 0 || bare && (s.filled == 0 || s.fill == "none" || s.fill == "transparent")
}

func zero(v string) bool {
	v = strings.TrimSuffix(strings.TrimSpace(v), "%")
	if v == "" {
		return false
	}
	n, rest := leading(v)
	return rest == "" && n <= 0
}
