package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/httpapi/fragment"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/memory"
	"github.com/kaoju/kaoju/internal/preview"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// runs registers asking and looking at what came of it.
func (s *server) runs() {
	const one = "/api/runs/{id}"
	handle(s, operation("chat", http.MethodPost, "/api/chat", "Ask, and wait for the answer or follow the run", 0), s.chat)
	handle(s, operation("create-run", http.MethodPost, "/api/runs", "Start a run", http.StatusAccepted), s.createRun)
	handle(s, operation("list-runs", http.MethodGet, "/api/runs", "The caller's own runs, newest first", 0), s.listRuns)
	handle(s, operation("get-run", http.MethodGet, one, "A run and its answer", 0), s.getRun)
	handle(s, operation("cancel-run", http.MethodPost, one+"/cancel", "Ask a run to stop", http.StatusAccepted), s.cancelRun)
	handle(s, operation("resume-run", http.MethodPost, one+"/resume", "Go on with a run that was interrupted", http.StatusAccepted), s.resumeRun)
	handle(s, operation("get-source", http.MethodGet, one+"/sources/{ref}", "A passage exactly as the run read it", 0), s.getSource)
	handle(s, operation("get-source-preview", http.MethodGet, one+"/sources/{ref}/preview", "A passage exactly as the run read it, as sanitised HTML", 0), s.getSourcePreview)
}

// RunPath names a run in an address.
type RunPath struct {
	ID string `path:"id"`
}

// chat asks. Only the run's id is remembered for an idempotency key: what is answered is what
// the caller may see now.
func (s *server) chat(ctx context.Context, actor access.Actor, in *struct {
	Accept string `header:"Accept"`
	Key    string `header:"Idempotency-Key"`
	Body   api.ChatRequest
}) (*stream, error) {
	q := in.Body
	req, err := s.request(api.RunRequest{
		Goal: q.Question, ConversationID: q.ConversationID, KnowledgeBaseIDs: q.KnowledgeBaseIDs, DocKey: q.DocKey,
		UpdatedFrom: q.UpdatedFrom, UpdatedTo: q.UpdatedTo, Route: q.Route, AllowRulesFallback: q.AllowRulesFallback, AsOf: q.AsOf,
	})
	if err != nil {
		return nil, err
	}
	id, err := once(ctx, s.keys, errandOf(actor, "chat", in.Key, in.Body), s.start(actor, req), func(r idempotency.Receipt) (run.ID, error) {
		return run.ID(r.ID), nil
	})
	if err != nil {
		return nil, asQuestion(err)
	}
	if prefers(in.Accept, "text/event-stream") {
		return &stream{func(hc huma.Context) { s.follow(hc, actor, id, 0) }}, nil
	}
	if err := s.deps.Runner.Await(ctx, actor, id); err != nil {
		return nil, err
	}
	account, err := s.deps.Desk.Run(ctx, actor, id)
	if err != nil {
		return nil, err
	}
	out := wire.Answer(account)
	if err := wire.NameBases(ctx, s.deps.Desk, actor, out.Conflicts, out.Citations); err != nil {
		return nil, err
	}
	return &stream{func(hc huma.Context) {
		_, w := humago.Unwrap(hc)
		writeJSON(w, http.StatusOK, out)
	}}, nil
}

// writeJSON writes a body that the framework does not.
func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	// The client has gone if this fails; there is nobody to tell.
	_ = enc.Encode(v)
}

// prefers reports whether an Accept header names a media type and does not refuse it.
func prefers(accept, mediaType string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		name, params, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(name), mediaType) && strings.ReplaceAll(params, " ", "") != "q=0" {
			return true
		}
	}
	return false
}

// asQuestion gives the wrong field of a question the name that it has in a chat.
func asQuestion(err error) error {
	var e *problem.Error
	if !errors.As(err, &e) {
		return err
	}
	own := *e
	own.Fields = slices.Clone(e.Fields)
	for i, f := range own.Fields {
		if f.Pointer == "/goal" {
			own.Fields[i].Pointer = "/question"
		}
	}
	return &own
}

// request reads what a run is asked for. A question that names no conversation begins one, which the
// answer names, so that the next question can go on in it.
func (s *server) request(b api.RunRequest) (agent.Request, error) {
	from, to, fields := days(b.UpdatedFrom, b.UpdatedTo, "/updated_from", "/updated_to")
	past, wrong := s.asOf(b.AsOf)
	if err := refused(append(fields, wrong...)); err != nil {
		return agent.Request{}, err
	}
	if b.ConversationID == "" {
		b.ConversationID = memory.Begin()
	}
	return agent.Request{
		Kind: run.Kind(b.Kind), Goal: b.Goal, Conversation: b.ConversationID, Bases: baseIDs(b.KnowledgeBaseIDs),
		DocKey: b.DocKey, UpdatedFrom: from, UpdatedTo: to, Route: run.Route(b.Route), RulesFallback: b.AllowRulesFallback, AsOf: past,
	}, nil
}

func (s *server) createRun(ctx context.Context, actor access.Actor, in *struct {
	Key  string `header:"Idempotency-Key"`
	Body api.RunRequest
}) (*answer[api.Started], error) {
	if in.Body.Kind == "" {
		return nil, refused([]problem.Field{{Pointer: "/kind", Detail: "must be answer or draft"}})
	}
	req, err := s.request(in.Body)
	if err != nil {
		return nil, err
	}
	return once(ctx, s.keys, errandOf(actor, "create-run", in.Key, in.Body), s.start(actor, req), func(r idempotency.Receipt) (*answer[api.Started], error) {
		return &answer[api.Started]{api.Started{RunID: r.ID, State: string(run.Queued)}}, nil
	})
}

// start is the work of a request that starts a run.
func (s *server) start(actor access.Actor, req agent.Request) func(context.Context) (idempotency.Receipt, error) {
	return func(ctx context.Context) (idempotency.Receipt, error) {
		id, err := s.deps.Runner.Start(ctx, actor, req)
		return idempotency.Receipt{ID: string(id)}, err
	}
}

// states are those that a run can be in.
var states = []run.State{
	run.Queued, run.Running, run.Waiting, run.Cancelling, run.Completed, run.AwaitingReview, run.InsufficientEvidence,
	run.Refused, run.Failed, run.Cancelled, run.Interrupted,
}

func (s *server) listRuns(ctx context.Context, actor access.Actor, in *struct {
	Paging
	Conversation string `query:"conversation_id"`
	State        string `query:"state"`
}) (*answer[api.List[api.Run]], error) {
	if in.State != "" && !slices.Contains(states, run.State(in.State)) {
		return nil, refused([]problem.Field{{Pointer: "?state", Detail: "must be one of " + strings.Join(wire.Texts(states), ", ")}})
	}
	page, err := s.deps.Desk.Runs(ctx, actor, run.Filter{
		Conversation: in.Conversation, State: run.State(in.State), Limit: in.size(maxPage), After: in.Cursor,
	})
	if err != nil {
		return nil, err
	}
	return &answer[api.List[api.Run]]{api.List[api.Run]{Items: wire.Each(page.Items, wire.Run), NextCursor: next(page.Next)}}, nil
}

func (s *server) getRun(ctx context.Context, actor access.Actor, in *RunPath) (*answer[api.Run], error) {
	account, err := s.deps.Desk.Run(ctx, actor, run.ID(in.ID))
	if err != nil {
		return nil, err
	}
	out := wire.Run(account)
	if err := wire.NameBases(ctx, s.deps.Desk, actor, out.Conflicts, out.Citations, out.ReadNotCited); err != nil {
		return nil, err
	}
	return &answer[api.Run]{out}, nil
}

func (s *server) cancelRun(ctx context.Context, actor access.Actor, in *RunPath) (*answer[api.Started], error) {
	r, err := s.deps.Runner.Cancel(ctx, actor, run.ID(in.ID))
	if err != nil {
		return nil, err
	}
	return &answer[api.Started]{api.Started{RunID: string(r.ID), State: string(r.State)}}, nil
}

// resumeRun needs no idempotency key: of two resumes one wins, and the other learns that the run is
// under way.
func (s *server) resumeRun(ctx context.Context, actor access.Actor, in *RunPath) (*answer[api.Started], error) {
	r, err := s.deps.Runner.Resume(ctx, actor, run.ID(in.ID))
	if err != nil {
		return nil, err
	}
	return &answer[api.Started]{api.Started{RunID: string(r.ID), State: string(r.State)}}, nil
}

func (s *server) getSource(ctx context.Context, actor access.Actor, in *struct {
	RunPath
	Ref string `path:"ref"`
}) (*answer[api.Source], error) {
	opened, err := s.deps.Desk.Source(ctx, actor, run.ID(in.ID), in.Ref)
	if err != nil {
		return nil, err
	}
	return &answer[api.Source]{wire.Source(opened)}, nil
}

func (s *server) getSourcePreview(ctx context.Context, actor access.Actor, in *struct {
	RunPath
	Ref       string `path:"ref"`
	NoneMatch string `header:"If-None-Match"`
}) (*stream, error) {
	html, err := s.deps.Desk.Excerpt(ctx, actor, run.ID(in.ID), in.Ref)
	if err != nil {
		return nil, err
	}
	return s.whole([]byte(html), func(h http.Header) bool { return fragment.Describe(h, "", preview.Fragment{HTML: html}, in.NoneMatch) }), nil
}
