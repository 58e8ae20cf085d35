package storetest

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// Clock is a clock that moves a millisecond with every look, and further when it is told to.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now returns the time and moves on.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Millisecond)
	return c.now
}

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Set moves the clock to a time, which the next look finds passed by a millisecond.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// World is a store with two tenants in it. In acme, carol manages the knowledge base "kb" and is
// a knowledge administrator, mia manages it too, ed edits, rita reads it as a member of the group
// "readers", and olga has no right at all. In globex, erin manages "other".
type World struct {
	Store
	t     tb
	ctx   context.Context
	clock *Clock
}

// tb is what the world needs of a test: a *testing.T, or one case of a property.
type tb interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

const (
	acme   = access.TenantID("acme")
	globex = access.TenantID("globex")
)

// lease is longer than any test's clock runs by itself.
const lease = time.Hour

func newWorld(t *testing.T, open Open) *World {
	clock := &Clock{now: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)}
	w := &World{Store: open(t, clock.Now), t: t, ctx: context.Background(), clock: clock}
	for _, tenant := range []access.TenantID{acme, globex} {
		w.ok(w.Admin.CreateTenant(w.ctx, tenant, strings.ToUpper(string(tenant))))
	}
	for _, id := range []access.Identity{
		{User: "carol", DisplayName: "Carol", Roles: []access.Role{access.Member, access.KnowledgeAdmin}},
		{User: "mia"}, {User: "ed"}, {User: "rita"}, {User: "olga", Roles: []access.Role{access.TenantAdmin, access.Auditor}},
	} {
		w.ok(w.Admin.PutUser(w.ctx, acme, "root", id))
	}
	w.ok(w.Admin.PutUser(w.ctx, globex, "root", access.Identity{User: "erin", Roles: []access.Role{access.KnowledgeAdmin}}))
	w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "readers", []access.Principal{access.User("rita")}))
	w.createBase(acme, "carol", access.KnowledgeBase{ID: "kb", Name: "Knowledge", Publishing: access.Directly, Grants: []access.Grant{
		{Principal: access.User("mia"), Level: access.Manager}, {Principal: access.User("ed"), Level: access.Editor},
		{Principal: access.Group("readers"), Level: access.Reader},
	}})
	w.createBase(globex, "erin", access.KnowledgeBase{ID: "other", Publishing: access.Directly})
	return w
}

// ok ends the test on an error.
func (w *World) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("unexpected error: %v (kind %v, code %q)", err, problem.KindOf(err), problem.CodeOf(err))
	}
}

// want ends the test unless the error has the code.
func (w *World) want(err error, code string) {
	w.t.Helper()
	if err == nil || problem.CodeOf(err) != code {
		w.t.Fatalf("got error %v (code %q), want code %q", err, problem.CodeOf(err), code)
	}
}

// is ends the test unless the two are equal.
func is[T comparable](w *World, what string, got, want T) {
	w.t.Helper()
	if got != want {
		w.t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

func tenantOf(user access.UserID) access.TenantID {
	if user == "erin" {
		return globex
	}
	return acme
}

// scope makes a user's scope as of now.
func (w *World) scope(user access.UserID, view access.View) access.Scope {
	w.t.Helper()
	return w.request(user, access.Request{View: view})
}

func (w *World) request(user access.UserID, req access.Request) access.Scope {
	w.t.Helper()
	s, err := access.Resolve(w.ctx, w.Directory, access.Actor{Tenant: tenantOf(user), User: user}, req)
	w.ok(err)
	return s
}

func (w *World) createBase(tenant access.TenantID, user access.UserID, kb access.KnowledgeBase) access.KnowledgeBase {
	w.t.Helper()
	s, err := access.Resolve(w.ctx, w.Directory, access.Actor{Tenant: tenant, User: user}, access.Request{View: access.Catalog})
	w.ok(err)
	kb, err = w.Bases.Create(w.ctx, s, kb)
	w.ok(err)
	return kb
}

// put stores bytes.
func (w *World) put(text string) (corpus.Checksum, int64) {
	w.t.Helper()
	sum, size, err := w.Blobs.Put(w.ctx, strings.NewReader(text), 1<<20)
	w.ok(err)
	return sum, size
}

// reserve stores bytes and reserves a version of them in "kb", unless another is named.
func (w *World) reserve(user access.UserID, text string, up corpus.Upload) (corpus.Reservation, error) {
	w.t.Helper()
	up.Checksum, up.Size = w.put(text)
	if up.KnowledgeBase == "" {
		up.KnowledgeBase = "kb"
	}
	return w.Catalog.Reserve(w.ctx, w.scope(user, access.Catalog), up)
}

// reserved is reserve that must succeed.
func (w *World) reserved(user access.UserID, text string, up corpus.Upload) corpus.Reservation {
	w.t.Helper()
	res, err := w.reserve(user, text, up)
	w.ok(err)
	return res
}

// work publishes what the queue holds, as ingest would, until no job is due.
func (w *World) work() {
	w.t.Helper()
	for {
		job, ok, err := w.Queue.Claim(w.ctx, lease)
		w.ok(err)
		if !ok {
			return
		}
		_, err = w.publish(corpus.DocumentID(job.Subject), job.ID, job.Token)
		w.ok(err)
	}
}

// publish parses a reservation's original in the simplest way and makes it visible.
func (w *World) publish(id corpus.DocumentID, job string, token int64) (corpus.Document, error) {
	w.t.Helper()
	d, _, err := w.Publisher.Reserved(w.ctx, job)
	w.ok(err)
	return w.Publisher.Publish(w.ctx, parse(id, w.original(d.Checksum)), job, token)
}

// original returns the stored bytes.
func (w *World) original(sum corpus.Checksum) string {
	w.t.Helper()
	r, err := w.Blobs.Open(w.ctx, sum)
	w.ok(err)
	defer r.Close() //nolint:errcheck // it was only read
	b, err := io.ReadAll(r)
	w.ok(err)
	return string(b)
}

// add uploads and publishes (or drafts) a version, and returns its row.
func (w *World) add(user access.UserID, key corpus.Key, text string, up corpus.Upload) corpus.Document {
	w.t.Helper()
	up.Key = key
	res := w.reserved(user, text, up)
	w.work()
	d, err := w.Catalog.Document(w.ctx, w.scope(user, access.Catalog), res.Document)
	w.ok(err)
	return d
}

// published is an upload that asks to be published.
var published = corpus.Upload{Publish: true}

// parse makes a version of a plain text: one paragraph and one chunk a line.
func parse(id corpus.DocumentID, text string) corpus.Version {
	v := corpus.Version{Document: id, Title: "Title of " + text, Language: "en", MediaType: "text/plain", Text: text}
	start := 0
	for i, line := range strings.Split(text, "\n") {
		span := corpus.Span{Start: start, End: start + utf8.RuneCountInString(line)}
		seg := corpus.Segment{Span: span, Locator: corpus.TextLocator{
			Format: "txt", Heading: []string{}, Line: i + 1, Char: [2]int{span.Start, span.End},
		}}
		v.Blocks = append(v.Blocks, corpus.Block{Kind: corpus.Paragraph, Span: span, Head: -1, HeadingPath: []string{"总则"}, Segments: []corpus.Segment{seg}})
		v.Chunks = append(v.Chunks, corpus.Chunk{
			No: i + 1, Text: line, Span: span, Context: "row: ", HeadingPath: []string{"总则"}, Locator: seg.Locator, Segments: []corpus.Segment{seg},
		})
		start = span.End + 1
	}
	v.Segment = []byte("segment of " + text)
	return v
}

// epoch returns a tenant's epoch.
func (w *World) epoch(tenant access.TenantID) access.Epoch {
	w.t.Helper()
	return w.state(tenant).Epoch
}

// state returns how far a tenant is.
func (w *World) state(tenant access.TenantID) retrieval.State {
	w.t.Helper()
	s, err := w.Segments.State(w.ctx, tenant)
	w.ok(err)
	return s
}

// entries reads a tenant's whole ledger after checking its chain.
func (w *World) entries(tenant access.TenantID) []ledger.Entry {
	w.t.Helper()
	_, err := ledger.Check(w.ctx, w.Ledger, string(tenant))
	w.ok(err)
	all, err := w.Ledger.Entries(w.ctx, string(tenant), 0, 1_000_000)
	w.ok(err)
	return all
}

// changes runs fn and checks that it raised acme's epoch and wrote entries of these kinds, or
// that it did neither when none are given.
func (w *World) changes(fn func() error, kinds ...ledger.Kind) []ledger.Entry {
	w.t.Helper()
	epoch, before := w.epoch(acme), len(w.entries(acme))
	w.ok(fn())
	added := w.entries(acme)[before:]
	var got []ledger.Kind
	for _, e := range added {
		got = append(got, e.Kind)
	}
	if len(got) != len(kinds) {
		w.t.Fatalf("ledger entries %v, want %v", got, kinds)
	}
	for i := range kinds {
		is(w, "kind of ledger entry", got[i], kinds[i])
	}
	if moved := w.epoch(acme) != epoch; moved != (len(kinds) > 0) {
		w.t.Fatalf("epoch moved: %v, with ledger entries %v", moved, got)
	}
	return added
}
