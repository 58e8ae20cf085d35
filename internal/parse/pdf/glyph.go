package pdf

import (
	"math"
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
	out := make([]glyph, 0, n)
	space := false
	var high rune
	for i := range n {
		at := uint64(i) //nolint:gosec // Counted from 0.
		c := rune(r.integer("FPDFText_GetUnicode", r.text, at))
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
		if c == 0 || r.integer("FPDFText_HasUnicodeMapError", r.text, at) == 1 {
			continue
		}
		g := glyph{r: c, style: r.style(at), space: space}
		if !r.place(at, &g) || !r.seen(&g) {
			continue
		}
		space = false
		out = append(out, g)
		if r.err != nil {
			break
		}
	}
	return foldedAll(undoubled(out))
}

// foldedAll writes each glyph as the letters that it stands for, in their order. Of a ligature from
// right to left, PDFium gives the letters one by one in the same box, and the last one first.
func foldedAll(in []glyph) []glyph {
	out := make([]glyph, 0, len(in))
	for i := 0; i < len(in); {
		end := i + 1
		for end < len(in) && in[end].box == in[i].box && rtl(in[i].r) && rtl(in[end].r) {
			end++
		}
		for j := i; j < end; j++ {
			g := in[i+end-1-j]
			g.space = j == i && in[i].space
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
	return out
}

// place finds the box of a glyph; false if it has none, or stands off the page.
func (r *reader) place(at uint64, g *glyph) bool {
	if r.integer("FPDFText_GetLooseCharBox", r.text, at, r.scratch) == 0 {
		return false
	}
	b := r.floats(4) // left, top, right, bottom
	for _, v := range b {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return false
		}
	}
	g.box = r.frame.box(b[0], b[3], b[2], b[1])
	x, y := center(g.box)
	size := r.frame.size()
	return x >= 0 && y >= 0 && x <= size[0] && y <= size[1]
}

func center(b corpus.Box) (x, y float32) { return (b[0] + b[2]) / 2, (b[1] + b[3]) / 2 }

// style returns what the text object of a glyph looks like.
func (r *reader) style(at uint64) *style {
	object := r.call("FPDFText_GetTextObject", r.text, at)
	if r.last != nil && r.object == object {
		return r.last
	}
	s, ok := r.styles[object]
	if !ok {
		s = r.appearance(at, object)
		r.styles[object] = s
	}
	r.object, r.last = object, s
	return s
}

// appearance asks what a text object looks like, by one of its glyphs.
func (r *reader) appearance(at, object uint64) *style {
	s := &style{bold: r.bold(at)}
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
func (r *reader) bold(at uint64) bool {
	if r.integer("FPDFText_GetFontWeight", r.text, at) >= 600 {
		return true
	}
	n := r.integer("FPDFText_GetFontInfo", r.text, at, r.scratch, scratchBytes-8, r.scratch+scratchBytes-8)
	if n <= 1 || n > scratchBytes-8 {
		return false
	}
	name := strings.ToLower(string(r.bytes(r.scratch, n-1)))
	for _, word := range []string{"bold", "black", "heavy", "demi", "-bd", "cmbx"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
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

// folded writes letters that exist for their looks alone, such as ligatures and radicals, as the
// letters that they are.
func folded(c rune) string {
	switch {
	case c >= 0x2e80 && c <= 0x2fdf, c >= 0xf900 && c <= 0xfdff, c >= 0xfe70 && c <= 0xfefc, c >= 0xfb00 && c <= 0xfb4f, c >= 0x2f800 && c <= 0x2fa1f:
		return strings.TrimSpace(norm.NFKC.String(string(c)))
	}
	return string(c)
}

// undoubled leaves out text that was drawn again over itself to look bold: a text object all of whose
// glyphs stand where the same glyphs stood before.
func undoubled(in []glyph) []glyph {
	type spot struct {
		r    rune
		turn int
		x, y int
	}
	const grid = 4 // points
	// The glyphs of a spot are a chain through one list: a list for each would cost more than all the rest.
	type link struct {
		box    corpus.Box
		before int32 // place in the list of the one before at the same spot, counted from 1
		length int32 // of the chain
	}
	last, chain := make(map[spot]int32, len(in)), make([]link, 0, len(in))
	at := func(g *glyph, dx, dy int) spot {
		x, y := center(g.box)
		return spot{g.r, g.style.turn, int(math.Floor(float64(x)/grid)) + dx, int(math.Floor(float64(y)/grid)) + dy}
	}
	again := func(g *glyph) bool {
		for i := range 9 {
			for k := last[at(g, i%3-1, i/3-1)]; k > 0; k = chain[k-1].before {
				if covers(chain[k-1].box, g.box) {
					return true
				}
			}
		}
		return false
	}
	out := in[:0]
	for i := 0; i < len(in); {
		end, doubled := i, true
		for ; end < len(in) && in[end].style == in[i].style; end++ {
			doubled = doubled && again(&in[end])
		}
		for j := i; j < end && !doubled; j++ {
			l, s := link{box: in[j].box, length: 1}, at(&in[j], 0, 0)
			if l.before = last[s]; l.before > 0 {
				l.length += chain[l.before-1].length
			}
			if l.length <= 16 {
				chain = append(chain, l)
				last[s] = int32(len(chain)) //nolint:gosec // A page has a bounded number of glyphs.
			}
			out = append(out, in[j])
		}
		i = end
	}
	return out
}

// covers reports that two boxes are the same but for a small shift.
func covers(a, b corpus.Box) bool {
	w, h := min(a[2], b[2])-max(a[0], b[0]), min(a[3], b[3])-max(a[1], b[1])
	return w > 0.7*max(a[2]-a[0], b[2]-b[0]) && h > 0.7*max(a[3]-a[1], b[3]-b[1])
}
