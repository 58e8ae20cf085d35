package corpus

import "encoding/json"

// Region is a rectangle in the units of a drawing: the least x and y, then the greatest.
type Region [4]float64

func (r Region) hull(o Region) Region {
	return Region{min(r[0], o[0]), min(r[1], o[1]), max(r[2], o[2]), max(r[3], o[3])}
}

// DXFLocator is a place in a DXF drawing: a text, or several. A place of one text names its entity.
type DXFLocator struct {
	// Layer is the one that the entity itself names; "" for a place on several.
	Layer  string `json:"layer,omitempty"`
	Entity string `json:"entity,omitempty"` // such as "TEXT", "MTEXT", "ATTRIB"
	Handle string `json:"handle,omitempty"` // as the file writes it; old files have none
	// No counts the entities of the file in its order, because handles may be missing or there twice.
	No int `json:"no,omitempty"`
	// Insert is the point of the entity in the space that it lives in: of its block, or the drawing.
	Insert *[2]float64 `json:"insert,omitempty"`
	// Block is the block that the entity is part of. Where it is in none, Space is "model" or "paper".
	Block string `json:"block,omitempty"`
	Space string `json:"space,omitempty"`
	Tag   string `json:"tag,omitempty"` // of an attribute
	// Region is where the text is seen: in the drawing, for a text in a block where that stands first;
	// in the block's own units for one that stands nowhere. Shown names the space, or the layout on
	// paper, or that block.
	Region Region `json:"region"`
	Shown  string `json:"shown"`
	// Hidden says that nobody sees it, because its block stands nowhere.
	Hidden bool `json:"hidden,omitempty"`
}

// Kind returns "dxf".
func (DXFLocator) Kind() string { return "dxf" }

func (DXFLocator) sealed() {}

// plainDXF is the flat form of the locator with its kind.
type (
	plainDXF struct {
		Kind string `json:"kind"`
		dxfFields
	}
	dxfFields DXFLocator
)

// MarshalJSON writes the flat form with its kind.
func (l DXFLocator) MarshalJSON() ([]byte, error) {
	return json.Marshal(plainDXF{l.Kind(), dxfFields(l)})
}

// A layer's name is the heading above its texts.
func (l DXFLocator) headings() []string {
	if l.Layer == "" {
		return []string{}
	}
	return []string{l.Layer}
}

func (l DXFLocator) under([]string) Locator { return l }

// strand parts what is seen on one sheet from what is not seen there.
func (l DXFLocator) strand() string {
	if l.Hidden {
		return "hidden " + l.Shown
	}
	return l.Shown
}

// Through joins texts to a region, two pieces of one text to that text. It names a layer where both are
// on it. Of two different sheets it
// is the place on the first one.
func (l DXFLocator) Through(last Locator) Locator {
	t, ok := last.(DXFLocator)
	one := l.Entity != "" && l.Entity == t.Entity && l.No == t.No && l.Layer == t.Layer
	if !ok || one || l.strand() != t.strand() {
		return l
	}
	out := DXFLocator{Region: l.Region.hull(t.Region), Shown: l.Shown, Hidden: l.Hidden}
	if l.Layer == t.Layer {
		out.Layer = l.Layer
	}
	return out
}

// SVGLocator is a place in an SVG drawing: a text, or several. A place of one text names its element.
type SVGLocator struct {
	Element string `json:"element,omitempty"` // such as "text", "title", "desc"
	ID      string `json:"id,omitempty"`      // of the element, or of the nearest one around it that has any
	// No counts the elements of the file in its order, because ids may be missing or there twice.
	No int `json:"no,omitempty"`
	// X and Y are the first position that the element itself states, as it is written there.
	X     string `json:"x,omitempty"`
	Y     string `json:"y,omitempty"`
	Layer string `json:"layer,omitempty"` // the named layer that the element is in
	// Region is where the text is seen, in the units of the root element's view, y downwards. A title
	// or description is nowhere in it.
	Region *Region `json:"region,omitempty"`
}

// Kind returns "svg".
func (SVGLocator) Kind() string { return "svg" }

func (SVGLocator) sealed() {}

// plainSVG is the flat form of the locator with its kind.
type (
	plainSVG struct {
		Kind string `json:"kind"`
		svgFields
	}
	svgFields SVGLocator
)

// MarshalJSON writes the flat form with its kind.
func (l SVGLocator) MarshalJSON() ([]byte, error) {
	return json.Marshal(plainSVG{l.Kind(), svgFields(l)})
}

func (l SVGLocator) headings() []string {
	if l.Layer == "" {
		return []string{}
	}
	return []string{l.Layer}
}

func (l SVGLocator) under([]string) Locator { return l }

// Through joins texts to a region. It names a layer where both are in it.
func (l SVGLocator) Through(last Locator) Locator {
	t, ok := last.(SVGLocator)
	one := l.Element != "" && l.Element == t.Element && l.No == t.No && l.Layer == t.Layer
	if !ok || one {
		return l
	}
	out := SVGLocator{Region: l.Region}
	switch {
	case l.Region == nil:
		out.Region = t.Region
	case t.Region != nil:
		both := l.Region.hull(*t.Region)
		out.Region = &both
	}
	if l.Layer == t.Layer {
		out.Layer = l.Layer
	}
	return out
}
