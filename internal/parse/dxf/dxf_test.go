package dxf_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/dxf"
	"github.com/kaoju/kaoju/internal/parse/dxf/dxftest"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/problem"
)

var limits = layout.Limits{Places: 10_000, Bytes: 1 << 20}

func parsed(t *testing.T, text string) corpus.Parsed {
	t.Helper()
	p, err := dxf.Parse(context.Background(), text, limits)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// reads holds the text of a drawing, with one line end for two.
func reads(t *testing.T, drawing, want string) corpus.Parsed {
	t.Helper()
	p := parsed(t, drawing)
	if got := strings.ReplaceAll(p.Text, "\n\n", "\n"); got != want {
		t.Errorf("it reads %q, want %q", got, want)
	}
	return p
}

// placeOf is the place of the piece that is that text.
func placeOf(t *testing.T, p corpus.Parsed, text string) corpus.DXFLocator {
	t.Helper()
	runes := []rune(p.Text)
	for _, b := range p.Blocks {
		for _, s := range b.Segments {
			if string(runes[s.Span.Start:s.Span.End]) == text && b.Kind != corpus.Heading {
				return s.Locator.(corpus.DXFLocator)
			}
		}
	}
	t.Fatalf("there is no piece %q in %q", text, p.Text)
	return corpus.DXFLocator{}
}

func TestATextHasItsLayerHandlePointAndRegion(t *testing.T) {
	p := reads(t, dxftest.Drawing(dxftest.Text("2A", "标注", "标高", 100, 200)), "标注\n标高")
	want := corpus.DXFLocator{
		Layer: "标注", Entity: "TEXT", Handle: "2A", No: 1, Insert: &[2]float64{100, 200}, Space: "model",
		Region: corpus.Region{100, 200, 102.7, 201}, Shown: "model",
	}
	if d := cmp.Diff(want, placeOf(t, p, "标高")); d != "" {
		t.Error(d)
	}
	if b := p.Blocks[0]; b.Kind != corpus.Heading || b.Level != 1 || len(p.Blocks[1].HeadingPath) != 1 {
		t.Errorf("the layer is no heading: %+v", p.Blocks)
	}
}

func TestRegionsFollowAlignmentAndDirection(t *testing.T) {
	for name, c := range map[string]struct {
		entity string
		want   corpus.Region
	}{
		"from the left":  {dxftest.Text("1", "0", "abcd", 10, 10), corpus.Region{10, 10, 13, 11}},
		"to the right":   {dxftest.Text("1", "0", "abcd", 0, 0, 11, 10, 21, 10, 72, 2), corpus.Region{7, 10, 10, 11}},
		"in the middle":  {dxftest.Text("1", "0", "abcd", 0, 0, 11, 10, 21, 10, 72, 4), corpus.Region{8.5, 9.5, 11.5, 10.5}},
		"from the top":   {dxftest.Text("1", "0", "abcd", 0, 0, 11, 10, 21, 10, 72, 1, 73, 3), corpus.Region{8.5, 9, 11.5, 10}},
		"between points": {dxftest.Text("1", "0", "abcd", 0, 0, 11, 8, 21, 0, 72, 5), corpus.Region{0, 0, 8, 1}},
		"upwards":        {dxftest.Text("1", "0", "abcd", 10, 10, 50, 90), corpus.Region{9, 10, 10, 13}},
		"from behind":    {dxftest.Text("1", "0", "abcd", 10, 10, 230, -1), corpus.Region{-13, 10, -10, 11}},
		"wider letters":  {dxftest.Text("1", "0", "abcd", 10, 10, 41, 2), corpus.Region{10, 10, 16, 11}},
		"a paragraph":    {dxftest.Tags(0, "MTEXT", 8, "0", 10, 10, 20, 10, 40, 1, 71, 1, 1, "abcd"), corpus.Region{10, 9, 13, 10}},
		"its middle":     {dxftest.Tags(0, "MTEXT", 8, "0", 10, 10, 20, 10, 40, 1, 71, 5, 1, "abcd"), corpus.Region{8.5, 9.5, 11.5, 10.5}},
		"its corner":     {dxftest.Tags(0, "MTEXT", 8, "0", 10, 10, 20, 10, 40, 1, 71, 9, 1, "abcd"), corpus.Region{7, 10, 10, 11}},
		"with an extent": {dxftest.Tags(0, "MTEXT", 8, "0", 10, 10, 20, 10, 40, 1, 42, 5, 43, 2, 71, 1, 1, "abcd"), corpus.Region{10, 8, 15, 10}},
		"in a direction": {dxftest.Tags(0, "MTEXT", 8, "0", 10, 10, 20, 10, 11, 0, 21, 1, 40, 1, 71, 1, 1, "abcd"), corpus.Region{10, 10, 11, 13}},
		"a long word":    {dxftest.Tags(0, "MTEXT", 8, "0", 10, 10, 20, 10, 40, 1, 41, 1.5, 71, 1, 1, "abcd"), corpus.Region{10, 9, 13, 10}},
	} {
		text := "abcd"
		if got := placeOf(t, parsed(t, dxftest.Drawing(c.entity)), text).Region; got != c.want {
			t.Errorf("%s it is at %v, want %v", name, got, c.want)
		}
	}
	wrapped := dxftest.Tags(0, "MTEXT", 8, "0", 10, 10, 20, 10, 40, 1, 41, 1.5, 71, 1, 1, "ab cd")
	if got := placeOf(t, parsed(t, dxftest.Drawing(wrapped)), "ab cd").Region; got != (corpus.Region{10, 7.33, 11.5, 10}) {
		t.Errorf("on two lines it is at %v", got)
	}
}

func TestLongParagraphsAreJoinedFromTheirPieces(t *testing.T) {
	reads(t, dxftest.Drawing(dxftest.Tags(0, "MTEXT", 8, "说明", 10, 1, 20, 1, 40, 1, 3, "张拉控", 3, "制值为1395", 1, "MPa。", 1001, "ACAD", 1000, "more")), "说明\n张拉控制值为1395MPa。")
}

func TestABlockIsReadOnceWhereItStandsFirst(t *testing.T) {
	blocks := dxftest.Section("BLOCKS",
		dxftest.Block("门", dxftest.Text("D1", "0", "M0921", 1, 0), dxftest.Insert("0", "锁", 0, 0)),
		dxftest.Block("锁", dxftest.Text("L1", "五金", "lock", 0, 2)))
	p := reads(t, dxftest.Drawing(dxftest.Insert("门窗", "门", 100, 50, 41, 2, 42, 2)+dxftest.Insert("门窗", "门", 300, 50), blocks), "0\nM0921\n五金\nlock")
	door := placeOf(t, p, "M0921")
	if door.Block != "门" || door.Space != "" || door.Layer != "0" || *door.Insert != [2]float64{1, 0} || door.Region != (corpus.Region{102, 50, 109.5, 52}) {
		t.Errorf("the door is at %+v", door)
	}
	if lock := placeOf(t, p, "lock"); lock.Block != "锁" || lock.Region != (corpus.Region{100, 54, 106, 56}) || lock.Hidden {
		t.Errorf("the lock is at %+v", lock)
	}
}

func TestWhatNobodySeesIsLeftOut(t *testing.T) {
	tables := dxftest.Tables(dxftest.Layer("off", 0, -7), dxftest.Layer("frozen", 1, 7), dxftest.Layer("on", 0, 7))
	both := dxftest.Block("both", dxftest.Text("3", "on", "seen once", 0, 0))
	behind := []string{
		dxftest.Block("behind", dxftest.Text("2", "0", "inherits", 0, 0), dxftest.Text("2", "on", "in what is off", 0, 0), dxftest.Insert("on", "deeper", 0, 0)),
		dxftest.Block("deeper", dxftest.Text("2", "on", "deeper", 0, 0)),
	}
	for name, unseen := range map[string]string{
		"a layer that is off": dxftest.Text("5", "OFF", "no", 0, 8), "a frozen one": dxftest.Text("6", "frozen", "no", 0, 7),
		"an entity": dxftest.Text("7", "on", "no", 0, 6, 60, 1), "a block": dxftest.Insert("off", "behind", 0, 0),
		"a dimension":  dxftest.Tags(0, "DIMENSION", 8, "off", 42, 7),
		"an attribute": dxftest.Insert("on", "both", 70, 0) + dxftest.Tags(0, "ATTRIB", 8, "frozen", 2, "A", 1, "no", 0, "ATTRIB", 8, "on", 2, "B", 1, "no", 70, 1),
	} {
		blocks := dxftest.Section("BLOCKS", both)
		if name == "a block" {
			blocks = dxftest.Section("BLOCKS", append(behind, both)...)
		}
		p := reads(t, dxftest.Drawing(unseen+dxftest.Insert("frozen", "both", 50, 0)+dxftest.Insert("on", "both", 70, 0), tables, blocks), "on\nseen once")
		if len(p.Notices) != 1 || p.Notices[0] != layout.HiddenLeftOut {
			t.Errorf("%s: the notices are %v", name, p.Notices)
		}
		if l := placeOf(t, p, "seen once"); l.Region[0] != 70 || l.Hidden {
			t.Errorf("%s: the block is not where it is seen: %+v", name, l)
		}
	}
}

func TestAttributesOfWhatIsInvisibleAreLeftOutWithAWord(t *testing.T) {
	hidden := dxftest.Tags(0, "INSERT", 8, "on", 2, "none", 10, 0, 20, 0, 66, 1, 60, 1, 0, "ATTRIB", 8, "on", 2, "A", 1, "no")
	p := reads(t, dxftest.Drawing(dxftest.Text("4", "on", "seen", 0, 9)+hidden, dxftest.Tables(dxftest.Layer("on", 0, 7)), ""), "on\nseen")
	if len(p.Notices) != 1 || p.Notices[0] != layout.HiddenLeftOut {
		t.Errorf("the notices are %v", p.Notices)
	}
}

func TestABlockThatStandsNowhereIsReadApartAndMarked(t *testing.T) {
	tables := dxftest.Tables(dxftest.Layer("off", 0, -7))
	blocks := dxftest.Section("BLOCKS", dxftest.Block("unused", dxftest.Text("1", "on", "nowhere", 0, 0), dxftest.Text("2", "off", "no", 0, 0)))
	p := reads(t, dxftest.Drawing(dxftest.Text("4", "on", "plain to see", 0, 9), tables, blocks), "on\nplain to see\nunused\non\nnowhere")
	if l := placeOf(t, p, "nowhere"); !l.Hidden || l.Shown != "unused" || l.Block != "unused" {
		t.Errorf("what stands nowhere is at %+v", l)
	}
	if l := placeOf(t, p, "plain to see"); l.Hidden {
		t.Errorf("what is seen is at %+v", l)
	}
}

func TestAttributesOfAnObjectAreNamesAndValuesTogether(t *testing.T) {
	attribute := func(tag, value string, y float64, flags int) string {
		return dxftest.Tags(0, "ATTRIB", 5, "A"+tag, 8, "图框", 10, 500, 20, y, 40, 1, 1, value, 2, tag, 70, flags)
	}
	blocks := dxftest.Section("BLOCKS", dxftest.Block("TITLE",
		dxftest.Tags(0, "ATTDEF", 8, "0", 10, 0, 20, 0, 40, 1, 1, "to fill in", 2, "NAME", 3, "Name?", 70, 0),
		dxftest.Tags(0, "ATTDEF", 8, "0", 10, 0, 20, 5, 40, 1, 1, "Rev C", 2, "FIXED", 70, 2)))
	p := reads(t, dxftest.Drawing(
		dxftest.Text("1", "图框", "between them", 500, 11)+
			dxftest.Insert("图框", "TITLE", 500, 0, 66, 1)+attribute("图名", "一层平面图", 12, 0)+attribute("SCALE", "1:100", 10, 0)+attribute("SECRET", "x", 8, 1)+attribute("EMPTY", " ", 7, 0)+
			dxftest.Tags(0, "SEQEND", 8, "0")+dxftest.Text("2", "图框", "last", 500, -90), blocks),
		"图框\n图名: 一层平面图\nSCALE: 1:100\nbetween them\nlast\n0\nFIXED: Rev C")
	if l := placeOf(t, p, "图名: 一层平面图"); l.Tag != "图名" || l.Entity != "ATTRIB" || l.Space != "model" || l.Layer != "图框" || l.Handle != "A图名" {
		t.Errorf("the attribute is at %+v", l)
	}
}

func TestADimensionSaysWhatItShows(t *testing.T) {
	blocks := dxftest.Section("BLOCKS", dxftest.Block("*D1", dxftest.Tags(0, "MTEXT", 5, "9", 8, "尺寸", 10, 5, 20, 5, 40, 1, 1, "3 600")))
	dimension := func(block, text string) string {
		return dxftest.Tags(0, "DIMENSION", 8, "尺寸", 2, block, 11, 50, 21, 60, 1, text, 42, 3600.00049)
	}
	reads(t, dxftest.Drawing(dimension("*D1", ""), blocks), "尺寸\n3 600")
	reads(t, dxftest.Drawing(dimension("*D2", "")), "尺寸\n3600")
	reads(t, dxftest.Drawing(dimension("*D2", `%%c<>\P(typ)`)), "尺寸\nØ3600\n(typ)")
	p := reads(t, dxftest.Drawing(dimension("*D2", "free")), "尺寸\nfree")
	if l := placeOf(t, p, "free"); l.Region != (corpus.Region{46.25, 58.75, 53.75, 61.25}) {
		t.Errorf("it is at %v", l.Region)
	}
}

func TestATableIsReadRowByRow(t *testing.T) {
	cell := func(text string, x, y float64) string {
		return dxftest.Tags(0, "MTEXT", 8, "0", 10, x, 20, y, 40, 1, 71, 5, 1, text)
	}
	blocks := dxftest.Section("BLOCKS", dxftest.Block("*T1", cell("D-2", 5, -10), cell("房间", 0, 0), cell("面积", 50, 0), cell("办公室", 0, -5), cell("24.5", 50, -5)))
	p := reads(t, dxftest.Drawing(dxftest.Tags(0, "ACAD_TABLE", 8, "表", 2, "*T1", 10, 100, 20, 100, 11, 1, 21, 0), blocks), "0\n房间 | 面积\n办公室 | 24.5\nD-2")
	if p.Blocks[1].Kind != corpus.TableRow {
		t.Errorf("its rows are %s", p.Blocks[1].Kind)
	}
	reads(t, dxftest.Drawing(dxftest.Tags(0, "ACAD_TABLE", 8, "表", 2, "*T9", 10, 1, 20, 1, 1, "a", 302, "b")), "表\na\nb")
}

func TestALeaderIsReadFromItsContext(t *testing.T) {
	p := reads(t, dxftest.Drawing(dxftest.Tags(0, "MULTILEADER", 5, "77", 8, "注", 300, "CONTEXT_DATA{", 40, 1, 41, 1, 304, `{\H1x;防水层}\P2 mm`, 12, 30, 22, 40,
		302, "LEADER{", 10, 1, 304, "LEADER_LINE{", 10, 9, 305, "}", 303, "}", 301, "}", 302, "tag text", 340, "1")), "注\n防水层\n2 mmtag text")
	if l := placeOf(t, p, "防水层\n2 mmtag text"); l.Insert[0] != 30 || l.Handle != "77" {
		t.Errorf("it is at %+v", l)
	}
}

func TestSheetsOfPaperAreReadUnderTheirNames(t *testing.T) {
	tables := dxftest.Section("TABLES", dxftest.Tags(0, "BLOCK_RECORD", 5, "1B", 2, "*Paper_Space"))
	blocks := dxftest.Section("BLOCKS", dxftest.Block("*Paper_Space0", dxftest.Text("8", "0", "second sheet", 0, 0)), dxftest.Block("*Model_Space", dxftest.Text("9", "0", "in the block", 0, -9)))
	objects := dxftest.Section("OBJECTS", dxftest.Tags(0, "LAYOUT", 100, "AcDbPlotSettings", 1, "printer", 100, "AcDbLayout", 1, "A1 图", 330, "1B"))
	p := reads(t, dxftest.Drawing(dxftest.Text("1", "0", "in the model", 0, 0)+dxftest.Text("2", "0", "on paper", 0, 0, 67, 1), tables, blocks, objects),
		"0\nin the model\nin the block\nA1 图\n0\non paper\npaper0\n0\nsecond sheet")
	if l := placeOf(t, p, "on paper"); l.Space != "paper" || l.Shown != "A1 图" || l.Hidden {
		t.Errorf("it is at %+v", l)
	}
	if l := placeOf(t, p, "in the block"); l.Space != "model" || l.Block != "" {
		t.Errorf("it is at %+v", l)
	}
}

func TestADrawingInBinaryFormSaysTheSame(t *testing.T) {
	text := dxftest.Drawing(dxftest.Text("2A", "标注", "标高 -0.45", 100.25, -200, 72, 4, 11, 1, 21, 2), dxftest.Header("AC1024", "ANSI_936"))
	data := dxftest.Binary(text)
	if !dxf.Binary(data) || dxf.Binary([]byte(text)) {
		t.Fatal("the forms are not told apart")
	}
	got, err := dxf.Text(data, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(parsed(t, text), parsed(t, string(got))); d != "" {
		t.Error(d)
	}
	if _, err := dxf.Text(data, 100); !errors.Is(err, dxf.ErrLarge) {
		t.Errorf("over the limit it ends with %v", err)
	}
	for n := range data[22:] {
		cut, err := dxf.Text(data[:22+n], 1<<20)
		if err != nil || !strings.HasPrefix(string(got), string(cut)) {
			t.Fatalf("cut at %d it says %q (%v)", n, cut, err)
		}
	}
}

func TestADrawingDeclaresItsEncoding(t *testing.T) {
	for want, header := range map[string]string{
		"ansi_936": dxftest.Header("AC1015", "ANSI_936"), "dos850": dxftest.Header("AC1012", "dos850"), "": dxftest.Header("AC1021", "ANSI_936"),
	} {
		if got := dxf.CodePage([]byte(header)); got != want {
			t.Errorf("it declares %q, want %q", got, want)
		}
	}
	if got := dxf.CodePage([]byte("0\nSECTION\n9\n$DWGCODEPAGE")); got != "" {
		t.Errorf("cut off, it declares %q", got)
	}
}

func TestDamageIsSaidOrRefused(t *testing.T) {
	whole := dxftest.Drawing(dxftest.Text("1", "0", "first", 0, 9) + dxftest.Text("2", "0", "second", 0, 0))
	if p := parsed(t, whole); p.Notices != nil {
		t.Errorf("the notices are %v", p.Notices)
	}
	if p := parsed(t, strings.TrimSuffix(whole, dxftest.Tags(0, "EOF"))); p.Notices != nil {
		t.Errorf("without its last pair the notices are %v", p.Notices)
	}
	for name, text := range map[string]string{
		"cut off": whole[:strings.Index(whole, "second")], "no end": strings.TrimSuffix(whole, dxftest.Tags(0, "ENDSEC", 0, "EOF")),
		"a line too many": strings.Replace(whole, "  0\nTEXT\n  5\n2\n", "  0\nTEXT\nstray line\n  5\n2\n", 1),
	} {
		p := parsed(t, text)
		if len(p.Notices) != 1 || p.Notices[0] != dxf.PartLeftOut || !strings.Contains(p.Text, "first") {
			t.Errorf("%s: %q with the notices %v", name, p.Text, p.Notices)
		}
	}
	for name, c := range map[string]struct{ text, code string }{
		"no drawing":   {"# A plan\n\ntext", "content_mismatch"},
		"nothing":      {"\n", "content_mismatch"},
		"damaged head": {dxftest.Tags(0, "SECTION", 2, "HEADER") + "stray\nline\n", "dxf_malformed"},
	} {
		_, err := dxf.Parse(context.Background(), c.text, limits)
		if problem.CodeOf(err) != c.code || !problem.Is(err, problem.Invalid) {
			t.Errorf("%s ends with %v, want %s", name, err, c.code)
		}
	}
}

func TestBlocksThatShowEachOtherEnd(t *testing.T) {
	blocks := dxftest.Section("BLOCKS", dxftest.Block("a", dxftest.Text("1", "0", "in a", 0, 0), dxftest.Insert("0", "b", 0, -9)), dxftest.Block("b", dxftest.Insert("0", "a", 0, 0), dxftest.Insert("0", "b", 0, 0), dxftest.Text("2", "0", "in b", 0, 0)))
	reads(t, dxftest.Drawing(dxftest.Insert("0", "a", 0, 0), blocks), "0\nin a\nin b")
}

func TestBlocksDoNotGrowWithEachOther(t *testing.T) {
	var blocks []string
	for i := range 60 { // shown in full, the last one would be there 2^60 times
		blocks = append(blocks, dxftest.Block(fmt.Sprint("b", i), dxftest.Insert("0", fmt.Sprint("b", i+1), 0, 0), dxftest.Insert("0", fmt.Sprint("b", i+1), 1, 0)))
	}
	blocks = append(blocks, dxftest.Block("b60", dxftest.Text("1", "0", "bottom", 0, 0)))
	reads(t, dxftest.Drawing(dxftest.Insert("0", "b0", 0, 0), dxftest.Section("BLOCKS", blocks...)), "0\nbottom")
}

func TestLimitsOfADrawingAreKept(t *testing.T) {
	var chain []string
	for i := range 200 {
		chain = append(chain, dxftest.Block(fmt.Sprint("b", i), dxftest.Insert("0", fmt.Sprint("b", i+1), 0, 0)))
	}
	many := strings.Repeat(dxftest.Tags(0, "INSERT", 2, "x"), 300_001)
	for name, c := range map[string]struct{ text, code string }{
		"too deep": {dxftest.Drawing(dxftest.Insert("0", "b0", 0, 0), dxftest.Section("BLOCKS", chain...)), "drawing_depth_limit"},
		"too many": {dxftest.Drawing(many), "drawing_entity_limit"},
	} {
		if _, err := dxf.Parse(context.Background(), c.text, limits); problem.CodeOf(err) != c.code {
			t.Errorf("%s ends with %v, want %s", name, err, c.code)
		}
	}
	texts := strings.Repeat(dxftest.Text("1", "0", "a", 0, 0), 20)
	if _, err := dxf.Parse(context.Background(), dxftest.Drawing(texts), layout.Limits{Places: 10, Bytes: 1 << 20}); !errors.Is(err, layout.ErrFull) {
		t.Errorf("too many places end with %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := dxf.Parse(ctx, dxftest.Drawing(many), limits); !errors.Is(err, context.Canceled) {
		t.Errorf("it goes on after its context ended: %v", err)
	}
}
