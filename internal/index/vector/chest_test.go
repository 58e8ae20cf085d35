package vector

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// chest makes a chest in a folder of the test.
func chest(t *testing.T) *Chest {
	t.Helper()
	c, err := NewChest(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if c == nil {
		t.Skip("there are no files without a name here")
	}
	t.Cleanup(func() { _ = c.file.Close() })
	return c
}

// stowed makes a set of papers whose vectors are in a chest.
func stowed(t fataler, c *Chest, space Space, papers []paper) *Set {
	t.Helper()
	var add []Entry
	for _, p := range papers {
		s, err := c.Keep(segment(t, space, p))
		if err != nil {
			t.Fatalf("Keep: %v", err)
		}
		if s.rows.held != nil {
			t.Fatalf("the vectors of %s are in memory", p.id)
		}
		add = append(add, Entry{Document: p.id, Key: p.key, Segment: s})
	}
	set, err := NewSet(space).Change(add, nil)
	if err != nil {
		t.Fatalf("Change: %v", err)
	}
	return set
}

func TestSearchesOverAChestFindWhatThoseInMemoryFind(t *testing.T) {
	c := chest(t)
	rapid.Check(t, func(t *rapid.T) {
		space, papers := hamlet(t)
		p := plan{exactly: rapid.IntRange(0, 12).Draw(t, "exactly"), candidates: rapid.IntRange(1, 6).Draw(t, "candidates")}
		k, q := rapid.IntRange(0, 6).Draw(t, "k"), question(t, space, point(t))
		papers = slices.DeleteFunc(papers, func(p paper) bool { return len(p.vectors) == 0 })
		got := by(t, stowed(t, c, space, papers).Filter(everything), q, k, p)
		if diff := cmp.Diff(by(t, shelf(t, space, papers).Filter(everything), q, k, p), got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestVectorsInAChestTakeNoMemory(t *testing.T) {
	w := newTown(384, 4, 1, 50)
	set := stowed(t, chest(t), w.space, w.papers)
	if per := set.Bytes() / 50; per > 60 {
		t.Errorf("a chunk takes %d bytes of memory", per)
	}
	if whole := shelf(t, w.space, w.papers).Bytes() / 50; whole < 384 {
		t.Errorf("without a chest a chunk takes %d bytes", whole)
	}
}

func TestChestLeavesNoFileWithAName(t *testing.T) {
	dir := t.TempDir()
	c, err := NewChest(dir)
	if err != nil {
		t.Fatal(err)
	}
	if c != nil {
		defer c.file.Close()
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("the folder holds %v (%v)", left, err)
	}
	if _, err := NewChest(dir + "/nowhere"); problem.KindOf(err) != problem.Unavailable {
		t.Errorf("a folder that is not there: %v", err)
	}
}

func TestLongStretchesAreOverwrittenToTheirEnd(t *testing.T) {
	c := chest(t)
	size := int64(2*len(zeros) + 5)
	place := c.reserve(size)
	if _, err := c.file.WriteAt(bytes.Repeat([]byte{7}, int(size)+1), place.at); err != nil {
		t.Fatal(err)
	}
	c.clear(place)
	now := make([]byte, size+1)
	if err := c.read(now, place.at); err != nil || !bytes.Equal(now[:size], make([]byte, size)) || now[size] != 7 {
		t.Errorf("the stretch was not overwritten, or more than it (%v)", err)
	}
}

func TestWhatIsGoneIsOverwrittenAndItsPlaceUsedAgain(t *testing.T) {
	c := chest(t)
	s, err := c.Keep(segment(t, plane, paper{id: "a", vectors: [][]float32{{1, 0}}}))
	if err != nil {
		t.Fatal(err)
	}
	place := span{s.rows.at, int64(s.rows.size)}
	was := bytes.Clone(record(t, s, 0))
	c.clear(place)
	if now := record(t, s, 0); bytes.Equal(was, now) || !bytes.Equal(now, make([]byte, len(was))) {
		t.Errorf("the place holds %v after it was cleared", now)
	}
	again, err := c.Keep(segment(t, plane, paper{id: "b", vectors: [][]float32{{0, 1}}}))
	if err != nil || again.rows.at != place.at || called(t, again, 0) != "b.1 1" {
		t.Errorf("the next segment lies at %d and not at %d (%v)", again.rows.at, place.at, err)
	}
}

// TestPlacesInAChestNeverOverlap draws what is kept and released, and holds the free stretches against
// a list of every byte.
func TestPlacesInAChestNeverOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &Chest{}
		var held []span
		owner := map[int64]bool{}
		for i := range rapid.IntRange(1, 40).Draw(t, "steps") {
			if len(held) > 0 && rapid.Bool().Draw(t, "release") {
				k := rapid.IntRange(0, len(held)-1).Draw(t, "which")
				for b := range held[k].size {
					delete(owner, held[k].at+b)
				}
				c.release(held[k])
				held = slices.Delete(held, k, k+1)
				continue
			}
			s := c.reserve(int64(rapid.IntRange(1, 5).Draw(t, "size")))
			for b := range s.size {
				if owner[s.at+b] || s.at+b >= c.end {
					t.Fatalf("step %d: byte %d has two owners, or is outside", i, s.at+b)
				}
				owner[s.at+b] = true
			}
			held = append(held, s)
		}
		free := int64(0)
		for i, f := range c.free {
			free += f.size
			if i > 0 && c.free[i-1].at+c.free[i-1].size >= f.at {
				t.Fatalf("free stretches touch: %v", c.free)
			}
		}
		if free+int64(len(owner)) != c.end {
			t.Fatalf("%d bytes are free and %d held, of %d", free, len(owner), c.end)
		}
	})
}

func TestSearchFailsWhereVectorsCanNotBeRead(t *testing.T) {
	c := chest(t)
	var papers []paper
	for i := range 3 {
		papers = append(papers, paper{id: corpus.DocumentID(fmt.Sprint("d", i)), vectors: [][]float32{{1, 0}}})
	}
	f := stowed(t, c, plane, papers).Filter(everything)
	if err := c.file.Truncate(3); err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]plan{"all": {exactly: 9}, "by signs": {candidates: 2}} {
		if got, err := f.nearest(question(t, plane, []float32{1, 0}), 2, p); problem.KindOf(err) != problem.Unavailable || got != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	if _, err := c.Keep(segment(t, plane, paper{id: "e", vectors: [][]float32{{1, 0}}})); err != nil {
		t.Errorf("Keep: %v", err)
	}
}
