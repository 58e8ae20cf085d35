package index_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
)

// BenchmarkSearch searches 20,000 chunks of 1,000 versions, one in ten of them visible, and
// reports how many times faster that is than looking through the visible texts word by word.
func BenchmarkSearch(b *testing.B) {
	const versions, chunks, length = 1000, 20, 80
	rnd := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rnd, 1.1, 4, 20000)
	var list []index.Entry
	var shown []string
	for v := range versions {
		texts := make([]string, chunks)
		for c := range texts {
			words := make([]string, length)
			for w := range words {
				words[w] = fmt.Sprintf("q%dx", zipf.Uint64())
			}
			texts[c] = strings.Join(words, " ")
			if v%10 == 0 {
				shown = append(shown, texts[c])
			}
		}
		list = append(list, document(b, fmt.Sprintf("%d", v), "", texts...))
	}
	set := index.NewSet(list...)
	number := map[corpus.DocumentID]int{}
	for v := range versions {
		number[corpus.DocumentID(fmt.Sprint(v))] = v
	}
	filter := set.Filter(func(id corpus.DocumentID) bool { return number[id]%10 == 0 })
	var queries []string
	for range 50 {
		queries = append(queries, fmt.Sprintf("q%dx q%dx q%dx q%dx", zipf.Uint64(), zipf.Uint64(), zipf.Uint64(), zipf.Uint64()))
	}
	n := 0
	for b.Loop() {
		filter.Search(index.Terms(queries[n%len(queries)]), 20)
		n++
	}
	fast := b.Elapsed() / time.Duration(n)
	began := time.Now()
	for _, q := range queries {
		scan(shown, strings.Fields(q))
	}
	b.ReportMetric(float64(time.Since(began)/time.Duration(len(queries)))/float64(max(fast, 1)), "x-faster-than-scan")
}

// scan counts the query's words in every text.
func scan(texts []string, query []string) (best int) {
	for _, text := range texts {
		n := 0
		for _, w := range strings.Fields(text) {
			for _, q := range query {
				if w == q {
					n++
				}
			}
		}
		best = max(best, n)
	}
	return best
}

// BenchmarkPublish adds a version of 20 chunks to a set of 10,000 small ones.
func BenchmarkPublish(b *testing.B) {
	var list []index.Entry
	for v := range 10000 {
		list = append(list, document(b, fmt.Sprint(v), "", "some words of a short text"))
	}
	set := index.NewSet(list...)
	texts := make([]string, 20)
	for i := range texts {
		texts[i] = strings.Repeat("another text that has more words in it ", 10)
	}
	e := document(b, "new", "title", texts...)
	for b.Loop() {
		set.Change([]index.Entry{e}, nil)
	}
}
