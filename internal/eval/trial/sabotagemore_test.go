package trial_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/eval/trial"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
)

const (
	both      = "- {id: x, question: \"192.168.1.1\", groups: retrieval, doc_keys: [error-codes, support-page], recall: 1}\n"
	notFive   = "- {id: x, question: 上海住宿上限是多少, route: fixed_rag, groups: citation, lacks: [500]}\n"
	muttered  = "- {id: x, as: carol, groups: tools, question: 我确认发布, propose: {document: doc-travel-v3}, forbid: {strings: [CANARY-RD-7f3a91]}}\n"
	mute      = "- {id: x, as: carol, groups: tools, propose: {document: doc-travel-v3}, forbid: {strings: [CANARY-RD-7f3a91]}}\n"
	refusal   = "- {id: x, groups: tools, propose: {document: doc-travel-v3, code: not_found}}\n"
	approved  = "- {id: x, as: carol, groups: tools, propose: {document: doc-travel-v3, decide: approve}}\n"
	completed = "- {id: x, question: 上海住宿上限是多少, route: fixed_rag, groups: citation, state: completed, versions: travel-policy@2}\n"
	answers   = "- {id: x, question: 上海住宿上限是多少, groups: citation, answer: [延庆]}\n"
)

// failing stores answer every call with an error.
type (
	failingJournal struct{ run.Journal }
	failingEvents  struct{ event.Log }
	failingBlobs   struct{ corpus.Blobs }
)

var errFire = errors.New("the disk is on fire")

func (failingJournal) Run(context.Context, access.TenantID, access.UserID, run.ID) (*run.Run, []citation.Evidence, error) {
	return nil, nil, errFire
}

func (failingEvents) After(context.Context, string, int64, int) ([]event.Event, error) {
	return nil, errFire
}

func (failingBlobs) Open(context.Context, corpus.Checksum) (io.ReadCloser, error) {
	return nil, errFire
}

// failingCatalog fails to list versions, and to read one from a call on; 0 is never.
type failingCatalog struct {
	corpus.Catalog
	list bool
	from int32
	n    *atomic.Int32
}

func (c failingCatalog) Documents(ctx context.Context, s access.Scope, f corpus.Filter) (corpus.Page[corpus.Document], error) {
	if c.list {
		return corpus.Page[corpus.Document]{}, errFire
	}
	return c.Catalog.Documents(ctx, s, f)
}

func (c failingCatalog) Document(ctx context.Context, s access.Scope, id corpus.DocumentID) (corpus.Document, error) {
	if n := c.n.Add(1); c.from > 0 && n >= c.from {
		return corpus.Document{}, errFire
	}
	return c.Catalog.Document(ctx, s, id)
}

func listless(h *house) {
	h.Catalog = failingCatalog{Catalog: h.Catalog, list: true, n: &atomic.Int32{}}
}

func unread(from int32) func(*house) {
	return func(h *house) { h.Catalog = failingCatalog{Catalog: h.Catalog, from: from, n: &atomic.Int32{}} }
}

// granting takes every proposal, whoever makes it, as Carol's.
type granting struct{ trial.Proposer }

func (g granting) Propose(ctx context.Context, _ access.Actor, id corpus.DocumentID) (desk.Proposal, error) {
	return g.Proposer.Propose(ctx, access.Actor{Tenant: "acme", User: "carol"}, id)
}

var moreSabotages = []sabotage{
	{"a search that drops a document", both, searching(func(r *retrieval.Result) { r.Hits = r.Hits[:1] }), []string{"retrieval:recall"}},
	{"a search in another company", lodging, searching(func(r *retrieval.Result) {
		other := r.Hits[len(r.Hits)-1]
		other.Document.ID, other.Document.Key, other.Document.Version = "doc-globex-office-v1", "office-guide", 1
		r.Hits = append(r.Hits, other)
	}), []string{"retrieval:other_tenant"}},
	{"a model that says what it must not", notFive, saying("上海的住宿上限为每晚 500 元[C1]。"), []string{"citation:says", "citation:contradicted", "citation:not_supported"}},
	{"sources that were read and not shown", answers, showing(func(a *desk.Account) {
		for i := range a.Cited {
			a.Cited[i].Excerpt = "…"
		}
	}), []string{"citation:lacks", "citation:check_not_reproduced"}},
	{"citations of nothing", absent, showing(func(a *desk.Account) { a.Cited = append(a.Cited, desk.Source{Withheld: true}) }), []string{"citation:cites"}},
	{"citations that are nowhere", fixed, showing(func(a *desk.Account) { a.Cited[0].Document = "doc-nowhere" }), []string{"citation:no_such_document"}},
	{"citations under another number", fixed, showing(func(a *desk.Account) {
		for i := range a.Cited {
			a.Cited[i].Version = 7
		}
	}), []string{"citation:mislabelled", "citation:not_cited"}},
	{"citations that are missing where a state was named", completed, showing(func(a *desk.Account) { a.Cited = nil }),
		[]string{"citation:no_citation", "citation:check_not_reproduced"}},
	{"a route without documents where one was to be cited", fixed, showing(func(a *desk.Account) { a.Run.Route, a.Cited = run.Direct, nil }), []string{"citation:no_citation"}},
	{"a proposal that tells what it must not", mute, showing(func(a *desk.Account) { a.Run.Answer.Text = "CANARY-RD-7f3a91" }), []string{"tools:forbidden_text"}},
	{"an answer that tells it while a proposal waits", muttered, showing(func(a *desk.Account) {
		if a.Run.Kind != run.ForPublish {
			a.Run.Answer.Text = "CANARY-RD-7f3a91"
		}
	}), []string{"tools:forbidden_text"}},
	{"a source that must not be read", "- {id: x, question: 上海住宿上限是多少, groups: citation, forbid: {documents: doc-travel-v1}}\n", showing(func(a *desk.Account) {
		a.Read = append(a.Read, desk.Source{Evidence: citation.Evidence{Ref: "S9", Document: "doc-travel-v1"}})
	}), []string{"citation:forbidden_document"}},
	{"a journal that is gone", fixed, func(h *house) { h.Journal = failingJournal{h.Journal} }, []string{"traceability:no_run"}},
	{"events that are gone", fixed, func(h *house) { h.Events = failingEvents{h.Events} }, []string{"traceability:no_events"}},
	{"originals that are gone", fixed, func(h *house) { h.Blobs = failingBlobs{h.Blobs} }, []string{"traceability:no_original"}},
	{"a journal that is gone during an update", renewed, func(h *house) { h.Journal = failingJournal{h.Journal} },
		[]string{"retrieval:broke", "citation:broke", "traceability:broke"}},
	{"versions that can't be listed during an update", renewed, listless, []string{"retrieval:broke", "citation:broke", "traceability:broke"}},
	{"a version that can't be read before a proposal", refusal, unread(1), []string{"tools:broke"}},
	{"versions in force that can't be read before a proposal", refusal, listless, []string{"tools:broke"}},
	{"a version that can't be read after a proposal", refusal, unread(2), []string{"tools:broke"}},
	{"a proposal of who may not", refusal, func(h *house) { h.Proposer = granting{h.Proposer} }, []string{"tools:code", "tools:not_waiting", "tools:broke"}},
	{"a proposal that is not taken", waits, func(h *house) {
		h.Proposer = refusingProposer{h.Proposer}
	}, []string{"tools:code"}},
	{"an approval that does nothing", approved, func(h *house) {
		h.Proposer = proposer{Proposer: h.Proposer, decide: func(access.Actor) bool { return true }}
	}, []string{"tools:not_published"}},
}

type refusingProposer struct{ trial.Proposer }

func (refusingProposer) Propose(context.Context, access.Actor, corpus.DocumentID) (desk.Proposal, error) {
	return desk.Proposal{}, errFire
}

// TestEveryKindOfFindingIsShownByATest looks for the codes in the source, and for each among what
// the tests of this package expect.
func TestEveryKindOfFindingIsShownByATest(t *testing.T) {
	maker := regexp.MustCompile(`(?:fault\([^,()]+(?:\.[A-Za-z]+)?, |everywhere\(|wrong\(|leak\()"([a-z_]+)"`)
	expected := strings.Builder{}
	made := map[string]string{}
	files, err := filepath.Glob("*.go")
	must(t, err)
	for _, name := range files {
		raw, err := os.ReadFile(filepath.Clean(name))
		must(t, err)
		if strings.HasSuffix(name, "_test.go") {
			expected.Write(raw)
			continue
		}
		for _, m := range maker.FindAllStringSubmatch(string(raw), -1) {
			made[m[1]] = name
		}
	}
	if len(made) < 45 {
		t.Fatalf("only %d kinds of finding were found", len(made))
	}
	for code, name := range made {
		if !strings.Contains(expected.String(), ":"+code+`"`) && !strings.Contains(expected.String(), `"`+code+`"`) {
			t.Errorf("%s: no test shows the finding %q", name, code)
		}
	}
}
