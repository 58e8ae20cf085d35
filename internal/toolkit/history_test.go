package toolkit_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/tool"
	"github.com/kaoju/kaoju/internal/toolkit"
)

// archive is a world whose versions have originals, with a ledger.
type archive struct {
	*world
	ledger.Log
	corpus.Blobs
	originals map[corpus.Checksum][]byte
	entries   []ledger.Entry
	full      error // what the ledger answers
	opened    func()
}

func newArchive() *archive {
	a := &archive{world: newWorld(), originals: map[corpus.Checksum][]byte{}}
	a.roles = []access.Role{access.Member, access.KnowledgeAdmin}
	a.version("v2", 2, access.StatusPublished, "# 住宿\n\n上海每晚 650 元。\n\n# 报销\n\n三十天内报销。")
	a.version("v1", 1, access.StatusArchived, "# 住宿\n\n上海每晚 500 元。\n\n# 报销\n\n六十天内报销。")
	a.version("v3", 3, access.StatusDraft, "# 住宿\n\n上海每晚 700 元。")
	a.ranked = []corpus.ChunkID{chunkID("v2", 1)}
	return a
}

// version puts a version of the one document in, with an original that has other line ends than
// the stored text, so that a test sees which of the two was read.
func (a *archive) version(id corpus.DocumentID, n int, status access.Status, text string) {
	a.add(id, text)
	d := a.docs[id]
	d.Key, d.Version, d.Status, d.MediaType, d.Checksum = "travel.md", n, status, "text/markdown", corpus.Checksum("sum-"+id)
	original := []byte(text + "\n\n原件的最后一行。\n")
	d.Size = int64(len(original))
	a.originals[d.Checksum] = original
	a.docs[id] = d
}

func (a *archive) Documents(_ context.Context, scope access.Scope, f corpus.Filter) (corpus.Page[corpus.Document], error) {
	var out []corpus.Document
	for _, d := range a.docs {
		if d.Key == f.Key && d.KnowledgeBase == f.KnowledgeBase && scope.Admits(d.Resource()) {
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(x, y corpus.Document) int { return cmp.Compare(x.ID, y.ID) })
	return corpus.Page[corpus.Document]{Items: out}, scope.Current(a.epoch)
}

func (a *archive) Open(_ context.Context, sum corpus.Checksum) (io.ReadCloser, error) {
	if a.opened != nil {
		a.opened()
	}
	b, ok := a.originals[sum]
	if !ok {
		return nil, problem.Missing()
	}
	return io.NopCloser(bytes.NewReader(b)), nil
}

func (a *archive) Append(_ context.Context, e ledger.Entry) (ledger.Entry, error) {
	if a.full != nil {
		return e, a.full
	}
	a.entries = append(a.entries, e)
	return e, nil
}

func (a *archive) history() *toolkit.History {
	return toolkit.NewHistory(a.world, a, a, a, a)
}

// Text, Chunks and the other reads of the world's seams are promoted; these two are ambiguous.
func (a *archive) Document(ctx context.Context, s access.Scope, id corpus.DocumentID) (corpus.Document, error) {
	return a.world.Document(ctx, s, id)
}

// searched is the session after a search on the route that reads history.
func (a *archive) searched(t *testing.T) tool.Session {
	t.Helper()
	s := session()
	s.Run, s.Versions = "run_1", true
	got, err := call(t, toolkit.NewSearch(a, a, a, toolkit.Versions(a)), s, `{"query":"住宿"}`)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range got.Hits {
		s.Hits[h.Document] = h
	}
	return s
}

func TestSearchNamesTheVersionsOnlyToWhomMayReadThem(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*archive, *tool.Session)
		want   []tool.Version
	}{
		{"a knowledge administrator", func(*archive, *tool.Session) {}, []tool.Version{{Document: "v2", Version: 2, Status: access.StatusPublished}, {Document: "v1", Version: 1, Status: access.StatusArchived}}},
		{"who is editor too", func(a *archive, _ *tool.Session) {
			a.grants = []access.Grant{{Principal: access.Everyone, Level: access.Editor}}
		}, []tool.Version{{Document: "v3", Version: 3, Status: access.StatusDraft}, {Document: "v2", Version: 2, Status: access.StatusPublished}, {Document: "v1", Version: 1, Status: access.StatusArchived}}},
		{"a member", func(a *archive, _ *tool.Session) { a.roles = nil }, nil},
		{"any other route", func(_ *archive, s *tool.Session) { s.Versions = false }, nil},
		{"a version that is denied", func(a *archive, _ *tool.Session) {
			d := a.docs["v1"]
			d.Policy = access.Policy{Deny: []access.Principal{access.User("alice")}}
			a.docs["v1"] = d
		}, []tool.Version{{Document: "v2", Version: 2, Status: access.StatusPublished}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newArchive()
			s := session()
			s.Versions = true
			c.change(a, &s)
			got, err := call(t, toolkit.NewSearch(a, a, a, toolkit.Versions(a)), s, `{"query":"住宿"}`)
			if err != nil || len(got.Hits) != 1 {
				t.Fatalf("%d hits, %v", len(got.Hits), err)
			}
			if diff := gocmp.Diff(c.want, got.Hits[0].Versions); diff != "" {
				t.Error(diff)
			}
			if named := strings.Contains(string(got.Content), `"versions"`); named != (c.want != nil) {
				t.Errorf("the model is told %s", got.Content)
			}
		})
	}
}

func TestAnArchivedVersionIsReadFromItsOriginal(t *testing.T) {
	a := newArchive()
	s := a.searched(t)
	got, err := call(t, a.history(), s, `{"document_id":"v1"}`)
	if err != nil {
		t.Fatal(err)
	}
	p := got.Passages[0]
	if p.Status != access.StatusArchived || p.Version != 1 || !strings.Contains(p.Text, "500 元") || !strings.Contains(p.Text, "原件的最后一行") {
		t.Errorf("passage %+v", p)
	}
	if a.loads != 0 {
		t.Error("the stored text was read in place of the original")
	}
	if m := object(t, got); m["status"] != "archived" || m["version"] != 1.0 {
		t.Errorf("the model is told %v", m)
	}
	if len(a.entries) != 1 {
		t.Fatalf("%d ledger entries, want 1", len(a.entries))
	}
	e := a.entries[0]
	var body map[string]any
	if err := json.Unmarshal(e.Body, &body); err != nil {
		t.Fatal(err)
	}
	if e.Kind != ledger.HistoryRead || e.RunID != "run_1" || e.Actor != "alice" || e.Tenant != "acme" || e.Time.IsZero() ||
		body["document_id"] != "v1" || body["version"] != 1.0 || body["status"] != "archived" || strings.Contains(string(e.Body), "500") {
		t.Errorf("entry %+v %s", e, e.Body)
	}
	around, err := call(t, a.history(), s, `{"document_id":"v1","around":"六十天"}`)
	if err != nil || !strings.Contains(around.Passages[0].Text, "六十天") {
		t.Errorf("around: %v %v", around.Passages, err)
	}
	from, err := call(t, a.history(), s, `{"document_id":"v1","offset":18}`)
	if err != nil || strings.Contains(from.Passages[0].Text, "住宿") || !from.Passages[0].TruncatedBefore {
		t.Errorf("offset: %v %v", from.Passages, err)
	}
}

func TestHistoryIsReadInsideTheLimitsOfTheRun(t *testing.T) {
	a := newArchive()
	fresh := a.searched(t)
	window := func(id corpus.DocumentID, start, end int) tool.Window {
		return tool.Window{Document: id, Version: a.docs[id].Version, Span: corpus.Span{Start: start, End: end}, Units: end - start}
	}
	for _, c := range []struct {
		name, args string
		change     func(*tool.Session)
		want       tool.Code
	}{
		{"never named", `{"document_id":"v9"}`, nil, tool.OutOfScope},
		{"not named to this actor", `{"document_id":"v3"}`, nil, tool.OutOfScope},
		{"both places", `{"document_id":"v1","around":"x","offset":1}`, nil, tool.InvalidArguments},
		{"past the end", `{"document_id":"v1","offset":9000}`, nil, tool.InvalidArguments},
		{"the same window", `{"document_id":"v1"}`, func(s *tool.Session) { s.Windows = []tool.Window{window("v1", 0, 60)} }, tool.NoProgress},
		{"no text left", `{"document_id":"v1","offset":3}`, func(s *tool.Session) { s.Windows, s.TextUnits = []tool.Window{window("v1", 0, 3)}, 3 }, tool.LimitText},
		{"no document left", `{"document_id":"v1"}`, func(s *tool.Session) { s.Documents, s.Windows = 1, []tool.Window{window("v2", 0, 3)} }, tool.LimitDocuments},
		{"a listed version that is another now", `{"document_id":"v1"}`, func(s *tool.Session) {
			h := s.Hits["v2"]
			h.Versions = []tool.Version{{Document: "v1", Version: 7}}
			s.Hits = map[corpus.DocumentID]tool.Hit{"v2": h}
		}, tool.NotFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := fresh
			if c.change != nil {
				c.change(&s)
			}
			a.entries = nil
			_, err := call(t, a.history(), s, c.args)
			if code(err) != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
			if len(a.entries) != 0 {
				t.Error("a reading that did not happen is in the ledger")
			}
		})
	}
}

func TestHistoryThatMayNotBeReadLooksLikeNone(t *testing.T) {
	ctx := context.Background()
	deny := func(a *archive) {
		d := a.docs["v1"]
		d.Policy = access.Policy{Restricted: true}
		a.docs["v1"] = d
	}
	for name, change := range map[string]func(*archive){
		"without the role":      func(a *archive) { a.roles = []access.Role{access.Member, access.TenantAdmin, access.Auditor} },
		"without the grant":     func(a *archive) { a.grants = nil },
		"suspended":             func(a *archive) { a.suspended = true },
		"against the policy":    deny,
		"erased while reading":  func(a *archive) { a.opened = func() { delete(a.originals, "sum-v1"); delete(a.docs, "v1"); a.epoch++ } },
		"revoked while reading": func(a *archive) { a.opened = func() { a.grants, a.epoch = nil, a.epoch+1 } },
	} {
		t.Run(name, func(t *testing.T) {
			a := newArchive()
			s := a.searched(t)
			change(a)
			_, unknown := a.history().Text(ctx, alice, "v9")
			_, known := a.history().Text(ctx, alice, "v1")
			if !problem.Is(known, problem.NotFound) || known.Error() != unknown.Error() {
				t.Errorf("known is %v, unknown is %v", known, unknown)
			}
			got, err := call(t, a.history(), s, `{"document_id":"v1"}`)
			if code(err) != tool.NotFound || len(got.Passages) != 0 {
				t.Errorf("the tool answers %v %v", got, err)
			}
			if len(a.entries) != 0 {
				t.Errorf("entries %v", a.entries)
			}
		})
	}
}

func TestAnOriginalThatTheStoreLostIsAFaultAndNotAbsence(t *testing.T) {
	a := newArchive()
	delete(a.originals, "sum-v1")
	if _, err := a.history().Text(context.Background(), alice, "v1"); problem.CodeOf(err) != "original_missing" {
		t.Errorf("%v", err)
	}
}

func TestTheWholeTextOfEachVersionOpensForAnAdministrator(t *testing.T) {
	a := newArchive()
	a.grants = []access.Grant{{Principal: access.Everyone, Level: access.Editor}}
	for _, id := range []corpus.DocumentID{"v1", "v2", "v3"} {
		got, err := a.history().Text(context.Background(), alice, id)
		if err != nil {
			t.Fatal(err)
		}
		if got.Text != string(a.originals["sum-"+corpus.Checksum(id)]) || got.Document.ID != id || len(got.Segments) == 0 {
			t.Errorf("%s: %q", id, got.Text)
		}
	}
	if len(a.entries) != 3 || a.entries[0].RunID != "" {
		t.Errorf("entries %v", a.entries)
	}
	a.grants = []access.Grant{{Principal: access.Everyone, Level: access.Reader}}
	a.epoch++
	if _, err := a.history().Text(context.Background(), alice, "v3"); !problem.Is(err, problem.NotFound) {
		t.Errorf("a draft opens for a reader: %v", err)
	}
}

func TestNoHistoryIsGivenOutWithoutItsLedgerEntry(t *testing.T) {
	a := newArchive()
	s := a.searched(t)
	a.full = errors.New("the disk is full")
	if got, err := a.history().Text(context.Background(), alice, "v1"); err == nil || got.Text != "" {
		t.Errorf("%v %v", got, err)
	}
	if got, err := call(t, a.history(), s, `{"document_id":"v1"}`); err == nil || len(got.Passages) != 0 || got.Content != nil {
		t.Errorf("%v %v", got, err)
	}
}

func TestAnOriginalIsReadAgainAsItsTypeSays(t *testing.T) {
	for _, c := range []struct{ key, media, original, want string }{
		{"notes", "text/markdown", "# 题\n\n文", "# 题\n\n文"},
		{"notes.txt", "text/markdown", "# 题\n\n文", "# 题\n\n文"},
		{"page.md", "text/html", "<p>一 <b>二</b></p>", "一 二"},
		{"release.2026", "text/plain", "# 题", "# 题"},
	} {
		a := newArchive()
		d := a.docs["v1"]
		d.Key, d.MediaType, d.Size = corpus.Key(c.key), c.media, int64(len(c.original))
		a.docs["v1"], a.originals[d.Checksum] = d, []byte(c.original)
		got, err := a.history().Text(context.Background(), alice, "v1")
		if err != nil || strings.TrimSpace(got.Text) != c.want {
			t.Errorf("%s: %q %v", c.key, got.Text, err)
		}
	}
}

func TestAReadOfThePastTakesWhatWasInForce(t *testing.T) {
	a := newArchive()
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	for id, in := range map[corpus.DocumentID]access.Interval{"v1": {From: day(1), To: day(10)}, "v2": {From: day(10)}} {
		d := a.docs[id]
		d.InForce = []access.Interval{in}
		a.docs[id] = d
		a.texts[id] = corpus.Text{Document: d, Text: a.texts[id].Text, Segments: a.texts[id].Segments}
	}
	a.ranked = append(a.ranked, chunkID("v1", 1))
	s := session()
	s.Request.AsOf = day(5)
	found, err := call(t, toolkit.NewSearch(a, a, a), s, `{"query":"住宿"}`)
	if err != nil || len(found.Hits) != 1 || found.Hits[0].Document != "v1" || !strings.Contains(string(found.Content), `"status":"archived"`) {
		t.Fatalf("%s %v", found.Content, err)
	}
	s.Hits["v1"] = found.Hits[0]
	read := toolkit.NewRead(a, a, a)
	got, err := call(t, read, s, `{"document_id":"v1"}`)
	if err != nil || got.Passages[0].Status != access.StatusArchived {
		t.Fatalf("%v %v", got, err)
	}
	s.Request.AsOf = time.Time{}
	if _, err := call(t, read, s, `{"document_id":"v1"}`); code(err) != tool.NotFound {
		t.Errorf("an archived version opens today: %v", err)
	}
	s.Request.AsOf, a.roles = day(5), nil
	if _, err := call(t, read, s, `{"document_id":"v1"}`); code(err) != tool.NotFound {
		t.Errorf("a member reads the past: %v", err)
	}
}
