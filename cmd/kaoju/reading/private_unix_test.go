//go:build unix

package reading

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestFolderThatOthersCanChangeIsNotUsed(t *testing.T) {
	for _, part := range []string{"kaoju", filepath.Join("kaoju", "pdfium")} {
		for _, mode := range []os.FileMode{0o770, 0o702, 0o777 | os.ModeSticky} {
			cache := t.TempDir()
			if private(cache) == "" {
				t.Fatal("there is no folder to begin with")
			}
			if err := os.Chmod(filepath.Join(cache, part), mode); err != nil {
				t.Fatal(err)
			}
			if got := private(cache); got != "" {
				t.Errorf("%s of mode %o is used", part, mode)
			}
		}
	}
}

func TestFolderThatIsALinkIsNotUsed(t *testing.T) {
	for _, part := range []string{"kaoju", filepath.Join("kaoju", "pdfium")} {
		cache, elsewhere := t.TempDir(), t.TempDir()
		if private(cache) == "" || private(elsewhere) == "" {
			t.Fatal("there is no folder to begin with")
		}
		if err := os.RemoveAll(filepath.Join(cache, part)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(elsewhere, part), filepath.Join(cache, part)); err != nil {
			t.Fatal(err)
		}
		if got := private(cache); got != "" {
			t.Errorf("the link %s is used", part)
		}
	}
}

// owned is what a folder tells of itself: mode and owner.
type owned struct {
	mode os.FileMode
	sys  any
}

func (o owned) Name() string       { return "kaoju" }
func (o owned) Size() int64        { return 0 }
func (o owned) Mode() os.FileMode  { return o.mode }
func (o owned) ModTime() time.Time { return time.Time{} }
func (o owned) IsDir() bool        { return o.mode.IsDir() }
func (o owned) Sys() any           { return o.sys }

func TestFolderOfAnotherUserIsOthers(t *testing.T) {
	me := uint32(os.Geteuid())
	for name, c := range map[string]struct {
		sys  any
		mode os.FileMode
		want bool
	}{
		"mine": {&syscall.Stat_t{Uid: me}, 0o700, false}, "mine, to be read by all": {&syscall.Stat_t{Uid: me}, 0o755, false}, "another's": {&syscall.Stat_t{Uid: me + 1}, 0o755, true},
		"another's alone": {&syscall.Stat_t{Uid: me + 1}, 0o700, true}, "of an unknown owner": {nil, 0o700, true}, "my group's": {&syscall.Stat_t{Uid: me}, 0o720, true},
	} {
		if got := others(owned{os.ModeDir | c.mode, c.sys}); got != c.want {
			t.Errorf("%s: others' %t", name, got)
		}
	}
}

// TestFolderThatAnotherUserMadeIsNotUsed gives a folder away, which root alone can.
func TestFolderThatAnotherUserMadeIsNotUsed(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	for _, part := range []string{"kaoju", filepath.Join("kaoju", "pdfium")} {
		cache := t.TempDir()
		if private(cache) == "" {
			t.Fatal("there is no folder to begin with")
		}
		if err := os.Lchown(filepath.Join(cache, part), 65534, 65534); err != nil {
			t.Fatal(err)
		}
		if got := private(cache); got != "" {
			t.Errorf("%s of another user is used", part)
		}
	}
}
