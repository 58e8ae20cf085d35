package sqlite

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/blobs"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// crashFolder names the data folder to a child process of the crash test.
const crashFolder = "KAOJU_TEST_CRASH_FOLDER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashFolder); dir != "" {
		err := work(dir)
		fmt.Fprintln(os.Stderr, "the child ended by itself:", err)
		os.Exit(1)
	}
	// A case of the state machine is a tenant with dozens of transactions: fewer cases than the
	// usual hundred keep the suite short. The command line still decides (-rapid.checks=1000).
	if err := flag.Set("rapid.checks", "25"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// work changes the folder without end: uploads, publishes, gives up, cancels, deletes, runs,
// proposes and decides. It tells when it has done all of that once.
func work(dir string) error {
	ctx := context.Background()
	db, err := Open(ctx, dir, Options{Serve: true})
	if err != nil {
		return err
	}
	if _, err := db.Queue().Recover(ctx); err != nil {
		return err
	}
	if _, err := db.Journal().Interrupt(ctx, time.Now().Add(time.Hour)); err != nil {
		return err
	}
	if err := db.Vectors().Want(ctx, embedding.Wanted{Model: "m0"}); err != nil {
		return err
	}
	for i, first := rand.IntN(20), true; ; i++ {
		if err := oneUpload(ctx, db, i); err != nil {
			return fmt.Errorf("upload %d: %w", i, err)
		}
		if err := oneVector(ctx, db, i); err != nil {
			return fmt.Errorf("vectors %d: %w", i, err)
		}
		if err := oneRun(ctx, db); err != nil {
			return fmt.Errorf("run %d: %w", i, err)
		}
		if err := oneDraft(ctx, db, i); err != nil {
			return fmt.Errorf("draft %d: %w", i, err)
		}
		for k := range 5 {
			if err := oneDecision(ctx, db, i+k); err != nil {
				return fmt.Errorf("decision %d: %w", i, err)
			}
		}
		if first {
			fmt.Println("ready")
			first = false
		}
	}
}

var crasher = access.Actor{Tenant: "acme", User: "u1"}

func oneUpload(ctx context.Context, db *DB, i int) error {
	sum, size, err := db.Blobs().Put(ctx, strings.NewReader(row.Random("第一行 ")+"\nsecond\nthird"), 1000)
	if err != nil {
		return err
	}
	err = access.Within(ctx, db.Directory(), crasher, access.Request{View: access.Content}, func(s access.Scope) error {
		_, err := db.Catalog().Reserve(ctx, s, corpus.Upload{
			KnowledgeBase: "kb", Key: corpus.Key(fmt.Sprint("k", rand.IntN(3))), Checksum: sum, Size: size, Publish: rand.IntN(3) > 0,
		})
		return err
	})
	if err != nil {
		return err
	}
	job, ok, err := db.Queue().Claim(ctx, time.Hour)
	if err != nil || !ok {
		return err
	}
	d, _, err := db.Publisher().Reserved(ctx, job.ID)
	if err != nil {
		return err
	}
	if i%5 == 4 {
		return db.Publisher().Release(ctx, d.ID, job.ID, job.Token, problem.New(problem.Invalid, "truncated", "It breaks off."))
	}
	v, err := version3(ctx, db, d)
	if err != nil {
		return err
	}
	if d, err = db.Publisher().Publish(ctx, v, job.ID, job.Token); err != nil || i%4 != 3 {
		return err
	}
	return access.Within(ctx, db.Directory(), crasher, access.Request{View: access.Content}, func(s access.Scope) error {
		if i%8 == 7 {
			return db.Catalog().Erase(ctx, s, d.ID)
		}
		return db.Catalog().Delete(ctx, s, d.ID)
	})
}

// oneDecision proposes to publish some version that is not in force, and decides.
func oneDecision(ctx context.Context, db *DB, i int) error {
	return access.Within(ctx, db.Directory(), crasher, access.Request{View: access.Content}, func(s access.Scope) error {
		page, err := db.Catalog().Documents(ctx, s, corpus.Filter{Limit: 20})
		if err != nil || len(page.Items) == 0 {
			return err
		}
		d := page.Items[rand.IntN(len(page.Items))]
		p, err := db.Approvals().Propose(ctx, s, approval.Proposal{Document: string(d.ID)})
		if err != nil || i%6 == 5 {
			return err
		}
		_, err = db.Approvals().Decide(ctx, s, p.ID, approval.Decision{Approved: i%3 > 0, Request: row.Random("req_")})
		return err
	})
}

// version3 makes a version of the original with a chunk a line.
func version3(ctx context.Context, db *DB, d corpus.Document) (corpus.Version, error) {
	body, err := original(ctx, db, d.Checksum)
	v := corpus.Version{Document: d.ID, Title: "t", Text: body, Segment: []byte(body)}
	at := 0
	for i, line := range strings.Split(body, "\n") {
		n := utf8.RuneCountInString(line)
		v.Chunks = append(v.Chunks, corpus.Chunk{No: i + 1, Text: line, Span: corpus.Span{Start: at, End: at + n}})
		at += n + 1
	}
	return v, err
}

func original(ctx context.Context, db *DB, sum corpus.Checksum) (string, error) {
	r, err := db.Blobs().Open(ctx, sum)
	if err != nil {
		return "", err
	}
	defer r.Close() //nolint:errcheck // it was only read
	var b strings.Builder
	_, err = bufio.NewReader(r).WriteTo(&b)
	return b.String(), err
}

func oneRun(ctx context.Context, db *DB) error {
	r := &run.Run{ID: run.ID(row.Random("run_")), Tenant: "acme", Actor: "u1", State: run.Queued, Attempt: 1, CreatedAt: time.Now()}
	if err := db.Journal().Create(ctx, r, []event.Event{event.New(event.RunCreated, nil)}); err != nil {
		return err
	}
	l, err := db.Journal().Claim(ctx, r.ID, time.Hour)
	if err != nil {
		return err
	}
	for _, r.State = range []run.State{run.Running, run.Completed} {
		r.Step++
		c := run.Commit{Lease: l, Run: r, Events: []event.Event{event.New(event.StepStarted, nil), event.New(event.StepCompleted, nil)}}
		if r.State.Final() {
			c.Entries = []ledger.Entry{{Kind: ledger.RunEnded, Actor: "u1"}}
		}
		if err := db.Journal().Commit(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

func TestAKilledServerLeavesEverythingWholeOrNothing(t *testing.T) {
	dir, ctx := t.TempDir(), context.Background()
	db := filled(t, dir)
	admin := access.Identity{User: "u1", Roles: []access.Role{access.KnowledgeAdmin}}
	if err := db.Admin().PutUser(ctx, "acme", "root", admin); err != nil {
		t.Fatal(err)
	}
	scope := resolve(t, db, "acme", "u1")
	if _, err := db.Bases().Create(ctx, scope, access.KnowledgeBase{ID: "kb", Publishing: access.Directly}); err != nil {
		t.Fatal(err)
	}
	db.Close()
	rounds := 15
	if testing.Short() {
		rounds = 3
	}
	versions := 0
	// On a busy machine a child may need longer to get anywhere: then it is given longer.
	for i := 0; i < rounds || versions == 0 && i < 5*rounds; i++ {
		delay := time.Duration(rand.IntN(150_000)) * time.Microsecond << (i / rounds)
		killed(t, dir, delay)
		db, err := Open(ctx, dir, Options{Serve: true})
		if err != nil {
			t.Fatalf("round %d, killed after %v: %v", i, delay, err)
		}
		versions = whole(t, db)
		if t.Failed() {
			t.Fatalf("round %d, killed after %v", i, delay)
		}
		db.Close()
	}
	db = opened(t, dir)
	ended := map[string]int{}
	for _, status := range column(t, db, `SELECT status FROM proposals`) {
		ended[status]++
	}
	if versions == 0 || ended["published"] == 0 || len(column(t, db, `SELECT model FROM vectors`)) == 0 {
		t.Fatal("no child lived long enough to publish, embed and decide anything, so that nothing was tested")
	}
	t.Logf("%d versions, proposals %v after %d kills", versions, ended, rounds)
}

// killed runs a child on the folder and kills it some time after it began to work.
func killed(t *testing.T, dir string, after time.Duration) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self)
	child.Env = append(os.Environ(), crashFolder+"="+dir)
	var problems strings.Builder
	child.Stderr = &problems
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "ready\n" {
		_ = child.Wait()
		t.Fatalf("the child did not begin: %q, %v: %s", line, err, problems.String())
	}
	time.Sleep(after) // the moment of the crash, not a wait for anything
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	if problems.Len() > 0 {
		t.Fatal(problems.String())
	}
}

// whole checks all that must be true after a crash and returns how many versions there are.
func whole(t *testing.T, db *DB) int {
	t.Helper()
	ctx := context.Background()
	none := func(what, query string) {
		t.Helper()
		if found := column(t, db, query); len(found) > 0 {
			t.Errorf("%s: %v", what, found)
		}
	}
	if got := column(t, db, `PRAGMA integrity_check`); len(got) != 1 || got[0] != "ok" {
		t.Errorf("integrity_check: %v", got)
	}
	const kept = `('draft', 'published', 'archived', 'deleted')`
	none("rows that point nowhere", `SELECT "table" FROM pragma_foreign_key_check`)
	none("text of what is not kept", `SELECT d.id FROM texts x JOIN documents d ON d.row = x.document WHERE d.status NOT IN `+kept)
	none("chunks of what is not kept", `SELECT c.id FROM chunks c JOIN documents d ON d.row = c.document WHERE d.status NOT IN `+kept)
	none("segments of what is not kept", `SELECT d.id FROM segments s JOIN documents d ON d.row = s.document WHERE d.status NOT IN `+kept)
	none("reservations without an open job", `SELECT d.id FROM documents d LEFT JOIN reservations r ON r.document = d.row LEFT JOIN jobs j ON j.id = r.job
WHERE d.status = 'reserved' AND (j.id IS NULL OR j.state NOT IN ('queued', 'running'))`)
	none("open jobs without a reservation", `SELECT id FROM jobs WHERE state IN ('queued', 'running') AND id NOT IN (SELECT job FROM reservations)`)
	none("keys whose versions have gaps", `SELECT key FROM documents GROUP BY base, key HAVING max(version) <> count(*) OR min(version) <> 1`)
	none("runs whose events have gaps", `SELECT r.id FROM runs r LEFT JOIN events e ON e.run = r.id GROUP BY r.id HAVING count(e.sequence) <> r.events OR max(e.sequence) <> r.events`)
	none("versions that are published without being in force, or the other way", `SELECT id FROM documents d
WHERE (status = 'published') <> (SELECT count(*) FROM in_force f WHERE f.document = d.row AND f.closed IS NULL)`)
	decided(none)
	received(none)
	embedded(none)
	if _, err := ledger.Check(ctx, db.Ledger(), "acme"); err != nil {
		t.Error(err)
	}
	files(t, db)
	for _, id := range column(t, db, `SELECT id FROM documents WHERE status = 'reserved'`) {
		if _, err := db.Catalog().Document(ctx, resolve(t, db, "acme", "u1"), corpus.DocumentID(id)); !problem.Is(err, problem.NotFound) {
			t.Errorf("the reserved %s is admitted: %v", id, err)
		}
	}
	return complete(t, db)
}

// decided checks that every decision has its whole effect, and that nothing was published without
// the decision that it names.
func decided(none func(what, query string)) {
	const effects = `(SELECT count(*) FROM entries e WHERE e.kind = 'document.published' AND e.body ->> 'proposal' = p.id)`
	none("proposals published otherwise than once", `SELECT id FROM proposals p WHERE (status = 'published') <> `+effects)
	none("publications that name no proposal that was approved", `SELECT e.id FROM entries e WHERE e.kind = 'document.published' AND e.body ->> 'proposal' IS NOT NULL
AND NOT EXISTS (SELECT 1 FROM decisions d WHERE d.proposal = e.body ->> 'proposal' AND d.approved = 1)`)
	none("approved decisions without an end", `SELECT p.id FROM proposals p JOIN decisions d ON d.proposal = p.id
WHERE p.status NOT IN ('published', 'conflict') AND d.approved = 1 OR p.status <> 'cancelled' AND d.approved = 0`)
	none("proposals that ended without a decision", `SELECT id FROM proposals WHERE status IN ('published', 'conflict', 'cancelled') AND id NOT IN (SELECT proposal FROM decisions)`)
	none("runs that do not wait with their proposal, or wait without", `SELECT r.id FROM proposals p JOIN runs r ON r.id = p.run
WHERE r.state <> iif(p.status = 'pending', 'waiting_for_human', 'completed')`)
	none("proposals and runs that end otherwise than together", `SELECT p.id FROM proposals p
WHERE (p.status <> 'pending') <> (SELECT count(*) FROM events e WHERE e.run = p.run AND e.type = 'run.completed')
   OR (p.status <> 'pending') <> (SELECT count(*) FROM entries e WHERE e.run = p.run AND e.kind = 'proposal.ended')`)
}

// complete reads every visible version and compares it with its original.
func complete(t *testing.T, db *DB) (n int) {
	t.Helper()
	ctx, scope := context.Background(), resolve(t, db, "acme", "u1")
	img, err := db.Segments().Image(ctx, "acme", retrieval.State{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range img.Documents {
		sum := column(t, db, `SELECT checksum FROM documents WHERE id = ?`, d.Document)
		body, err := original(ctx, db, corpus.Checksum(sum[0]))
		if err != nil {
			t.Errorf("the original of %s: %v", d.Document, err)
			continue
		}
		stored := column(t, db, `SELECT x.text FROM texts x JOIN documents d ON d.row = x.document WHERE d.id = ?`, d.Document)
		chunks := column(t, db, `SELECT c.text FROM chunks c JOIN documents d ON d.row = c.document WHERE d.id = ? ORDER BY c.no`, d.Document)
		if len(stored) != 1 || stored[0] != body || strings.Join(chunks, "\n") != body || d.Chunks != len(chunks) || string(d.Segment) != body {
			t.Errorf("%s is not whole: text %q, chunks %q, segment %q", d.Document, stored, chunks, d.Segment)
		}
		if d.Resource.Status == access.StatusPublished {
			if _, err := db.Texts().Text(ctx, scope, d.Document); err != nil {
				t.Errorf("the published %s can't be read: %v", d.Document, err)
			}
		}
	}
	return len(img.Documents)
}

// files checks that the blobs on the disk are those of the rows, no more and no less.
func files(t *testing.T, db *DB) {
	t.Helper()
	known := map[string]bool{}
	for _, sum := range column(t, db, `SELECT DISTINCT checksum FROM documents WHERE status <> 'erased'`) {
		known[blobs.Files(db.core).Path(corpus.Checksum(sum))] = true
	}
	err := filepath.WalkDir(filepath.Join(db.core.Dir(), "blobs"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !known[path] {
			t.Errorf("%s belongs to nothing", path)
		}
		delete(known, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for path := range known {
		t.Errorf("%s is missing", path)
	}
}
