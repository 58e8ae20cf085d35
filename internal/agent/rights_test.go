package agent_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ingest"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// rights is what a person in charge would write on paper: who is in which group, who may read
// which base, whom a document is kept from. It decides for alice, and shares nothing with access.
type rights struct {
	suspended, administrator bool
	inner, nested            bool                // alice is in the group inner; inner is in the group outer
	bases                    map[string][]string // base → readers
	only                     map[string][]string // document → those who alone may read it; absent means everybody
	never                    map[string][]string // document → those who may not
}

var (
	bases   = []string{"kb-a", "kb-b"}
	sheets  = map[string]string{"doc-a1": "kb-a", "doc-a2": "kb-a", "doc-b1": "kb-b", "doc-b2": "kb-b"} // published
	ancient = map[string]string{"doc-a0": "doc-a1", "doc-b0": "doc-b1"}                                 // archived → its successor
	readers = []string{"everyone", "user:alice", "group:inner", "group:outer", "user:mallory"}
)

func (p rights) names() []string {
	out := []string{"everyone", "user:alice"}
	if p.inner {
		out = append(out, "group:inner")
		if p.nested {
			out = append(out, "group:outer")
		}
	}
	return out
}

func meets(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

// allowed returns the canaries that alice may see now.
func (p rights) allowed() map[string]bool {
	out := map[string]bool{}
	if p.suspended {
		return out
	}
	may := func(doc, kb string) bool {
		only, narrow := p.only[doc]
		return meets(p.names(), p.bases[kb]) && (!narrow || meets(p.names(), only)) && !meets(p.names(), p.never[doc])
	}
	for doc, kb := range sheets {
		out[canary(doc)] = may(doc, kb)
	}
	for doc, next := range ancient {
		out[canary(doc)] = p.administrator && may(next, sheets[next])
	}
	maps.DeleteFunc(out, func(_ string, ok bool) bool { return !ok })
	return out
}

func canary(doc string) string { return "CANARY" + strings.ToUpper(strings.TrimPrefix(doc, "doc-")) }

var canaries = regexp.MustCompile(`CANARY[AB][012]`)

// guarded is the folder with the documents that hold canaries.
var guarded = folder(func(ctx context.Context, db *sqlite.DB) error {
	if err := db.Admin().CreateTenant(ctx, tenant, "Acme"); err != nil {
		return err
	}
	for _, user := range []access.UserID{alice, carol, "mallory"} {
		if err := db.Admin().PutUser(ctx, tenant, "system", access.Identity{User: user, Roles: []access.Role{access.KnowledgeAdmin}}); err != nil {
			return err
		}
	}
	for _, kb := range bases {
		if err := manage(ctx, db, func(s access.Scope) error {
			_, err := db.Bases().Create(ctx, s, access.KnowledgeBase{ID: access.KnowledgeBaseID(kb), Name: kb, Publishing: access.Directly})
			return err
		}); err != nil {
			return err
		}
	}
	in := &ingest.Intake{Directory: db.Directory(), Catalog: db.Catalog(), Blobs: db.Blobs()}
	worker := &ingest.Worker{Queue: db.Queue(), Publisher: db.Publisher(), Blobs: db.Blobs(), Log: silent()}
	upload := func(id, kb, key string) error {
		_, err := in.Upload(ctx, access.Actor{Tenant: tenant, User: carol}, corpus.Upload{
			ID: corpus.DocumentID(id), KnowledgeBase: access.KnowledgeBaseID(kb), FileName: key + ".md", Key: corpus.Key(key), Publish: true,
		}, strings.NewReader("# 标准\n\n住宿标准 "+canary(id)+" 如上。\n"))
		if err != nil {
			return err
		}
		return worker.Drain(ctx)
	}
	for _, id := range slices.Sorted(maps.Keys(ancient)) {
		if err := upload(id, sheets[ancient[id]], ancient[id]); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(sheets)) {
		if err := upload(id, sheets[id], id); err != nil {
			return err
		}
	}
	return nil
})

// change is an edit of the rights, on paper and in the product.
type change struct {
	what    int
	subject string
	who     []string
}

var changes = rapid.Custom(func(t *rapid.T) change {
	c := change{what: rapid.IntRange(0, 7).Draw(t, "what")}
	c.who = rapid.SliceOfNDistinct(rapid.SampledFrom(readers), 0, 2, rapid.ID).Draw(t, "who")
	c.subject = rapid.SampledFrom([]string{"a1", "a2", "b1", "b2", "a0", "b0"}).Draw(t, "subject")
	return c
})

// world keeps paper and product in step while runs go on.
type world struct {
	t     *testing.T
	db    *sqlite.DB
	mu    sync.Mutex
	paper rights
	plan  []change        // what the next hooks do
	mid   bool            // the call at hand may still have a change in its middle
	seen  map[string]bool // what a tool was allowed to show in this run so far
	wrong []string
	dirty map[string]func(context.Context) error // what to put back, by its name
	tools atomic.Int32
	since int64 // the ledger's end before the run
}

// hook makes the next planned change, if there is one.
func (w *world) hook() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.plan) == 0 {
		return
	}
	c := w.plan[0]
	w.plan = w.plan[1:]
	w.apply(c)
}

// middle makes one change in the middle of a tool's call. With more, the tool would give up.
func (w *world) middle() {
	w.mu.Lock()
	first := w.mid
	w.mid = false
	w.mu.Unlock()
	if first {
		w.hook()
	}
}

// apply changes the rights. A grant to nobody is a revocation.
func (w *world) apply(c change) {
	p := &w.paper
	name, put := "alice", w.putAlice
	switch c.what {
	case 0:
		p.suspended = !p.suspended && len(c.who) == 0 // seldom, or nothing else would happen
	case 1:
		p.administrator = !p.administrator
	case 2:
		p.inner = !p.inner
		name, put = "inner", w.putInner
	case 3:
		p.nested = !p.nested
		name, put = "outer", w.putOuter
	case 4, 5:
		kb := "kb-" + c.subject[:1]
		p.bases[kb] = c.who
		name, put = kb, func(ctx context.Context) error { return w.grant(ctx, kb) }
	default:
		doc := "doc-" + c.subject
		if next, old := ancient[doc]; old {
			doc = next // the policy of the version in force holds for the archived one
		}
		delete(p.only, doc)
		p.never[doc] = c.who
		if c.what == 6 {
			p.only[doc], p.never[doc] = c.who, nil
		}
		name, put = doc, func(ctx context.Context) error { return w.guard(ctx, doc) }
	}
	w.dirty[name] = put
	if err := put(context.Background()); err != nil {
		w.wrong = append(w.wrong, fmt.Sprintf("change %+v: %v", c, err))
	}
}

// away reports whether alice is suspended.
func (w *world) away() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.paper.suspended
}

func (w *world) putAlice(ctx context.Context) error {
	id := access.Identity{User: alice, Suspended: w.paper.suspended, Roles: []access.Role{access.Member}}
	if w.paper.administrator {
		id.Roles = append(id.Roles, access.KnowledgeAdmin)
	}
	return w.db.Admin().PutUser(ctx, tenant, "system", id)
}

func (w *world) putInner(ctx context.Context) error {
	return w.putGroup(ctx, "inner", w.paper.inner, access.User(alice))
}

func (w *world) putOuter(ctx context.Context) error {
	return w.putGroup(ctx, "outer", w.paper.nested, access.Group("inner"))
}

func (w *world) putGroup(ctx context.Context, group access.GroupID, in bool, member access.Principal) error {
	var members []access.Principal
	if in {
		members = append(members, member)
	}
	return w.db.Admin().PutGroup(ctx, tenant, "system", group, members)
}

func (w *world) grant(ctx context.Context, kb string) error {
	grants := []access.Grant{{Principal: access.User(carol), Level: access.Manager}}
	for _, who := range w.paper.bases[kb] {
		grants = append(grants, access.Grant{Principal: access.Principal(who), Level: access.Reader})
	}
	return manage(ctx, w.db, func(s access.Scope) error {
		return w.db.Bases().SetGrants(ctx, s, access.KnowledgeBaseID(kb), grants)
	})
}

// guard sets the policy of a document so that its manager keeps her own access: whoever is denied
// by everyone or allowed by nobody but her would leave nobody to change it back.
func (w *world) guard(ctx context.Context, doc string) error {
	var policy access.Policy
	if only, narrow := w.paper.only[doc]; narrow {
		policy = access.Policy{Restricted: true, Allow: []access.Principal{access.User(carol)}}
		for _, who := range only {
			policy.Allow = append(policy.Allow, access.Principal(who))
		}
	}
	w.paper.never[doc] = slices.DeleteFunc(slices.Clone(w.paper.never[doc]), func(who string) bool { return who == "everyone" })
	for _, who := range w.paper.never[doc] {
		policy.Deny = append(policy.Deny, access.Principal(who))
	}
	return manage(ctx, w.db, func(s access.Scope) error {
		_, err := w.db.Catalog().Edit(ctx, s, corpus.DocumentID(doc), corpus.Change{Policy: &policy})
		return err
	})
}

// begin brings paper and product to where every sequence begins: everybody reads everything.
func (w *world) begin(plan []change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	ctx := context.Background()
	w.paper = rights{administrator: true, inner: true, nested: true, bases: map[string][]string{}, only: map[string][]string{}, never: map[string][]string{}}
	for _, kb := range bases {
		w.paper.bases[kb] = []string{"everyone"}
	}
	for _, put := range w.dirty {
		check(w.t, put(ctx))
	}
	head, err := w.db.Ledger().Head(ctx, string(tenant))
	check(w.t, err)
	w.plan, w.wrong, w.seen, w.dirty, w.since = plan, nil, map[string]bool{}, map[string]func(context.Context) error{}, head.Sequence
}
