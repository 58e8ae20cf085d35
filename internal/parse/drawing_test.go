package parse_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/dxf/dxftest"
	"github.com/kaoju/kaoju/internal/problem"
)

func drawingFormats() []string { return []string{"dxf", "svg"} }

func TestDrawingsAreFoundAtTheirPlaces(t *testing.T) { foundAtTheirPlaces(t, drawingFormats()) }

func TestFaultsOfOtherReadersOfDrawingsDoNotOccur(t *testing.T) {
	eachCase(t, map[string]func(*testing.T, read){"64": nil, "66": nil}, checkOfficeCase)
}

func TestDrawingsAreReadInTheEncodingThatTheyNameOrShow(t *testing.T) {
	for name, c := range map[string]struct {
		version, page, text string
		enc                 encoding.Encoding
	}{
		"of 2007 in UTF-8":            {"AC1021", "ANSI_936", "标高±0.000", nil},
		"Chinese":                     {"AC1015", "ANSI_936", "一层平面图", simplifiedchinese.GBK},
		"Chinese of Taiwan":           {"AC1015", "ANSI_950", "樓層平面圖", traditionalchinese.Big5},
		"Japanese":                    {"AC1015", "ANSI_932", "平面図テスト", japanese.ShiftJIS},
		"Russian":                     {"AC1015", "ANSI_1251", "План этажа", charmap.Windows1251},
		"of DOS":                      {"AC1012", "dos850", "Grundriß größer", charmap.CodePage850},
		"Chinese under a wrong name":  {"AC1015", "ANSI_1252", "一层平面图，卫生间，楼梯间", simplifiedchinese.GBK},
		"UTF-8 under a name of old":   {"AC1015", "ANSI_936", "标高一层", nil},
		"Western":                     {"AC1015", "ANSI_1252", "Fenêtre côté rue", charmap.Windows1252},
		"without a name, in Chinese":  {"AC1009", "", "地下室平面图，设备间", simplifiedchinese.GBK},
		"a page that nobody knows of": {"AC1015", "ANSI_9999", "plain", nil},
	} {
		text := dxftest.Drawing(dxftest.Text("1", "L", c.text, 0, 0), dxftest.Header(c.version, c.page))
		data := []byte(text)
		if c.enc != nil {
			var err error
			if data, err = c.enc.NewEncoder().Bytes(data); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		for form, data := range map[string][]byte{"text": data, "binary": dxftest.Binary(string(data))} {
			r, err := parse.Parse(context.Background(), parse.File{Name: "a.dxf", Data: data})
			if err != nil || !strings.HasSuffix(r.Parsed.Text, c.text) || r.Format != "dxf" || r.MediaType != "image/vnd.dxf" {
				t.Errorf("%s as %s: %q, %v", name, form, r.Parsed.Text, err)
			}
		}
	}
}

func TestAGraphicInUTF16IsRead(t *testing.T) {
	text := `<?xml version="1.0" encoding="UTF-16"?><svg xmlns="http://www.w3.org/2000/svg"><text y="20">泵房</text></svg>`
	data := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(text)) {
		data = append(data, byte(u), byte(u>>8))
	}
	if r := mustParse(t, "a.svg", string(data)); r.Parsed.Text != "泵房" || r.MediaType != "image/svg+xml" {
		t.Errorf("it reads %q as %s", r.Parsed.Text, r.MediaType)
	}
	gbk, err := simplifiedchinese.GBK.NewEncoder().String(strings.Replace(text, "UTF-16", "GBK", 1))
	if err != nil {
		t.Fatal(err)
	}
	if r := mustParse(t, "a.svg", gbk); r.Parsed.Text != "泵房" {
		t.Errorf("it reads %q", r.Parsed.Text)
	}
}

func TestDrawingsThatAreNoneAreRefusedWithTheirCause(t *testing.T) {
	for _, c := range []struct{ name, data, code string }{
		{"a.dxf", "", "empty_document"}, {"a.svg", "", "empty_document"},
		{"a.dxf", "# Notes\n\nNo drawing.\n", "content_mismatch"}, {"a.dxf", "%PDF-1.7\n", "content_mismatch"},
		{"a.dxf", "AC1015\x00\x00\x00", "content_mismatch"}, {"a.dxf", "\x89PNG\r\n\x1a\n", "content_mismatch"}, {"a.dxf", "\xff\xfd\xfc\xfb\x81\x8d\x8f", "content_mismatch"},
		{"a.dxf", "AutoCAD Binary DXF\r\n\x1a\x00rest", "content_mismatch"},
		{"a.svg", "# Notes\n\nNo drawing.\n", "content_mismatch"}, {"a.svg", "<html><body>a</body></html>", "content_mismatch"},
		{"a.svg", "\x1f\x8b\x08\x00packed", "content_mismatch"}, {"a.svg", "%PDF-1.7\n", "content_mismatch"},
		{"a.svg", `<svg xmlns="http://www.w3.org/2000/svg"><text>a</text>`, "xml_malformed"},
		{"a.svgz", "x", "unknown_type"}, {"a.dwg", "AC1032", "unknown_type"},
	} {
		_, err := parse.Parse(context.Background(), parse.File{Name: c.name, Data: []byte(c.data)})
		if problem.CodeOf(err) != c.code || !problem.Is(err, problem.Invalid) || !strings.Contains(err.Error(), "“"+c.name+"”") {
			t.Errorf("%s with %.20q ends with %v, want %s", c.name, c.data, err, c.code)
		}
	}
}

// TestHostileDrawingsEndAsTheyShould takes the uploads that name these formats. An SVG file is read for
// its text alone here, so where the list has it refused, nothing of what it does may be read.
func TestHostileDrawingsEndAsTheyShould(t *testing.T) {
	dir, files := hostileUploads(t)
	seen := 0
	for _, u := range files {
		if !slices.Contains(drawingFormats(), strings.TrimPrefix(filepath.Ext(u.File), ".")) {
			continue
		}
		seen++
		data, err := os.ReadFile(filepath.Join(dir, u.File))
		if err != nil {
			t.Fatal(err)
		}
		f := parse.File{Name: u.File, Data: data}
		r, err := parse.Parse(context.Background(), f)
		if err != nil {
			if !problem.Is(err, problem.Invalid) {
				t.Errorf("%s ends with %v", u.File, err)
			}
			continue
		}
		for _, word := range []string{"script", "alert", "onload", "http", "javascript", "iframe"} {
			if strings.Contains(strings.ToLower(r.Parsed.Text), word) {
				t.Errorf("%s: %q is in %q", u.File, word, r.Parsed.Text)
			}
		}
		checkParsed(t, f, r)
		checkChunks(t, r.Parsed, chunk.Split(r.Parsed, chunk.Options{}), 900)
	}
	if seen < 1 {
		t.Error("no hostile drawing was there")
	}
}

func FuzzDXF(f *testing.F) {
	f.Add(dxftest.Drawing(dxftest.Text("1", "标注", `%%c1\U+957F`, 1, 2)+dxftest.Insert("L", "b", 3, 4, 41, -2, 50, 30), dxftest.Header("AC1015", "ANSI_936"), dxftest.Tables(dxftest.Layer("L", 1, -7)), dxftest.Section("BLOCKS", dxftest.Block("b", dxftest.Text("2", "0", "in b", 0, 0), dxftest.Insert("0", "b", 0, 0)))))
	f.Add(dxftest.Drawing(dxftest.Tags(0, "MTEXT", 8, "L", 3, `{\fArial;a`, 1, `\S1^2;}\P`, 71, 5) + dxftest.Tags(0, "DIMENSION", 42, 3, 2, "*D1") + dxftest.Tags(0, "ACAD_TABLE", 2, "*T", 1, "x") + dxftest.Tags(0, "MULTILEADER", 300, "CONTEXT_DATA{", 304, "y")))
	f.Add("AutoCAD Binary DXF\r\n\x1a\x00\x00\x00SECTION\x00\x02\x00ENTITIES\x00\x00\x00TEXT\x00\x01\x00a\x00")
	f.Fuzz(func(t *testing.T, data string) { fuzzed(t, "a.dxf", []byte(data)) })
}

func FuzzSVG(f *testing.F) {
	f.Add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><style>.a{opacity:0}</style><title>t</title><defs><text id="d" class="a" y="2">d</text></defs><use href="#d" x="1"/><g transform="rotate(9)"><text x="1 2" y="2">a<tspan x="1" dy="3">b</tspan></text></g></svg>`)
	f.Add(`<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>`)
	f.Add("\xff\xfe<\x00s\x00v\x00g\x00/\x00>\x00")
	f.Fuzz(func(t *testing.T, data string) { fuzzed(t, "a.svg", []byte(data)) })
}
