package watch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestTheFolderThatIsLeftOutIsNotListenedTo looks at what the system was asked to tell of: that something
// is never told can't be waited for.
func TestTheFolderThatIsLeftOutIsNotListenedTo(t *testing.T) {
	root := t.TempDir()
	docs := filepath.Join(root, "docs")
	data := filepath.Join(docs, "kaoju-data")
	if err := os.MkdirAll(filepath.Join(data, "originals"), 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "data") // named in another way, it is the same folder
	if err := os.Symlink(data, link); err != nil {
		t.Fatal(err)
	}
	for _, except := range []string{data, link} {
		f, err := Open([]string{root}, except)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := f.Renew(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := f.notify.WatchList()
		if slices.Sort(got); !slices.Equal(got, []string{root, docs}) {
			t.Errorf("without %s it listens to %v", except, got)
		}
	}
}
