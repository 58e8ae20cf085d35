package dir_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/ingest/source"
	"github.com/kaoju/kaoju/internal/ingest/source/dir"
	"github.com/kaoju/kaoju/internal/problem"
)

func read(t *testing.T, root string, rules dir.Rules) source.Listing {
	t.Helper()
	if rules.Supported == nil {
		rules.Supported = markdown
	}
	l, err := dir.Read(t.Context(), root, rules)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func keys(l source.Listing) (out []string) {
	for _, f := range l.Files {
		out = append(out, f.Key)
	}
	return out
}

func TestWhatIsNoFileIsSaidAndNeverOpened(t *testing.T) {
	root := tree(t, "a.md", "sub/b.md")
	do(t, syscall.Mkfifo(filepath.Join(root, "pipe.md"), 0o600))
	do(t, os.Symlink("/etc", filepath.Join(root, "etc")))
	do(t, os.WriteFile(filepath.Join(root, "name\xff.md"), []byte("x"), 0o600))
	do(t, os.Mkdir(filepath.Join(root, "folder\xff"), 0o700))
	l := read(t, root, dir.Rules{})
	if diff := cmp.Diff([]string{"a.md", "sub/b.md"}, keys(l)); diff != "" {
		t.Error(diff)
	}
	want := []string{"etc: link, harmless", "folder\xff: bad_name", "name\xff.md: bad_name", "pipe.md: no_file, harmless"}
	if diff := cmp.Diff(want, reasons(l.Skipped)); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsSkippedIsStillThere(t *testing.T) {
	l := source.Listing{Skipped: []source.Skipped{{Place: "locked"}, {Place: "a.md"}}}
	for place, want := range map[string]bool{"a.md": true, "locked": true, "locked/x/b.md": true, "lockedx": false, "b.md": false, "x/a.md": false} {
		if got := l.Left(place); got != want {
			t.Errorf("%s: left %v, want %v", place, got, want)
		}
	}
	whole := source.Listing{Skipped: []source.Skipped{{Place: "."}}}
	if !whole.Left("anything") {
		t.Error("nothing is left of a folder that can't be read itself")
	}
}

func TestAFolderThatIsNamedByALinkIsRead(t *testing.T) {
	root := tree(t, "a.md")
	link := filepath.Join(t.TempDir(), "docs")
	do(t, os.Symlink(root, link))
	l := read(t, link, dir.Rules{})
	if diff := cmp.Diff([]string{"a.md"}, keys(l)); diff != "" || len(l.Skipped) != 0 {
		t.Errorf("%s, skipped %v", diff, l.Skipped)
	}
	if _, err := l.Files[0].Sum(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestTheDataFolderIsNotReadWhereverItIs(t *testing.T) {
	root := tree(t, "a.md", "kaoju-data/blobs/b.md")
	l := read(t, root, dir.Rules{Except: filepath.Join(root, "kaoju-data")})
	if diff := cmp.Diff([]string{"a.md"}, keys(l)); diff != "" {
		t.Error(diff)
	}
}

func TestAFileIsReadWhole(t *testing.T) {
	root := tree(t, "a.md")
	l := read(t, root, dir.Rules{})
	sum := sha256.Sum256([]byte("a.md"))
	got, err := l.Files[0].Sum(t.Context())
	if err != nil || got != hex.EncodeToString(sum[:]) {
		t.Errorf("sum %s, error %v", got, err)
	}
}

// TestAFileThatBecameAnotherIsNotRead holds for what somebody puts in its place after the folder was read:
// a pipe would never end, and a link may lead anywhere.
func TestAFileThatBecameAnotherIsNotRead(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.md")
	do(t, os.WriteFile(secret, []byte("secret"), 0o600))
	for name, replace := range map[string]func(path string) error{
		"a link":   func(path string) error { return os.Symlink(secret, path) },
		"a pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"nothing":  func(string) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			root := tree(t, "sub/a.md")
			l := read(t, root, dir.Rules{})
			do(t, os.Remove(filepath.Join(root, "sub", "a.md")))
			do(t, replace(filepath.Join(root, "sub", "a.md")))
			if body, err := l.Files[0].Open(); problem.CodeOf(err) != "unreadable" {
				t.Errorf("opened %v, error %v", body, err)
			}
		})
	}
	t.Run("a folder above it leads out", func(t *testing.T) {
		root := tree(t, "sub/secret.md")
		l := read(t, root, dir.Rules{})
		do(t, os.RemoveAll(filepath.Join(root, "sub")))
		do(t, os.Symlink(filepath.Dir(secret), filepath.Join(root, "sub")))
		if body, err := l.Files[0].Open(); problem.CodeOf(err) != "unreadable" {
			t.Errorf("opened %v, error %v", body, err)
		}
	})
	t.Run("a named pipe", func(t *testing.T) {
		pipe := filepath.Join(t.TempDir(), "pipe.md")
		do(t, syscall.Mkfifo(pipe, 0o600))
		l := read(t, pipe, dir.Rules{})
		if body, err := l.Files[0].Open(); problem.CodeOf(err) != "unreadable" {
			t.Errorf("opened %v, error %v", body, err)
		}
	})
}

func TestAFileThatChangesWhileItIsReadIsNotTaken(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"longer":  func(path string) error { return os.WriteFile(path, []byte("a.md and more"), 0o600) },
		"shorter": func(path string) error { return os.Truncate(path, 1) },
		"as long": func(path string) error { return os.Chtimes(path, time.Time{}, time.Unix(1, 0)) },
	} {
		t.Run(name, func(t *testing.T) {
			root := tree(t, "a.md")
			body, err := read(t, root, dir.Rules{}).Files[0].Open()
			do(t, err)
			defer body.Close()
			do(t, change(filepath.Join(root, "a.md")))
			if _, err := io.ReadAll(body); problem.CodeOf(err) != "changed_while_read" {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestAFileIsFreshForAWhile(t *testing.T) {
	root := tree(t, "a.md")
	written := time.Unix(1_000_000, 0)
	do(t, os.Chtimes(filepath.Join(root, "a.md"), time.Time{}, written))
	f := read(t, root, dir.Rules{}).Files[0]
	for after, want := range map[time.Duration]bool{0: true, time.Second: true, 2 * time.Second: false, time.Hour: false, -time.Hour: false} {
		if got := f.Fresh(written.Add(after), 2*time.Second); got != want {
			t.Errorf("%v after: fresh %v, want %v", after, got, want)
		}
	}
}
