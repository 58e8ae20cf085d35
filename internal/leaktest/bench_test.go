package leaktest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/access/unscoped"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// shares are the parts of the corpus, in percent, that the people of the benchmark may read.
var shares = []int{1, 10, 60, 100}

// library is a tenant of 1,000 versions of 20 chunks. The user "u10" may read one in ten: each
// version has a policy that lists the groups of those who may.
type library struct {
	image retrieval.Image
	words *rand.Zipf
}

func newLibrary(b *testing.B) *library {
	const versions, chunks, length = 1000, 20, 80
	l := &library{words: rand.NewZipf(rand.New(rand.NewPCG(1, 2)), 1.1, 4, 20000)}
	l.image.Epoch = 1
	for v := range versions {
		id := corpus.DocumentID(fmt.Sprintf("d%d", v))
		list := make([]corpus.Chunk, chunks)
		for c := range list {
			list[c] = corpus.Chunk{ID: corpus.ChunkID(fmt.Sprintf("%s.%d", id, c)), Document: id, No: c + 1, Text: l.text(length)}
		}
		segment, err := index.Build(string(id), list)
		if err != nil {
			b.Fatal(err)
		}
		policy := access.Policy{Restricted: true, Deny: []access.Principal{"group:nobody"}}
		for _, share := range shares {
			if v*37%100 < share {
				policy.Allow = append(policy.Allow, access.Group(access.GroupID(fmt.Sprintf("g%d", share))))
			}
		}
		l.image.Documents = append(l.image.Documents, retrieval.Indexed{Document: id, Chunks: chunks, Segment: segment, Resource: access.Resource{
			Tenant: "t", KnowledgeBase: "kb", DocKey: string(id), Status: access.StatusPublished, Policy: policy, UpdatedAt: time.Unix(1e9, 0),
		}})
	}
	return l
}

func (l *library) text(length int) string {
	words := make([]string, length)
	for i := range words {
		words[i] = fmt.Sprintf("q%dx", l.words.Uint64())
	}
	return strings.Join(words, " ")
}

func (l *library) State(context.Context, access.TenantID) (retrieval.State, error) {
	return retrieval.State{Epoch: 1}, nil
}

func (l *library) Image(context.Context, access.TenantID, retrieval.State, func(corpus.DocumentID, int64) bool) (retrieval.Image, error) {
	img := l.image
	img.Whole = true
	return img, nil
}

func (l *library) Snapshot(_ context.Context, _ access.TenantID, user access.UserID) (access.Snapshot, error) {
	return access.Snapshot{
		Epoch: 1, Identity: access.Identity{User: user, Groups: []access.GroupID{access.GroupID("g" + string(user[1:]))}},
		Bases: []access.KnowledgeBase{{ID: "kb", Tenant: "t", Grants: []access.Grant{{Principal: access.Everyone, Level: access.Reader}}}},
	}, nil
}

// BenchmarkPermission searches 20,000 chunks of which a part is visible, and reports the median
// time as a multiple of that without any restriction: with the filter of the scope in the cache,
// and with a scope that was never seen before, whose filter is built for the query.
func BenchmarkPermission(b *testing.B) {
	l := newLibrary(b)
	local := retrieval.NewLocal(l)
	times := map[string][]time.Duration{}
	ask := func(name string, scope access.Scope, query string) int {
		begun := time.Now()
		found, err := local.Keyword(b.Context(), scope, query, 20)
		times[name] = append(times[name], time.Since(begun))
		if err != nil {
			b.Fatal(err)
		}
		return len(found.Matches)
	}
	scope := func(share int, from time.Time) access.Scope {
		s, err := access.Resolve(b.Context(), l, access.Actor{Tenant: "t", User: access.UserID(fmt.Sprintf("u%d", share))}, access.Request{UpdatedFrom: from})
		if err != nil {
			b.Fatal(err)
		}
		return s
	}
	free := unscoped.Scope("t")
	n, found := 0, map[int]int{}
	for b.Loop() {
		query := l.text(4)
		ask("free", free, query)
		for _, share := range shares {
			found[share] += ask(fmt.Sprintf("%d-cached", share), scope(share, time.Time{}), query)
			ask(fmt.Sprintf("%d-built", share), scope(share, time.Unix(int64(n+1), 0)), query)
		}
		n++
	}
	free50 := median(times["free"])
	b.ReportMetric(float64(free50.Microseconds()), "µs-unrestricted")
	for _, share := range shares {
		if found[share] == 0 {
			b.Errorf("who may read %d %% finds nothing", share)
		}
		for _, kind := range []string{"cached", "built"} {
			name := fmt.Sprintf("%d-%s", share, kind)
			b.ReportMetric(float64(median(times[name]))/float64(max(free50, 1)), "x-"+name)
		}
	}
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}
