package delivery_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kaoju/kaoju/cmd/kaoju/delivery"
	"github.com/kaoju/kaoju/internal/ingest/source"
	"github.com/kaoju/kaoju/internal/problem"
)

// remote is a source that is elsewhere.
type remote struct {
	mu     sync.Mutex
	files  map[string]string
	gone   error
	broken error
}

func (r *remote) Name() string { return "url:https://host.example/" }
func (r *remote) Close() error { return nil }

func (r *remote) List(context.Context) (source.Listing, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := source.Listing{Root: "https://host.example", Gone: r.gone}
	for place, text := range r.files {
		l.Files = append(l.Files, source.Original{
			Path: l.At(place), Key: place, Root: l.Root, Place: place, Stamp: text, FileName: "told by.md", MediaType: "text/x", URI: "https://host.example/of/" + place,
			Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil },
		})
	}
	return l, r.broken
}

func (r *remote) set(files map[string]string, gone, broken error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files, r.gone, r.broken = files, gone, broken
}

// bring brings what a source has once.
func (w *world) bring(s delivery.Source, want ...string) {
	w.t.Helper()
	w.told = nil
	l, err := s.List(w.t.Context())
	w.do(err)
	w.do(w.d.Bring(w.t.Context(), l, s.Name()))
	if strings.Join(w.told, "\n") != strings.Join(want, "\n") {
		w.t.Errorf("it tells %q, want %q", w.told, want)
	}
}

func TestAFileThatItsSourceSaysIsGoneIsArchivedThoughItWasTheOnlyOne(t *testing.T) {
	w, r := newWorld(t), &remote{files: map[string]string{"a": "one"}}
	w.bring(r, "added: https://host.example/a")
	r.set(nil, nil, nil)
	w.bring(r, "left in force: https://host.example/a is gone with everything else (--allow-empty archives it)")
	gone := problem.New(problem.NotFound, "not_found", "https://host.example: there is nothing.")
	r.set(nil, gone, nil)
	w.bring(r, "archived: https://host.example/a is gone")
	w.inForce()
	w.bring(r, "failed: https://host.example: there is nothing. (not_found)") // nothing is left to do, and it is not there
	r.set(map[string]string{"a": "one"}, nil, nil)
	w.bring(r, "new version 2: https://host.example/a")
}

func TestAnUploadSaysWhereTheOriginalIsAndWhatItsFormatIsToldBy(t *testing.T) {
	w, r := newWorld(t), &remote{files: map[string]string{"a": "one"}}
	w.bring(r, "added: https://host.example/a")
	if up := w.base.latest; up.URI != "https://host.example/of/a" || up.FileName != "told by.md" || up.MediaType != "text/x" || up.Key != "a" || up.Source != r.Name() || up.Place != "a" {
		t.Errorf("the upload is %+v", up)
	}
}

func TestASourceElsewhereIsAskedEveryWhile(t *testing.T) {
	w, r := newWorld(t), &remote{files: map[string]string{"a": "one", "b": "two"}}
	w.write("f.md", "of a folder")
	lines := make(chan string, 100)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- w.d.Follow(ctx, []delivery.Source{r, w.folder(w.root)}, time.Millisecond, func(e delivery.Event) { lines <- strings.ReplaceAll(e.String(), w.root, "") }, func(line string) { lines <- "note: " + line })
	}()
	says := func(want ...string) {
		t.Helper()
		for left := len(want); left > 0; left-- {
			got := <-lines
			i := -1
			for n, line := range want {
				if line == got {
					i = n
				}
			}
			if i < 0 {
				t.Errorf("it says %q, want %q", got, want)
				return
			}
			want[i] = ""
		}
	}
	says("added: https://host.example/a", "added: https://host.example/b", "added: /f.md")
	r.set(map[string]string{"a": "another", "b": "two"}, nil, nil)
	says("new version 2: https://host.example/a")
	r.set(nil, nil, errors.New("away"))
	says("note: away")
	r.set(map[string]string{"a": "another"}, nil, nil)
	says("note: url:https://host.example/: all is well again", "archived: https://host.example/b is gone")
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestWhatIsElsewhereAndCannotBeReachedFailsAlone(t *testing.T) {
	w, r := newWorld(t), &remote{broken: problem.New(problem.Unavailable, "unreachable", "It is away.")}
	w.write("a.md", "one")
	failed := delivery.NewSummary()
	l, n, err := w.d.Read(t.Context(), []delivery.Source{r, w.folder(w.root)}, &failed)
	if err != nil || len(l) != 1 || n != 1 || l[0].Name != "folder" {
		t.Errorf("it lists %v, %d files, error %v", l, n, err)
	}
	if len(failed.Failed) != 1 || failed.Failed[0].Code != "unreachable" || failed.Failed[0].File != r.Name() {
		t.Errorf("failed is %+v", failed.Failed)
	}
	if _, _, err := w.d.Read(t.Context(), []delivery.Source{w.folder(filepath.Join(w.root, "none"))}, &failed); problem.CodeOf(err) != "no_such_file" {
		t.Errorf("a path that is not there: error %v", err)
	}
}

func TestWhatIsNamedIsOpenedAsWhatItIs(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct {
		reach delivery.Reach
		named string
		want  string
	}{
		{delivery.Reach{}, folder, "folder:" + folder},
		{delivery.Reach{Known: "docs"}, folder, "docs"},
		{delivery.Reach{}, "https://host.example/a.md", "url:https://host.example/a.md"},
		{delivery.Reach{Known: "docs"}, "https://host.example/a.md", "docs"},
		{delivery.Reach{}, "git+https://host.example/r@v1//docs", "git+https://host.example/r//docs"},
		{delivery.Reach{Git: true}, "https://host.example/r@v1//docs", "git+https://host.example/r//docs"},
		{delivery.Reach{Git: true, Known: "docs"}, folder, "docs"},
		{delivery.Reach{Git: true}, folder, "git+file://" + folder},
		{delivery.Reach{Git: true}, folder + "@main//docs", "git+file://" + folder + "//docs"},
	} {
		c.reach.Client = http.DefaultClient
		s, err := c.reach.Open(c.named)
		if err != nil || s.Name() != c.want {
			t.Errorf("%s is %v, error %v", c.named, s, err)
			continue
		}
		w := newWorld(t)
		w.do(s.Close())
	}
	for _, named := range []string{"git+ssh://host/r", "https://user:sesame@host.example/a"} {
		if _, err := (delivery.Reach{}).Open(named); problem.CodeOf(err) != "invalid_url" {
			t.Errorf("%s: error %v", named, err)
		}
	}
}
