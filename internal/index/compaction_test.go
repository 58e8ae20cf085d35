package index_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
)

func everything(corpus.DocumentID) bool { return true }

// A set that changes while a merge is under way, and then adopts it, must be the set that was never
// merged: no version that was removed comes back, none that was replaced is found in its old form.
func TestAnAdoptedMergeChangesNothingThatIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, model := &index.Set{}, map[string]index.Entry{}
		var under *index.Merge
		for step := range rapid.IntRange(1, 40).Draw(t, "steps") {
			id := fmt.Sprintf("v%d", rapid.IntRange(0, 9).Draw(t, "id"))
			switch rapid.IntRange(0, 5).Draw(t, "do") {
			case 0, 1, 2:
				e := version{id: id, key: id, chunks: []piece{{1, nil, words[step%4 : 4+step%5]}, {2, nil, words[:2]}}}.entry(t)
				set, model[id] = set.Change([]index.Entry{e}, nil), e
			case 3:
				set = set.Change(nil, []corpus.DocumentID{corpus.DocumentID(id)})
				delete(model, id)
			case 4:
				if under == nil {
					under = index.Joining(set, func(int) bool { return rapid.Bool().Draw(t, "part") })
				}
			case 5:
				if under != nil {
					under.Run()
					set, under = set.Adopt(under), nil
				}
			}
			var list []index.Entry
			for _, e := range model {
				list = append(list, e)
			}
			terms := index.Terms(strings.Join(words, " "))
			want := index.NewSet(list...).Filter(everything).Search(terms, 99)
			if diff := gocmp.Diff(want, set.Filter(everything).Search(terms, 99)); diff != "" {
				t.Fatalf("step %d:\n%s", step, diff)
			}
			if set.Documents() != len(model) {
				t.Fatalf("step %d: %d versions, want %d", step, set.Documents(), len(model))
			}
		}
	})
}

// bulk makes so many versions that merging them is put off. They share a few segments.
func bulk(t fataler, rnd *rand.Rand, prefix string, n int) []index.Entry {
	t.Helper()
	out := make([]index.Entry, n)
	for i := range out {
		id := fmt.Sprintf("%s%02d", prefix, i)
		if i >= 5 {
			out[i] = index.Entry{Document: corpus.DocumentID(id), Key: id, Segment: out[i%5].Segment}
			continue
		}
		texts := make([]string, 60)
		for c := range texts {
			text := make([]string, 200)
			for w := range text {
				text[w] = fmt.Sprintf("w%dx", rnd.IntN(3000))
			}
			texts[c] = strings.Join(text, " ")
		}
		out[i] = document(t, id, "", texts...)
	}
	return out
}

// settled runs what is due until nothing is.
func settled(set *index.Set) *index.Set {
	for m := set.Due(); m != nil; m = set.Due() {
		m.Run()
		set = set.Adopt(m)
	}
	return set
}

// A server that starts has the segments of very many versions at once. It answers from them as they
// are; they are merged apart, while the set changes in ways that take some of them away.
func TestACrowdIsSearchedAsItIsAndMergedApart(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 9))
	list := bulk(t, rnd, "a", 90)
	set := index.NewSet(list...)
	if n := index.Parts(set); n != 90 {
		t.Fatalf("90 versions at once lie in %d parts", n)
	}
	m := set.Due()
	if m == nil {
		t.Fatal("nothing is due")
	}
	added := document(t, "new", "", "w1x w2x")
	set = set.Change([]index.Entry{added, list[7]}, []corpus.DocumentID{list[3].Document})
	m.Run()
	merged := settled(set.Adopt(m))
	if n := index.Parts(merged); n > 16 {
		t.Errorf("%d parts are left", n)
	}
	if merged.Documents() != 90 {
		t.Errorf("%d versions, want 90", merged.Documents())
	}
	for _, query := range []string{"w1x w2x", "w20x w300x w4x", "nothing"} {
		want := set.Filter(everything).Search(index.Terms(query), 50)
		if diff := gocmp.Diff(want, merged.Filter(everything).Search(index.Terms(query), 50)); diff != "" {
			t.Errorf("%q:\n%s", query, diff)
		}
	}
}

func TestLargePartsAreMergedApartAndStayFew(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 9))
	set := &index.Set{}
	put, merges := 0, 0
	for round := range 9 {
		list := bulk(t, rnd, fmt.Sprintf("%c", 'a'+round), 50)
		put += len(list)
		before := set.Due()
		set = set.Change(list, nil)
		if m := set.Due(); m != nil && before == nil {
			m.Run()
			// Something else happens meanwhile.
			set = set.Change(nil, []corpus.DocumentID{list[0].Document})
			put--
			set = set.Adopt(m)
			merges++
		}
	}
	if merges == 0 {
		t.Error("no merge was due, though the parts are large")
	}
	set = settled(set)
	if n := index.Parts(set); n > 16 {
		t.Errorf("%d parts", n)
	}
	if set.Documents() != put {
		t.Errorf("%d versions, want %d", set.Documents(), put)
	}
	if n := set.Filter(everything).Chunks(); n != 60*put {
		t.Errorf("%d chunks visible, want %d", n, 60*put)
	}
}

func TestALargePartThatLostMostOfItsVersionsIsDueAndShrinks(t *testing.T) {
	list := bulk(t, rand.New(rand.NewPCG(2, 9)), "a", 90)
	set := settled(index.NewSet(list...))
	var gone []corpus.DocumentID
	for i, e := range list {
		if i%9 > 0 {
			gone = append(gone, e.Document)
		}
	}
	set = set.Change(nil, gone)
	if set.Due() == nil {
		t.Fatal("nothing is due")
	}
	set = settled(set)
	if index.Held(set) != 600 {
		t.Errorf("%d chunks are held for 10 versions of 60", index.Held(set))
	}
}

func TestAMergeWhoseVersionsAllWentLeavesNothing(t *testing.T) {
	list := bulk(t, rand.New(rand.NewPCG(4, 9)), "a", 3)
	set := index.NewSet(list...)
	m := index.Joining(set, func(int) bool { return true })
	m.Run()
	set = set.Change(nil, []corpus.DocumentID{"a00", "a01", "a02"}).Adopt(m)
	if set.Documents() != 0 || index.Parts(set) != 0 {
		t.Errorf("%d versions in %d parts", set.Documents(), index.Parts(set))
	}
}

func TestChangingALargeSetLeavesItsLargePartsAlone(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 9))
	set := settled(index.NewSet(bulk(t, rnd, "a", 90)...))
	before := index.Large(set)
	if len(before) == 0 {
		t.Fatal("the set has no large part")
	}
	for i := range 50 {
		set = set.Change([]index.Entry{document(t, fmt.Sprint(i), "", "some words")}, nil)
	}
	if diff := gocmp.Diff(before, index.Large(set)); diff != "" {
		t.Errorf("the large parts are others now: %s", diff)
	}
}

// The versions of a set share most of their terms, so that merging needs less memory than was reserved for it.
func TestAMergeHoldsNoMemoryThatIsEmpty(t *testing.T) {
	rnd := rand.New(rand.NewPCG(29, 31))
	var list []index.Entry
	for v := range 60 {
		var text strings.Builder
		for range 200 {
			fmt.Fprintf(&text, "x%c%c ", 'b'+rnd.IntN(20), 'b'+rnd.IntN(20))
		}
		list = append(list, document(t, fmt.Sprintf("%0200d", v), "", text.String()))
	}
	set := index.NewSet(list...)
	if n := index.Parts(set); n != 1 {
		t.Fatalf("the set has %d parts", n)
	}
	if spare, size := index.Spare(set); spare > size/50 {
		t.Errorf("of %d bytes %d are empty", size, spare)
	}
	// A merge leaves out the versions that are lost, with their words and names.
	var lost []corpus.DocumentID
	for _, e := range list[:25] {
		lost = append(lost, e.Document)
	}
	set = set.Change(nil, lost)
	if n := index.Parts(set); n != 1 || index.Held(set) != len(list) {
		t.Fatalf("the set has %d parts with %d chunks", n, index.Held(set))
	}
	if spare, size := index.Spare(set); spare > size/20 { // memory is given out in steps of up to an eighth of the names
		t.Errorf("without the versions that are lost, of %d bytes %d are empty", size, spare)
	}
}

// Searches, publications, removals and merges at once; each search sees one of the sets whole.
func TestSetsAreSearchedWhileOthersAreMade(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 9))
	set := index.NewSet(bulk(t, rnd, "a", 20)...)
	var mu sync.Mutex
	now := func() *index.Set {
		mu.Lock()
		defer mu.Unlock()
		return set
	}
	change := func(fn func(*index.Set) *index.Set) {
		mu.Lock()
		defer mu.Unlock()
		set = fn(set)
	}
	more := bulk(t, rnd, "b", 8)
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, e := range more {
			change(func(s *index.Set) *index.Set { return s.Change([]index.Entry{e}, []corpus.DocumentID{"a00"}) })
		}
	})
	wg.Go(func() {
		for range 4 {
			m := index.Joining(now(), func(int) bool { return true })
			m.Run()
			change(func(s *index.Set) *index.Set { return s.Adopt(m) })
		}
	})
	for range 3 {
		wg.Go(func() {
			for i := range 40 {
				s := now()
				f := s.Filter(everything)
				if f.Chunks() != 60*s.Documents() {
					t.Errorf("%d chunks of %d versions", f.Chunks(), s.Documents())
				}
				f.Search(index.Terms(fmt.Sprintf("w%dx w%dx w%dx", i, 2*i, 3*i)), 20)
			}
		})
	}
	wg.Wait()
	if set.Documents() != 27 {
		t.Errorf("%d versions at the end, want 27", set.Documents())
	}
}
