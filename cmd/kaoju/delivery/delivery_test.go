package delivery_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/delivery"
	"github.com/kaoju/kaoju/internal/ingest/source/dir"
	"github.com/kaoju/kaoju/internal/problem"
)

// base is a knowledge base that publishes directly, kept in memory.
type base struct {
	mu        sync.Mutex // where documents change while a test looks at them
	docs      []document
	uploads   int
	waiting   map[string]string
	asked     int // how often documents or proposals were asked for
	proposed  int
	refuse    error // of uploads, while it is not nil
	latest    delivery.Upload
	proposing bool  // archiving is proposed
	down      error // of everything, while it is not nil
	jobs      map[string]api.Job
}

type document struct {
	api.Document
	source string
}

func (b *base) Documents(_ context.Context, f api.DocumentFilter) ([]api.Document, error) {
	b.asked++
	if b.down != nil {
		return nil, b.down
	}
	newest := map[string]api.Document{}
	for _, d := range b.docs {
		if (f.Source == "" || f.Source == d.source) && (f.DocKey == "" || f.DocKey == d.DocKey) && (f.Status == "" || f.Status == d.Status) {
			newest[d.DocKey] = d.Document
		}
	}
	var out []api.Document
	for _, d := range newest {
		out = append(out, d)
	}
	return out, nil
}

func (b *base) Upload(_ context.Context, up delivery.Upload, body io.Reader) (delivery.Receipt, error) {
	if b.down != nil {
		return delivery.Receipt{}, b.down
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.uploads++
	if b.latest = up; b.refuse != nil {
		return delivery.Receipt{}, b.refuse
	}
	bytes, err := io.ReadAll(body)
	if err != nil {
		return delivery.Receipt{}, err
	}
	sum := sha256.Sum256(bytes)
	d := document{api.Document{DocKey: up.Key, Checksum: hex.EncodeToString(sum[:]), Status: "published", SourcePath: up.Place, Version: 1}, up.Source}
	for i := range b.docs {
		if old := &b.docs[i]; old.DocKey == up.Key {
			d.Version = old.Version + 1
			if old.Checksum == d.Checksum && old.Status == "published" {
				if old.source == up.Source {
					old.SourcePath = up.Place
				}
				return delivery.Receipt{Document: old.ID, Version: old.Version, Unchanged: true}, nil
			}
		}
	}
	if strings.Contains(string(bytes), "broken") {
		return delivery.Receipt{Version: d.Version, Job: "broken"}, nil
	}
	b.archive(up.Key)
	d.ID = fmt.Sprintf("%s v%d", up.Key, d.Version)
	b.docs = append(b.docs, d)
	return delivery.Receipt{Document: d.ID, Version: d.Version, Job: "fine"}, nil
}

func (b *base) archive(key string) {
	for i := range b.docs {
		if b.docs[i].DocKey == key {
			b.docs[i].Status = "archived"
		}
	}
}

func (b *base) Job(_ context.Context, id string) (api.Job, error) {
	if id == "broken" {
		return api.Job{State: "failed", Error: &api.JobError{Code: "malformed", Detail: "it is broken"}}, nil
	}
	if job, ok := b.jobs[id]; ok {
		return job, nil
	}
	return api.Job{State: "succeeded"}, nil
}

func (b *base) Waiting(context.Context) (map[string]string, error) {
	b.asked++
	return b.waiting, b.down
}

func (b *base) Archive(_ context.Context, id string) (string, error) {
	i := slices.IndexFunc(b.docs, func(d document) bool { return d.ID == id })
	switch {
	case i < 0 || b.docs[i].Status != "published":
		return "", problem.New(problem.Conflict, "not_published", "It is not published.")
	case b.proposing:
		b.proposed++
		return "prop of " + id, nil
	}
	b.docs[i].Status = "archived"
	return "", nil
}

// world is a folder and the knowledge base that it goes into.
type world struct {
	t    *testing.T
	root string
	base *base
	d    *delivery.Delivery
	told []string
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, root: t.TempDir(), base: &base{}}
	w.d = &delivery.Delivery{
		Base: w.base, Publish: true,
		Tell: func(e delivery.Event) { w.told = append(w.told, strings.ReplaceAll(e.String(), w.root+"/", "")) },
	}
	return w
}

func (w *world) write(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.root, name)
	w.do(os.MkdirAll(filepath.Dir(path), 0o700))
	w.do(os.WriteFile(path, []byte(text), 0o600))
	w.do(os.Chtimes(path, time.Time{}, time.Unix(int64(len(text))*1000, 0)))
}

func (w *world) do(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) folder(path string) delivery.Source {
	return delivery.Place{Path: path, Known: "folder", Rules: dir.Rules{Supported: func(name string) bool { return strings.HasSuffix(name, ".md") }}}
}

// sync brings the folder once and compares what was told.
func (w *world) sync(want ...string) {
	w.t.Helper()
	w.told = nil
	l, _, err := w.d.Read(w.t.Context(), []delivery.Source{w.folder(w.root)}, nil)
	w.do(err)
	w.do(w.d.Bring(w.t.Context(), l[0].Listing, l[0].Name))
	slices.Sort(w.told)
	if diff := cmp.Diff(want, w.told); diff != "" {
		w.t.Error(diff)
	}
}

func (w *world) inForce(want ...string) {
	w.t.Helper()
	var got []string
	for _, d := range w.base.docs {
		if d.Status == "published" {
			got = append(got, d.ID+" at "+d.SourcePath)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Error(diff)
	}
}

func TestAFolderIsFollowedThroughItsChanges(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "one")
	w.write("差旅/b.md", "two!")
	w.sync("added: a.md", "added: 差旅/b.md")
	uploads := w.base.uploads
	w.sync("unchanged: a.md", "unchanged: 差旅/b.md")
	if w.base.uploads != uploads {
		t.Error("what is known to be there was sent again")
	}
	w.write("a.md", "another")
	w.sync("new version 2: a.md", "unchanged: 差旅/b.md")
	w.do(os.Rename(filepath.Join(w.root, "a.md"), filepath.Join(w.root, "差旅/c.md")))
	w.sync("moved: 差旅/c.md, which was a.md", "unchanged: 差旅/b.md")
	w.write("差旅/c.md", "a third text")
	w.sync("new version 3: 差旅/c.md", "unchanged: 差旅/b.md")
	w.inForce("a.md v3 at 差旅/c.md", "差旅/b.md v1 at 差旅/b.md")
	w.do(os.Remove(filepath.Join(w.root, "差旅/b.md")))
	w.sync("archived: 差旅/b.md is gone", "unchanged: 差旅/c.md")
	w.sync("unchanged: 差旅/c.md")
	w.write("差旅/b.md", "two!")
	w.sync("new version 2: 差旅/b.md", "unchanged: 差旅/c.md")
}

func TestWhatCameFromElsewhereIsNeverArchived(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "one")
	w.write("b.md", "two!")
	w.base.docs = append(w.base.docs, document{api.Document{ID: "by hand", DocKey: "c.md", Status: "published", Version: 1, Checksum: "1"}, ""},
		document{api.Document{ID: "from elsewhere", DocKey: "d.md", Status: "published", Version: 1, Checksum: "2", SourcePath: "d.md"}, "other"})
	w.sync("added: a.md", "added: b.md")
	w.do(os.Remove(filepath.Join(w.root, "b.md")))
	w.base.archive("b.md")
	w.base.docs = append(w.base.docs, document{api.Document{ID: "newer by hand", DocKey: "b.md", Status: "published", Version: 2, Checksum: "3"}, ""})
	w.sync("unchanged: a.md")
	w.inForce("a.md v1 at a.md", "by hand at ", "from elsewhere at d.md", "newer by hand at ")
}

func TestAFileWhoseVersionWasReplacedByHandStaysAsItIs(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "one")
	w.sync("added: a.md")
	w.base.archive("a.md")
	w.base.docs = append(w.base.docs, document{api.Document{ID: "by hand", DocKey: "a.md", Status: "published", Version: 2, Checksum: "3"}, ""})
	w.sync("unchanged: a.md")
	w.do(os.Rename(filepath.Join(w.root, "a.md"), filepath.Join(w.root, "b.md")))
	w.sync("failed: b.md: it was a.md, of which somebody else has brought a newer version; nothing was done. (changed_elsewhere)")
	w.inForce("by hand at ")
}

func TestAFolderThatIsEmptyAtOnceArchivesNothingUnasked(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "one")
	w.write("b.md", "two!")
	w.sync("added: a.md", "added: b.md")
	w.do(os.Remove(filepath.Join(w.root, "a.md")))
	w.do(os.Remove(filepath.Join(w.root, "b.md")))
	w.sync("left in force: a.md is gone with everything else (--allow-empty archives it)", "left in force: b.md is gone with everything else (--allow-empty archives it)")
	w.inForce("a.md v1 at a.md", "b.md v1 at b.md")
	w.d.AllowEmpty = true
	w.sync("archived: a.md is gone", "archived: b.md is gone")
	w.inForce()
}

func TestWhatCannotBeReadIsSaidAndNotGone(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "one")
	w.write("b.md", "two!")
	w.sync("added: a.md", "added: b.md")
	w.do(os.Remove(filepath.Join(w.root, "a.md")))
	w.do(os.Symlink("b.md", filepath.Join(w.root, "a.md")))
	w.sync("left out: a.md: symbolic links are not followed. (link)", "unchanged: b.md")
	w.inForce("a.md v1 at a.md", "b.md v1 at b.md")
}

func TestAFileThatFailsIsNamedAndTheOthersAreTaken(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "broken")
	w.write("b.md", "two!")
	w.write("c.xyz", "x")
	w.sync("added: b.md", "failed: a.md: it is broken (malformed)", "failed: c.xyz: files of this type cannot be read. (unknown_type)")
	uploads := w.base.uploads
	w.sync("failed: c.xyz: files of this type cannot be read. (unknown_type)", "unchanged: b.md")
	if w.base.uploads != uploads {
		t.Error("bytes that failed were sent again by the same process")
	}
	w.write("a.md", "mended now")
	w.sync("added: a.md", "failed: c.xyz: files of this type cannot be read. (unknown_type)", "unchanged: b.md")
}

func TestArchivingIsProposedOnceWhereItMustBe(t *testing.T) {
	w := newWorld(t)
	w.base.proposing = true
	w.write("a.md", "one")
	w.write("b.md", "two!")
	w.sync("added: a.md", "added: b.md")
	w.do(os.Remove(filepath.Join(w.root, "a.md")))
	w.sync("gone: a.md; proposal prop of a.md v1 would archive it: kaoju doc decide prop of a.md v1 approve", "unchanged: b.md")
	w.sync("unchanged: b.md")
}

// look looks at the folder at a moment, as a watch does.
func (w *world) look(now time.Time, want ...string) {
	w.t.Helper()
	w.told = nil
	l, err := w.folder(w.root).List(w.t.Context())
	w.do(err)
	_, err = w.d.Sync(w.t.Context(), "folder", l, now, time.Minute)
	w.do(err)
	slices.Sort(w.told)
	if diff := cmp.Diff(want, w.told); diff != "" {
		w.t.Errorf("at %s: %s", now, diff)
	}
}

func TestArchivingIsProposedAgainAfterADay(t *testing.T) {
	w := newWorld(t)
	w.base.proposing = true
	w.write("a.md", "one")
	w.write("b.md", "two!")
	now := time.Unix(1_000_000, 0)
	w.look(now, "added: a.md", "added: b.md")
	w.do(os.Remove(filepath.Join(w.root, "a.md")))
	proposed := "gone: a.md; proposal prop of a.md v1 would archive it: kaoju doc decide prop of a.md v1 approve"
	w.look(now, proposed, "unchanged: b.md")
	w.look(now.Add(23*time.Hour), "unchanged: b.md")
	w.look(now.Add(25*time.Hour), proposed, "unchanged: b.md")
}

func TestWhatAPersonArchivesStaysSoWhileAFolderIsFollowed(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "one")
	now := time.Unix(1_000_000, 0)
	w.look(now, "added: a.md")
	w.d = &delivery.Delivery{Base: w.base, Publish: true, Tell: w.d.Tell} // a process that finds the folder taken in
	w.look(now, "unchanged: a.md")
	for i := range w.base.docs {
		w.base.docs[i].Status = "archived"
	}
	w.look(now.Add(time.Hour))
	w.inForce()
}

func TestNothingIsArchivedWhileAFileIsLeftForLater(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "one")
	w.write("b.md", "two!")
	now := time.Unix(1_000_000, 0)
	w.look(now, "added: a.md", "added: b.md")
	w.do(os.Rename(filepath.Join(w.root, "a.md"), filepath.Join(w.root, "c.md")))
	w.do(os.Chtimes(filepath.Join(w.root, "c.md"), time.Time{}, now)) // it is being written to
	w.look(now, "unchanged: b.md")
	w.inForce("a.md v1 at a.md", "b.md v1 at b.md")
	w.look(now.Add(time.Hour), "moved: c.md, which was a.md", "unchanged: b.md")
}

func TestNothingIsDoneWhereTheKnowledgeBaseDoesNotAnswer(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "one")
	w.sync("added: a.md")
	w.base.down = errors.New("no route to host")
	l, _, err := w.d.Read(t.Context(), []delivery.Source{w.folder(w.root)}, nil)
	w.do(err)
	if err := w.d.Bring(t.Context(), l[0].Listing, "folder"); !errors.Is(err, w.base.down) {
		t.Errorf("error %v", err)
	}
}

func TestAFileThatIsStillBeingWrittenIsLeftForLater(t *testing.T) {
	w := newWorld(t)
	w.write("a.md", "one")
	w.write("b.md", "two!")
	w.sync("added: a.md", "added: b.md")
	now := time.Unix(50_000, 0)
	w.write("a.md", "half of what")
	w.do(os.Chtimes(filepath.Join(w.root, "a.md"), time.Time{}, now.Add(-time.Second)))
	for _, c := range []struct {
		at      time.Time
		settled bool
		want    []string
	}{
		{now, false, []string{"unchanged: b.md"}},
		{now.Add(time.Minute), true, []string{"new version 2: a.md", "unchanged: b.md"}},
	} {
		w.told = nil
		l, _, err := w.d.Read(t.Context(), []delivery.Source{w.folder(w.root)}, nil)
		w.do(err)
		settled, err := w.d.Sync(t.Context(), "folder", l[0].Listing, c.at, 2*time.Second)
		w.do(err)
		slices.Sort(w.told)
		if diff := cmp.Diff(c.want, w.told); diff != "" || settled != c.settled {
			t.Errorf("settled %v: %s", settled, diff)
		}
	}
}
