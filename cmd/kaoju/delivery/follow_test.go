package delivery_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/kaoju/kaoju/cmd/kaoju/delivery"
	"github.com/kaoju/kaoju/internal/problem"
)

// following is a folder that is followed while a test changes it.
type following struct {
	*world
	lines chan string
}

// follow follows the folder until the test ends, when nothing may be left running.
func (w *world) follow() *following {
	w.t.Helper()
	w.t.Cleanup(func() { goleak.VerifyNone(w.t, goleak.IgnoreCurrent()) })
	f := &following{world: w, lines: make(chan string, 100)}
	w.d.Quiet = 5 * time.Millisecond
	ctx, stop := context.WithCancel(w.t.Context())
	done := make(chan error, 1)
	say := func(line string) { f.lines <- strings.ReplaceAll(line, w.root+"/", "") }
	go func() {
		done <- w.d.Follow(ctx, []delivery.Source{w.folder(w.root)}, time.Hour, func(e delivery.Event) { say(e.String()) }, func(line string) { say("note: " + line) })
	}()
	w.t.Cleanup(func() {
		stop()
		w.do(<-done)
	})
	return f
}

// says waits for the next line, whose time is not judged: a test that waits in vain ends with that of all tests.
func (f *following) says(want string) {
	f.t.Helper()
	if got := <-f.lines; got != want {
		f.t.Errorf("it says %q, want %q", got, want)
	}
}

// put writes a file beside the folder and moves it in, as editors save.
func (f *following) put(name, text string) {
	f.t.Helper()
	beside := filepath.Join(f.t.TempDir(), "new")
	f.do(os.WriteFile(beside, []byte(text), 0o600))
	f.do(os.Chtimes(beside, time.Time{}, time.Unix(int64(len(text)), 0)))
	f.do(os.Rename(beside, filepath.Join(f.root, name)))
}

func TestChangesAreTakenInAsTheyHappen(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "one")
	f := w.follow()
	f.says("added: a.md")
	f.put("b.md", "broken")
	f.says("failed: b.md: it is broken (malformed)")
	f.put("a.md", "another")
	f.says("new version 2: a.md")
	f.do(os.Mkdir(filepath.Join(f.root, "差旅"), 0o700))
	f.do(os.Rename(filepath.Join(f.root, "a.md"), filepath.Join(f.root, "差旅", "c.md")))
	f.says("moved: 差旅/c.md, which was a.md")
	f.put("差旅/d.md", "a fourth")
	f.says("added: 差旅/d.md")
	f.do(os.Remove(filepath.Join(f.root, "差旅", "c.md")))
	f.says("archived: 差旅/c.md is gone")
}

// TestAFileThatIsWrittenInPlaceIsWholeInTheEnd does not say how often it is taken: a writer that is stopped for
// longer than the folder has to be quiet is taken for one that has ended.
func TestAFileThatIsWrittenInPlaceIsWholeInTheEnd(t *testing.T) {
	w := newWorld(t)
	f := w.follow()
	file, err := os.Create(filepath.Join(f.root, "a.md"))
	f.do(err)
	const line = "a line of many\n"
	for range 50 {
		_, err := file.WriteString(line)
		f.do(err)
	}
	f.do(file.Close())
	whole := sha256.Sum256([]byte(strings.Repeat(line, 50)))
	f.says("added: a.md")
	for n := 2; f.newest("a.md") != hex.EncodeToString(whole[:]); n++ {
		f.says(fmt.Sprintf("new version %d: a.md", n))
	}
	f.put("b.md", "two")
	f.says("added: b.md")
}

// newest is the checksum of the newest version of a key, after all that was told.
func (f *following) newest(key string) (sum string) {
	f.base.mu.Lock()
	defer f.base.mu.Unlock()
	for _, d := range f.base.docs {
		if d.DocKey == key {
			sum = d.Checksum
		}
	}
	return sum
}

func TestAFolderThatGoesIsSaidAndArchivesNothing(t *testing.T) {
	w := newWorld(t)
	w.write("docs/a.md", "one")
	w.write("docs/b.md", "two!")
	whole := w.root
	w.root = filepath.Join(whole, "docs")
	f := w.follow()
	f.says("added: a.md")
	f.says("added: b.md")
	f.do(os.Rename(w.root, filepath.Join(whole, "away")))
	f.says("note: " + w.root + ": there is no such file or folder.")
	f.inForce("a.md v1 at a.md", "b.md v1 at b.md")
}

func TestOnlyFoldersAreFollowed(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "one")
	for path, code := range map[string]string{"a.md": "invalid_request", "none": "no_such_file"} {
		err := w.d.Follow(t.Context(), []delivery.Source{w.folder(filepath.Join(w.root, path))}, time.Hour, nil, nil)
		if problem.CodeOf(err) != code {
			t.Errorf("%s: error %v", path, err)
		}
	}
}
