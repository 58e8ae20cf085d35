package picture

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sketch"
)

// easel draws pages that are white, and remembers for whom.
type easel struct {
	mu    sync.Mutex
	drawn []string
	busy  int
	most  int           // that were drawn at once
	gate  chan struct{} // if it is there, a page waits for it
	err   error
	give  *parse.Picture // instead of a page
	// tells says that what the version has is told with what was asked for.
	tells  bool
	sheets []sketch.Sheet
}

func (e *easel) Picture(ctx context.Context, f parse.File, page, width int) (parse.Picture, error) {
	if err := e.work(ctx, f); err != nil {
		return parse.Picture{}, err
	}
	switch {
	case e.give != nil:
		return *e.give, nil
	case page > 3 && e.tells:
		return parse.Picture{Pages: 3}, problem.Missing()
	case page > 3:
		return parse.Picture{}, problem.Missing()
	}
	p := parse.Picture{PNG: paper(width, width*2, color.White), Size: [2]float32{100, 200}}
	if e.tells {
		p.Pages = 3
	}
	return p, nil
}

// work remembers a file, and waits where the test wants that.
func (e *easel) work(ctx context.Context, f parse.File) error {
	e.mu.Lock()
	e.drawn = append(e.drawn, f.Name+" "+string(f.Data))
	e.busy++
	e.most = max(e.most, e.busy)
	e.mu.Unlock()
	defer func() { e.mu.Lock(); e.busy--; e.mu.Unlock() }()
	if e.gate != nil {
		select {
		case <-e.gate:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return e.err
}

func paper(w, h int, c color.Color) []byte {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		img.Set(i%w, i/w, c)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}

var report = corpus.Document{ID: "doc-1", Tenant: "acme", Key: "年报.pdf", Checksum: "aa", MediaType: "application/pdf", Size: 5}

func album(t *testing.T, e *easel) *Album {
	t.Helper()
	return New(Options{Painter: e, Folder: Folder{Path: filepath.Join(t.TempDir(), "cache")}})
}

func get(t *testing.T, a *Album, d corpus.Document, number, width int) (Picture, error) {
	t.Helper()
	return a.Page(t.Context(), d, strings.NewReader("bytes"), number, width)
}

func TestPageIsDrawnOnceForAllWhoWantIt(t *testing.T) {
	e := &easel{}
	a := album(t, e)
	first, err := get(t, a, report, 2, 200)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		again, err := a.Page(t.Context(), report, unread{t}, 2, 200)
		if err != nil || !bytes.Equal(again.PNG, first.PNG) || again.Size != first.Size {
			t.Errorf("it is another one: %v", err)
		}
	}
	if len(e.drawn) != 1 || e.drawn[0] != "年报.pdf bytes" {
		t.Errorf("it was drawn of %q", e.drawn)
	}
}

// unread is an original that nobody may read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the original was read for a page that is kept")
	return 0, io.EOF
}

func TestWhatDiffersIsDrawnApart(t *testing.T) {
	e := &easel{}
	a := album(t, e)
	for i, d := range []func(*corpus.Document){
		func(*corpus.Document) {}, func(d *corpus.Document) { d.ID = "doc-2" }, func(d *corpus.Document) { d.Tenant = "globex" },
		func(d *corpus.Document) { d.Checksum = "ab" }, func(d *corpus.Document) { d.Tenant, d.ID = "acmedoc", "-1" },
	} {
		doc := report
		d(&doc)
		if _, err := get(t, a, doc, 1, 200); err != nil || len(e.drawn) != i+1 {
			t.Errorf("after the %d. document %d are drawn: %v", i+1, len(e.drawn), err)
		}
	}
	for _, c := range [][2]int{{2, 200}, {1, 201}, {12, 200}} {
		n := len(e.drawn)
		if _, _ = get(t, a, report, c[0], c[1]); len(e.drawn) != n+1 {
			t.Errorf("page %d, %d pixels wide, was not drawn", c[0], c[1])
		}
	}
}

func TestVersionWithoutPagesHasNoPicture(t *testing.T) {
	e := &easel{}
	a := album(t, e)
	for name, c := range map[string]struct {
		media  string
		number int
	}{"text": {"text/markdown", 1}, "no type": {"", 1}, "page zero": {"application/pdf", 0}, "a page before": {"application/pdf", -1}, "a page behind": {"application/pdf", 4}} {
		doc := report
		doc.MediaType = c.media
		if _, err := get(t, a, doc, c.number, 200); !problem.Is(err, problem.NotFound) || err.Error() != problem.Missing().Error() {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(e.drawn) != 1 {
		t.Errorf("%q were read, of which only one could have the page", e.drawn)
	}
}

func TestFaultOfDrawingIsNotKept(t *testing.T) {
	e := &easel{err: problem.New(problem.Unavailable, "parser_unavailable", "x")}
	a := album(t, e)
	if _, err := get(t, a, report, 1, 200); problem.CodeOf(err) != "parser_unavailable" {
		t.Errorf("%v", err)
	}
	e.err = nil
	if _, err := get(t, a, report, 1, 200); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestPictureFromAStrayedChildIsRefused(t *testing.T) {
	huge := paper(1, 1, color.White)
	copy(huge[16:], []byte{0, 1, 0, 0, 0, 1, 0, 0}) // 65,536 pixels each way, by its head alone
	good := paper(2, 2, color.White)
	for name, p := range map[string]parse.Picture{
		"nothing": {Size: [2]float32{1, 1}}, "no picture": {PNG: []byte("<script>"), Size: [2]float32{1, 1}}, "too many pixels": {PNG: huge, Size: [2]float32{1, 1}},
		"no size": {PNG: good}, "a negative size": {PNG: good, Size: [2]float32{-1, 1}}, "a size that is no number": {PNG: good, Size: [2]float32{1, float32(math.NaN())}},
		"a size without end": {PNG: good, Size: [2]float32{float32(math.Inf(1)), 1}},
	} {
		e := &easel{give: &p}
		a := album(t, e)
		if _, err := get(t, a, report, 1, 200); problem.CodeOf(err) != "page_unreadable" {
			t.Errorf("%s: %v", name, err)
		}
		if files, _ := os.ReadDir(a.folder.Path); len(files) != 0 {
			t.Errorf("%s is kept", name)
		}
	}
}

func TestAsManyPagesAreDrawnAtOnceAsAllowed(t *testing.T) {
	e := &easel{}
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		e.gate = gate
		a := New(Options{Painter: e, Parallel: 2})
		var group sync.WaitGroup
		for n := range 6 {
			group.Go(func() {
				if _, err := get(t, a, report, 1+n%3, 200); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if e.busy != 2 {
			t.Errorf("%d are drawn", e.busy)
		}
		close(gate)
		group.Wait()
	})
	if e.most != 2 || len(e.drawn) != 6 {
		t.Errorf("%d at once, %d in all", e.most, len(e.drawn))
	}
}

func TestPageThatTakesTooLongIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := New(Options{Painter: &easel{gate: make(chan struct{})}, Time: time.Minute})
		began := time.Now()
		_, err := get(t, a, report, 1, 200)
		if problem.CodeOf(err) != "page_too_slow" || problem.KindOf(err) != problem.Unavailable || time.Since(began) != time.Minute {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

func TestPageIsDrawnToItsEndThoughNobodyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &easel{gate: make(chan struct{})}
		a := album(t, e)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			_, err := a.Page(ctx, report, strings.NewReader("bytes"), 1, 200)
			ended <- err
		}()
		synctest.Wait() // until the page waits at the gate
		cancel()
		synctest.Wait() // until whoever heeds that has gone
		close(e.gate)
		if err := <-ended; err != nil {
			t.Errorf("the page was given up: %v", err)
		}
		if files, err := os.ReadDir(a.folder.Path); len(files) != 1 || err != nil {
			t.Errorf("%d pictures are kept (%v)", len(files), err)
		}
		a.drawing <- struct{}{} // somebody else draws: who has gone does not wait
		if _, err := a.Page(ctx, report, unread{t}, 3, 200); !errors.Is(err, context.Canceled) {
			t.Errorf("it waited: %v", err)
		}
	})
}

func TestFolderThatCannotBeUsedCostsTimeAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	a := New(Options{Painter: &easel{}, Folder: Folder{Path: filepath.Join(file, "cache")}, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if _, err := get(t, a, report, 1, 200); err != nil || !strings.Contains(log.String(), "not kept") || strings.Contains(log.String(), "年报") {
		t.Errorf("%v, the log says %s", err, &log)
	}
}

func TestForgottenPagesAreGone(t *testing.T) {
	e := &easel{}
	a := album(t, e)
	if err := a.Forget(); err != nil {
		t.Errorf("before there are any: %v", err)
	}
	for n := range 3 {
		if _, err := get(t, a, report, n+1, 200); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Forget(); err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir(a.folder.Path); err != nil || len(files) != 0 {
		t.Errorf("%d are left, %v", len(files), err)
	}
	if err := os.MkdirAll(filepath.Join(a.folder.Path, "folder", "inside"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := a.Forget(); problem.CodeOf(err) != "pictures_left" || problem.KindOf(err) != problem.Unavailable {
		t.Errorf("what can't be removed: %v", err)
	}
}
