package pdf

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/tetratelabs/wazero/api"
)

// opened opens a document of one page in a machine of its own.
func opened(t *testing.T, draw, annotations string) (*document, uint64) {
	t.Helper()
	base, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	engine := &Engine{Dir: filepath.Join(base, "kaoju", "pdfium")}
	m, err := engine.machine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = m.close() // a test may have broken it
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	data := fmt.Sprintf("%%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [4 0 R] /Count 1 >>\nendobj\n"+
		"3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n"+
		"4 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R /Annots [%s] /Resources << /Font << /F1 3 0 R >> >> >>\nendobj\n"+
		"5 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n6 0 obj\n<< /Length 0 >>\nstream\n\nendstream\nendobj\ntrailer\n<< /Size 7 /Root 1 0 R >>\nstartxref\n0\n%%%%EOF\n", annotations, len(draw), draw)
	d, err := m.open([]byte(data))
	if err != nil {
		t.Fatal(err)
	}
	page := d.call("FPDF_LoadPage", d.handle, 0)
	if page == 0 {
		t.Fatal("there is no page")
	}
	return d, page
}

// TestASweepSaysWhatPDFiumSays asks the same one by one, of more characters than one call answers.
func TestASweepSaysWhatPDFiumSays(t *testing.T) {
	var draw strings.Builder
	for i := range 60 {
		fmt.Fprintf(&draw, "BT /F1 %d Tf 1 0 0 1 60 %d Tm (line %d of words, and \\377\\200 more \\(of them\\).) Tj ET\n", 6+i%5, 780-12*i, i)
	}
	d, page := opened(t, draw.String(), "")
	text := d.call("FPDFText_LoadPage", page)
	n := d.integer("FPDFText_CountChars", text)
	if n < sweepRecords+100 {
		t.Fatalf("the page has %d characters", n)
	}
	for _, count := range []int{0, 1, sweepRecords, n} {
		at := uint64(0)
		var said []uint16
		for got := range d.sweep(text, count) {
			want := record{
				unicode: rune(d.integer("FPDFText_GetUnicode", text, at)), unknown: d.integer("FPDFText_HasUnicodeMapError", text, at) == 1,
				object: d.call("FPDFText_GetTextObject", text, at), boxed: d.integer("FPDFText_GetLooseCharBox", text, at, d.scratch) != 0,
			}
			if want.boxed {
				copy(want.box[:], d.floats(4))
			} else {
				got.box = want.box
			}
			if got != want {
				t.Fatalf("character %d is %+v, want %+v", at, got, want)
			}
			said = append(said, uint16(got.unicode))
			at++
		}
		if at != uint64(count) || d.err != nil {
			t.Errorf("%d characters were swept of %d: %v", at, count, d.err)
		}
		if s := string(utf16.Decode(said)); count == n && (!strings.HasPrefix(s, "line 0 of words") || !strings.Contains(s, "line 59 of words")) {
			t.Errorf("they are %q", s)
		}
	}
}

// TestAFaultInsideASweepBreaksTheMachineAlone sweeps text where no memory is.
func TestAFaultInsideASweepBreaksTheMachineAlone(t *testing.T) {
	d, _ := opened(t, "", "")
	for range d.sweep(0xfffffff0, 3) {
		t.Error("something was answered")
	}
	if d.err == nil {
		t.Error("there was no fault")
	}
	for range d.sweep(0, 1) {
		t.Error("a broken machine answers")
	}
	if n := d.integer("FPDF_GetPageCount", d.handle); n != 0 {
		t.Errorf("a broken machine counts %d pages", n)
	}
	again, _ := opened(t, "", "")
	if again.pages != 1 {
		t.Errorf("another machine counts %d pages", again.pages)
	}
}

// TestOnlyWhatShowsSomethingAdornsAPage holds that pages with links alone are loaded once.
func TestOnlyWhatShowsSomethingAdornsAPage(t *testing.T) {
	link := "<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] >> "
	square := "<< /Type /Annot /Subtype /Square /Rect [100 600 300 700] /F 4 /AP << /N 6 0 R >> >> "
	for annotations, want := range map[string]bool{
		"": false, link: false, square: true, strings.Repeat(link, 30) + square: true, "null 7 0 R " + square: true, strings.Repeat(link, maxAnnotations): false,
		strings.Repeat(link, maxAnnotations+1): true, // nobody looks at so many
	} {
		d, page := opened(t, "", annotations)
		if got := d.adorned(page); got != want {
			t.Errorf("%.200q adorns the page: %v, want %v", annotations, got, want)
		}
	}
}

// TestAFieldOfAnotherTypeIsNotRead has fields as the libraries could have after a change.
func TestAFieldOfAnotherTypeIsNotRead(t *testing.T) {
	var strange struct {
		pool    fmt.Stringer
		runtime uintptr
	}
	strange.runtime = 1
	for _, name := range []string{"runtime", "pool", "nothing"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is taken for a module", name)
				}
			}()
			if m := unnamed[api.Module](reflect.ValueOf(&strange).Elem().FieldByName(name)); m != nil {
				t.Errorf("%s is a module", name)
			}
		}()
	}
	strange.pool = reflect.ValueOf(1)
	if got := unnamed[fmt.Stringer](reflect.ValueOf(&strange).Elem().FieldByName("pool")); got != strange.pool {
		t.Errorf("the field holds %v", got)
	}
}
