package httpapi

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/llm"
)

// TestSystemSaysWhereTheCallersQuestionsGo sets one of two tenants to local-only.
func TestSystemSaysWhereTheCallersQuestionsGo(t *testing.T) {
	since := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	w := newWorld(t, func(d *Deps) {
		d.Model = llm.Info{Engine: llm.Model, Name: "big", Host: "api.example", Remote: true}
		d.Reranker = llm.Info{Engine: llm.Model, Name: "rank", Host: "rank.example", Remote: true}
		d.Fallback = llm.Info{Engine: llm.Rules, Name: "rules"}
		d.ModelHealth = func() llm.Health { return llm.Health{Condition: llm.Locked, Since: since} }
	})
	system := func(user string) (out api.System) {
		rec := w.send(user, http.MethodGet, "/api/system", "")
		if rec.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", user, rec.Code, rec.Body)
		}
		must(t, json.Unmarshal(rec.Body.Bytes(), &out))
		return out
	}
	big, rules := api.Model{Configured: true, Name: "big", Host: "api.example", Remote: true}, api.Model{Name: "rules"}
	rank := api.Model{Configured: true, Name: "rank", Host: "rank.example", Remote: true}
	if got := system("alice"); got.Reranker != rank {
		t.Errorf("alice is told of the reranker %+v", got.Reranker)
	}
	if got := system("alice"); got.Model != big || got.LocalOnly || got.ModelHealth != nil {
		t.Errorf("alice is told %+v", got)
	}
	must(t, w.db.Tenancy().SetLocalOnly(t.Context(), acme, "tina", true))
	if got := system("alice"); got.Reranker != (api.Model{}) {
		t.Errorf("alice of a local-only tenant is told of the reranker %+v", got.Reranker)
	}
	if got := system("alice"); got.Model != rules || !got.LocalOnly || got.ModelHealth != nil {
		t.Errorf("alice of a local-only tenant is told %+v", got)
	}
	if got := system("tina"); got.Model != rules || got.ModelHealth == nil || got.ModelHealth.Condition != "unauthorized" || !got.ModelHealth.Since.Equal(since) {
		t.Errorf("the administrator is told %+v", got)
	}
	if got := system("erin"); got.Model != big || got.LocalOnly {
		t.Errorf("the other tenant is told %+v", got)
	}
}

// TestSystemOfALocalModelIsTheSameForALocalOnlyTenant needs no other answerer.
func TestSystemOfALocalModelIsTheSameForALocalOnlyTenant(t *testing.T) {
	w := newWorld(t, func(d *Deps) { d.Model = llm.Info{Engine: llm.Model, Name: "small", Host: "127.0.0.1:9"} })
	must(t, w.db.Tenancy().SetLocalOnly(t.Context(), acme, "tina", true))
	var got api.System
	must(t, json.Unmarshal(w.send("alice", http.MethodGet, "/api/system", "").Body.Bytes(), &got))
	if got.Model.Name != "small" || !got.LocalOnly || got.ModelHealth != nil {
		t.Errorf("told %+v", got)
	}
}
