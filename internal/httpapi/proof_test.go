package httpapi

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/bundle"
	"github.com/kaoju/kaoju/internal/ledger"
)

// offWire reads an entry off the wire.
func offWire(e api.Entry) ledger.Entry {
	return ledger.Entry{
		Sequence: e.Sequence, ID: e.ID, Tenant: e.TenantID, Kind: ledger.Kind(e.Kind), RunID: e.RunID, Actor: e.Actor, Time: e.Time,
		Body: e.Body, Previous: e.Previous, Hash: e.Hash,
	}
}

// readers is a world in which Bob reads Alice's knowledge base and has asked.
func readers(t *testing.T) (*world, api.Answer) {
	t.Helper()
	w := newWorld(t)
	w.kb("kb-a")
	w.grant("kb-a", "user:alice", "manager", "user:carol", "manager", "user:bob", "reader")
	w.add("kb-a", "travel.txt|The lodging limit is 650 yuan.", "status", "published")
	return w, w.ask("bob", "lodging")
}

func (w *world) key(t *testing.T) ledger.Public {
	t.Helper()
	return ledger.Public(expect[api.LedgerKey](w, "bob", http.MethodGet, "/api/ledger/key", "", http.StatusOK).Key)
}

func TestEveryEntryThatOneSeesIsProved(t *testing.T) {
	w, _ := readers(t)
	w.ask("carol", "lodging")
	key := w.key(t)
	for _, who := range []string{"bob", "carol", "alice", "dave"} {
		list := expect[api.List[api.Entry]](w, who, http.MethodGet, "/api/ledger?limit=200", "", http.StatusOK).Items
		if who != "dave" && len(list) == 0 {
			t.Fatalf("%s sees nothing", who)
		}
		for i, e := range list {
			p := expect[api.Proof](w, who, http.MethodGet, "/api/ledger/"+e.ID+"/proof", "", http.StatusOK)
			c, err := ledger.Inclusion{Index: p.Index, Hashes: p.Hashes, Checkpoint: p.Checkpoint}.Verify(key, offWire(p.Entry))
			if err != nil || p.Key != string(key) || p.Index != int64(i) {
				t.Fatalf("%s, entry %d: %+v, %v", who, i, p, err)
			}
			want := ledger.Name{Tenant: "acme", Person: who}
			if who == "dave" {
				want.Person = ""
			}
			if c.Name != want {
				t.Errorf("%s is given a proof in the log %v", who, c.Name)
			}
			if told := p.Entry.Sequence != 0 || p.Entry.Previous != ""; told != (who == "dave") {
				t.Errorf("%s is told the place of an entry: %v", who, told)
			}
			old := expect[api.Proof](w, who, http.MethodGet, "/api/ledger/"+e.ID+"/proof?size="+strconv.Itoa(i+1), "", http.StatusOK)
			if _, err := (ledger.Inclusion{Index: old.Index, Hashes: old.Hashes, Checkpoint: old.Checkpoint}).Verify(key, offWire(old.Entry)); err != nil {
				t.Errorf("%s, entry %d, as it was then: %v", who, i, err)
			}
		}
	}
}

func TestAProofTellsNothingOfWhatOthersDo(t *testing.T) {
	w, a := readers(t)
	id := expect[api.List[api.Entry]](w, "bob", http.MethodGet, "/api/ledger?run_id="+a.RunID, "", http.StatusOK).Items[0].ID
	look := func() string {
		var all []string
		for _, path := range []string{"/api/ledger/" + id, "/api/ledger/" + id + "/proof", "/api/ledger/checkpoint", "/api/ledger/checkpoint?from=1", "/api/runs/" + a.RunID + "/bundle"} {
			all = append(all, picture(w.send("bob", http.MethodGet, path, "")))
		}
		return strings.Join(all, "\n")
	}
	before := look()
	for range 3 {
		w.ask("carol", "lodging")
		w.ask("alice", "lodging")
	}
	if after := look(); after != before {
		t.Errorf("what Bob is proved moved with what others did:\n%s\n---\n%s", before, after)
	}
}

// A list of one's own entries neither takes the id of an entry as a cursor nor gives one, so that nobody
// learns from it which entries there are beside their own, and where.
func TestCursorsOfTheLedgerNameNothingOfOthers(t *testing.T) {
	w, a := readers(t)
	for range 3 {
		w.ask("bob", "lodging")
		w.ask("alice", "lodging")
	}
	foreign := expect[api.List[api.Entry]](w, "alice", http.MethodGet, "/api/ledger?limit=1", "", http.StatusOK).Items[0].ID
	own := expect[api.List[api.Entry]](w, "bob", http.MethodGet, "/api/ledger?run_id="+a.RunID, "", http.StatusOK).Items[0].ID
	var unknown string
	for _, id := range []string{"led_unknown", foreign, own} {
		for _, field := range []string{"e", "a"} {
			got := w.send("bob", http.MethodGet, "/api/ledger?cursor="+*seal(map[string]any{field: id}), "")
			if unknown == "" {
				unknown = got.Body.String()
			}
			if got.Code != http.StatusUnprocessableEntity || got.Body.String() != unknown {
				t.Errorf("the cursor of %s: %d %s", id, got.Code, got.Body)
			}
		}
	}
	var places []int64
	for path := "/api/ledger?limit=1"; ; {
		l := expect[api.List[api.Entry]](w, "bob", http.MethodGet, path, "", http.StatusOK)
		if l.NextCursor == nil {
			break
		}
		var at map[string]int64
		must(t, unseal(*l.NextCursor, &at))
		places = append(places, at["a"])
		if len(at) != 1 || at["a"] != int64(len(places)) {
			t.Fatalf("page %d says to go on after %v", len(places), at)
		}
		path = "/api/ledger?limit=1&cursor=" + *l.NextCursor
	}
	if len(places) != 4 {
		t.Errorf("bob asked four questions, and the pages went on after %v", places)
	}
	for _, beyond := range []int64{5, 9, 1 << 40} {
		l := expect[api.List[api.Entry]](w, "bob", http.MethodGet, "/api/ledger?cursor="+*seal(map[string]any{"a": beyond}), "", http.StatusOK)
		if len(l.Items) != 0 || l.NextCursor != nil {
			t.Errorf("after %d: %+v", beyond, l)
		}
	}
}

func TestAKeptCheckpointIsProvedTheBeginningOfTheLog(t *testing.T) {
	w, _ := readers(t)
	key := w.key(t)
	for _, who := range []string{"bob", "dave"} {
		kept := expect[api.Checkpoint](w, who, http.MethodGet, "/api/ledger/checkpoint", "", http.StatusOK)
		old, err := key.Checkpoint(kept.Checkpoint)
		must(t, err)
		if kept.Size != old.Tree.Size || kept.Consistency != nil || kept.Key != string(key) {
			t.Errorf("%+v", kept)
		}
		w.ask("bob", "lodging")
		g := expect[api.Checkpoint](w, who, http.MethodGet, "/api/ledger/checkpoint?from="+strconv.FormatInt(kept.Size, 10), "", http.StatusOK)
		now, err := ledger.Consistency{From: g.Consistency.From, Hashes: g.Consistency.Hashes, Checkpoint: g.Checkpoint}.Verify(key, old)
		if err != nil || now.Tree.Size <= old.Tree.Size {
			t.Errorf("%s: %+v, %v", who, g, err)
		}
		again := expect[api.Checkpoint](w, who, http.MethodGet, "/api/ledger/checkpoint?size="+strconv.FormatInt(kept.Size, 10), "", http.StatusOK)
		if again.Checkpoint != kept.Checkpoint {
			t.Errorf("%s: the checkpoint of a size became another", who)
		}
	}
	for _, path := range []string{"/api/ledger/checkpoint?size=99999", "/api/ledger/checkpoint?from=99999"} {
		w.refusal("bob", http.MethodGet, path, "", http.StatusUnprocessableEntity, "invalid_size")
	}
	for _, path := range []string{"/api/ledger/checkpoint?size=-1", "/api/ledger/checkpoint?from=-1", "/api/ledger/checkpoint?from=x", "/api/ledger/checkpoint?from=9999999999999999999"} {
		if rec := w.send("bob", http.MethodGet, path, ""); rec.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", path, rec.Code, rec.Body)
		}
	}
}

// why reads why as a person.
func (w *world) why(who, run string) (api.Why, string) {
	w.t.Helper()
	out := expect[api.Why](w, who, http.MethodGet, "/api/runs/"+run+"/why", "", http.StatusOK)
	return out, w.send(who, http.MethodGet, "/api/runs/"+run+"/why", "").Body.String()
}

// bundleOf fetches a bundle and verifies it.
func (w *world) bundleOf(who, run string) (bundle.Bundle, string) {
	w.t.Helper()
	rec := w.send(who, http.MethodGet, "/api/runs/"+run+"/bundle", "")
	if rec.Code != http.StatusOK {
		w.t.Fatalf("bundle: %d %s", rec.Code, rec.Body)
	}
	r, err := bundle.Verify(bytes.NewReader(rec.Body.Bytes()), w.key(w.t))
	must(w.t, err)
	return r.Bundle, rec.Body.String()
}

func TestWhyTellsAllThatHappened(t *testing.T) {
	w, a := readers(t)
	got, _ := w.why("bob", a.RunID)
	if got.Withheld || got.Reduced || !got.RecordingsHold || got.Goal != "lodging" || len(got.Prompt) != 1 || !strings.Contains(got.Prompt[0].Text, "650") {
		t.Errorf("%+v", got)
	}
	if len(got.Exchanges) != 1 || got.Exchanges[0].Response == nil || got.Exchanges[0].Kind != "model" || got.Exchanges[0].PromptHash == "" {
		t.Errorf("exchanges %+v", got.Exchanges)
	}
	if len(got.Evidence) != 1 || got.Evidence[0].ExcerptHash == "" || !got.Evidence[0].Cited || got.Evidence[0].Excerpt == "" {
		t.Errorf("evidence %+v", got.Evidence)
	}
	if n := len(got.States); n < 3 || got.States[n-1].Type != "run.completed" {
		t.Errorf("states %+v", got.States)
	}
	if got.Proof == nil || got.Proof.Entry.Kind != "run.ended" || len(got.Entries) != 1 {
		t.Errorf("proof %+v", got.Proof)
	}
	b, _ := w.bundleOf("bob", a.RunID)
	if b.Answer.Reduced || b.Answer.Text != a.Answer || len(b.Documents) != 1 || len(b.Documents[0].Checksum) != 64 || b.Entry.ID != got.Proof.Entry.ID {
		t.Errorf("%+v", b)
	}
}

func TestWhyAndBundleAreReducedToWhatMayStillBeRead(t *testing.T) {
	for name, lose := range map[string]func(w *world, doc string){
		"revoked": func(w *world, _ string) { w.grant("kb-a", "user:alice", "manager", "user:carol", "manager") },
		"deleted": func(w *world, doc string) {
			expect[any](w, "alice", http.MethodDelete, "/api/documents/"+doc, "", http.StatusNoContent)
		},
		"erased": func(w *world, doc string) {
			expect[any](w, "carol", http.MethodDelete, "/api/documents/"+doc+"?erase=true", "", http.StatusNoContent)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, a := readers(t)
			lose(w, a.Citations[0].DocumentID)
			got, raw := w.why("bob", a.RunID)
			if !got.Withheld || !got.Reduced || len(got.Prompt) != 0 || got.Answer != "" || !got.Evidence[0].Withheld || got.PromptHash != "" && len(got.Exchanges) == 0 {
				t.Errorf("%+v", got)
			}
			b, file := w.bundleOf("bob", a.RunID)
			if !b.Answer.Reduced || !b.Evidence[0].Withheld || len(b.Documents) != 0 {
				t.Errorf("%+v", b)
			}
			for what, text := range map[string]string{"why": raw, "bundle": file} {
				if strings.Contains(text, "650 yuan") || strings.Contains(text, "travel.txt") {
					t.Errorf("%s still tells of it: %s", what, text)
				}
			}
			if got.Exchanges[0].Hash == "" || !got.RecordingsHold {
				t.Errorf("the hashes are gone: %+v", got.Exchanges)
			}
			if name == "erased" {
				_, err := ledger.Check(t.Context(), w.db.Ledger(), "acme")
				must(t, err)
				must(t, ledger.CheckTrees(t.Context(), w.db.Ledger(), w.db.Proof(), "acme"))
			}
		})
	}
}

func TestAnAuditorSeesTextOnlyWhileEveryDocumentIsReadable(t *testing.T) {
	w, a := readers(t)
	blind := func() {
		t.Helper()
		got, raw := w.why("dave", a.RunID)
		if !got.Withheld || got.Goal != "" || got.Answer != "" || got.State != "completed" || got.Proof == nil || got.PromptHash != w.first(a.RunID).PromptHash {
			t.Errorf("%+v", got)
		}
		b, file := w.bundleOf("dave", a.RunID)
		if b.Run.Goal != "" || b.Entry.Sequence == 0 {
			t.Errorf("%+v", b)
		}
		for _, text := range []string{raw, file} {
			if strings.Contains(text, "650 yuan") || strings.Contains(text, "lodging") {
				t.Errorf("the auditor reads %s", text)
			}
		}
	}
	blind()
	w.grant("kb-a", "user:alice", "manager", "user:carol", "manager", "user:bob", "reader", "user:dave", "reader")
	got, raw := w.why("dave", a.RunID)
	if got.Withheld || got.Goal != "lodging" || !strings.Contains(raw, "650") || got.Actor != "bob" {
		t.Errorf("%+v", got)
	}
	if b, _ := w.bundleOf("dave", a.RunID); b.Answer.Text != a.Answer || b.Run.Actor != "bob" {
		t.Errorf("%+v", b)
	}
	w.grant("kb-a", "user:alice", "manager", "user:carol", "manager", "user:bob", "reader")
	blind()
	// A run to which no document belongs opens nobody's words.
	nothing := w.ask("bob", "unheard-of")
	if got, raw := w.why("dave", nothing.RunID); !got.Withheld || strings.Contains(raw, "unheard-of") {
		t.Errorf("%+v", got)
	}
	// An auditor of another tenant has nothing here.
	must(t, w.db.Admin().PutUser(t.Context(), globex, "operator", access.Identity{User: "erin", Roles: []access.Role{access.Auditor}}))
	foreign, unknown := w.send("erin", http.MethodGet, "/api/runs/"+a.RunID+"/why", ""), w.send("erin", http.MethodGet, "/api/runs/run_zzz/why", "")
	if foreign.Code != http.StatusNotFound || picture(foreign) != picture(unknown) {
		t.Errorf("another tenant's auditor: %d", foreign.Code)
	}
}

// first is what Bob himself sees of the run.
func (w *world) first(run string) api.Why {
	out, _ := w.why("bob", run)
	return out
}

func TestARunUnderWayHasNoBundle(t *testing.T) {
	w, _ := readers(t)
	w.runner.hold = true
	started := expect[api.Started](w, "bob", http.MethodPost, "/api/runs", `{"kind":"answer","goal":"lodging"}`, http.StatusAccepted)
	w.refusal("bob", http.MethodGet, "/api/runs/"+started.RunID+"/bundle", "", http.StatusConflict, "not_ended")
	if got, _ := w.why("bob", started.RunID); got.Proof != nil || len(got.Entries) != 0 {
		t.Errorf("%+v", got)
	}
	// To an auditor it is not there before it has ended.
	foreign, unknown := w.send("dave", http.MethodGet, "/api/runs/"+started.RunID+"/why", ""), w.send("dave", http.MethodGet, "/api/runs/run_zzz/why", "")
	if foreign.Code != http.StatusNotFound || picture(foreign) != picture(unknown) {
		t.Errorf("an auditor: %d", foreign.Code)
	}
	close(w.runner.open)
	w.runner.work.Wait()
}

func TestWhyAndProofsAreAsDescribed(t *testing.T) {
	w, a := readers(t)
	c := newContract(t, w)
	id := expect[api.List[api.Entry]](w, "bob", http.MethodGet, "/api/ledger?run_id="+a.RunID, "", http.StatusOK).Items[0].ID
	paths := []string{"/api/runs/" + a.RunID + "/why", "/api/runs/" + a.RunID + "/bundle", "/api/ledger/" + id + "/proof", "/api/ledger/checkpoint?from=1"}
	for _, who := range []string{"bob", "dave"} {
		for _, path := range paths {
			req := w.request(who, http.MethodGet, path, nil)
			c.check(w.server, req, w.do(req))
		}
		w.grant("kb-a", "user:alice", "manager")
	}
}

func TestTheTypedClientReadsProofs(t *testing.T) {
	w, a := readers(t)
	s := httptest.NewServer(w.door)
	defer s.Close()
	client, ctx := api.NewClient(s.Client(), s.URL, w.tokens["bob"]), t.Context()
	e, err := client.Ledger(ctx, api.LedgerFilter{RunID: a.RunID}, api.Page{})
	must(t, err)
	one, err := client.Entry(ctx, e.Items[0].ID)
	must(t, err)
	p, err := client.Proof(ctx, one.ID, 2)
	must(t, err)
	c, err := client.Checkpoint(ctx, 2)
	must(t, err)
	g, err := client.Growth(ctx, 1)
	must(t, err)
	k, err := client.LedgerKey(ctx)
	must(t, err)
	why, err := client.Why(ctx, a.RunID)
	must(t, err)
	if one.Hash != e.Items[0].Hash || p.Checkpoint != c.Checkpoint || g.Consistency == nil || k.Key != c.Key || why.RunID != a.RunID {
		t.Errorf("%+v %+v %+v %+v", one, p, c, g)
	}
	r, err := client.Bundle(ctx, a.RunID)
	must(t, err)
	defer r.Close()
	if _, err := bundle.Verify(r, ledger.Public(k.Key)); err != nil {
		t.Error(err)
	}
}
