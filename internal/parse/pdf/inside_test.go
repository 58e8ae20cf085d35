package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
)

// TestTurnsOfTheFrameAreQuartersOneAfterTheOther compares each turn with turning a sheet by hand.
func TestTurnsOfTheFrameAreQuartersOneAfterTheOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Float32Range(-500, 500)
		f := frame{left: number.Draw(t, "left"), bottom: number.Draw(t, "bottom")}
		f.right, f.top = f.left+rapid.Float32Range(1, 900).Draw(t, "width"), f.bottom+rapid.Float32Range(1, 900).Draw(t, "height")
		x, y := rapid.Float32Range(f.left, f.right).Draw(t, "x"), rapid.Float32Range(f.bottom, f.top).Draw(t, "y")
		wx, wy := x-f.left, f.top-y // as the page is seen upright
		w, h := f.right-f.left, f.top-f.bottom
		for turn := range 4 {
			f.turn = turn
			gx, gy := f.point(x, y)
			if size := f.size(); size != [2]float32{w, h} {
				t.Fatalf("after %d quarters the size is %v, want %v %v", turn, size, w, h)
			}
			if math.Abs(float64(gx-wx)) > 0.01 || math.Abs(float64(gy-wy)) > 0.01 {
				t.Fatalf("after %d quarters the point is %v %v, want %v %v", turn, gx, gy, wx, wy)
			}
			wx, wy, w, h = h-wy, wx, h, w // one quarter clockwise
		}
	})
}

// TestTurnedBoxesKeepTheirSizeAndOrder holds that lines of each way run to the right and downwards.
func TestTurnedBoxesKeepTheirSizeAndOrder(t *testing.T) {
	first, next, below := map[int]corpus.Box{}, map[int]corpus.Box{}, map[int]corpus.Box{}
	first[0], next[0], below[0] = corpus.Box{100, 100, 110, 108}, corpus.Box{110, 100, 120, 108}, corpus.Box{100, 110, 110, 118}
	for way := 1; way < 4; way++ {
		for _, m := range []map[int]corpus.Box{first, next, below} {
			b := m[way-1]
			m[way] = corpus.Box{600 - b[3], b[0], 600 - b[1], b[2]} // clockwise about a square sheet
		}
	}
	for way := range 4 {
		l0, t0, r0, b0 := turned(first[way], way)
		l1, t1, _, _ := turned(next[way], way)
		l2, t2, _, _ := turned(below[way], way)
		if r0-l0 != 10 || b0-t0 != 8 || l1-l0 != 10 || t1 != t0 || t2-t0 != 10 || l2 != l0 {
			t.Errorf("way %d: %v %v %v %v, then %v %v, below %v %v", way, l0, t0, r0, b0, l1, t1, l2, t2)
		}
	}
}

func TestGlueOfLinesFollowsTheDocument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		head := rapid.StringMatching(`[a-z]{3,8}`).Draw(t, "head")
		tail := rapid.StringMatching(`[a-z]{3,8}`).Draw(t, "tail")
		before := rapid.SampledFrom([]string{"", "the ", "一个 "}).Draw(t, "before")
		known := func(words ...string) vocabulary {
			lines := make([]line, len(words))
			for i, w := range words {
				lines[i].runs = []run{{text: w}}
			}
			return collect(lines)
		}
		joined := func(v vocabulary, hyphen string) string {
			text, glue := v.glue(before+head+hyphen, tail+" and more")
			return text + glue + tail
		}
		for _, hyphen := range []string{"-", "\u2010", "\u00ad"} {
			if got := joined(known("The "+head+tail+"."), hyphen); got != before+head+tail {
				t.Fatalf("a word that is whole elsewhere becomes %q", got)
			}
			if got := joined(known("("+head+"-"+tail+")", head+tail), hyphen); got != before+head+"-"+tail {
				t.Fatalf("a word that has its hyphen elsewhere becomes %q", got)
			}
		}
		if got := joined(known(), "\u00ad"); got != before+head+tail {
			t.Fatalf("a soft hyphen is kept: %q", got)
		}
	})
}

func TestGlueBetweenLinesIsWhatTheScriptHas(t *testing.T) {
	for _, c := range [][3]string{
		{"住宿标准为", "每晚", "住宿标准为每晚"},
		{"住宿标准，", "每晚", "住宿标准，每晚"},
		{"ホテルー", "の", "ホテルーの"},
		{"标准 A", "每晚", "标准 A 每晚"},
		{"한국어", "문장", "한국어 문장"},
		{"one", "two", "one two"},
		{"1990-", "1995", "1990- 1995"},
		{"the end -", "of it", "the end - of it"},
		{"Mac-", "OS", "Mac-OS"},
		{"e-", "mail", "e-mail"},
		{"long-", "term", "longterm"},
	} {
		text, glue := vocabulary{}.glue(c[0], c[1])
		if got := text + glue + c[1]; got != c[2] {
			t.Errorf("%q and %q become %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestCharactersThatStandForNothingAreLeftOut(t *testing.T) {
	for r, want := range map[rune]rune{
		'a': 'a', '中': '中', 2: '-', 0xad: 0xad, 0xf0b7: '•', 0xe000: 0, 0xf8ff: 0, 0x200b: 0, 0x202e: 0, 0xfeff: 0, 0xfffd: 0, 0xffff: 0, 0x1ffff: 0,
		7: 0, 0x85: 0, 0xd800: 0, 0x110000: 0, 0x1f600: 0x1f600, 0xf0000: 0,
	} {
		if got := readable(r); got != want {
			t.Errorf("%U is read as %U, want %U", r, got, want)
		}
	}
	for r, want := range map[rune]string{'ﬁ': "fi", 'ﬃ': "ffi", '⼀': "一", '豈': "豈", 'ﻼ': "لا", 'Å': "Å", '①': "①", 'Ａ': "Ａ"} {
		if got := folded(r); got != want {
			t.Errorf("%q is folded to %q, want %q", r, got, want)
		}
	}
}

// TestEachWordOfAPhraseInOneGlyphHasABox holds of every character that is folded.
func TestEachWordOfAPhraseInOneGlyphHasABox(t *testing.T) {
	words := map[rune]string{0xFDFA: "صلى الله عليه وسلم", 0xFDFB: "جل جلاله"}
	look := &style{size: 10}
	for r := rune(0x2e80); r <= 0x2fa1f; r++ {
		if folded(r) == "" || unicode.IsSpace(r) {
			continue
		}
		var p piece
		for _, g := range new(pad).foldedAll([]glyph{{r: r, style: look, box: corpus.Box{100, 100, 130, 110}}}) {
			p.add(&g, 0)
		}
		got := p.words(0)
		if want, ok := words[r]; ok && got.text != want {
			t.Errorf("%U is written as %q, want %q", r, got.text, want)
		}
		if n := len(strings.Fields(got.text)); n != len(got.boxes) {
			t.Errorf("%U is %q, %d words with %d boxes", r, got.text, n, len(got.boxes))
		}
	}
}

// TestOnlyWhatCanBurstIsUnpacked compares the estimate with the truth.
func TestOnlyWhatCanBurstIsUnpacked(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		layers := rapid.IntRange(1, 3).Draw(t, "layers")
		size := rapid.IntRange(0, 300_000).Draw(t, "size")
		limit := rapid.IntRange(1, 200_000).Draw(t, "limit")
		largest, data := size, bytes.Repeat([]byte("a"), size)
		for range layers {
			var out bytes.Buffer
			z := zlib.NewWriter(&out)
			_, _ = z.Write(data)
			_ = z.Close()
			data = out.Bytes()
			largest = max(largest, len(data))
		}
		dict := []byte("<< /Filter [" + strings.Repeat("/FlateDecode ", layers) + "] >>")
		if got := bursts(data, dict, limit); got != (largest > limit) {
			t.Fatalf("%d bytes in %d layers beyond %d: %v", size, layers, limit, got)
		}
		if size > limit && !mayBurst(len(data), layers, limit) {
			t.Fatalf("%d packed bytes are passed by, and become %d, more than %d", len(data), size, limit)
		}
	})
}

func TestEndsOfStringsAreFound(t *testing.T) {
	for text, want := range map[string]string{
		"(a)b":            "(a)",
		"(a(b)c)d":        "(a(b)c)",
		`(a\)b)c`:         `(a\)b)`,
		`(a\\)b`:          `(a\\)`,
		"(never ended":    "(never ended",
		"(never (closed)": "(never (closed)",
		"()":              "()",
	} {
		if got := text[:afterString([]byte(text), 0)+1]; got != want {
			t.Errorf("%q ends after %q, want %q", text, got, want)
		}
	}
}

// TestOpeningsWithoutAnEndAreReadOnce looks at so many that the test would not end within its limit if the rest
// were searched again for each of them.
func TestOpeningsWithoutAnEndAreReadOnce(t *testing.T) {
	const size = 32 << 20
	for name, text := range map[string]string{"streams": "stream ", "strings": "(", "streams after the last end": "stream\nstream (a\n"} {
		data := bytes.Repeat([]byte(text), size/len(text))
		for _, head := range []string{"", "stream\nendstream\n"} {
			if want, got := false, deep(append([]byte(head), data...)); got != want {
				t.Errorf("%s after %q: %v, want %v", name, head, got, want)
			}
		}
		nested := append(append(data, make([]byte, maxString)...), "endobj "+strings.Repeat("[", maxNesting+1)...)
		if !deep(nested) {
			t.Errorf("%s: what nests after them is not seen", name)
		}
	}
}

func TestClaimIsFoundAfterHonestOnes(t *testing.T) {
	honest := strings.Repeat("/Size 1000000 /Count +0000009 ", 100_000)
	for end, want := range map[string]bool{"": false, "/Count -9000000": true, "/Size 9000000": true, "/Size 99999999999999999999": true, "/Size 8388607": false} {
		if got := boasts([]byte(honest[:1<<20] + " " + end)); got != want {
			t.Errorf("with %q at the end: %v, want %v", end, got, want)
		}
	}
}

// TestUnpackingEndsWithItsContext holds that streams which may burst are not unpacked for nobody.
func TestUnpackingEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	data := []byte("1 0 obj << /Filter /FlateDecode >> stream\n" + strings.Repeat("x", 4096) + "\nendstream")
	if err := bounded(ctx, data, 1<<20); err != nil {
		t.Errorf("before: %v", err)
	}
	cancel()
	if err := bounded(ctx, data, 1<<20); !errors.Is(err, context.Canceled) {
		t.Errorf("after: %v", err)
	}
	if err := bounded(ctx, data, 1<<30); err != nil {
		t.Errorf("a stream that can't burst: %v", err)
	}
}

func TestDamageIsSeen(t *testing.T) {
	const end = "\nstartxref\n0\n%%EOF\n"
	for name, c := range map[string]struct {
		data string
		want bool
	}{
		"no stream":                      {"%PDF-1.7\n1 0 obj\n<<>>\nendobj" + end, false},
		"a stream as long as it says":    {"1 0 obj << /Length 3 >>\nstream\nabc\nendstream" + end, false},
		"a stream with other line ends":  {"1 0 obj << /Length 3 >>\r\nstream\r\nabc\r\nendstream" + end, false},
		"a stream that is shorter":       {"1 0 obj << /Length 9 >>\nstream\nabc\nendstream" + end, true},
		"a stream that is longer":        {"1 0 obj << /Length 1 >>\nstream\nabc\nendstream" + end, true},
		"a length beyond the file":       {"1 0 obj << /Length 999999 >>\nstream\nabc" + end, true},
		"a length that stands elsewhere": {"1 0 obj << /Length 2 0 R >>\nstream\nabc\nendstream" + end, false},
		"no end":                         {"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n", true},
	} {
		if got := damaged([]byte(c.data)); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestFurnitureIsWhatPagesRepeatInTheirMargins counts pages, not lines.
func TestFurnitureIsWhatPagesRepeatInTheirMargins(t *testing.T) {
	var lines []line
	add := func(page int, text string, top float32, margin bool) {
		lines = append(lines, line{page: page, top: top, margin: margin, runs: []run{{text: text}}})
	}
	for p := 1; p <= furniturePages; p++ {
		add(p, fmt.Sprintf("Page %d of 12", p), 40, true)
		add(p, "the same words", 400, false)
		add(p, fmt.Sprintf("Chapter %c", 'A'+p), 30, true)
	}
	for range 5 {
		add(1, "often on one page", 20, true)
	}
	found := survey(lines)
	for i := range lines {
		l := &lines[i]
		if got, want := found.holds(l), strings.HasPrefix(l.runs[0].text, "Page"); got != want {
			t.Errorf("%q on page %d is furniture: %v", l.runs[0].text, l.page, got)
		}
	}
}

func TestHeightsOfFurnitureMayDifferALittle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := rapid.Float32Range(-20, 800).Draw(t, "top")
		apart := rapid.SampledFrom([]float32{0, 1, 3.9, 8.1, 20}).Draw(t, "apart")
		var lines []line
		for p := range furniturePages {
			// The first stands higher than the others, which stand level.
			l := line{page: p + 1, top: top + apart, margin: true, runs: []run{{text: fmt.Sprint("Page ", p)}}}
			if p == 0 {
				l.top = top
			}
			lines = append(lines, l)
		}
		found := survey(lines)
		for i := range lines {
			if got, want := found.holds(&lines[i]), apart < 4; got != want {
				t.Fatalf("line %d of those at %v and %v is furniture: %v", i, top, top+apart, got)
			}
		}
	})
}

func TestTextDrawnAgainOverItselfIsReadOnce(t *testing.T) {
	var twice pad // one page after the other is read into it
	a, b, c := &style{size: 10}, &style{size: 10}, &style{size: 10}
	word := func(s *style, dx float32) (out []glyph) {
		for i, r := range "bold" {
			x := float32(100+6*i) + dx
			out = append(out, glyph{r: r, style: s, box: corpus.Box{x, 100, x + 6, 112}})
		}
		return out
	}
	text := func(in []glyph) (s string) {
		for _, g := range in {
			s += string(g.r)
		}
		return s
	}
	if got := text(twice.undoubled(append(append(word(a, 0), word(b, 0.3)...), word(c, 0.6)...))); got != "bold" {
		t.Errorf("it is read as %q", got)
	}
	if got := text(twice.undoubled(append(word(a, 0), word(b, 40)...))); got != "boldbold" {
		t.Errorf("the same word beside itself is read as %q", got)
	}
	partly := append(word(a, 0), append(word(b, 0), glyph{r: 's', style: b, box: corpus.Box{124, 100, 130, 112}})...)
	if got := text(twice.undoubled(partly)); got != "boldbolds" {
		t.Errorf("what says more than the text below it is read as %q", got)
	}
}

func TestSizeOfAPictureIsBoundedAndKeepsTheShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := [2]float32{rapid.Float32Range(0.01, 1e6).Draw(t, "across"), rapid.Float32Range(0.01, 1e6).Draw(t, "down")}
		width := rapid.IntRange(-5, 5000).Draw(t, "width")
		w, h := pixels(size, width)
		if w < 1 || h < 1 || w > max(1, width) || w > maxSide || h > maxSide || w*h > maxPixels {
			t.Fatalf("%d × %d", w, h)
		}
		if want := float64(size[1]) / float64(size[0]); w > 100 && h > 100 && math.Abs(float64(h)/float64(w)/want-1) > 0.02 {
			t.Fatalf("%d × %d of a page of %v", w, h, size)
		}
	})
}

// TestObjectsAreFoundAsTheirExpressionSays compares the search with the expression that it stands for.
func TestObjectsAreFoundAsTheirExpressionSays(t *testing.T) {
	expression := regexp.MustCompile(`([0-9]{1,10})[ \t\r\n]+([0-9]{1,5})[ \t\r\n]+obj\b`)
	part := rapid.SampledFrom([]string{"1", "0", "12", "00001", "123456", "12345678901", " ", "\n", "\r\t", "obj", "endobj", "objx", "obj_", "\x80", "obj\x80", "<<", "1 0 obj", "7 0 R", "stream"})
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(strings.Join(rapid.SliceOfN(part, 0, 24).Draw(t, "parts"), ""))
		for {
			m := expression.FindSubmatchIndex(data)
			number, generation, rest := definition(data)
			if m == nil || number == nil {
				if m != nil || number != nil {
					t.Fatalf("%q: %v, but %q %q", data, m, number, generation)
				}
				return
			}
			if string(number) != string(data[m[2]:m[3]]) || string(generation) != string(data[m[4]:m[5]]) || len(rest) != len(data)-m[1] {
				t.Fatalf("%q: %q %q and %d bytes, want %q", data, number, generation, len(rest), data[m[0]:m[1]])
			}
			data = rest
		}
	})
}

// TestScriptsAreToldAsTheirTablesSay compares the short ways with the tables, for every character.
func TestScriptsAreToldAsTheirTablesSay(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if got, want := rtl(r), unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana); got != want {
			t.Errorf("%U runs from right to left: %v, want %v", r, got, want)
		}
		want := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef || r == 'ー'
		if got := eastern(r); got != want {
			t.Errorf("%U is eastern: %v, want %v", r, got, want)
		}
		if r < firstFolded && folded(r) != string(r) {
			t.Errorf("%U is folded to %q", r, folded(r))
		}
	}
}
