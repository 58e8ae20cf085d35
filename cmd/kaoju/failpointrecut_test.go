package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/library"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/ingest"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// former publishes what a chunker without a number cut.
type former struct{ corpus.Publisher }

func (p former) Publish(ctx context.Context, v corpus.Version, job string, token int64) (corpus.Document, error) {
	v.Chunker = 0
	return p.Publisher.Publish(ctx, v, job, token)
}

// manual is a text of paragraphs, each of which was a chunk of its own.
func manual(edition int) string {
	return fmt.Sprintf("The pump of edition%d runs at 1100 rpm in the cellar.\n\nThe valve of edition%d closes at 6 bar, says the plate.\n\nThe filter of edition%d is changed every year.\n", edition, edition, edition)
}

// formerly takes files in as a program did whose chunks were shorter.
func (b *deathbed) formerly(texts map[string]string) {
	b.t.Helper()
	ctx := b.t.Context()
	db, err := sqlite.Open(ctx, b.data, sqlite.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	intake := &ingest.Intake{Directory: db.Directory(), Catalog: db.Catalog(), Blobs: db.Blobs()}
	worker := &ingest.Worker{Queue: db.Queue(), Publisher: former{db.Publisher()}, Blobs: db.Blobs(), Chunking: chunk.Options{MaxChars: 60}, Log: slog.New(slog.DiscardHandler)}
	for name, text := range texts {
		up := corpus.Upload{KnowledgeBase: "k", FileName: name, MediaType: "text/plain", Publish: true}
		if _, err := intake.Upload(ctx, access.Actor{Tenant: wiring.FirstTenant, User: wiring.FirstUser, Operator: true}, up, strings.NewReader(text)); err != nil {
			b.t.Fatal(err)
		}
	}
	if err := worker.Drain(ctx); err != nil {
		b.t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		b.t.Fatal(err)
	}
}

// chunks returns how many chunks each version has, by its key, and checks that each says what the text says there.
func (b *deathbed) chunks() []string {
	b.t.Helper()
	if wrong := b.column(`SELECT c.id FROM chunks c JOIN texts x ON x.document = c.document
WHERE c.text <> substr(x.text, (c.record ->> '$.span[0]') + 1, (c.record ->> '$.span[1]') - (c.record ->> '$.span[0]'))`); len(wrong) > 0 {
		b.t.Errorf("chunks of another text: %v", wrong)
	}
	return b.column(`SELECT key || ' ' || count(*) || ' ' || chunk_count || ' ' || chunker FROM documents JOIN chunks ON document = row GROUP BY row ORDER BY key`)
}

func TestAVersionIsWhollyOldOrWhollyNewWhereverTheProcessDiesThatCutsItAnew(t *testing.T) {
	kept := slices.Index(failpoint.Recutting(), failpoint.RecutKept)
	for i, at := range failpoint.Recutting() {
		t.Run(string(at), func(t *testing.T) {
			elsewhere(t, i)
			t.Parallel()
			b := newDeathbed(t)
			b.formerly(map[string]string{"a.txt": manual(1), "b.txt": manual(2)})
			b.run(add(b.write("c.txt", manual(3)))...) // which makes the vectors of all
			if diff := cmp.Diff([]string{"a.txt 3 3 0", "b.txt 3 3 0", "c.txt 1 1 1"}, b.chunks()); diff != "" {
				t.Fatal(diff)
			}
			b.dies(at, "reindex")
			b.reopen()
			b.tidy()
			if stuck := b.column(`SELECT id FROM recuts WHERE running OR due_at > 0`); len(stuck) > 0 {
				t.Errorf("versions that somebody is at: %v", stuck)
			}
			renewed := 0
			for _, c := range b.chunks()[:2] {
				if strings.HasSuffix(c, " 1 1 1") {
					renewed++
				} else if !strings.HasSuffix(c, " 3 3 0") {
					t.Errorf("a version is neither old nor new: %s", c)
				}
			}
			if want := map[bool]int{true: 1}[i >= kept]; renewed != want {
				t.Errorf("%d versions are new, want %d", renewed, want)
			}
			for _, edition := range []string{"edition1", "edition2", "edition3"} {
				if !b.finds(edition, edition+" runs") {
					t.Errorf("%s is not found after the death", edition)
				}
			}
			if out := b.run("doctor"); strings.Contains(out, "FAIL") || !strings.Contains(out, "to be cut anew") {
				t.Error(out)
			}
			out := b.run("reindex")
			if !strings.Contains(out, fmt.Sprintf("%d versions cut anew, 0 wait", 2-renewed)) {
				t.Error(out)
			}
			b.tidy()
			if diff := cmp.Diff([]string{"a.txt 1 1 1", "b.txt 1 1 1", "c.txt 1 1 1"}, b.chunks()); diff != "" {
				t.Error(diff)
			}
			if told := b.column(`SELECT count(*) || ' ' || count(DISTINCT body ->> 'document') FROM entries WHERE kind = 'document.recut'`); told[0] != "2 2" {
				t.Errorf("entries and versions that they tell of: %s", told[0])
			}
			b.run(add(b.write("d.txt", manual(4)))...)
			if open := b.column(`SELECT id FROM embeddings`); len(open) > 0 || !b.finds("edition1", "edition1 runs") {
				t.Errorf("a version is not found, or has no vectors: %v", open)
			}
			if out := b.run("doctor"); strings.Contains(out, "FAIL") || !strings.Contains(out, "all versions are as this program cuts them") {
				t.Error(out)
			}
		})
	}
}

// A server cuts what is there anew by itself, also after one before it died over it, and says how many wait.
func TestAServerGoesOnWithWhatADeadOneCut(t *testing.T) {
	b := newDeathbed(t)
	b.formerly(map[string]string{"a.txt": manual(1), "b.txt": manual(2)})
	var token struct{ Token string }
	if err := json.Unmarshal([]byte(b.run("token", "create", "--user", "admin", "--json")), &token); err != nil {
		t.Fatal(err)
	}
	dying, _ := b.serves(failpoint.RecutTold)
	b.killed(dying.Wait(), failpoint.RecutTold, nil)
	_, url := b.serves("")
	for deadline := time.Now().Add(time.Minute); ; {
		status, raw, err := request(token.Token, http.MethodGet, url+"/api/system", "", nil)
		var system api.System
		if err != nil || status != http.StatusOK || json.Unmarshal(raw, &system) != nil {
			t.Fatalf("status %d, %v\n%s", status, err, raw)
		}
		if system.Chunking.Pending == 0 {
			break
		}
		if system.Chunking.Pending > 2 || time.Now().After(deadline) {
			t.Fatalf("%d versions wait", system.Chunking.Pending)
		}
	}
	if diff := cmp.Diff([]string{"a.txt 1 1 1", "b.txt 1 1 1"}, b.chunks()); diff != "" {
		t.Error(diff)
	}
}

func TestReindexSaysWhatWaitsAndDoesNothingElse(t *testing.T) {
	b := newDeathbed(t)
	b.formerly(map[string]string{"a.txt": manual(1)})
	for range 2 {
		var got library.Reindexed
		if err := json.Unmarshal([]byte(b.run("reindex", "--status", "--json")), &got); err != nil {
			t.Fatal(err)
		}
		if got != (library.Reindexed{Chunker: chunk.Version, Pending: 1}) {
			t.Errorf("%+v", got)
		}
	}
	if status, _, errs := kaoju(t, "reindex", "--data", filepath.Join(t.TempDir(), "none")); status != exitRefused {
		t.Errorf("without a folder: status %d, %s", status, errs)
	}
}
