package trial

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
)

// chain follows the ledgers from where they stood when the evaluation began, and keeps the entries
// about the ends of runs.
type chain struct {
	log ledger.Log

	mu   sync.Mutex
	read map[access.TenantID]int64
	ends map[string][]ledger.Entry
}

func newChain(log ledger.Log) *chain {
	return &chain{log: log, read: map[access.TenantID]int64{}, ends: map[string][]ledger.Entry{}}
}

func (c *chain) begin(ctx context.Context, tenants []access.TenantID) error {
	for _, t := range tenants {
		head, err := c.log.Head(ctx, string(t))
		if err != nil {
			return err
		}
		c.read[t] = head.Sequence
	}
	return nil
}

// end returns the entries about the end of a run.
func (c *chain) end(ctx context.Context, tenant access.TenantID, id run.ID) ([]ledger.Entry, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		page, err := c.log.Entries(ctx, string(tenant), c.read[tenant], 500)
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			return c.ends[string(id)], nil
		}
		for _, e := range page {
			c.read[tenant] = e.Sequence
			if e.Kind == ledger.RunEnded {
				c.ends[e.RunID] = append(c.ends[e.RunID], e)
			}
		}
	}
}

// broken verifies the whole chain of each tenant, and says of those that do not hold why.
func (c *chain) broken(ctx context.Context, tenants []access.TenantID) map[access.TenantID]string {
	out := map[access.TenantID]string{}
	for _, t := range tenants {
		if _, err := ledger.Check(ctx, c.log, string(t)); err != nil {
			out[t] = said(err)
		}
	}
	return out
}

// endBody is what an entry about the end of a run says.
type endBody struct {
	State     run.State  `json:"state"`
	Reason    run.Reason `json:"finish_reason"`
	Route     run.Route  `json:"route"`
	Goal      string     `json:"goal_hash"`
	Prompt    string     `json:"prompt_hash"`
	Answer    string     `json:"answer_hash"`
	Calls     []run.Call `json:"tool_calls"`
	Citations []struct {
		Ref      string            `json:"ref"`
		Document corpus.DocumentID `json:"document_id"`
		Version  int               `json:"version"`
		Hash     string            `json:"excerpt_hash"`
	} `json:"citations"`
}

// entry holds what the ledger keeps of the run against the run: who, what, and the hashes of goal,
// answer, tool calls and passages.
func (y *try) entry(ctx context.Context, r *run.Run, evidence []citation.Evidence) {
	wrong := func(format string, args ...any) { y.fault(eval.Traceability, "ledger_differs", format, args...) }
	entries, err := y.chain.end(ctx, y.actor.Tenant, y.run)
	if err != nil {
		wrong("the ledger can't be read: %s", said(err))
		return
	}
	if len(entries) != r.Attempt {
		wrong("the ledger has %d entries about the end of the run, not %d", len(entries), r.Attempt)
		return
	}
	e := entries[len(entries)-1]
	var b endBody
	if err := json.Unmarshal(e.Body, &b); err != nil {
		wrong("the entry about the run can't be read")
		return
	}
	if e.Actor != string(y.actor.User) || e.Tenant != string(y.actor.Tenant) {
		wrong("the entry names %s of %s, not the one who asked", e.Actor, e.Tenant)
	}
	if b.State != r.State || b.Reason != r.Reason || b.Route != r.Route {
		wrong("the entry says %s (%s), the run %s (%s)", b.State, b.Reason, r.State, r.Reason)
	}
	if b.Goal != r.Seal.Hash(run.NameGoal, r.Goal) || b.Answer != r.Seal.Hash(run.NameAnswer, r.Answer.Text) || b.Prompt != r.PromptHash {
		wrong("the entry has other hashes of goal, prompt or answer")
	}
	if !slices.Equal(b.Calls, r.Calls) {
		wrong("the entry tells of other tool calls")
	}
	if len(b.Citations) != len(r.Answer.Refs) {
		wrong("the entry names %d citations, the answer %d", len(b.Citations), len(r.Answer.Refs))
		return
	}
	for i, c := range b.Citations {
		same := func(e citation.Evidence) bool {
			return e.Ref == c.Ref && e.Document == c.Document && e.Version == c.Version && seal.Hash(e.Nonce, e.Excerpt) == c.Hash
		}
		if c.Ref != r.Answer.Refs[i] || !slices.ContainsFunc(evidence, same) {
			wrong("the entry names another passage as [%s]", c.Ref)
		}
	}
}
