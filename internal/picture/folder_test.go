package picture

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestFolderHoldsNoMoreThanItMay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path, err := os.MkdirTemp("", "pictures-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(path)
		f := Folder{Path: path, Bytes: 1000}
		for i := range rapid.IntRange(1, 12).Draw(t, "pictures") {
			p := Picture{PNG: bytes.Repeat([]byte{1}, rapid.IntRange(1, 1200).Draw(t, "size")), Size: [2]float32{1, 2}}
			name := fmt.Sprint(i)
			if err := f.keep(name, p); err != nil {
				t.Fatal(err)
			}
			got, ok := f.page(name)
			if fits := sha256.Size+sized+len(p.PNG) <= 1000; ok != fits || ok && cmp.Diff(p, got) != "" {
				t.Fatalf("a picture of %d bytes is kept: %t", len(p.PNG), ok)
			}
			if n := bytesIn(t, path); n > 1000 {
				t.Fatalf("there are %d bytes", n)
			}
		}
	})
}

func bytesIn(t interface{ Fatal(...any) }, path string) (n int64) {
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		n += info.Size()
	}
	return n
}

func TestPictureThatNobodyLookedAtGoesFirst(t *testing.T) {
	f := Folder{Path: t.TempDir(), Bytes: 3*(sha256.Size+sized+100) + 50}
	p := Picture{PNG: make([]byte, 100), Size: [2]float32{1, 1}}
	for i, name := range []string{"a", "b", "c"} {
		if err := f.keep(name, p); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(time.Duration(i-10) * time.Hour)
		if err := os.Chtimes(filepath.Join(f.Path, name), then, then); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := f.page("a"); !ok {
		t.Fatal("a is not there")
	}
	if err := f.keep("d", p); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"a": true, "b": false, "c": true, "d": true} {
		if _, ok := f.page(name); ok != want {
			t.Errorf("%s is kept: %t", name, ok)
		}
	}
}

func TestDamagedFileIsAsGoodAsNone(t *testing.T) {
	f := Folder{Path: t.TempDir()}
	p := Picture{PNG: []byte("picture"), Size: [2]float32{1, 2}}
	if err := f.keep("a", p); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(f.Path, "a")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		changed := bytes.Clone(whole)
		changed[i] ^= 1
		for _, b := range [][]byte{changed, whole[:i]} {
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, ok := f.page("a"); ok {
				t.Fatalf("%d: it is taken for a picture", i)
			}
		}
	}
	if err := f.keep("a", p); err != nil {
		t.Fatal(err)
	}
	if got, ok := f.page("a"); !ok || cmp.Diff(p, got) != "" {
		t.Errorf("kept again: %+v", got)
	}
}

func TestFilesAreForTheOwnerAlone(t *testing.T) {
	f := Folder{Path: filepath.Join(t.TempDir(), "new", "cache")}
	if err := f.keep("a", Picture{PNG: []byte("x"), Size: [2]float32{1, 1}}); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(filepath.Dir(f.Path), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestFolderWithoutAPathKeepsNothing(t *testing.T) {
	var f Folder
	if err := f.keep("a", Picture{PNG: []byte("x")}); err != nil {
		t.Error(err)
	}
	if _, ok := f.page("a"); ok {
		t.Error("it is kept")
	}
	if err := f.empty(); err != nil {
		t.Error(err)
	}
}
