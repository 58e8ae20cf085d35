package originals

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// files lists the files below a folder.
func files(t testing.TB, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWhatWasPlacedOpensAsItCame(t *testing.T) {
	for _, durable := range []bool{false, true} {
		f := Folder{t.TempDir(), durable}
		rapid.Check(t, func(t *rapid.T) {
			data := rapid.SliceOf(rapid.Byte()).Draw(t, "data")
			for range 2 { // The same bytes again are the same file.
				name, sum, size, err := f.Receive(context.Background(), bytes.NewReader(data), 1<<20)
				if err != nil || size != int64(len(data)) {
					t.Fatalf("%d bytes: %d, %v", len(data), size, err)
				}
				if err := f.Place(name, sum); err != nil {
					t.Fatal(err)
				}
				r, err := f.Open(sum)
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(r)
				r.Close()
				if err != nil || !bytes.Equal(got, data) {
					t.Fatalf("%q came back as %q, %v", data, got, err)
				}
			}
			if list, err := os.ReadDir(f.Dir); err != nil || strings.HasPrefix(list[len(list)-1].Name(), temporary) {
				t.Fatalf("left behind: %v, %v", list, err)
			}
		})
	}
}

func TestAStreamThatCannotBeTakenNamesItsFile(t *testing.T) {
	f := Folder{Dir: t.TempDir()}
	gone, end := context.WithCancel(context.Background())
	end()
	for name, c := range map[string]struct {
		ctx   context.Context
		r     io.Reader
		limit int64
		code  string
	}{
		"too long":           {context.Background(), strings.NewReader("four"), 3, "too_large"},
		"of just its length": {context.Background(), strings.NewReader("four"), 4, ""},
		"broken off":         {context.Background(), iotest.ErrReader(errors.New("reset")), 9, "upload_interrupted"},
		"a refusal":          {context.Background(), iotest.ErrReader(problem.New(problem.Invalid, "malformed_form", "no")), 9, "malformed_form"},
		"given up":           {gone, strings.NewReader("four"), 9, "internal"},
		"no end of limits":   {context.Background(), strings.NewReader("four"), 1<<63 - 1, ""},
	} {
		file, _, _, err := f.Receive(c.ctx, c.r, c.limit)
		if file == "" || (err == nil) != (c.code == "") || err != nil && problem.CodeOf(err) != c.code {
			t.Errorf("%s: %q, %v", name, file, err)
		}
		if err := os.Remove(file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left := files(t, f.Dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	if name, _, _, err := (Folder{Dir: filepath.Join(f.Dir, "nowhere")}).Receive(context.Background(), strings.NewReader("x"), 9); err == nil || name != "" {
		t.Errorf("%q, %v", name, err)
	}
}

func TestOnlyAChecksumIsAPath(t *testing.T) {
	f := Folder{Dir: t.TempDir()}
	good := corpus.Checksum(strings.Repeat("0a", 32))
	for sum, want := range map[corpus.Checksum]bool{
		good: true, "": false, "0a": false, good + "0": false, corpus.Checksum(strings.ToUpper(string(good))): false,
		corpus.Checksum("../" + strings.Repeat("a", 61)): false, corpus.Checksum(strings.Repeat("/", 64)): false,
	} {
		if Valid(sum) != want {
			t.Errorf("%q is a checksum: %v", sum, !want)
		}
		if _, err := f.Open(sum); !problem.Is(err, problem.NotFound) {
			t.Errorf("%q: %v", sum, err)
		}
	}
}

func TestSweepingLeavesWhatIsNeeded(t *testing.T) {
	f := Folder{Dir: t.TempDir()}
	var sums []corpus.Checksum
	for _, text := range []string{"one", "two", "three"} {
		name, sum, _, err := f.Receive(context.Background(), strings.NewReader(text), 9)
		if err == nil {
			err = f.Place(name, sum)
		}
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, sum)
	}
	if _, _, _, err := f.Receive(context.Background(), strings.NewReader("left"), 9); err != nil {
		t.Fatal(err)
	}
	if err := f.Remove(sums[2]); err != nil {
		t.Fatal(err)
	}
	if err := f.Remove(sums[2]); err != nil {
		t.Errorf("removing again: %v", err)
	}
	if err := f.Sweep(sums[:1]); err != nil {
		t.Fatal(err)
	}
	if left := files(t, f.Dir); len(left) != 1 || left[0] != f.Path(sums[0]) {
		t.Errorf("left: %v", left)
	}
}
