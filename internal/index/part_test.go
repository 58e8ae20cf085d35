package index_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/problem"
)

// joined makes a set of one merged part of a few versions.
func joined(t fataler, n int) *index.Set {
	var list []index.Entry
	for i := range n {
		list = append(list, version{
			id: fmt.Sprintf("v%d", i), key: fmt.Sprintf("k%d", i%3), title: words[i%4 : i%4+1],
			chunks: []piece{{1, words[:i%2], words[i%5 : 5+i%4]}, {3, nil, words[:2]}},
		}.entry(t))
	}
	m := index.Joining(index.NewSet(list...), func(int) bool { return true })
	m.Run()
	return index.NewSet(list...).Adopt(m)
}

// A server that starts from kept parts, and then learns what was removed and added meanwhile, must find
// what one finds that opened every segment.
func TestARestoredSetFindsWhatTheSegmentsFind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, model := &index.Set{}, map[string]index.Entry{}
		change := func(label string) {
			for step := range rapid.IntRange(1, 12).Draw(t, label) {
				id := fmt.Sprintf("v%d", rapid.IntRange(0, 9).Draw(t, "id"))
				if rapid.Bool().Draw(t, "remove") {
					set = set.Change(nil, []corpus.DocumentID{corpus.DocumentID(id)})
					delete(model, id)
					continue
				}
				e := version{id: id, key: "k" + id, title: words[:1], chunks: []piece{{1, words[:1], words[step%4 : 4+step%5]}, {2, nil, words[:2]}}}.entry(t)
				set, model[id] = set.Change([]index.Entry{e}, nil), e
			}
		}
		change("steps before")
		var kept []index.Part
		for i := range index.Parts(set) {
			outlived := index.PartOf(set, i).Outlived(func(id corpus.DocumentID) bool { _, ok := model[string(id)]; return ok })
			if rapid.Bool().Draw(t, "kept") && !outlived { // nobody keeps a part with former words of what lives
				p, err := index.OpenPart(index.PartOf(set, i).Encode())
				if err != nil {
					t.Fatal(err)
				}
				kept = append(kept, p)
			}
		}
		set = index.Restore(kept)
		var add []index.Entry
		var remove []corpus.DocumentID
		for _, e := range model {
			if !set.Has(e.Document) {
				add = append(add, e)
			}
		}
		set.Each(func(id corpus.DocumentID) {
			if _, ok := model[string(id)]; !ok {
				remove = append(remove, id)
			}
		})
		set = set.Change(add, remove)
		change("steps after")
		var list []index.Entry
		for _, e := range model {
			list = append(list, e)
		}
		terms := index.Terms(strings.Join(words, " "))
		want := index.NewSet(list...).Filter(everything).Search(terms, 99)
		if diff := gocmp.Diff(want, set.Filter(everything).Search(terms, 99)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestAPartNamesItsVersionsAlsoThoseThatWereRemoved(t *testing.T) {
	set := joined(t, 5).Change(nil, []corpus.DocumentID{"v1"})
	p, err := index.OpenPart(index.PartOf(set, 0).Encode())
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff([]corpus.DocumentID{"v0", "v1", "v2", "v3", "v4"}, p.Documents()); diff != "" {
		t.Error(diff)
	}
	var told []string
	p.Each(func(id corpus.DocumentID, key string, chunks int) {
		told = append(told, fmt.Sprint(id, " ", key, " ", chunks))
	})
	if diff := gocmp.Diff([]string{"v0 k0 2", "v1 k1 2", "v2 k2 2", "v3 k0 2", "v4 k1 2"}, told); diff != "" {
		t.Error(diff)
	}
	m := set.Cleanse(index.PartOf(set, 0))
	if m == nil {
		t.Fatal("a part with a removed version has nothing to be rid of")
	}
	m.Run()
	clean := set.Adopt(m)
	if got := index.PartOf(clean, 0).Documents(); !slices.Equal(got, []corpus.DocumentID{"v0", "v2", "v3", "v4"}) {
		t.Errorf("the clean part has %v", got)
	}
	if index.PartOf(clean, 0).Is(index.PartOf(set, 0)) || !index.PartOf(set, 0).Is(index.PartOf(set.Change(nil, []corpus.DocumentID{"v2"}), 0)) {
		t.Error("a part is the same when versions were removed from it, and not when it was made anew")
	}
	if clean.Cleanse(index.PartOf(clean, 0)) != nil || clean.Cleanse(index.PartOf(set, 0)) != nil {
		t.Error("a clean part, or one that is gone, is to be merged")
	}
}

func TestOnlyLargePartsAreKept(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 9))
	set := settled(index.NewSet(bulk(t, rnd, "a", 90)...)).Change([]index.Entry{document(t, "new", "", "w1x w2x")}, nil)
	var sizes int
	for _, p := range set.Parts() {
		sizes += len(p.Documents())
	}
	if len(set.Parts()) != len(index.Large(set)) || sizes < 60 || sizes > 90 {
		t.Errorf("%d parts of %d versions, %d are large", len(set.Parts()), sizes, len(index.Large(set)))
	}
}

func TestADamagedPartIsRefused(t *testing.T) {
	whole := index.PartOf(joined(t, 5), 0).Encode()
	rapid.Check(t, func(t *rapid.T) {
		b := slices.Clone(whole)
		switch at := rapid.IntRange(0, len(b)-1).Draw(t, "at"); rapid.IntRange(0, 2).Draw(t, "damage") {
		case 0:
			b[at] ^= byte(rapid.IntRange(1, 255).Draw(t, "bits"))
		case 1:
			b = b[:at]
		case 2:
			b = append(b, byte(at))
		}
		if _, err := index.OpenPart(b); problem.CodeOf(err) != "segment_damaged" {
			t.Fatalf("got %v", err)
		}
	})
}

// Whoever can write the checksum too can make a part say anything, but not make a search fail.
func TestAForgedPartIsRefusedOrSearched(t *testing.T) {
	whole := index.PartOf(joined(t, 5), 0).Encode()
	terms := index.Terms(strings.Join(words, " "))
	opened := 0
	rapid.Check(t, func(t *rapid.T) {
		b := slices.Clone(whole)
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			b[rapid.IntRange(index.PartHead+1, len(b)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		p, err := index.OpenPart(index.Sealed(b))
		if err != nil {
			return
		}
		opened++
		set := index.Restore([]index.Part{p})
		set.Filter(everything).Search(terms, 10)
		m := index.Joining(set.Change([]index.Entry{document(t, "new", "", "w1x")}, nil), func(int) bool { return true })
		m.Run()
	})
	if opened == 0 {
		t.Error("no forged part was opened: the test tries nothing")
	}
}

// What is read of a block without bytes is of those behind it, and may lie behind the end of all.
func TestAPartWithABlockWithoutBytesIsRefused(t *testing.T) {
	list := index.PartOf(joined(t, 5), 0).Hollowed()
	if len(list) == 0 {
		t.Fatal("the part has no blocks")
	}
	for k, p := range list {
		if _, err := index.OpenPart(p.Encode()); problem.CodeOf(err) != "segment_damaged" {
			t.Errorf("without the bytes of block %d: %v", k, err)
		}
	}
}

func TestAPartOfAnotherAnalysisIsOutdated(t *testing.T) {
	b := index.PartOf(joined(t, 2), 0).Encode()
	b[index.PartHead]++
	if _, err := index.OpenPart(index.Sealed(b)); problem.CodeOf(err) != "segment_outdated" {
		t.Errorf("got %v", err)
	}
}

func FuzzOpenPart(f *testing.F) {
	whole := index.PartOf(joined(f, 3), 0).Encode()
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < index.PartHead {
			b = whole[:index.PartHead]
		}
		if p, err := index.OpenPart(index.Sealed(b)); err == nil {
			index.Restore([]index.Part{p}).Filter(everything).Search(index.Terms("w1x "+strings.Join(words, " ")), 10)
		}
	})
}

// A server of the version before kept parts that do not say which posting of a block is the best.
func TestAPartOfTheFirstFormatIsReadAndFindsTheSame(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	set := layouts(rnd, entries(t, region(rnd, 240, 40)))["one part"]
	part := index.PartOf(set, 0)
	former, encoded := part.First()
	opened, err := index.OpenPart(encoded)
	if err != nil {
		t.Fatal(err)
	}
	if _, again := opened.First(); !slices.Equal(again, encoded) {
		t.Error("the part was read otherwise than it was written")
	}
	defer index.Choosy(30)()
	for range 20 {
		terms := index.Terms(words[rnd.IntN(len(words))] + " " + words[rnd.IntN(len(words))])
		want := index.Restore([]index.Part{part}).Filter(everything).Search(terms, 20)
		for name, p := range map[string]index.Part{"opened": opened, "not written": former} {
			if diff := gocmp.Diff(want, index.Restore([]index.Part{p}).Filter(everything).Search(terms, 20)); diff != "" {
				t.Fatalf("%s, %v: %s", name, terms, diff)
			}
		}
	}
	if _, err := index.OpenPart(encoded[:len(encoded)-1]); err == nil {
		t.Error("a torn part was opened")
	}
}
