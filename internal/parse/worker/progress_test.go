package worker_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/epub/epubtest"
	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
	"github.com/kaoju/kaoju/internal/parse/progress"
	"github.com/kaoju/kaoju/internal/parse/worker"
	"github.com/kaoju/kaoju/internal/problem"
)

// leaves is a PDF document of three pages.
func leaves() []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [4 0 R 6 0 R 8 0 R] /Count 3 >>\nendobj\n" +
		"3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n")
	for i := range 3 {
		draw := fmt.Sprintf("BT /F1 12 Tf 72 700 Td (Page %d of it.) Tj ET", i+1)
		fmt.Fprintf(&b, "%d 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >> >>\nendobj\n", 4+2*i, 5+2*i)
		fmt.Fprintf(&b, "%d 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n", 5+2*i, len(draw), draw)
	}
	b.WriteString("trailer\n<< /Size 10 /Root 1 0 R >>\nstartxref\n0\n%%EOF\n")
	return b.Bytes()
}

// listening returns a context that keeps what is told.
func listening(t *testing.T) (context.Context, *[]string) {
	t.Helper()
	told := &[]string{}
	return progress.With(t.Context(), func(done, total int) { *told = append(*told, fmt.Sprint(done, "/", total)) }), told
}

func TestAChildTellsHowFarItIs(t *testing.T) {
	sheet := `<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row></sheetData>`
	slide := `<p:sp><p:txBody><a:p><a:r><a:t>words</a:t></a:r></a:p></p:txBody></p:sp>`
	files := map[string]struct {
		data []byte
		want []string
	}{
		"pages.pdf":   {leaves(), []string{"1/3", "2/3", "3/3"}},
		"sheets.xlsx": {ooxmltest.XLSX(t, []ooxmltest.Part{{Name: "First", Text: sheet}, {Name: "第二", Text: sheet}}), []string{"0/2", "1/2"}},
		"slides.pptx": {ooxmltest.PPTX(t, []string{slide, slide, slide}, nil), []string{"0/3", "1/3", "2/3"}},
		"mail.eml":    {letter(), []string{"0/2", "1/2"}},
		"book.epub":   {epubtest.Book{Pages: []epubtest.Page{{Name: "a.xhtml", Body: "<p>a</p>"}, {Name: "b.xhtml", Body: "<p>b</p>"}}}.Bytes(t), []string{"0/2", "1/2"}},
		"plain.md":    {[]byte("# Title\n\nWords.\n"), []string{}},
	}
	// The child can read compiled code, and not write it: this process compiles first, if nobody has.
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	parse.PDF().Dir = filepath.Join(cache, "kaoju", "pdfium")
	if err := errors.Join(os.MkdirAll(parse.PDF().Dir, 0o700), parse.PDF().Warm()); err != nil {
		t.Fatal(err)
	}
	p, log := pool(t, worker.Options{Memory: 2 << 30}, "--folder", parse.PDF().Dir)
	for name, f := range files {
		for where, reader := range map[string]parse.Reader{"in a child": p, "here": parse.Limits{}} {
			ctx, told := listening(t)
			if _, err := reader.Parse(ctx, parse.File{Name: name, Data: f.data}); err != nil {
				t.Fatalf("%s %s: %v\n%s", name, where, err, log)
			}
			if diff := cmp.Diff(f.want, *told); diff != "" {
				t.Errorf("%s %s, -want +told:\n%s", name, where, diff)
			}
		}
		if _, err := p.Parse(t.Context(), parse.File{Name: name, Data: f.data}); err != nil {
			t.Errorf("%s, with nobody who listens: %v", name, err)
		}
	}
}

// letter is a message of two texts, with two files of which one can be read.
func letter() []byte {
	return []byte("Subject: x\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nOne.\n--x\nContent-Type: text/html\n\n<p>Two.</p>\n" +
		"--x\nContent-Disposition: attachment; filename=\"a.gif\"\n\n?\n--x\nContent-Disposition: attachment; filename=\"差旅.md\"\n\n# A\n--x--\n")
}

func TestAChildTellsHowManyFilesItHasTakenOut(t *testing.T) {
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for _, name := range []string{"a.md", "b.md", "差旅.md"} {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte("text"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	p, log := pool(t, worker.Options{})
	for name, f := range map[string]struct {
		data  []byte
		want  []string
		files int
	}{
		"mail.eml": {letter(), []string{"0/2", "1/2"}, 1},
		"pack.zip": {packed.Bytes(), []string{"0/3", "1/3", "2/3"}, 3},
		"plain.md": {[]byte("text"), []string{}, 0},
	} {
		for where, reader := range map[string]parse.Reader{"in a child": p, "here": parse.Limits{}} {
			ctx, told := listening(t)
			files := 0
			err := reader.Contents(ctx, parse.File{Name: name, Data: f.data}, func(parse.Content) error { files++; return nil })
			if diff := cmp.Diff(f.want, *told); diff != "" || err != nil || files != f.files {
				t.Errorf("%s %s: %d files, error %v, -want +told:\n%s\n%s", name, where, files, err, diff, log)
			}
		}
	}
}

func TestAChildThatBoastsIsNotBelieved(t *testing.T) {
	p, _ := pool(t, worker.Options{})
	ctx, told := listening(t)
	if _, err := p.Parse(ctx, file("boast")); problem.CodeOf(err) != "parser_failed" || len(*told) > 0 {
		t.Errorf("%v, told %v", err, *told)
	}
	if r, err := p.Parse(ctx, file("after")); err != nil || r.Parsed.Text != "after" {
		t.Errorf("the next file: %q, %v", r.Parsed.Text, err)
	}
}

func TestAChildIsGoneWhenItsFileWasCalledOff(t *testing.T) {
	p, _ := pool(t, worker.Options{})
	reason := errors.New("the owner cancelled")
	ctx, cancel := context.WithCancelCause(t.Context())
	pid := 0
	_, err := p.Parse(progress.With(ctx, func(done, _ int) { pid = done; cancel(reason) }), file("wait"))
	if !errors.Is(err, reason) || pid == 0 {
		t.Fatalf("the child %d: %v", pid, err)
	}
	// A number that the system gave to another process meanwhile is not that of a child of this one.
	if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil && strings.Contains(string(status), fmt.Sprintf("PPid:\t%d\n", os.Getpid())) {
		t.Errorf("the child %d still runs", pid)
	}
}
