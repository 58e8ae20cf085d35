package reading

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
)

// TestMain lets the test binary stand in for the product, as a process that reads files or compiles.
// Its first argument says how a compilation goes: as it should, not at all, telling what it knows, or only when a pipe lets it.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[2] == Command {
		if err := child(os.Args[1], os.Args[3:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func child(way string, args []string) error {
	c := Child{Leave: os.Exit}
	set := flag.NewFlagSet(Command, flag.ContinueOnError)
	set.Int64Var(&c.Memory, "memory", 0, "")
	set.DurationVar(&c.CPU, "cpu", 0, "")
	set.StringVar(&c.Folder, FolderFlag, "", "")
	set.BoolVar(&c.Compile, CompileFlag, false, "")
	set.StringVar(&c.Program, ProgramFlag, "", "")
	set.StringVar(&c.Languages, LangFlag, "", "")
	if err := set.Parse(args); err != nil {
		return err
	}
	switch {
	case !c.Compile, way == "well":
	case way == "badly":
		return errors.New(strings.Repeat("and so on ", 300) + "there is no room")
	case way == "telling":
		var names []string
		for _, v := range os.Environ() {
			name, _, _ := strings.Cut(v, "=")
			names = append(names, name)
		}
		slices.Sort(names)
		return fmt.Errorf("it knows %v", names)
	default:
		if _, err := os.ReadFile(way); err != nil { // a pipe: until the other end is opened and closed
			return err
		}
	}
	return c.Serve(context.Background(), os.Stdin, os.Stdout)
}

// opened returns a reader whose compilation goes as way says, with this user's folder for caches, or another.
func opened(t *testing.T, way, cache string) (*Reader, *bytes.Buffer) {
	t.Helper()
	log := new(bytes.Buffer)
	r := Open(Settings{
		Program: func() ([]string, error) {
			path, err := os.Executable()
			return []string{path, way}, err
		},
		Children: 1, Memory: 1 << 30, CPU: 10 * time.Minute, Cache: cache, Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	return r, log
}

func userCache(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return cache
}

// letter is a PDF document of one line.
var letter = parse.File{Name: "letter.pdf", Data: []byte(`%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>
endobj
4 0 obj
<< /Length 44 >>
stream
BT /F1 12 Tf 72 700 Td (A short letter.) Tj ET
endstream
endobj
5 0 obj
<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>
endobj
trailer
<< /Size 6 /Root 1 0 R >>
startxref
0
%%EOF
`)}

func reads(t *testing.T, r *Reader, f parse.File, want string) {
	t.Helper()
	got, err := r.Parse(t.Context(), f)
	if err != nil || got.Parsed.Text != want {
		t.Errorf("%s was read as %q (%v)", f.Name, got.Parsed.Text, err)
	}
}

func closes(t *testing.T, r *Reader) {
	t.Helper()
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestPDFDocumentIsReadWithWhatIsKeptForTheUser(t *testing.T) {
	r, log := opened(t, "well", userCache(t))
	reads(t, r, letter, "A short letter.")
	closes(t, r)
	if log.Len() > 0 {
		t.Errorf("the log says %s", log)
	}
	if kept, err := filepath.Glob(filepath.Join(userCache(t), "kaoju", "pdfium", "*", "*")); err != nil || len(kept) == 0 {
		t.Errorf("nothing compiled is kept (%v)", err)
	}
}

func TestCompilationHoldsUpPDFDocumentsAlone(t *testing.T) {
	gate := pipe(t)
	r, _ := opened(t, gate, userCache(t))
	defer closes(t, r)
	r.Warm()
	ended := make(chan error, 1)
	go func() {
		_, err := r.Parse(t.Context(), letter)
		ended <- err
	}()
	reads(t, r, parse.File{Name: "a.md", Data: []byte("# Title\n")}, "# Title\n")
	select {
	case err := <-ended:
		t.Errorf("the document was read before the compilation ended (%v)", err)
	default:
	}
	f, err := os.OpenFile(gate, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestReaderThatClosesEndsTheCompilation(t *testing.T) {
	r, log := opened(t, pipe(t), userCache(t))
	r.Warm()
	closes(t, r)
	if log.Len() > 0 {
		t.Errorf("the log says %s", log)
	}
}

func TestWaitForTheCompilationEndsWithItsContext(t *testing.T) {
	r, _ := opened(t, pipe(t), userCache(t))
	defer closes(t, r)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Parse(ctx, letter); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestFailedCompilationCostsTimeAlone(t *testing.T) {
	r, log := opened(t, "badly", userCache(t))
	defer closes(t, r)
	reads(t, r, letter, "A short letter.")
	said := log.String()
	if !strings.Contains(said, "could not be compiled ahead") || !strings.Contains(said, "there is no room") || !strings.Contains(said, "exit status 1") || len(said) > 1500 {
		t.Errorf("the log says %s", said)
	}
}

func TestCompilationKnowsNothingOfTheEnvironment(t *testing.T) {
	t.Setenv("KAOJU_MODEL_KEY", "secret")
	r, log := opened(t, "telling", t.TempDir())
	r.Warm()
	<-r.compilation.done
	closes(t, r)
	want := "it knows [HOME TEMP TMP TMPDIR]"
	if runtime.GOOS == "windows" {
		want = "it knows [HOME SystemRoot TEMP TMP TMPDIR]"
	}
	if !strings.Contains(log.String(), want) {
		t.Errorf("the log says %s", log)
	}
}

// TestUserWithoutAFolderForCachesGetsOneUntilTheEnd compiles from nothing.
func TestUserWithoutAFolderForCachesGetsOneUntilTheEnd(t *testing.T) {
	if raced {
		t.Skip("PDFium is compiled from nothing in the run without the race detector, and its compiler is not ours to watch")
	}
	t.Setenv("TMPDIR", t.TempDir())
	r, _ := opened(t, "well", "")
	reads(t, r, letter, "A short letter.")
	folder := filepath.Join(os.TempDir(), "kaoju-pdfium-*")
	if kept, _ := filepath.Glob(filepath.Join(folder, "*", "*")); len(kept) != 2 { // PDFium, and the sweep beside it
		t.Errorf("%d files are kept meanwhile", len(kept))
	}
	closes(t, r)
	if left, _ := filepath.Glob(folder); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

func TestFolderOfTheUserAloneIsUsed(t *testing.T) {
	cache := t.TempDir()
	want := filepath.Join(cache, "kaoju", "pdfium")
	for range 2 { // made, and found again
		if got := private(cache); got != want {
			t.Errorf("the folder is %q", got)
		}
	}
	for name, cache := range map[string]string{"no cache": "", "a cache that is no folder": filepath.Join(os.DevNull, "a")} {
		if got := private(cache); got != "" {
			t.Errorf("%s: the folder is %q", name, got)
		}
	}
}

func TestProgramThatCannotBeNamedIsAnError(t *testing.T) {
	want := errors.New("no program")
	r := Open(Settings{Program: func() ([]string, error) { return nil, want }, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	defer closes(t, r)
	if _, err := r.Parse(t.Context(), letter); !errors.Is(err, want) {
		t.Errorf("the error is %v", err)
	}
}

func TestPageIsDrawnInAProcessOfItsOwn(t *testing.T) {
	r, log := opened(t, "well", userCache(t))
	defer closes(t, r)
	p, err := r.Pages.Picture(t.Context(), letter, 1, 300)
	if err != nil || p.Size != [2]float32{600, 800} || !bytes.HasPrefix(p.PNG, []byte("\x89PNG")) {
		t.Errorf("%d bytes of a page of %v, %v", len(p.PNG), p.Size, err)
	}
	if _, err := r.Pages.Picture(t.Context(), letter, 2, 300); !problem.Is(err, problem.NotFound) {
		t.Errorf("a page that is not there: %v", err)
	}
	if r.Pages == r.Pool {
		t.Error("pages and files wait in one row")
	}
	if log.Len() > 0 {
		t.Errorf("the log says %s", log)
	}
}
