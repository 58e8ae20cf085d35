package watch_test

import (
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/kaoju/kaoju/internal/ingest/source/watch"
)

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// listen listens to a folder, and fails the test if something is left running.
func listen(t *testing.T, root string) *watch.Folders {
	t.Helper()
	t.Cleanup(func() { goleak.VerifyNone(t, goleak.IgnoreCurrent()) })
	f, err := watch.Open([]string{root}, "")
	do(t, err)
	t.Cleanup(func() { do(t, f.Close()) })
	do(t, f.Renew(t.Context()))
	return f
}

// rung waits until it rings; a test that waits in vain ends with the time of all tests.
func rung(t *testing.T, f *watch.Folders) {
	t.Helper()
	<-f.Rings()
}

func TestFoldersRingForWhatChangesBelowThem(t *testing.T) {
	root := t.TempDir()
	do(t, os.MkdirAll(filepath.Join(root, "a", "b"), 0o700))
	do(t, os.WriteFile(filepath.Join(root, "a", "b", "old.md"), nil, 0o600))
	for _, c := range []struct {
		name   string
		change func(path string) error
	}{
		{"a file that is written", func(p string) error { return os.WriteFile(filepath.Join(p, "x.md"), []byte("x"), 0o600) }},
		{"a file that is replaced by another, as editors do", func(p string) error {
			return os.Rename(filepath.Join(p, "x.md"), filepath.Join(p, "old.md"))
		}},
		{"a file that goes", func(p string) error { return os.Remove(filepath.Join(p, "old.md")) }},
		{"a folder that comes", func(p string) error { return os.Mkdir(filepath.Join(p, "c"), 0o700) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := listen(t, root)
			do(t, c.change(filepath.Join(root, "a", "b")))
			rung(t, f)
		})
	}
	t.Run("a file in a folder that came later", func(t *testing.T) {
		f := listen(t, root)
		late := filepath.Join(root, "a", "b", "late")
		do(t, os.Mkdir(late, 0o700))
		rung(t, f)
		do(t, f.Renew(t.Context()))
		do(t, os.WriteFile(filepath.Join(late, "y.md"), nil, 0o600))
		rung(t, f)
	})
}

func TestAFolderNamedByALinkIsListenedTo(t *testing.T) {
	root, link := t.TempDir(), filepath.Join(t.TempDir(), "docs")
	do(t, os.Symlink(root, link))
	f := listen(t, link)
	do(t, os.WriteFile(filepath.Join(root, "x.md"), nil, 0o600))
	rung(t, f)
}

func TestAFolderThatIsNotThereIsNoTrouble(t *testing.T) {
	f := listen(t, filepath.Join(t.TempDir(), "later"))
	do(t, f.Renew(t.Context()))
}
