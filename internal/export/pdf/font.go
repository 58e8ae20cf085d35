package pdf

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
)

// family is what can write a character.
type family uint8

const (
	western family = iota // the letters that every reader of PDF has, in the encoding of Windows
	further               // other letters of alphabets, and what is beyond the first plane, by their names
	chinese
	korean
)

// collections are the character collections that a reader knows by name, with the codes of UTF-16.
var collections = map[family]struct {
	base
	ordering, codes string
	supplement      int
}{
	chinese: {base{"STSong-Light", "/Flags 6/FontBBox[-25 -254 1000 880]/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 880/StemV 93"}, "GB1", "UniGB-UTF16-H", 5},
	korean:  {base{"HYSMyeongJo-Medium", "/Flags 6/FontBBox[0 -148 1001 880]/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 720/StemV 60"}, "Korea1", "UniKS-UTF16-H", 2},
}

// base is a font that a document only names, and what a reader has to know to stand in for it.
type base struct{ name, traits string }

var baseFonts = map[Face]base{
	Plain: {"Times-Roman", "/Flags 34/FontBBox[-168 -218 1000 898]/ItalicAngle 0/Ascent 683/Descent -217/CapHeight 662/StemV 84"},
	Bold:  {"Times-Bold", "/Flags 34/FontBBox[-168 -218 1000 935]/ItalicAngle 0/Ascent 683/Descent -217/CapHeight 676/StemV 139"},
	Code:  {"Courier", "/Flags 35/FontBBox[-23 -250 715 805]/ItalicAngle 0/Ascent 629/Descent -157/CapHeight 562/StemV 51"},
}

func (b base) describe(w *objects) int {
	return w.add("<</Type/FontDescriptor/FontName/" + b.name + b.traits + ">>")
}

// firstCode and manyCodes are those that a font of further letters has for them.
const firstCode, manyCodes = 33, 222

// font is a font of the document with the characters that were taken from it.
type font struct {
	name   string // in the resources of a page
	family family
	face   Face
	used   []rune       // in the order of their codes for further letters
	known  map[rune]int // the place in used
}

// fonts are those of a document, in the order in which they were first needed.
type fonts struct {
	chinese bool
	list    []*font
	found   map[sort]*font // what get returned
}

// sort is a character in a face.
type sort struct {
	r    rune
	face Face
}

// of finds what writes a character.
func (f *fonts) of(r rune) family {
	_, west := charmap.Windows1252.EncodeRune(r)
	switch {
	case f.chinese && strings.ContainsRune("“”‘’", r):
		return chinese
	case r < 0x80, west && r >= 0xA0:
		return western
	case unicode.Is(unicode.Hangul, r):
		return korean
	case r > 0xFFFF, r < 0x2E80 && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)):
		return further
	default:
		return chinese
	}
}

// get returns the font for a character, made if it is the first of its kind. It always is the same one.
func (f *fonts) get(r rune, face Face) *font {
	have := f.found[sort{r, face}]
	if have == nil {
		have = f.find(r, face)
		if f.found == nil {
			f.found = map[sort]*font{}
		}
		f.found[sort{r, face}] = have
	}
	return have
}

func (f *fonts) find(r rune, face Face) *font {
	kind := f.of(r)
	if _, ok := collections[kind]; ok {
		face = Plain // the bold ones are drawn from the same
	}
	for _, have := range f.list {
		_, known := have.known[r]
		if have.family == kind && have.face == face && (kind != further || known || len(have.used) < manyCodes) {
			have.take(r)
			return have
		}
	}
	made := &font{name: fmt.Sprintf("F%d", len(f.list)+1), family: kind, face: face, known: map[rune]int{}}
	made.take(r)
	f.list = append(f.list, made)
	return made
}

func (f *font) take(r rune) {
	if _, ok := f.known[r]; !ok {
		f.known[r] = len(f.used)
		f.used = append(f.used, r)
	}
}

// code is how the font writes a character, in hexadecimal digits.
func (f *font) code(r rune) string {
	switch f.family {
	case western:
		c, _ := charmap.Windows1252.EncodeRune(r)
		return fmt.Sprintf("%02X", c)
	case further:
		return fmt.Sprintf("%02X", firstCode+f.known[r])
	default:
		return units(r)
	}
}

// width is how wide the font writes a character, in thousandths.
func (f *font) width(r rune) int {
	if _, ok := collections[f.family]; !ok {
		return narrow(r, f.face)
	}
	return fullWidth
}

// units are the UTF-16 units of a character in hexadecimal digits.
func units(r rune) (out string) {
	for _, u := range utf16.AppendRune(nil, r) {
		out += fmt.Sprintf("%04X", u)
	}
	return out
}

// define writes the objects of the font, and returns the number of the one that a page names.
func (f *font) define(w *objects) int {
	text := 0
	if f.family != western {
		text = w.stream("", []byte(f.meaning()))
	}
	if c, ok := collections[f.family]; ok {
		below := w.add(fmt.Sprintf("<</Type/Font/Subtype/CIDFontType0/BaseFont/%s/CIDSystemInfo<</Registry(Adobe)/Ordering(%s)/Supplement %d>>/DW %d/FontDescriptor %d 0 R>>",
			c.name, c.ordering, c.supplement, fullWidth, c.describe(w)))
		return w.add(fmt.Sprintf("<</Type/Font/Subtype/Type0/BaseFont/%s-%s/Encoding/%s/DescendantFonts[%d 0 R]/ToUnicode %d 0 R>>", c.name, c.codes, c.codes, below, text))
	}
	of := baseFonts[f.face]
	simple := fmt.Sprintf("<</Type/Font/Subtype/Type1/BaseFont/%s/FontDescriptor %d 0 R", of.name, of.describe(w))
	if f.family == western {
		return w.add(simple + "/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 255/Widths[" + westernWidths(f.face) + "]>>")
	}
	names, widths := strings.Builder{}, strings.Builder{}
	for _, r := range f.used {
		names.WriteString(called(r))
		fmt.Fprintf(&widths, "%d ", f.width(r))
	}
	return w.add(fmt.Sprintf("%s/Encoding<</Type/Encoding/Differences[%d%s]>>/FirstChar %d/LastChar %d/Widths[%s]/ToUnicode %d 0 R>>",
		simple, firstCode, names.String(), firstCode, firstCode+len(f.used)-1, strings.TrimSpace(widths.String()), text))
}

// called is the name of a character by its number, as every reader knows it.
func called(r rune) string {
	if r > 0xFFFF {
		return fmt.Sprintf("/u%X", r)
	}
	return fmt.Sprintf("/uni%04X", r)
}

func westernWidths(face Face) string {
	var b strings.Builder
	for c := 32; c < 256; c++ {
		fmt.Fprintf(&b, "%d ", narrow(charmap.Windows1252.DecodeByte(byte(c)), face))
	}
	return strings.TrimSpace(b.String())
}

// meaning tells which text the codes of the font stand for.
func (f *font) meaning() string {
	var b strings.Builder
	b.WriteString("/CIDInit/ProcSet findresource begin 12 dict begin begincmap\n/CMapName/Meaning def/CMapType 2 def\n1 begincodespacerange\n")
	b.WriteString(map[bool]string{true: "<00><FF>\n", false: "<0000><FFFF>\n"}[f.family == further])
	b.WriteString("endcodespacerange\n")
	for some := range slices.Chunk(f.used, 100) {
		fmt.Fprintf(&b, "%d beginbfchar\n", len(some))
		for _, r := range some {
			fmt.Fprintf(&b, "<%s><%s>\n", f.code(r), units(r))
		}
		b.WriteString("endbfchar\n")
	}
	b.WriteString("endcmap end end\n")
	return b.String()
}
