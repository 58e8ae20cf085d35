package retrieval

import (
	"maps"
	"runtime"
	"sync"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/problem"
)

// follow returns the snapshot that an image describes, reusing the segments that are there, but for those of versions
// that were cut anew: these take the place of what was there in one step. An image
// that is not whole describes what changed since this snapshot.
func (s *snapshot) follow(img Image) (*snapshot, error) {
	docs := make(map[corpus.DocumentID]access.Resource, len(img.Documents))
	if !img.Whole {
		docs = maps.Clone(s.docs)
	}
	for _, id := range img.Gone {
		delete(docs, id)
	}
	var fresh []Indexed
	for _, d := range img.Documents {
		if d.Chunks == 0 {
			delete(docs, d.Document)
			continue
		}
		docs[d.Document] = d.Resource
		if !s.has(d.Document, d.Cut) {
			fresh = append(fresh, d)
		}
	}
	add, err := open(fresh)
	if err != nil {
		return nil, err
	}
	var remove []corpus.DocumentID
	for id := range s.docs {
		if _, ok := docs[id]; !ok {
			remove = append(remove, id)
		}
	}
	set := s.set
	if len(add)+len(remove) > 0 {
		set = set.Change(add, remove)
	}
	return newSnapshot(img.State, set, docs), nil
}

// open reads the segments of many versions, on all processors. The error is that of the first
// version that has one.
func open(list []Indexed) ([]index.Entry, error) {
	out := make([]index.Entry, len(list))
	errs := make([]error, len(list))
	workers := min(runtime.GOMAXPROCS(0), len(list))
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(list); i += workers {
				out[i], errs[i] = entry(list[i])
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func entry(d Indexed) (index.Entry, error) {
	if len(d.Segment) == 0 {
		return index.Entry{}, problem.New(problem.Internal, "segment_missing", "A version has chunks but no search segment.")
	}
	seg, err := index.Open(d.Segment)
	if err != nil {
		return index.Entry{}, err
	}
	if seg.Chunks() != d.Chunks {
		return index.Entry{}, problem.New(problem.Internal, "segment_damaged", "A version has %d chunks, its search segment %d.", d.Chunks, seg.Chunks())
	}
	return index.Entry{Document: d.Document, Key: d.Resource.DocKey, Segment: seg}, nil
}
