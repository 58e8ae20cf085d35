package parse_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/dxf/dxftest"
)

// sentences are texts as they stand in drawings.
var sentences = rapid.SampledFrom([]string{
	"标高±0.000", "卫生间", "泵 A-1", "DN50", "3 600", "The door opens outwards.", "详见结施-05", "钢筋混凝土楼板厚 120mm。", "比例 1:100", "北",
	"净高不低于 2.4 m，梁下不低于 2.2 m。", "Note: all dimensions are in millimetres unless stated otherwise on the drawing.", strings.Repeat("说明文字，", 60), "a", "12.5 m²",
})

// drawSheet makes a drawing up: texts on layers, on paper and in the model, some of them in blocks.
func drawSheet(t *rapid.T) (text string, texts int) {
	var entities, blocks strings.Builder
	for i := range rapid.IntRange(0, 25).Draw(t, "texts") {
		layer := rapid.SampledFrom([]string{"0", "标注", "墙", "PIPE-02"}).Draw(t, "layer")
		x, y := float64(rapid.IntRange(-40, 40).Draw(t, "x")), float64(rapid.IntRange(-40, 40).Draw(t, "y"))
		words := sentences.Draw(t, "words")
		switch rapid.IntRange(0, 3).Draw(t, "where") {
		case 0:
			blocks.WriteString(dxftest.Block(fmt.Sprint("B", i), dxftest.Text(fmt.Sprint("F", i), layer, words, 1, 1)))
			if rapid.Bool().Draw(t, "stands") {
				entities.WriteString(dxftest.Insert(layer, fmt.Sprint("B", i), x, y))
			}
		case 1:
			entities.WriteString(dxftest.Text(fmt.Sprint("E", i), layer, words, x, y, 67, 1))
		default:
			entities.WriteString(dxftest.Text(fmt.Sprint("D", i), layer, words, x, y))
		}
		texts++
	}
	return dxftest.Drawing(entities.String(), dxftest.Header("AC1015", "ANSI_936"), dxftest.Section("BLOCKS", blocks.String())), texts
}

func TestWhateverADrawingHoldsKeepsWhatEveryParsePromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, texts := drawSheet(t)
		f := parse.File{Name: "a.dxf", Data: []byte(text)}
		r, err := parse.Parse(context.Background(), f)
		if err != nil {
			t.Fatal(err)
		}
		checkParsed(t, f, r)
		read := 0
		for _, b := range r.Parsed.Blocks {
			for _, s := range b.Segments {
				if s.Locator.(corpus.DXFLocator).No > 0 {
					read++
				}
			}
		}
		if read != texts {
			t.Fatalf("%d of %d texts are read", read, texts)
		}
		for _, limit := range []int{900, 120} {
			chunks := chunk.Split(r.Parsed, chunk.Options{MaxChars: limit})
			checkChunks(t, r.Parsed, chunks, limit)
			for _, c := range chunks {
				one := c.Segments[0].Locator.(corpus.DXFLocator)
				for _, s := range c.Segments {
					if l := s.Locator.(corpus.DXFLocator); l.Shown != one.Shown || l.Hidden != one.Hidden {
						t.Fatalf("chunk %d holds what is shown at %q and at %q", c.No, one.Shown, l.Shown)
					}
				}
			}
		}
	})
}

func TestADrawingSaysTheSameInEveryEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SampledFrom([]string{"一层平面图", "给排水管线", "卫生间", "主楼梯", "地下车库", "配电间", "建筑面积", "外墙"})
		text := strings.Join(rapid.SliceOfN(words, 4, 12).Draw(t, "words"), "")
		for _, c := range []struct {
			version, page string
			enc           encoding.Encoding
		}{{"AC1021", "ANSI_936", nil}, {"AC1015", "ANSI_936", simplifiedchinese.GBK}, {"AC1015", "ANSI_936", simplifiedchinese.GB18030}, {"AC1015", "ANSI_950", traditionalchinese.Big5}} {
			data := dxftest.Drawing(dxftest.Text("1", "L", text, 0, 0), dxftest.Header(c.version, c.page))
			if c.enc != nil {
				var err error
				if data, err = c.enc.NewEncoder().String(data); err != nil {
					continue // a sign that this encoding does not have
				}
			}
			r, err := parse.Parse(context.Background(), parse.File{Name: "a.dxf", Data: []byte(data)})
			if err != nil || !strings.HasSuffix(r.Parsed.Text, text) {
				t.Fatalf("%s in %v: %q, %v", text, c.enc, r.Parsed.Text, err)
			}
		}
	})
}

// TestTheOrderOfAFileIsNotTheOrderOfReading turns a drawing's texts around: what is read is the same.
func TestTheOrderOfAFileIsNotTheOrderOfReading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var list []string
		for i, at := range rapid.SliceOfNDistinct(rapid.IntRange(0, 99), 1, 20, rapid.ID).Draw(t, "places") {
			list = append(list, dxftest.Text(fmt.Sprint(i), "L", fmt.Sprint("text", at), float64(at%10)*30, float64(at/10)*30))
		}
		want := mustRead(t, dxftest.Drawing(strings.Join(list, "")))
		other := rapid.Permutation(list).Draw(t, "order")
		if got := mustRead(t, dxftest.Drawing(strings.Join(other, ""))); got != want {
			t.Fatalf("it reads %q and %q", got, want)
		}
	})
}

func mustRead(t *rapid.T, drawing string) string {
	r, err := parse.Parse(context.Background(), parse.File{Name: "a.dxf", Data: []byte(drawing)})
	if err != nil {
		t.Fatal(err)
	}
	return r.Parsed.Text
}
