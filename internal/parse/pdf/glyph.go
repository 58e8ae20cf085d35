package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"

	"github.com/kaoju/kaoju/internal/corpus"
)

// reader reads the glyphs of one page.
type reader struct {
	*document
	limits     Limits
	page, text uint64
	frame      frame
	styles     map[uint64]*style // by text object
	fonts      map[uint64]bool   // whether a font is bold
	object     uint64            // that of the glyph before, and its style
	last       *style
	widened    map[uint64]bool // text objects that are drawn as others for their width alone
	ground     *ground         // what is drawn beside text; nil until somebody asks
	cut        bool            // something lay beyond a limit, so that text may be missing
}

// within returns how many of a count of things are looked at, and remembers if that is not all of them.
func (r *reader) within(count, limit int) int {
	r.cut = r.cut || count > limit
	return max(0, min(count, limit))
}

// Hyphens that are no characters of the text.
const (
	brokenHyphen = 0x02 // what PDFium puts for a hyphen at the end of a line
	softHyphen   = 0xad // where a word may be parted; seen only where it is
)

func (r *reader) glyphs() []glyph {
	n := r.within(r.integer("FPDFText_CountChars", r.text), r.limits.Glyphs)
	out := slices.Grow(r.pad.glyphs[:0], n)
	space := false
	var high rune
	at := -1
	for said := range r.sweep(r.text, n) {
		at++
		c := said.unicode
		if utf16.IsSurrogate(c) {
			if high == 0 {
				high = c
				continue
			}
			c, high = utf16.DecodeRune(high, c), 0
		}
		if c == 0x20 || c == '\r' || c == '\n' || c == '\t' || unicode.IsSpace(c) {
			space = true
			continue
		}
		c = readable(c)
		if c == 0 || said.unknown {
			continue
		}
		g := glyph{r: c, style: r.style(at, said.object), space: space}
		if !r.place(&said, &g) || !r.seen(&g) {
			continue
		}
		space = false
		out = append(out, g)
	}
	r.pad.glyphs = out
	return r.pad.foldedAll(r.pad.undoubled(out))
}

// foldedAll writes each glyph as the letters that it stands for, in their order. Of a ligature from
// right to left, PDFium gives the letters one by one in the same box, and the last one first.
func (p *pad) foldedAll(in []glyph) []glyph {
	if !slices.ContainsFunc(in, func(g glyph) bool { return g.r >= min(firstFolded, firstRTL) }) {
		return in
	}
	out := slices.Grow(p.folded[:0], len(in))
	for i := 0; i < len(in); {
		end := i + 1
		for end < len(in) && in[end].box == in[i].box && rtl(in[i].r) && rtl(in[end].r) {
			end++
		}
		for j := i; j < end; j++ {
			g := in[i+end-1-j]
			g.space = j == i && in[i].space
			if g.r < firstFolded {
				out = append(out, g)
				continue
			}
			for _, x := range folded(g.r) {
				if unicode.IsSpace(x) { // some ligatures are whole phrases
					g.space = true
					continue
				}
				g.r = x
				out = append(out, g)
				g.space = false
			}
		}
		i = end
	}
	p.folded = out
	return out
}

// place finds the box of a glyph; false if it has none, or stands off the page.
func (r *reader) place(said *record, g *glyph) bool {
	if !said.boxed {
		return false
	}
	b := &said.box // left, top, right, bottom
	g.box = r.frame.box(b[0], b[3], b[2], b[1])
	x, y := center(g.box)
	size := r.frame.size()
	return x >= 0 && y >= 0 && x <= size[0] && y <= size[1] // What is no number, or has no end, is on no page.
}

func center(b corpus.Box) (x, y float32) { return (b[0] + b[2]) / 2, (b[1] + b[3]) / 2 }

// style returns what the text object of a glyph looks like.
func (r *reader) style(at int, object uint64) *style {
	if r.last != nil && r.object == object {
		return r.last
	}
	s, ok := r.styles[object]
	if !ok {
		s = r.appearance(uint64(at), object) //nolint:gosec // Counted from 0.
		r.styles[object] = s
	}
	r.object, r.last = object, s
	return s
}

// appearance asks what a text object looks like, by one of its glyphs.
func (r *reader) appearance(at, object uint64) *style {
	s := &style{bold: r.bold(at, object)}
	size := r.double("FPDFText_GetFontSize", r.text, at)
	scale, angle := float32(1), 0.0
	if r.integer("FPDFText_GetMatrix", r.text, at, r.scratch) != 0 {
		m := r.floats(6)
		scale = float32(math.Hypot(float64(m[2]), float64(m[3])))
		angle = math.Atan2(float64(m[1]), float64(m[0]))
	}
	s.size = size * scale
	if math.IsNaN(float64(s.size)) || s.size < 0 {
		s.size = 0
	}
	quarters := -angle/(math.Pi/2) + float64(r.frame.turn)
	near := math.Round(quarters)
	s.turn, s.askew = (int(near)%4+4)%4, math.Abs(quarters-near) > 0.1
	mode := r.integer("FPDFTextObj_GetTextRenderMode", object)
	if r.widened[object] {
		mode = fillText
	}
	s.hidden = object != 0 && (mode == 3 || mode == 7) || s.size < tiny
	if object != 0 && r.integer("FPDFText_GetFillColor", r.text, at, r.scratch, r.scratch+4, r.scratch+8, r.scratch+12) != 0 {
		c := r.bytes(r.scratch, 16)
		fills := mode != 1 && mode != 5
		s.pale = fills && mode != 2 && mode != 6 && c[0] >= white && c[4] >= white && c[8] >= white
		s.hidden = s.hidden || fills && mode != 2 && mode != 6 && c[12] == 0
	}
	return s
}

// bold reports whether the font of a glyph says so: by its weight, or by its name.
func (r *reader) bold(at, object uint64) bool {
	font := uint64(0)
	if object != 0 {
		font = r.call("FPDFTextObj_GetFont", object)
	}
	bold, ok := r.fonts[font]
	if !ok {
		bold = r.integer("FPDFText_GetFontWeight", r.text, at) >= 600 || heavy(r.fontName(at))
		if font != 0 {
			r.fonts[font] = bold
		}
	}
	return bold
}

// fontName returns the name of a glyph's font; "" if it has none.
func (r *reader) fontName(at uint64) string {
	n := r.integer("FPDFText_GetFontInfo", r.text, at, r.scratch, scratchBytes-8, r.scratch+scratchBytes-8)
	if n <= 1 || n > scratchBytes-8 {
		return ""
	}
	return string(r.bytes(r.scratch, n-1))
}

// heavy reports whether the name of a font says that it is bold.
func heavy(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"bold", "black", "heavy", "demi", "-bd", "cmbx"}, func(word string) bool { return strings.Contains(name, word) })
}

// Below tiny nobody can read text, and from white on nobody can tell it from paper.
const (
	tiny  = 0.5 // points
	white = 250 // of 255
)

func (m *machine) double(name string, arguments ...uint64) float32 {
	return float32(math.Float64frombits(m.call(name, arguments...)))
}

// seen reports whether a person sees the glyph. Invisible text that lies over a picture is what
// was recognised in a scan: there the picture shows the same words.
func (r *reader) seen(g *glyph) bool {
	if !g.style.hidden && !g.style.pale {
		return true
	}
	if r.ground == nil {
		r.ground = r.survey()
	}
	x, y := center(g.box)
	if g.style.hidden {
		return g.style.size >= tiny && r.ground.scanned(x, y)
	}
	return r.ground.dark(x, y)
}

// readable returns a character that can be searched for; 0 for one that stands for nothing.
func readable(c rune) rune {
	switch {
	case c == brokenHyphen:
		return '-'
	case c == softHyphen:
		return c
	case c == 0xf0b7 || c == 0xf0a7: // bullets of symbol fonts
		return '•'
	case c < 0x20 || c == 0x7f || c >= 0x80 && c < 0xa0 || c == unicode.ReplacementChar || c&0xfffe == 0xfffe || c > unicode.MaxRune,
		c >= 0xe000 && c <= 0xf8ff || c >= 0xf0000, unicode.Is(unicode.Cf, c), utf16.IsSurrogate(c):
		return 0
	}
	return c
}

// firstFolded is the first character that folded writes as another.
const firstFolded = 0x2e80

// folded writes letters that exist for their looks alone, such as ligatures and radicals, as the
// letters that they are.
func folded(c rune) string {
	switch {
	case c >= firstFolded && c <= 0x2fdf, c >= 0xf900 && c <= 0xfdff, c >= 0xfe70 && c <= 0xfefc, c >= 0xfb00 && c <= 0xfb4f, c >= 0x2f800 && c <= 0x2fa1f:
		return strings.TrimSpace(norm.NFKC.String(string(c)))
	}
	return string(c)
}
