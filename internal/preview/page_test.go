package preview

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
)

// paragraphs is a document of blocks with an empty line between, each of one piece.
func paragraphs(lengths ...int) document {
	var d document
	var text strings.Builder
	for i, n := range lengths {
		if i > 0 {
			text.WriteString("\n\n")
			d.total += 2
		}
		text.WriteString(strings.Repeat("x", n))
		span := corpus.Span{Start: d.total, End: d.total + n}
		d.blocks = append(d.blocks, corpus.Block{Kind: corpus.Paragraph, Span: span, Segments: []corpus.Segment{{Span: span, Locator: corpus.TextLocator{Format: "txt", Line: i + 1}}}})
		d.total += n
	}
	d.text = text.String()
	return d
}

func TestPageHoldsWholeBlocksWhereTheyAreNotLong(t *testing.T) {
	even := slices.Repeat([]int{998}, 50) // a block begins at each thousand
	for name, c := range map[string]struct {
		lengths []int
		w       Window
		want    corpus.Span
	}{
		"the beginning":           {even, Window{}, corpus.Span{Start: 0, End: 20_000}},
		"from a block":            {even, Window{From: 3000}, corpus.Span{Start: 3000, End: 23_000}},
		"from within a block":     {even, Window{From: 3500}, corpus.Span{Start: 3000, End: 23_000}},
		"from between blocks":     {even, Window{From: 2999}, corpus.Span{Start: 2999, End: 22_999}},
		"a part of a block":       {even, Window{From: 3100, To: 3200}, corpus.Span{Start: 3000, End: 3998}},
		"over two blocks":         {even, Window{From: 3900, To: 4100}, corpus.Span{Start: 3000, End: 4998}},
		"more than a page":        {even, Window{From: 3100, To: 40_000}, corpus.Span{Start: 3000, End: 23_000}},
		"the end":                 {even, Window{From: 49_998}, corpus.Span{Start: 49_998, End: 49_998}},
		"before the end":          {even, Window{From: 45_000}, corpus.Span{Start: 45_000, End: 49_998}},
		"a block of a page":       {[]int{30_000}, Window{}, corpus.Span{Start: 0, End: 20_000}},
		"within a long block":     {[]int{30_000}, Window{From: 7000, To: 8000}, corpus.Span{Start: 7000, End: 8000}},
		"a long block after one":  {[]int{998, 30_000}, Window{}, corpus.Span{Start: 0, End: 20_000}},
		"a short block after one": {[]int{19_000, 1998}, Window{}, corpus.Span{Start: 0, End: 19_002}},
		"nothing":                 {nil, Window{}, corpus.Span{}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := paragraphs(c.lengths...).page(c.w); got != c.want {
				t.Errorf("the page is %v, want %v", got, c.want)
			}
		})
	}
}

func TestPageHoldsABoundedNumberOfPlaces(t *testing.T) {
	d := paragraphs(slices.Repeat([]int{1}, pagePlaces+500)...)
	if got := d.page(Window{}); got != (corpus.Span{Start: 0, End: 3 * pagePlaces}) {
		t.Errorf("the page is %v", got)
	}
	if got := d.page(Window{From: 3 * pagePlaces}); got != (corpus.Span{Start: 3 * pagePlaces, End: d.total}) {
		t.Errorf("the page after it is %v", got)
	}
}

func TestLongBlockIsCutBeforeAPieceOrAfterASpace(t *testing.T) {
	d := paragraphs(30_000)
	b := &d.blocks[0]
	b.Segments = nil
	for at := 0; at < 30_000; at += 300 {
		b.Segments = append(b.Segments, corpus.Segment{Span: corpus.Span{Start: at, End: at + 299}, Locator: corpus.TextLocator{Format: "html", Char: [2]int{at, at + 299}}})
	}
	if got := d.page(Window{}).End; got != 19_800 {
		t.Errorf("between pieces the page ends at %d", got)
	}
	one := paragraphs(30_000)
	one.text = one.text[:19_950] + " " + one.text[19_951:]
	if got := one.page(Window{}).End; got != 19_951 {
		t.Errorf("between words the page ends at %d", got)
	}
}

func TestReachIsEnoughForAPage(t *testing.T) {
	d := paragraphs(slices.Repeat([]int{700, 1, 1999, 40}, 40)...)
	for from := range d.total {
		w := Window{From: from}
		if got, reach := d.page(w), Reach(w); !reach.Contains(got) {
			t.Fatalf("from %d the page is %v, and the reach %v", from, got, reach)
		}
	}
}

func TestDocumentationNamesEveryElementAndClass(t *testing.T) {
	doc, err := os.ReadFile("../../docs/preview.md")
	if err != nil {
		t.Fatal(err)
	}
	var source strings.Builder
	for _, file := range []string{"render.go", "block.go", "cell.go", "table.go", "anchor.go"} {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source.Write(b)
	}
	found := 0
	for _, m := range regexp.MustCompile(`"?(doc-(?:mark|address|unshown|sheet|slide|page|part|beside|line-|char-|row-|p-|t-))`).FindAllStringSubmatch(source.String(), -1) {
		found++
		if !strings.Contains(string(doc), m[1]) {
			t.Errorf("the documentation does not name %s", m[1])
		}
	}
	if found < 10 {
		t.Errorf("%d classes and anchors were found", found)
	}
	_, list, _ := strings.Cut(string(doc), "Elements: `")
	list, _, _ = strings.Cut(list, "`. No")
	named := strings.Fields(strings.ReplaceAll(list, "`–`", " "))
	for _, name := range append([]string{"div", "section", "span", "p", "br", "h1", "h6", "blockquote", "pre", "ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td"}, tagNames...) {
		if !slices.Contains(named, name) {
			t.Errorf("the documentation does not name the element %s in %v", name, named)
		}
		if got := sanitise("<" + name + ">"); !strings.Contains(got, "<"+name) {
			t.Errorf("the sanitiser takes %s out", name)
		}
	}
}
