package dxf_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/dxf"
	"github.com/kaoju/kaoju/internal/parse/dxf/dxftest"
)

const sentinel = "AutoCAD Binary DXF\r\n\x1a\x00"

// wide writes a code of two bytes and the bytes of its value.
func wide(code uint16, value ...byte) string {
	return string(binary.LittleEndian.AppendUint16(nil, code)) + string(value)
}

func text(code uint16, value string) string { return wide(code, append([]byte(value), 0)...) }

func TestEveryKindOfValueIsWrittenAsText(t *testing.T) {
	real64 := func(v float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)) }
	begin := text(0, "SECTION")
	for name, c := range map[string]struct{ data, want string }{
		"a text":                {text(1, "标高"), "1\n标高\n"},
		"an empty text":         {text(1, ""), "1\n\n"},
		"a text with line ends": {text(1, "a\r\nb"), "1\na  b\n"},
		"a handle":              {text(5, "1F3A"), "5\n1F3A\n"},
		"a number":              {wide(10, real64(-1.5)...), "10\n-1.5\n"},
		"a large number":        {wide(140, real64(1e300)...), "140\n1e+300\n"},
		"one that is none":      {wide(210, real64(math.NaN())...), "210\nNaN\n"},
		"16 bits":               {wide(70, 0xfe, 0xff), "70\n-2\n"},
		"32 bits":               {wide(90, 0xff, 0xff, 0xff, 0xff), "90\n-1\n"},
		"64 bits":               {wide(160, 1, 0, 0, 0, 0, 0, 0, 0x80), "160\n-9223372036854775807\n"},
		"a switch":              {wide(290, 1), "290\n1\n"},
		"a chunk of bytes":      {wide(310, 3, 'a', 0, 'b') + text(1, "after"), "1\nafter\n"},
		"data of a program":     {wide(1004, 2, 0, 0) + text(1000, "x") + wide(1071, 7, 0, 0, 0), "1000\nx\n1071\n7\n"},
		"a reference":           {text(330, "A") + text(480, "B") + text(999, "note"), "330\nA\n480\nB\n"},
		"a code of none":        {wide(85, 1, 2) + text(1, "after"), ""},
		"a code beyond all":     {wide(5000, 1, 2) + text(1, "after"), ""},
	} {
		got, err := dxf.Text([]byte(sentinel+begin+c.data), 1<<20)
		if name == "a reference" {
			c.want += "999\nnote\n"
		}
		if err != nil || string(got) != "0\nSECTION\n"+c.want {
			t.Errorf("%s: %q (%v), want %q", name, got, err, c.want)
		}
	}
}

func TestOldDrawingsHaveCodesOfOneByte(t *testing.T) {
	one := func(code byte, value string) string { return string([]byte{code}) + value + "\x00" }
	real64 := func(code byte, v float64) string {
		return string([]byte{code}) + string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
	}
	data := sentinel + one(0, "SECTION") + one(2, "ENTITIES") + one(0, "TEXT") + one(8, "PLAN") + real64(10, 3) + real64(20, 4) + real64(40, 1) + one(1, "OLD") +
		"\xff" + wide(1000, append([]byte("note"), 0)...) + one(0, "ENDSEC") + one(0, "EOF")
	got, err := dxf.Text([]byte(data), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	p := reads(t, string(got), "PLAN\nOLD")
	if l := placeOf(t, p, "OLD"); l.Region != (corpus.Region{3, 4, 5.25, 5}) {
		t.Errorf("it is at %+v", l)
	}
}

func TestAnyBytesHaveAnEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(sentinel + string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")))
		got, err := dxf.Text(data, 1<<20)
		if err != nil || strings.Count(string(got), "\n")%2 != 0 {
			t.Fatalf("%q gives %q (%v)", data, got, err)
		}
	})
}

// TestLeadersSayTheirTextAlone holds that what the leader's lines carry is not taken for its text.
func TestLeadersSayTheirTextAlone(t *testing.T) {
	leader := func(context ...any) string {
		return dxftest.Tags(append(append([]any{0, "MULTILEADER", 5, "77", 8, "注", 300, "CONTEXT_DATA{"}, context...), 301, "}", 60, 0)...)
	}
	for name, c := range map[string]struct{ entity, want string }{
		"a text":            {leader(304, "防水"), "注\n防水"},
		"lines before it":   {leader(302, "LEADER{", 304, "LEADER_LINE{", 12, 99, 305, "}", 303, "}", 304, "防水", 12, 5, 22, 6), "注\n防水"},
		"lines after it":    {leader(304, "防水", 302, "LEADER{", 304, "LEADER_LINE{", 305, "}", 303, "}"), "注\n防水"},
		"no text":           {leader(302, "LEADER{", 304, "LEADER_LINE{", 305, "}", 303, "}"), ""},
		"too many closings": {leader(303, "}", 305, "}", 305, "}"), ""},
		"a turned one":      {leader(304, "防水", 13, 0, 23, 1, 41, 2, 43, 9), "注\n防水"},
		"an unseen one":     {strings.Replace(leader(304, "防水"), " 60\n0\n", " 60\n1\n", 1), ""},
	} {
		t.Run(name, func(t *testing.T) { reads(t, dxftest.Drawing(c.entity), c.want) })
	}
}

func TestOtherEntitiesWithTextAreRead(t *testing.T) {
	for name, c := range map[string]struct{ entity, want string }{
		"a tolerance":              {dxftest.Tags(0, "TOLERANCE", 8, "T", 10, 1, 20, 1, 1, `{\Fgdt;j}%%v0.1`), "T\n⌖ | 0.1"},
		"a text on an arc":         {dxftest.Tags(0, "ARCALIGNEDTEXT", 8, "T", 10, 1, 20, 1, 1, "round"), "T\nround"},
		"a form on the sheet":      {dxftest.Tags(0, "ATTDEF", 8, "T", 10, 1, 20, 1, 2, "NO", 3, "Number?", 1, "7"), "T\nNO: 7"},
		"an attribute alone":       {dxftest.Tags(0, "ATTRIB", 8, "T", 10, 1, 20, 1, 2, "", 1, "7"), "T\n7"},
		"lines of several":         {dxftest.Tags(0, "LINE", 8, "T", 1, "no text") + dxftest.Tags(0, "TEXT", 10, 1, 20, 1, 1, "none named"), "0\nnone named"},
		"an arc that is measured":  {dxftest.Tags(0, "ARC_DIMENSION", 8, "T", 42, 12.3456), "T\n12.346"},
		"kept for other programs":  {dxftest.Tags(0, "MTEXT", 8, "T", 1, "text", 101, "Embedded Object", 1, "no", 8, "no"), "T\ntext"},
		"a name in small letters":  {dxftest.Tags(0, "text", 8, "T", 1, "small"), "T\nsmall"},
		"empty ones":               {dxftest.Text("1", "T", "  ", 0, 0) + dxftest.Tags(0, "MTEXT", 8, "T", 1, `\P{\fA;}`), ""},
		"an insert of no block":    {dxftest.Insert("T", "nowhere", 0, 0), ""},
		"codes in a layer's name":  {dxftest.Text("1", `\U+7BA1\U+7EBF`, "a", 0, 0), "管线\na"},
		"a name with spaces round": {strings.Replace(dxftest.Text("1", "T", "a", 0, 0), "\nT\n", "\n  T  \n", 1), "T\na"},
	} {
		t.Run(name, func(t *testing.T) { reads(t, dxftest.Drawing(c.entity), c.want) })
	}
}

// TestNamesAreNotLongerThanNamesMayBe holds what every place repeats.
func TestNamesAreNotLongerThanNamesMayBe(t *testing.T) {
	long := strings.Repeat("长", 5000)
	p := parsed(t, dxftest.Drawing(dxftest.Insert(long, long, 0, 0)+dxftest.Tags(0, "ATTRIB", 5, long, 8, long, 2, long, 1, "v"), dxftest.Section("BLOCKS", dxftest.Block(long, dxftest.Text(long, long, "in it", 0, 0)))))
	for _, b := range p.Blocks {
		for _, s := range b.Segments {
			l := s.Locator.(corpus.DXFLocator)
			for _, name := range []string{l.Layer, l.Handle, l.Block, l.Tag, l.Shown} {
				if n := len([]rune(name)); n > 256 {
					t.Errorf("a name of %d characters is in a place", n)
				}
			}
		}
	}
	if placeOf(t, p, "in it").Hidden {
		t.Error("a block of a long name is not found")
	}
}
