package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestPackedValuesAreReadBackInEveryWidth(t *testing.T) {
	for width := range 32 {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				values := rapid.SliceOfN(rapid.Uint32Range(0, 1<<width-1), 0, blockSize).Draw(t, "values")
				before := rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "bytes before")
				out := pack(slices.Clone(before), values, width)
				if len(out) != len(before)+packed(len(values), width) {
					t.Fatalf("%d values of %d bits take %d bytes", len(values), width, len(out)-len(before))
				}
				got := make([]uint32, len(values))
				unpack(got, append(out, make([]byte, tail)...)[len(before):], width)
				if !slices.Equal(values, got) {
					t.Fatalf("read %v, want %v", got, values)
				}
			})
		})
	}
}

// drawBlock draws a block in any of the forms.
func drawBlock(t *rapid.T) *block {
	b := &block{}
	ord := rapid.Uint32Range(0, 100).Draw(t, "first")
	form := rapid.IntRange(0, forms-1).Draw(t, "form")
	few := rapid.Uint32Range(1, 5)
	for range rapid.IntRange(1, blockSize).Draw(t, "postings") {
		var tf [fields]uint32
		switch form {
		case onceInBody:
			tf[body] = 1
		case onceInTitle:
			tf[title] = 1
		case bodyOnly:
			tf[body] = few.Draw(t, "body")
		default:
			tf = [fields]uint32{few.Draw(t, "title"), few.Draw(t, "heading"), few.Draw(t, "body")}
		}
		b.add(ord, tf)
		ord += rapid.Uint32Range(1, 1000).Draw(t, "gap")
	}
	return b
}

func TestABlockTellsItsExtentAndIsReadAloneOrInColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawBlock(t)
		raw := appendBlock(nil, want)
		if n := extent(raw, want.n); n != len(raw) {
			t.Fatalf("a block of %d bytes says that it has %d", len(raw), n)
		}
		for cut := range raw {
			if n := extent(raw[:cut], want.n); n > cut {
				t.Fatalf("cut to %d bytes it says that it has %d", cut, n)
			}
		}
		src := append(raw, make([]byte, tail)...)
		got := &block{n: want.n}
		ordinals(got.ord[:got.n], src, want.ord[want.n-1])
		got.frequencies(src)
		alone := columns(src, want.n)
		for i := range want.n {
			tf := [fields]uint32{want.tf[title][i], want.tf[heading][i], want.tf[body][i]}
			if got.ord[i] != want.ord[i] || got.at(i) != tf {
				t.Fatalf("posting %d is %d %v, want %d %v", i, got.ord[i], got.at(i), want.ord[i], tf)
			}
			if one := [fields]uint32{alone[title].at(i), alone[heading].at(i), alone[body].at(i)}; one != tf {
				t.Fatalf("posting %d alone is %v, want %v", i, one, tf)
			}
		}
	})
}

func TestAListHoldsWhatWasWrittenAndMayBeSeenAndNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const chunks = window + window/2
		s := &Segment{no: make([]uint32, chunks), length: makeLengths(chunks)}
		for i := range s.no {
			s.length.set(i, [fields]uint32{3, 5, uint32(i % 200)})
		}
		w := newWriter(s, 1, 0)
		earned := map[uint32]float64{}
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		step := 1 << rapid.IntRange(0, 9).Draw(t, "gap bits")
		for ord := uint32(rnd.IntN(step)); ord < chunks; ord += 1 + uint32(rnd.IntN(step)) {
			tf := [fields]uint32{body: 1 + ord%3, title: ord % 2}
			w.add(ord, tf)
			earned[ord] = float64(2 * s.length.saturate(tf, ord))
		}
		w.end([]byte("term"))
		w.finish()
		f := seenBy(s, rnd, rapid.IntRange(0, 100).Draw(t, "visible of a hundred"))
		seen := func(ord uint32) bool { return f.bits[0][ord>>6]>>(ord&63)&1 != 0 }
		from := rapid.Uint32Range(0, chunks).Draw(t, "from")
		to := rapid.Uint32Range(from, chunks).Draw(t, "to")
		var room arena
		var want []uint32
		for ord := from; ord < to; ord++ {
			if earned[ord] > 0 && seen(ord) {
				want = append(want, ord)
			}
		}
		if diff := cmp.Diff(want, f.gather(0, 0, from, to, &room).ord, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("from %d to %d:\n%s", from, to, diff)
		}
		stamped(t, f, earned, seen)
		if s.dense[0] != nil {
			l := &list{}
			l.open(s, 0, 2)
			for ord := range uint32(chunks) {
				if held := l.holds(ord); held != (earned[ord] > 0) || held && l.contribution(ord) != earned[ord] {
					t.Fatalf("chunk %d is held in bits: %v; it earns %v", ord, held, earned[ord])
				}
			}
		}
	})
}

// seenBy is a filter over a segment that shows about so many of a hundred chunks.
func seenBy(s *Segment, rnd *rand.Rand, percent int) *Filter {
	f := &Filter{set: &Set{parts: []*part{{segment: s}}}, bits: [][]uint64{make([]uint64, (len(s.no)+63)/64)}, visible: []int{0}}
	for ord := range s.no {
		if rnd.IntN(100) < percent {
			f.bits[0][ord>>6] |= 1 << (ord & 63)
			f.visible[0]++
		}
	}
	f.words = [][]uint64{summary(f.bits[0])}
	return f
}

// stamped fails where a list, once it brought chunks into a window, does not hold those that it has and that may be
// seen, or bounds what they earn too low, or earns them anything else.
func stamped(t *rapid.T, f *Filter, earned map[uint32]float64, seen func(uint32) bool) {
	s := f.set.parts[0].segment
	run := scan{f: f, seg: s}
	l := &list{}
	l.open(s, 0, 2)
	l.dense = nil // as if it were not at hand
	run.lists = []*list{l}
	run.sieve.scale(run.lists)
	chunks := uint32(len(s.no))
	run.load(0, chunks)
	for low := uint32(0); low < chunks; low += window {
		high := min(low+window, chunks)
		l.reach(low, high)
		run.stamp(l, low)
		for ord := low; ord < high; ord++ {
			want, at := earned[ord], ord-low
			held := want > 0 && seen(ord)
			if run.found[at>>6]>>(at&63)&1 != 0 != held || l.holds(ord) != held {
				t.Fatalf("chunk %d is held: %v, want %v", ord, !held, held)
			}
			if held && l.contribution(ord) != want {
				t.Fatalf("chunk %d earns %v, want %v", ord, l.contribution(ord), want)
			}
			if least := int32(want * run.sieve.step); held && run.sieve.sum[at] < least || !held && run.sieve.sum[at] != 0 {
				t.Fatalf("chunk %d can earn %d steps, and earns %d", ord, run.sieve.sum[at], least)
			}
		}
		run.sieve.end()
		clear(run.found[:])
	}
}

// summary is the slow way to what a filter has of its words.
func summary(words []uint64) []uint64 {
	out := make([]uint64, (len(words)+63)/64)
	for i, w := range words {
		if w != 0 {
			out[i>>6] |= 1 << (i & 63)
		}
	}
	return out
}

func TestFilledBitsAreThoseOfTheRanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 1 << 14
		words := make([]uint64, n/64)
		want := make([]bool, n)
		for range rapid.IntRange(0, 8).Draw(t, "ranges") {
			i := rapid.Uint32Range(0, n).Draw(t, "from")
			j := rapid.Uint32Range(0, n).Draw(t, "to")
			fill(words, i, j)
			for k := i; k < j; k++ {
				want[k] = true
			}
		}
		for k := range want {
			if got := words[k>>6]>>(k&63)&1 == 1; got != want[k] {
				t.Fatalf("bit %d is %v", k, got)
			}
		}
		f := &Filter{bits: [][]uint64{words}, words: [][]uint64{summary(words)}}
		for range 20 {
			i := rapid.Uint32Range(0, n-1).Draw(t, "low")
			j := i + rapid.Uint32Range(0, n-i).Draw(t, "length")
			near := want[i&^63 : min(n, (j+63)&^63)] // whole words around the range
			held := slices.Contains(want[i:j], true)
			if got := f.any(0, i, j); held && !got || got && !slices.Contains(near, true) {
				t.Fatalf("any from %d to %d is %v", i, j, got)
			}
		}
	})
}

func TestTheHeapKeepsTheBestInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &part{segment: &Segment{no: []uint32{1, 2, 3, 4, 5, 6, 7, 8}}, docOf: make([]uint32, 8), docs: []member{{document: "d", key: "k"}}}
		for ord := range 8 {
			p.segment.ids += fmt.Sprint(ord)
			p.segment.idEnd = append(p.segment.idEnd, uint32(ord+1))
		}
		h := heap{set: &Set{parts: []*part{p}}, k: rapid.IntRange(1, 9).Draw(t, "k")}
		var all []place
		for _, ord := range rapid.Permutation([]uint32{0, 1, 2, 3, 4, 5, 6, 7}).Draw(t, "order") {
			at := place{score: float64(rapid.IntRange(0, 3).Draw(t, "score")), ord: ord}
			all = append(all, at)
			h.offer(at)
			if least := h.least(); len(all) >= h.k != (least > 0 || h.list[0].score == 0 && len(h.list) == h.k) {
				t.Fatalf("after %d of %d the least is %v", len(all), h.k, least)
			}
		}
		slices.SortFunc(all, h.compare)
		var want, got []uint32
		for _, at := range all[:min(h.k, len(all))] {
			want = append(want, at.ord)
		}
		for _, m := range h.matches() {
			got = append(got, uint32(m.No-1))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}
