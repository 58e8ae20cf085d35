package dxf_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/dxf"
	"github.com/kaoju/kaoju/internal/parse/dxf/dxftest"
)

// item is an entity of a made-up drawing: a text, or a block that is shown.
type item struct {
	text  string
	block int // of those that come later, so that there is no circle
	layer int
	x, y  float64
	scale float64
	turn  float64
}

// plan is a made-up drawing: blocks of items, of which block 0 is the model.
type plan struct {
	blocks [][]item
	off    []bool // of the layers
}

func drawPlan(t *rapid.T) plan {
	p := plan{off: []bool{rapid.Bool().Draw(t, "layer 0 off"), rapid.Bool().Draw(t, "layer 1 off"), rapid.Bool().Draw(t, "layer 2 off")}}
	n := rapid.IntRange(1, 4).Draw(t, "blocks")
	for b := range n {
		var items []item
		for i := range rapid.IntRange(0, 4).Draw(t, "items") {
			it := item{
				layer: rapid.IntRange(0, 2).Draw(t, "layer"), x: float64(rapid.IntRange(-50, 50).Draw(t, "x")), y: float64(rapid.IntRange(-50, 50).Draw(t, "y")),
				scale: rapid.SampledFrom([]float64{1, 2, -1, 0.5}).Draw(t, "scale"), turn: rapid.SampledFrom([]float64{0, 90, 180, 270}).Draw(t, "turn"),
			}
			if b+1 < n && rapid.Bool().Draw(t, "shows a block") {
				it.block = rapid.IntRange(b+1, n-1).Draw(t, "block")
			} else {
				it.text = fmt.Sprintf("T%d-%d", b, i)
			}
			items = append(items, it)
		}
		p.blocks = append(p.blocks, items)
	}
	return p
}

// layers are the names: the first is the one that takes over the layer of what shows it.
var layers = []string{"0", "wall", "pipe"}

func (p plan) write() string {
	var blocks []string
	var model string
	for b, items := range p.blocks {
		var out strings.Builder
		for _, it := range items {
			if it.text != "" {
				out.WriteString(dxftest.Text("H"+it.text, layers[it.layer], it.text, it.x, it.y))
			} else {
				out.WriteString(dxftest.Insert(layers[it.layer], fmt.Sprint("B", it.block), it.x, it.y, 41, it.scale, 42, it.scale, 50, it.turn))
			}
		}
		if b == 0 {
			model = out.String()
		} else {
			blocks = append(blocks, dxftest.Block(fmt.Sprint("B", b), out.String()))
		}
	}
	var table []string
	for i, name := range layers {
		colour := 7
		if p.off[i] {
			colour = -7
		}
		table = append(table, dxftest.Layer(name, 0, colour))
	}
	return dxftest.Drawing(model, dxftest.Tables(table...), dxftest.Section("BLOCKS", blocks...))
}

// sight is where a text is seen: the point of its corner, by plain trigonometry.
type sight struct {
	x, y float64
}

// expand shows every block in full, and returns each place at which a text is seen, in the order in
// which it is drawn.
func (p plan) expand(block, layer int, at func(x, y float64) (float64, float64), seen map[string][]sight) {
	for _, it := range p.blocks[block] {
		on := it.layer
		if on == 0 {
			on = layer
		}
		if p.off[on] {
			continue
		}
		if it.text != "" {
			x, y := at(it.x, it.y)
			seen[it.text] = append(seen[it.text], sight{x, y})
			continue
		}
		sin, cos := math.Sincos(it.turn * math.Pi / 180)
		p.expand(it.block, on, func(x, y float64) (float64, float64) {
			x, y = x*it.scale, y*it.scale
			return at(it.x+x*cos-y*sin, it.y+x*sin+y*cos)
		}, seen)
	}
}

// TestEveryTextThatIsSeenIsReadWhereItIsSeen holds the reader against a plain drawing of everything.
func TestEveryTextThatIsSeenIsReadWhereItIsSeen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t)
		seen := map[string][]sight{}
		p.expand(0, 0, func(x, y float64) (float64, float64) { return x, y }, seen)
		got, err := dxf.Parse(context.Background(), p.write(), limits)
		if err != nil {
			t.Fatal(err)
		}
		runes, read := []rune(got.Text), map[string]bool{}
		for _, b := range got.Blocks {
			for _, s := range b.Segments {
				text := string(runes[s.Span.Start:s.Span.End])
				l := s.Locator.(corpus.DXFLocator)
				if l.Handle == "" {
					continue // a heading
				}
				if read[text] {
					t.Fatalf("%s is read twice in %q", text, got.Text)
				}
				read[text] = true
				if l.Hidden == (len(seen[text]) > 0) {
					t.Fatalf("%s is hidden: %v, and is seen at %v", text, l.Hidden, seen[text])
				}
				if !l.Hidden && !slices.ContainsFunc(seen[text], func(at sight) bool { return corner(l.Region, at) }) {
					t.Fatalf("%s is read at %v, and seen at %v", text, l.Region, seen[text])
				}
			}
		}
		for text := range seen {
			if !read[text] {
				t.Fatalf("%s is seen and not read in %q", text, got.Text)
			}
		}
	})
}

// corner reports whether a region has a corner at a point, give or take what rounding takes.
func corner(r corpus.Region, at sight) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) < 0.01 }
	return (near(r[0], at.x) || near(r[2], at.x)) && (near(r[1], at.y) || near(r[3], at.y))
}

func TestEveryDrawingSaysTheSameInBinaryForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawPlan(t).write()
		want, err := dxf.Parse(context.Background(), text, limits)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := dxf.Text(dxftest.Binary(text), 1<<24)
		if err != nil {
			t.Fatal(err)
		}
		got, err := dxf.Parse(context.Background(), string(plain), limits)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

func TestLineEndsAndSpacesDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawPlan(t).write()
		want, err := dxf.Parse(context.Background(), text, limits)
		if err != nil {
			t.Fatal(err)
		}
		for name, other := range map[string]string{
			"of Windows": strings.ReplaceAll(text, "\n", "\r\n"),
			"commented":  "999\nwritten by hand\n" + strings.ReplaceAll(text, "  0\nTEXT\n", "999\na note\n  0\nTEXT\n"),
			"indented":   strings.ReplaceAll(text, "\n 40\n", "\n     40   \n  "),
		} {
			got, err := dxf.Parse(context.Background(), other, limits)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("%s: %s", name, d)
			}
		}
	})
}

// TestADrawingThatIsCutOffAnywhereGivesWhatCameBefore cuts after each line.
func TestADrawingThatIsCutOffAnywhereGivesWhatCameBefore(t *testing.T) {
	text := dxftest.Drawing(dxftest.Text("1", "a", "first", 0, 90)+dxftest.Text("2", "a", "second", 0, 80)+dxftest.Text("3", "a", "third", 0, 70), dxftest.Header("AC1021", "ANSI_936"))
	most := 0
	for i := range len(text) {
		if text[i] != '\n' {
			continue
		}
		p, err := dxf.Parse(context.Background(), text[:i+1], limits)
		if err != nil {
			if strings.Contains(text[:i+1], "first") {
				t.Fatalf("cut after %q it ends with %v", text[:i+1], err)
			}
			continue
		}
		n := strings.Count(p.Text, "\n\n")
		if n < most {
			t.Fatalf("cut after %q it reads %q, less than before", text[:i+1], p.Text)
		}
		most = n
		whole := strings.HasSuffix(text[:i+1], "ENDSEC\n") || strings.HasSuffix(text[:i+1], "EOF\n")
		if strings.Contains(text[:i+1], "ENTITIES\n") && (p.Notices == nil) != whole && !strings.HasSuffix(text[:i+1], "\n  0\n") {
			t.Fatalf("cut after %q the notices are %v", text[:i+1], p.Notices)
		}
	}
	if most != 3 {
		t.Errorf("whole, it has %d texts", most)
	}
}
