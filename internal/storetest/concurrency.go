package storetest

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

var concurrencyTests = []test{
	{"ReadersSeeTheOldStateOrTheNewOne", func(t *testing.T, w *World) {
		first := w.add("carol", "k", "version 1\n1", published)
		var stop atomic.Bool
		var readers sync.WaitGroup
		for range 4 {
			readers.Go(func() {
				for !stop.Load() {
					if err := w.readWhole(); err != nil && !outrun(err) {
						t.Error(err)
						return
					}
				}
			})
		}
		const versions = 15
		for i := 2; i <= versions; i++ {
			w.add("carol", "k", fmt.Sprintf("version %d\n%d", i, i), published)
		}
		stop.Store(true)
		readers.Wait()
		w.status(first.ID, access.StatusArchived)
		is(w, "entries verify", len(w.entries(acme)) > 2*versions, true)
	}},
	{"WritersOfOneKeyPublishEveryVersionOnce", func(t *testing.T, w *World) {
		const writers, each = 4, 6
		var wg sync.WaitGroup
		for i := range writers {
			wg.Go(func() {
				for j := range each {
					if err := w.uploadAndWork(fmt.Sprintf("text %d %d", i, j)); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		w.work()
		page, err := w.Catalog.Documents(w.ctx, w.scope("carol", access.Catalog), corpus.Filter{Key: "k", Limit: 1000})
		w.ok(err)
		is(w, "versions", len(page.Items), writers*each)
		seen, live := map[int]bool{}, 0
		for _, d := range page.Items {
			seen[d.Version] = true
			if d.Status == access.StatusPublished {
				live++
				is(w, "the published one is the newest", d.Version, writers*each)
			}
		}
		is(w, "published", live, 1)
		for v := 1; v <= writers*each; v++ {
			is(w, fmt.Sprint("version ", v, " is there"), seen[v], true)
		}
		_, err = ledger.Check(w.ctx, w.Ledger, string(acme))
		w.ok(err)
	}},
	{"NoReadAfterARevocationShowsAnything", func(t *testing.T, w *World) {
		d := w.add("carol", "k", "text", published)
		var revoked, stop atomic.Bool
		var readers sync.WaitGroup
		for range 3 {
			readers.Go(func() {
				for !stop.Load() {
					before := revoked.Load()
					err := access.Within(w.ctx, w.Directory, access.Actor{Tenant: acme, User: "rita"}, access.Request{}, func(s access.Scope) error {
						_, err := w.Texts.Text(w.ctx, s, d.ID)
						return err
					})
					if outrun(err) {
						continue
					}
					if before && !problem.Is(err, problem.NotFound) || err != nil && !problem.Is(err, problem.NotFound) {
						t.Errorf("revoked before the read: %v; read: %v", before, err)
						return
					}
				}
			})
		}
		for range 10 {
			w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "x", nil))
		}
		w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "readers", nil))
		revoked.Store(true)
		for range 10 {
			w.ok(w.Admin.PutGroup(w.ctx, acme, "root", "x", nil))
		}
		stop.Store(true)
		readers.Wait()
	}},
}

// outrun reports whether a reader gave up, with nothing shown, because permissions changed faster
// than it could read. These tests change them without a pause, so on a slow machine it happens.
func outrun(err error) bool { return problem.CodeOf(err) == "busy" }

// readWhole reads the published version of "k" and checks that it is all of one version.
func (w *World) readWhole() error {
	return access.Within(w.ctx, w.Directory, access.Actor{Tenant: acme, User: "rita"}, access.Request{}, func(s access.Scope) error {
		page, err := w.Catalog.Documents(w.ctx, s, corpus.Filter{})
		if err != nil {
			return err
		}
		if len(page.Items) != 1 {
			return fmt.Errorf("%d versions are published", len(page.Items))
		}
		d := page.Items[0]
		x, err := w.Texts.Text(w.ctx, s, d.ID)
		if err != nil {
			return err
		}
		chunks, err := w.Texts.Chunks(w.ctx, s, d.ID, 0, 10)
		if err != nil {
			return err
		}
		want := fmt.Sprintf("version %d\n%d", d.Version, d.Version)
		if x.Text != want || x.Document.ID != d.ID || len(chunks) != 2 || chunks[0].Text+"\n"+chunks[1].Text != want {
			return fmt.Errorf("version %d reads %q in %d chunks", d.Version, x.Text, len(chunks))
		}
		return nil
	})
}

// uploadAndWork uploads a version of "k" and does one due job, whosever it is.
func (w *World) uploadAndWork(text string) error {
	sum, size, err := w.Blobs.Put(w.ctx, strings.NewReader(text), 100)
	if err != nil {
		return err
	}
	for reserved := false; !reserved; {
		// A busy directory can make eight scopes in a row stale; the upload is tried until it is in.
		err := access.Within(w.ctx, w.Directory, access.Actor{Tenant: acme, User: "carol"}, access.Request{View: access.Catalog}, func(s access.Scope) error {
			_, err := w.Catalog.Reserve(w.ctx, s, corpus.Upload{KnowledgeBase: "kb", Key: "k", Checksum: sum, Size: size, Publish: true})
			return err
		})
		if err != nil && problem.CodeOf(err) != "busy" {
			return err
		}
		reserved = err == nil
	}
	job, ok, err := w.Queue.Claim(w.ctx, 1000*lease)
	if err != nil || !ok {
		return err
	}
	d, _, err := w.Publisher.Reserved(w.ctx, job.ID)
	if err != nil {
		return err
	}
	_, err = w.Publisher.Publish(w.ctx, parse(d.ID, "v "+string(d.ID)), job.ID, job.Token)
	return err
}
