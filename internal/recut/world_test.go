package recut_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ingest"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/recut"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// world is a store with the knowledge bases "open", which Rita reads, and "secret", which she does not.
type world struct {
	t        *testing.T
	db       *sqlite.DB
	searcher *retrieval.Searcher
	intake   *ingest.Intake
}

func actor(user access.UserID) access.Actor { return access.Actor{Tenant: "acme", User: user} }

func newWorld(t *testing.T) *world {
	t.Helper()
	db, err := sqlite.Open(t.Context(), t.TempDir(), sqlite.Options{Ephemeral: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() }) //nolint:errcheck // the folder goes with the test
	w := &world{t: t, db: db, searcher: retrieval.NewSearcher(retrieval.NewLocal(db.Segments()), db.Texts())}
	w.intake = &ingest.Intake{Directory: db.Directory(), Catalog: db.Catalog(), Blobs: db.Blobs()}
	w.ok(db.Admin().CreateTenant(t.Context(), "acme", "Acme"))
	for _, user := range []access.Identity{{User: "carol", Roles: []access.Role{access.KnowledgeAdmin}}, {User: "rita"}} {
		w.ok(db.Admin().PutUser(t.Context(), "acme", "root", user))
	}
	for _, kb := range []access.KnowledgeBaseID{"open", "secret"} {
		w.within("carol", access.Catalog, func(s access.Scope) error {
			_, err := db.Bases().Create(t.Context(), s, access.KnowledgeBase{ID: kb, Publishing: access.Directly})
			return err
		})
	}
	w.grant(true)
	return w
}

func (w *world) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) within(user access.UserID, view access.View, fn func(access.Scope) error) {
	w.t.Helper()
	if err := access.Within(w.t.Context(), w.db.Directory(), actor(user), access.Request{View: view}, fn); err != nil {
		w.t.Error(err)
	}
}

// grant lets Rita read the open knowledge base, or not.
func (w *world) grant(may bool) {
	w.t.Helper()
	w.within("carol", access.Catalog, func(s access.Scope) error {
		list := []access.Grant{{Principal: access.User("carol"), Level: access.Manager}}
		if may {
			list = append(list, access.Grant{Principal: access.User("rita"), Level: access.Reader})
		}
		return w.db.Bases().SetGrants(w.t.Context(), s, "open", list)
	})
}

// former publishes what a chunker without a number cut.
type former struct{ corpus.Publisher }

func (p former) Publish(ctx context.Context, v corpus.Version, job string, token int64) (corpus.Document, error) {
	v.Chunker = 0
	return p.Publisher.Publish(ctx, v, job, token)
}

// add takes a file in as the program does, or as one did whose chunks were shorter.
func (w *world) add(up corpus.Upload, text string, formerly bool) {
	w.t.Helper()
	worker := &ingest.Worker{Queue: w.db.Queue(), Publisher: w.db.Publisher(), Blobs: w.db.Blobs(), Log: slog.New(slog.DiscardHandler)}
	if formerly {
		worker.Publisher, worker.Chunking = former{w.db.Publisher()}, chunk.Options{MaxChars: 120}
	}
	if _, err := w.intake.Upload(w.t.Context(), actor("carol"), up, strings.NewReader(text)); err != nil {
		w.t.Error(err)
	}
	if err := worker.Drain(w.t.Context()); err != nil {
		w.t.Error(err)
	}
}

// cutAnew cuts what waits.
func (w *world) cutAnew() {
	w.t.Helper()
	worker := &recut.Worker{Queue: w.db.Recuts(), Store: w.db.Recuts(), Log: slog.New(slog.DiscardHandler)}
	w.ok(worker.Want(w.t.Context()))
	w.ok(worker.Drain(w.t.Context(), func() {}))
}

// hit is what a search shows of a passage, without ids that are random.
type hit struct {
	Document corpus.DocumentID
	Version  int
	Status   access.Status
	Path     []string
	Place    string
	Span     corpus.Span
	Snippet  string
	Score    float64
	Ranks    retrieval.Ranks
}

// found returns all pages of a search.
func (w *world) found(user access.UserID, query string) (out []hit) {
	w.t.Helper()
	w.within(user, access.Published, func(s access.Scope) error {
		out = nil
		for {
			page, err := w.searcher.Search(w.t.Context(), s, retrieval.Query{Text: query, Limit: 7, Offset: len(out)})
			if err != nil {
				return err
			}
			for _, h := range page.Hits {
				place, err := json.Marshal(h.Locator)
				if err != nil {
					return err
				}
				out = append(out, hit{h.Document.ID, h.Document.Version, h.Document.Status, h.HeadingPath, string(place), h.Span, h.Snippet, h.Score, h.Ranks})
			}
			if !page.More {
				return nil
			}
		}
	})
	return out
}

var lexemes = strings.Fields("pump valve filter pressure cellar limit yuan lodging 住宿 上限 检查 每年 receipt manual plate 650 E-1042 closes opens changed")

// write makes a document of headings, paragraphs and a table.
func write(r *rand.Rand) string {
	sentence := func(n int) string {
		words := make([]string, n)
		for i := range words {
			words[i] = lexemes[r.IntN(len(lexemes))]
		}
		return strings.Join(words, " ") + "."
	}
	var b strings.Builder
	for i := range 1 + r.IntN(4) {
		fmt.Fprintf(&b, "%s part %d\n\n", strings.Repeat("#", 1+r.IntN(2)), i)
		for range 1 + r.IntN(3) {
			b.WriteString(sentence(4+r.IntN(40)) + "\n\n")
		}
		if r.IntN(2) == 0 {
			b.WriteString("| item | value |\n|---|---|\n")
			for range 1 + r.IntN(8) {
				fmt.Fprintf(&b, "| %s | %s |\n", sentence(3), sentence(2))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// fill puts the documents of a seed into a world. Those of the secret base come from another source of chance, so that
// the rest is the same without them.
func (w *world) fill(seed uint64, secret, formerly bool) {
	w.t.Helper()
	r, other := rand.New(rand.NewPCG(seed, 1)), rand.New(rand.NewPCG(seed, 2))
	for i := range 6 {
		key := corpus.Key(fmt.Sprintf("doc%d.md", i))
		for version := range 1 + r.IntN(2) {
			id := corpus.DocumentID(fmt.Sprintf("d%d-%d", i, version))
			w.add(corpus.Upload{ID: id, KnowledgeBase: "open", Key: key, FileName: string(key), Publish: r.IntN(5) > 0}, write(r), formerly)
		}
		if secret {
			id := corpus.DocumentID(fmt.Sprintf("s%d", i))
			w.add(corpus.Upload{ID: id, KnowledgeBase: "secret", Key: key, FileName: string(key), Publish: true}, write(other), formerly)
		}
	}
}

// What was cut anew is found, ranked and counted as in a store into which all came with the present chunker; and the
// same with and without versions that the reader may not see.
func TestAStoreThatWasCutAnewIsAFreshOne(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			fresh, alone, beside := newWorld(t), newWorld(t), newWorld(t)
			fresh.fill(seed, true, false)
			alone.fill(seed, false, true)
			beside.fill(seed, true, true)
			differed := false
			for _, word := range lexemes {
				differed = differed || !cmp.Equal(fresh.found("rita", word), beside.found("rita", word))
			}
			if !differed {
				t.Fatal("nothing was cut otherwise")
			}
			epoch, err := beside.db.Segments().State(t.Context(), "acme")
			beside.ok(err)
			alone.cutAnew()
			beside.cutAnew()
			after, err := beside.db.Segments().State(t.Context(), "acme")
			beside.ok(err)
			if after.Epoch != epoch.Epoch || after.Cuts == 0 {
				t.Errorf("the state was %+v and is %+v", epoch, after)
			}
			total := 0
			for i, word := range lexemes {
				query := word + " " + lexemes[(i+7)%len(lexemes)]
				want := fresh.found("rita", query)
				total += len(want)
				for name, w := range map[string]*world{"alone": alone, "beside what is hidden": beside} {
					if diff := cmp.Diff(want, w.found("rita", query)); diff != "" {
						t.Fatalf("%q, %s: -fresh +cut anew\n%s", query, name, diff)
					}
				}
				if diff := cmp.Diff(fresh.found("carol", query), beside.found("carol", query)); diff != "" {
					t.Fatalf("%q for a manager: -fresh +cut anew\n%s", query, diff)
				}
			}
			if total == 0 {
				t.Fatal("nothing was found")
			}
			beside.sound()
		})
	}
}

// sound holds rows, index and ledger against each other, as kaoju doctor does.
func (w *world) sound() {
	w.t.Helper()
	ctx := w.t.Context()
	_, err := ledger.Check(ctx, w.db.Ledger(), "acme")
	w.ok(err)
	w.ok(ledger.CheckTrees(ctx, w.db.Ledger(), w.db.Proof(), "acme"))
	_, err = retrieval.Agree(ctx, w.db.Segments(), "acme")
	w.ok(err)
	_, err = w.db.TextsAgree(ctx, "acme")
	w.ok(err)
	if said, err := recut.Agree(ctx, w.db.Recuts(), "acme"); err != nil || !strings.HasPrefix(said, "all versions") {
		w.t.Errorf("%s %v", said, err)
	}
	w.ok(w.db.Integrity(ctx))
}

// Publishing, searching, revoking and cutting anew at one time: no search mixes two cuts of a version, and none shows
// anything under a right that was taken away.
func TestSearchesHoldWhileVersionsAreCutAnew(t *testing.T) {
	w := newWorld(t)
	const versions, paragraphs = 8, 3
	text := func(i int) string {
		var b strings.Builder
		for p := range paragraphs {
			fmt.Fprintf(&b, "The pump of station %d runs at 1100 rpm and is looked at every year by the people of shift %d, paragraph %d.\n\n", i, i, p)
		}
		return b.String()
	}
	for i := range versions {
		key := corpus.Key(fmt.Sprintf("old%d.txt", i))
		w.add(corpus.Upload{KnowledgeBase: "open", Key: key, FileName: string(key), Publish: true}, text(i), true)
	}
	w.add(corpus.Upload{KnowledgeBase: "secret", Key: "s.txt", FileName: "s.txt", Publish: true}, text(99), true)
	worker := &recut.Worker{Queue: w.db.Recuts(), Store: w.db.Recuts(), Log: slog.New(slog.DiscardHandler)}
	w.ok(worker.Want(t.Context()))
	stop := make(chan struct{})
	busy := error(problem.New(problem.Unavailable, "busy", ""))
	look := func(user access.UserID) map[corpus.Key]int {
		count := map[corpus.Key]int{}
		for err := busy; problem.CodeOf(err) == "busy"; { // rights change all the time here
			err = access.Within(t.Context(), w.db.Directory(), actor(user), access.Request{View: access.Published}, func(s access.Scope) error {
				page, err := w.searcher.Search(t.Context(), s, retrieval.Query{Text: "pump station", Limit: 50})
				clear(count)
				for _, h := range page.Hits {
					count[h.Document.Key]++
				}
				return err
			})
			if err != nil && problem.CodeOf(err) != "busy" {
				t.Error(err)
			}
		}
		for key, n := range count {
			if n != 1 && (n != paragraphs || !strings.HasPrefix(string(key), "old") && key != "s.txt") {
				t.Errorf("%d chunks of %s", n, key)
			}
		}
		return count
	}
	var work sync.WaitGroup
	work.Go(func() {
		defer close(stop)
		w.ok(worker.Drain(t.Context(), func() {}))
	})
	work.Go(func() {
		for i := range 4 {
			key := corpus.Key(fmt.Sprintf("new%d.txt", i))
			w.add(corpus.Upload{KnowledgeBase: "open", Key: key, FileName: string(key), Publish: true}, text(100+i), false)
		}
	})
	work.Go(func() {
		for done := false; !done; {
			select {
			case <-stop:
				done = true
			default:
			}
			w.grant(false)
			if count := look("rita"); len(count) != 0 {
				t.Errorf("found without a right: %v", count)
			}
			w.grant(true)
			if count := look("rita"); count["s.txt"] != 0 {
				t.Error("the secret one is found")
			}
		}
	})
	work.Go(func() {
		for done := false; !done; {
			select {
			case <-stop:
				done = true
			default:
			}
			if count := look("carol"); len(count) < versions+1 {
				t.Errorf("%d versions are found", len(count))
			}
		}
	})
	work.Wait()
	count := look("carol")
	for key, n := range count {
		if n != 1 {
			t.Errorf("%d chunks of %s in the end", n, key)
		}
	}
	if len(count) != versions+1+4 {
		t.Errorf("%d versions in the end", len(count))
	}
	w.sound()
}
