package desk

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// Position says where a reader of a run's events stands.
type Position struct {
	After int64 // sequence of the last event that the reader has
	// Over is true when that event closed the run and nothing has come after it.
	Over bool
}

// Resume checks a reader's place in the events of one of the actor's own runs. An empty id is
// the beginning. An id that is malformed, of another run, or beyond the last event is
// problem.Invalid "invalid_last_event_id".
func (d *Desk) Resume(ctx context.Context, actor access.Actor, id run.ID, last string) (Position, error) {
	r, _, err := d.deps.Journal.Run(ctx, actor.Tenant, actor.User, id)
	if err != nil || last == "" {
		return Position{}, err
	}
	n, err := event.ParseID(string(id), last)
	if err != nil || n == 0 {
		return Position{}, err
	}
	events, err := d.deps.Events.After(ctx, string(id), n-1, 2)
	if err != nil {
		return Position{}, err
	}
	if len(events) == 0 || events[0].Sequence != n {
		return Position{}, problem.New(problem.Invalid, "invalid_last_event_id", "Last-Event-ID is not the id of an event of this run.")
	}
	return Position{After: n, Over: len(events) == 1 && events[0].Type.Closes() && r.State.Final()}, nil
}

// Events returns events of one of the actor's own runs after a number, at most limit, as the
// actor may see them now: titles, excerpts and the answer's text are joined, and what leans on
// passages that are no longer readable is withheld. Closed is true when the last of them closed
// the run.
func (d *Desk) Events(ctx context.Context, actor access.Actor, id run.ID, after int64, limit int) (events []event.Event, closed bool, err error) {
	var account Account
	var (
		lost bool
		base string
	)
	err = d.within(ctx, actor, access.Request{View: access.Cited}, func(scope access.Scope) error {
		// The events are read before the run, so that a run is never older than its events.
		if _, _, err := d.deps.Journal.Run(ctx, actor.Tenant, actor.User, id); err != nil {
			return err
		}
		var err error
		if events, err = d.deps.Events.After(ctx, string(id), after, limit); err != nil || len(events) == 0 {
			return err
		}
		r, evidence, err := d.deps.Journal.Run(ctx, actor.Tenant, actor.User, id)
		if err != nil {
			return err
		}
		if base, err = d.baseOfCall(ctx, scope, r); err != nil {
			return err
		}
		rights := d.rights(scope)
		if account, err = rights.account(ctx, r, evidence); err != nil {
			return err
		}
		whole, _, err := rights.all(ctx, r, evidence)
		lost = !whole || slices.Contains(r.Notices, run.ScopeChanged)
		return err
	})
	if err != nil || len(events) == 0 {
		return nil, false, err
	}
	p := projection{account: account, lost: lost, base: base, sources: map[string]Source{}}
	for _, list := range [][]Source{account.Cited, account.Read} {
		for _, s := range list {
			p.sources[s.Ref] = s
		}
	}
	for i := range events {
		events[i].Data = p.data(events[i])
	}
	last := events[len(events)-1]
	// A closing event of an earlier attempt has others behind it.
	return events, last.Type.Closes() && last.Attempt == account.Run.Attempt && account.Run.State.Final(), nil
}

// Wait returns when a run may have events above n, or when the context ends. The caller has read
// the run's events before.
func (d *Desk) Wait(ctx context.Context, id run.ID, n int64) error {
	return d.deps.Events.Wait(ctx, string(id), n)
}

// baseOfCall returns the name of the knowledge base that a run's call is about; "" if the run holds
// none, or the actor has lost it.
func (d *Desk) baseOfCall(ctx context.Context, scope access.Scope, r *run.Run) (string, error) {
	if r.Kind != run.ForAction || len(r.Scope.Bases) != 1 {
		return "", nil
	}
	kb, err := d.deps.Bases.Base(ctx, scope, r.Scope.Bases[0])
	if problem.Is(err, problem.NotFound) {
		return "", nil
	}
	return kb.Name, err
}

func refOf(e event.Event) string {
	var data struct {
		Ref string `json:"ref"`
	}
	if json.Unmarshal(e.Data, &data) != nil {
		return ""
	}
	return data.Ref
}

// projection joins text to stored events under the rights of one moment.
type projection struct {
	account Account
	sources map[string]Source
	lost    bool   // the run found or read something that the actor may not see any more
	base    string // name of the knowledge base of a call that waits
}

// data returns an event's data as it is sent.
func (p projection) data(e event.Event) json.RawMessage {
	if p.account.Closed {
		return nameless(e)
	}
	switch e.Type {
	case event.RunCreated:
		if c := p.account.Run.Conversation; c != "" {
			return edit(e.Data, map[string]any{"conversation_id": c})
		}
	case event.SourceAdded:
		return p.source(e)
	case event.AnswerDelta:
		return p.delta(e)
	case event.ToolStarted:
		// A query may repeat what a passage said, and goes with all others of its run when that is erased.
		if p.lost {
			return edit(e.Data, map[string]any{"args": nil, "withheld": true})
		}
	case event.ToolCompleted:
		if p.lost {
			return edit(e.Data, map[string]any{"result": nil, "withheld": true})
		}
	case event.Waiting:
		if p.base != "" {
			return edit(e.Data, map[string]any{"knowledge_base": p.base})
		}
	case event.Completed:
		if p.account.Run.State == run.InsufficientEvidence {
			missing := p.account.Run.Answer.Missing
			if missing == nil {
				missing = []string{}
			}
			return edit(e.Data, map[string]any{"missing": missing})
		}
	}
	return e.Data
}

func (p projection) source(e event.Event) json.RawMessage {
	ref := refOf(e)
	s, ok := p.sources[ref]
	if !ok || s.Withheld {
		return edit(nil, map[string]any{"ref": ref, "withheld": true})
	}
	return edit(e.Data, map[string]any{
		"title": s.Title, "locator": s.Locator, "excerpt": s.Excerpt, "source_uri": s.SourceURI, "status": s.Now, "is_current": s.Now == access.StatusPublished,
	})
}

// delta joins the piece of the stored answer that a delta tells of. Once the answer is reduced,
// its places no longer hold and the text is withheld.
func (p projection) delta(e event.Event) json.RawMessage {
	var d struct {
		Offset int `json:"offset"`
		Chars  int `json:"chars"`
	}
	text := []rune(p.account.Run.Answer.Text)
	err := json.Unmarshal(e.Data, &d)
	if err != nil || p.account.Reduced || d.Offset < 0 || d.Chars < 0 || d.Offset+d.Chars > len(text) {
		return edit(e.Data, map[string]any{"withheld": true})
	}
	return edit(e.Data, map[string]any{"text": string(text[d.Offset : d.Offset+d.Chars])})
}

// edit sets members of a JSON object; nil takes one out.
func edit(raw json.RawMessage, set map[string]any) json.RawMessage {
	m := map[string]json.RawMessage{}
	if len(raw) > 0 && json.Unmarshal(raw, &m) != nil {
		return json.RawMessage(`{}`)
	}
	for k, v := range set {
		if v == nil {
			delete(m, k)
			continue
		}
		if b, err := json.Marshal(v); err == nil {
			m[k] = b
		}
	}
	b, err := json.Marshal(m)
	if err != nil {
		return json.RawMessage(`{}`)
	}
	return b
}
