package index

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func TestBitsOfALongListCountThePostingsBeforeAChunk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chunks := rapid.IntRange(denseLeast, 3*denseLeast).Draw(t, "chunks")
		s := &Segment{no: make([]uint32, chunks), length: makeLengths(chunks)}
		w := newWriter(s, 1, 0)
		place := map[uint32]int{}
		gap := rapid.Uint32Range(1, rapid.Uint32Range(1, denseShare).Draw(t, "widest gap"))
		for ord := gap.Draw(t, "first"); ord < uint32(chunks); ord += gap.Draw(t, "gap") {
			place[ord] = len(place)
			w.add(ord, [fields]uint32{body: 1})
		}
		w.end([]byte("term"))
		w.finish()
		d := s.dense[0]
		if d == nil {
			t.Fatalf("%d of %d chunks are not kept as bits", len(place), chunks)
		}
		before := 0
		for ord := range uint32(chunks) {
			_, held := place[ord]
			if d.has(ord) != held || d.before(ord) != before {
				t.Fatalf("chunk %d: %v with %d before it, want %v with %d", ord, d.has(ord), d.before(ord), held, before)
			}
			if held {
				before++
			}
		}
	})
}

func TestAListIsKeptAsBitsFromOneChunkInThirtyTwoOn(t *testing.T) {
	for _, c := range []struct {
		chunks, count int
		dense         bool
	}{{denseLeast, denseLeast / denseShare, true}, {denseLeast, denseLeast/denseShare - 1, false}, {denseLeast - 1, denseLeast - 1, false}} {
		var postings []Posting
		for ord := range c.count {
			postings = append(postings, Posting{uint32(ord), [fields]uint32{body: 1}})
		}
		if got := made(postings, c.chunks).dense[0] != nil; got != c.dense {
			t.Errorf("%d of %d chunks as bits: %v", c.count, c.chunks, got)
		}
	}
}

// What is read from a table and what is computed must be the same to the last bit.
func TestNormsOfShortAndLongFieldsFollowOneFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.OneOf(rapid.Uint32Range(0, 2*tabled), rapid.Just(uint32(tabled-1)), rapid.Just(uint32(tabled)), rapid.Uint32Range(0, maxCount))
		l := makeLengths(3)
		n := [fields]uint32{length.Draw(t, "title"), length.Draw(t, "heading"), length.Draw(t, "body")}
		l.set(1, n)
		count := rapid.Uint32Range(0, 40)
		tf := [fields]uint32{count.Draw(t, "in title"), count.Draw(t, "in heading"), count.Draw(t, "in body")}
		sum := 0.0
		for f := range tf {
			rel := float64(slope[f]*float64(n[f])) / pivot[f]
			sum += float64(float64(tf[f]) * (weight[f] / (1 - slope[f] + rel)))
		}
		if got, want := l.saturate(tf, 1), sum/(k1+sum); math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%v in fields of %v: %v, want %v", tf, n, got, want)
		}
	})
}

func TestEveryTermOfADictionaryIsFoundAndNoOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Many begin alike, so that their first bytes do not tell them apart.
		term := rapid.Custom(func(t *rapid.T) string {
			stem := rapid.SampledFrom([]string{"", "a", "abcdefg", "abcdefgh", "abcdefghi", "制度", "制度制度"}).Draw(t, "stem")
			return stem + rapid.StringN(0, 3, -1).Draw(t, "end")
		})
		terms := map[string]bool{}
		for range rapid.IntRange(1, 300).Draw(t, "terms") {
			terms[term.Draw(t, "term")+"."] = true
		}
		for i := range rapid.IntRange(0, 200).Draw(t, "alike") {
			terms[fmt.Sprintf("abcdefgh%03d", i)] = true
		}
		s := dictionary(terms)
		at := map[int]bool{}
		for name := range terms {
			i := s.find(name)
			if i < 0 || string(s.term(i)) != name || at[i] {
				t.Fatalf("%q of %d terms is at %d", name, len(terms), i)
			}
			at[i] = true
			for _, other := range []string{name + "\x00", name[:len(name)-1], "", "\xff\xff\xff\xff\xff\xff\xff\xff\xff", term.Draw(t, "other")} {
				if i := s.find(other); i >= 0 != terms[other] {
					t.Fatalf("%q is at %d", other, i)
				}
			}
		}
	})
}

func TestCommonBitsAreCountedHoweverFewOfTheWordsAreUsed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		words := rapid.IntRange(1, 300).Draw(t, "words")
		share := rapid.IntRange(0, 100).Draw(t, "used of a hundred")
		a, b := make([]uint64, words), make([]uint64, words)
		want := 0
		for ord := range words * 64 {
			word, bit := ord/64, uint64(1)<<(ord%64)
			x, y := word*37%100 < share && rnd.IntN(3) == 0, rnd.IntN(2) == 0
			if x {
				a[word] |= bit
			}
			if y {
				b[word] |= bit
			}
			if x && y {
				want++
			}
		}
		if got := popcount(a, b, summary(a)); got != want {
			t.Fatalf("%d bits are common, %d are counted", want, got)
		}
	})
}
