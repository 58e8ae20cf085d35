package worker_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/worker"
)

func TestAChildReadsItsFoldersAndWritesNothingThere(t *testing.T) {
	folder, other := t.TempDir(), t.TempDir()
	for _, dir := range []string{folder, other} {
		if err := os.WriteFile(filepath.Join(dir, "a"), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, _ := pool(t, worker.Options{}, "--folder", folder)
	if alone, err := p.Probe(t.Context()); err != nil || !alone {
		t.Skipf("this system has no Landlock (%v)", err)
	}
	for does, want := range map[string]string{
		"open " + filepath.Join(folder, "a"):    "<nil>",
		"open " + filepath.Join(other, "a"):     "permission denied",
		"replace " + filepath.Join(folder, "a"): "permission denied",
		"replace " + filepath.Join(folder, "b"): "permission denied",
	} {
		r, err := p.Parse(t.Context(), file(does))
		if err != nil || !strings.HasSuffix(r.Parsed.Text, want) {
			t.Errorf("%s ends with %q (%v), want %q", does, r.Parsed.Text, err, want)
		}
	}
}

func TestAFolderThatIsNotThereKeepsNoChildFromReading(t *testing.T) {
	p, _ := pool(t, worker.Options{}, "--folder", filepath.Join(t.TempDir(), "gone"))
	if r, err := p.Parse(t.Context(), file("text")); err != nil || r.Parsed.Text != "text" {
		t.Errorf("%q, %v", r.Parsed.Text, err)
	}
}

// TestAFileThatWaitsForWhatItNeedsHoldsUpNoOther lets the only child read another file meanwhile.
func TestAFileThatWaitsForWhatItNeedsHoldsUpNoOther(t *testing.T) {
	waits, ready := make(chan struct{}), make(chan struct{})
	p, _ := pool(t, worker.Options{Children: 1, Prepare: func(_ context.Context, f parse.File) error {
		if f.Name == "slow.txt" {
			close(waits)
			<-ready
		}
		return nil
	}})
	ended := make(chan error, 1)
	go func() {
		_, err := p.Parse(t.Context(), parse.File{Name: "slow.txt", Data: []byte("a")})
		ended <- err
	}()
	<-waits
	if r, err := p.Parse(t.Context(), file("other")); err != nil || r.Parsed.Text != "other" {
		t.Errorf("%q, %v", r.Parsed.Text, err)
	}
	close(ready)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestAFileThatCannotBePreparedReachesNoChild(t *testing.T) {
	want := errors.New("nothing is there")
	p, _ := pool(t, worker.Options{Prepare: func(_ context.Context, f parse.File) error {
		if strings.HasPrefix(string(f.Data), "exit") {
			return want
		}
		return nil
	}})
	if _, err := p.Parse(t.Context(), file("exit")); !errors.Is(err, want) {
		t.Errorf("the error is %v", err)
	}
	if r, err := p.Parse(t.Context(), file("count")); err != nil || r.Parsed.Text != "1" {
		t.Errorf("the next file is number %q of its child (%v)", r.Parsed.Text, err)
	}
}
