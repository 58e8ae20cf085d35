package main

import (
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/access/unscoped"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// keyword is this product's index over all versions of the world.
type keyword struct {
	set   *index.Set
	roll  *access.Roll
	all   []uint64 // a bit for every version
	scope map[string]access.Scope
}

// Search implements engine: the scope is held against every version, then the filter is made, then
// the query is analysed and searched.
func (k *keyword) Search(query string, r right) (int, error) {
	var f *index.Filter
	if r.all {
		f = k.set.Select(k.all)
	} else {
		f = k.set.Select(k.scope[r.name].Judge(k.roll))
	}
	return len(f.Search(index.Terms(query), best)), nil
}

// admit makes the scopes of the rights.
func (k *keyword) admit(rights []right) (err error) {
	for _, r := range rights {
		if k.scope[r.name], err = r.scope(); err != nil {
			return err
		}
	}
	return nil
}

// stored is a store of one tenant's segments, as a database would hold them.
type stored struct {
	image retrieval.Image
	bytes int
}

func (s *stored) State(context.Context, access.TenantID) (retrieval.State, error) {
	return s.image.State, nil
}

func (s *stored) Image(_ context.Context, _ access.TenantID, _ retrieval.State, have func(corpus.DocumentID, int64) bool) (retrieval.Image, error) {
	img := retrieval.Image{State: s.image.State, Whole: true}
	for _, d := range s.image.Documents {
		if have(d.Document, d.Cut) {
			d.Segment = nil
		}
		img.Documents = append(img.Documents, d)
	}
	return img, nil
}

// figures are what is measured once of an engine.
type figures struct {
	index   time.Duration   // processor time for making it, texts at hand
	bytes   uint64          // resident, or on disk
	publish []time.Duration // one version of fifty chunks each, the quickest first
	load    time.Duration   // wall time until the first search is answered
	loadCPU time.Duration
}

// build makes the segments of the world, and the set that a server has after following it.
func build(w *world) (*keyword, *stored, figures, error) {
	var fig figures
	store := &stored{image: retrieval.Image{State: retrieval.State{Epoch: 1}}}
	for i := range w.versions {
		progress("kaoju", i, w.versions)
		d := w.document(i)
		start := processTime()
		b, err := index.Build(d.title, d.chunks)
		fig.index += processTime() - start
		if err != nil {
			return nil, nil, fig, err
		}
		store.bytes += len(b)
		store.image.Documents = append(store.image.Documents, retrieval.Indexed{
			Document: d.id, Resource: d.resource, Chunks: len(d.chunks), Segment: b,
		})
	}
	k, err := follow(w, store, &fig)
	return k, store, fig, err
}

// follow loads the stored segments into a set, and merges it to its final shape.
func follow(w *world, store *stored, fig *figures) (*keyword, error) {
	before := heap()
	start := processTime()
	entries := make([]index.Entry, len(store.image.Documents))
	for i, d := range store.image.Documents {
		seg, err := index.Open(d.Segment)
		if err != nil {
			return nil, err
		}
		entries[i] = index.Entry{Document: d.Document, Key: d.Resource.DocKey, Segment: seg}
	}
	set := index.NewSet(entries...)
	for m := set.Due(); m != nil; m = set.Due() {
		m.Run()
		set = set.Adopt(m)
	}
	fig.index += processTime() - start
	fig.bytes = heap() - before
	place := map[corpus.DocumentID]access.Resource{}
	for _, d := range store.image.Documents {
		place[d.Document] = d.Resource
	}
	var order []access.Resource
	set.Each(func(id corpus.DocumentID) { order = append(order, place[id]) })
	all := every(len(order))
	return &keyword{set: set, roll: access.NewRoll(order), all: all, scope: map[string]access.Scope{}}, nil
}

// every returns n bits that are set.
func every(n int) []uint64 {
	return slices.Repeat([]uint64{^uint64(0)}, (n+63)/64)
}

// heap returns the bytes of what is alive.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// firstSearch measures what a start costs: a server that holds nothing is asked, and loads.
func firstSearch(store *stored, fig *figures) error {
	local := retrieval.NewLocal(store)
	wall, cpu := time.Now(), processTime()
	_, err := local.Keyword(context.Background(), unscoped.Scope("t0"), "policy 制度", best)
	fig.load, fig.loadCPU = time.Since(wall), processTime()-cpu
	local.Settle()
	return err
}

// publishOne measures what following one more version costs a set, with a filter made anew.
func publishOne(w *world, k *keyword, fig *figures) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	set := k.set
	for i := range 40 {
		d := w.document(w.versions + i)
		b, err := index.Build(d.title, d.chunks)
		if err != nil {
			return err
		}
		start := threadTime()
		seg, err := index.Open(b)
		if err != nil {
			return err
		}
		set = set.Change([]index.Entry{{Document: d.id, Key: d.resource.DocKey, Segment: seg}}, nil)
		set.Select(every(k.roll.Len() + i + 1))
		fig.publish = append(fig.publish, threadTime()-start)
	}
	slices.Sort(fig.publish)
	return nil
}
