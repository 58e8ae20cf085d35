package main

import (
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/llm/minilm"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/retrieval/rerank"
)

const (
	// depth is that of the legs of the product.
	depth = 100
	// threshold is the similarity that a passage without a word of the query needs. The weights in use were
	// fitted with this one; the decision on the order says what they are worth with the product's.
	threshold = 0.5
)

// example is a query with the features and the grades of the passages that its search puts in a new
// order, in the order of the legs.
type example struct {
	question
	vectors []rerank.Vector
	list    []int // grades
	model   *rerank.Model
}

// archive is a collection that can be searched.
type archive struct {
	collection
	chunks  map[corpus.ChunkID]int
	filter  *index.Filter
	vectors [][]float32 // nil: by words alone
	asked   [][]float32
}

// open makes a collection searchable. Vectors are kept in a folder, since they take long to make; an
// empty name keeps none.
func open(ctx context.Context, c collection, both bool, keep string) (*archive, error) {
	a := &archive{collection: c, chunks: map[corpus.ChunkID]int{}}
	var entries []index.Entry
	var texts, asked []string
	for i, d := range c.documents {
		k := chunkOf(d)
		a.chunks[k.ID] = i
		b, err := index.Build(d.Title, []corpus.Chunk{k})
		if err != nil {
			return nil, err
		}
		s, err := index.Open(b)
		if err != nil {
			return nil, err
		}
		entries = append(entries, index.Entry{Document: k.Document, Key: d.ID, Segment: s})
		texts = append(texts, embedding.Text(d.Title, k))
	}
	set := (&index.Set{}).Change(entries, nil)
	for m := set.Due(); m != nil; m = set.Due() {
		m.Run()
		set = set.Adopt(m)
	}
	a.filter = set.Filter(func(corpus.DocumentID) bool { return true })
	if !both {
		return a, nil
	}
	for _, q := range c.questions {
		asked = append(asked, q.Text)
	}
	var err error
	if a.vectors, err = embed(ctx, texts, keep, c.name+"-documents"); err != nil {
		return nil, err
	}
	a.asked, err = embed(ctx, asked, keep, c.name+"-questions")
	return a, err
}

func chunkOf(d record) corpus.Chunk {
	return corpus.Chunk{ID: corpus.ChunkID(d.ID), Document: corpus.DocumentID(d.ID), No: 1, Text: d.Text}
}

// embed returns the vectors of texts, from the folder if they are there.
func embed(ctx context.Context, texts []string, keep, name string) (out [][]float32, err error) {
	path := filepath.Join(keep, strings.ReplaceAll(name, "/", "-")+".vectors")
	if keep != "" {
		f, err := os.Open(path)
		if err == nil {
			defer f.Close()
			return out, gob.NewDecoder(f).Decode(&out)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	if out, err = minilm.New().Embed(ctx, texts); err != nil || keep == "" {
		return out, err
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return out, errors.Join(gob.NewEncoder(f).Encode(out), f.Close())
}

// examples searches for every question.
func (a *archive) examples() []example {
	out := make([]example, 0, len(a.questions))
	for i, q := range a.questions {
		found, terms := a.find(i, q)
		reader := rerank.NewQuery(nil, q.Text, terms)
		e := example{question: q, model: rerank.For(reader, a.vectors != nil)}
		candidates := make([]rerank.Candidate, 0, rerank.Pool)
		for _, r := range found[:min(rerank.Pool, len(found))] {
			d := a.documents[a.chunks[r.Chunk]]
			candidates = append(candidates, r.Candidate(d.Title, chunkOf(d)))
			e.list = append(e.list, max(0, q.grades[d.ID]))
		}
		e.vectors = reader.Vectors(candidates)
		out = append(out, e)
	}
	return out
}

// find returns what the legs find for the question i, and what its terms weigh.
func (a *archive) find(i int, q question) ([]retrieval.Ranked, []index.Term) {
	terms := index.Terms(q.Text)
	found, weights := a.filter.Rank(terms, depth)
	words := make([]retrieval.Match, len(found))
	for k, m := range found {
		words[k] = retrieval.Match{Chunk: m.Chunk, Document: m.Document, Score: m.Score}
	}
	for k, w := range weights {
		terms[k].Weight = w
	}
	if a.vectors == nil {
		return retrieval.Alone(words), terms
	}
	near := make([]retrieval.Match, len(a.documents))
	for k, d := range a.documents {
		near[k] = retrieval.Match{Chunk: corpus.ChunkID(d.ID), Document: corpus.DocumentID(d.ID), Score: product(a.asked[i], a.vectors[k])}
	}
	slices.SortStableFunc(near, func(x, y retrieval.Match) int { return cmp.Compare(y.Score, x.Score) })
	return retrieval.Fuse(words, near, threshold), terms
}

// product is the similarity of two vectors of length 1.
func product(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
