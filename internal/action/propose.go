package action

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
)

// Wish is what a person asks for: a tool, its arguments, and the run whose answer is the evidence.
type Wish struct {
	Tool string
	Args json.RawMessage
	Run  run.ID
}

// ReadWish takes a request apart: the tool's arguments with run_id among them, or run_id beside one
// member arguments that holds them. What can't be taken apart is left for the checks to refuse.
func ReadWish(name string, body []byte) Wish {
	w := Wish{Tool: name, Args: body}
	var members map[string]json.RawMessage
	if tool.Strict(body) != nil || json.Unmarshal(body, &members) != nil {
		return w
	}
	if raw, ok := members["run_id"]; ok && json.Unmarshal(raw, &w.Run) == nil {
		delete(members, "run_id")
	}
	if inner, ok := members["arguments"]; ok && len(members) == 1 {
		w.Args = inner
		return w
	}
	if rest, err := json.Marshal(members); err == nil {
		w.Args = rest
	}
	return w
}

// Summary is what a card says of a call, made by the server: metadata that is no text of any
// document.
type Summary struct {
	V          int               `json:"v"` // of this form: 1
	DocumentID corpus.DocumentID `json:"document_id"`
	Version    int               `json:"version"`
	// Checksum and Size are empty for a sensitive read, of which nothing more than the version is told.
	Checksum corpus.Checksum `json:"checksum,omitempty"`
	Size     int64           `json:"size,omitempty"`
	Effect   approval.Effect `json:"effect"`
	Host     string          `json:"host"`
	// Stripped counts the identity fields that were taken out of the arguments.
	Stripped int `json:"stripped"`
}

// Propose checks a wish and keeps it as a proposal that waits for the person's decision. What needs
// no decision has been approved, and may have to be carried out.
//
// The refusals, in the order of the checks: tool_not_allowed, permission_denied, invalid_json or
// invalid_arguments, not_found for a document that is not there for the person, version_conflict,
// and for the evidence not_found or insufficient_evidence.
func (e *Engine) Propose(ctx context.Context, actor access.Actor, w Wish) (approval.Proposal, error) {
	out := e.executor.Check(ctx, actor, e.names, w.Tool, w.Args)
	if actor.Service && out.Spec.Name != "" {
		out.Failure = &tool.Failure{Code: tool.PermissionDenied, Detail: "A service account proposes nothing: a person does."}
	}
	if out.Failure != nil {
		if out.Failure.Code == tool.PermissionDenied { // The name is one of ours then, and no text of a stranger's.
			e.deps.Log.Warn("a call was refused", "tenant", actor.Tenant, "actor", actor.User, "tool", w.Tool, "code", out.Failure.Code)
		}
		return approval.Proposal{}, refusal(out.Failure)
	}
	t := e.tools[out.Spec.Name]
	var args arguments
	if err := json.Unmarshal(out.Args, &args); err != nil {
		return approval.Proposal{}, problem.New(problem.Invalid, string(tool.InvalidArguments), "The arguments do not fit the tool.")
	}
	p := e.proposal(t, args, out.Args)
	var err error
	if p.Call.Owner, err = e.owner(ctx, actor, args); err != nil {
		return approval.Proposal{}, err
	}
	err = access.Within(ctx, e.deps.Directory, actor, access.Request{}, func(scope access.Scope) error {
		doc, err := e.current(ctx, scope, t, args.Object, args.Version)
		if err != nil {
			return err
		}
		if p.Call.Evidence, err = e.evidence(ctx, actor, t, doc, w.Run); err != nil {
			return err
		}
		card := Summary{V: 1, DocumentID: doc.ID, Version: doc.Version, Effect: t.Effect, Host: t.Host, Stripped: len(out.Stripped)}
		if t.spec.Sensitivity != tool.SensitiveRead {
			card.Checksum, card.Size = doc.Checksum, doc.Size
		}
		if p.Summary, err = json.Marshal(card); err != nil {
			return err
		}
		p, err = e.deps.Book.Propose(ctx, scope, p)
		return err
	})
	if err != nil {
		return approval.Proposal{}, err
	}
	return p, nil
}

// arguments are those that the engine itself understands.
type arguments struct {
	Object  string `json:"object_id"`
	Version string `json:"version"`
	Owner   any    `json:"owner"`
}

// owner is the person whom a call is for: one of the tenant who is neither suspended nor a service.
// What is said of anybody else is text of the arguments, and gives nobody a right, now or when
// somebody of that id comes.
func (e *Engine) owner(ctx context.Context, actor access.Actor, args arguments) (access.UserID, error) {
	name, named := args.Owner.(string)
	if !named || access.UserID(name) == actor.User {
		return access.UserID(name), nil
	}
	if !access.ValidID(name) {
		return "", nil
	}
	s, err := e.deps.Directory.Snapshot(ctx, actor.Tenant, access.UserID(name))
	if problem.Is(err, problem.NotFound) {
		return "", nil
	}
	if err != nil || s.Identity.Suspended || s.Identity.Service {
		return "", err
	}
	return access.UserID(name), nil
}

// proposal is a call as it will be proposed, without what the store fills in and whom it is for.
func (e *Engine) proposal(t declared, args arguments, raw json.RawMessage) approval.Proposal {
	id := strings.ToLower(rand.Text())
	p := approval.Proposal{
		ID: approval.ID("prop_" + id), Run: "run_" + id, Kind: approval.CallTool, Document: args.Object,
		Call: &approval.Call{
			Tool: t.spec.Name, Sensitivity: string(t.spec.Sensitivity), Args: raw, SpecHash: t.hash, Role: t.spec.Role, Level: t.Level,
			Effect: t.Effect, Automatic: e.automatic(t.spec.Sensitivity),
		},
	}
	return p
}

// automatic reports whether calls of a sensitivity run without a decision.
func (e *Engine) automatic(s tool.Sensitivity) bool {
	return s == tool.Read || s == tool.SensitiveRead && !e.deps.Confirm
}

// current finds the version that a call is about. It must be the one in force, and the one that the
// caller thinks it is.
func (e *Engine) current(ctx context.Context, scope access.Scope, t declared, id, version string) (corpus.Document, error) {
	doc, err := e.deps.Catalog.Document(ctx, scope, corpus.DocumentID(id))
	if err != nil {
		return corpus.Document{}, err
	}
	if scope.Level(doc.KnowledgeBase) < t.Level {
		return corpus.Document{}, problem.Missing()
	}
	if version != strconv.Itoa(doc.Version) {
		return corpus.Document{}, problem.New(problem.Conflict, "version_conflict", "The document's version in force is another one; read it again.")
	}
	return doc, nil
}

// evidence checks that a run suffices as evidence for acting on a version: it is the person's own,
// it was completed with an accepted answer, and that answer cites this very version, which the
// person may read now. It returns the run, or "" for a tool that needs none.
func (e *Engine) evidence(ctx context.Context, actor access.Actor, t declared, doc corpus.Document, id run.ID) (string, error) {
	if id == "" && !t.Evidence {
		return "", nil
	}
	if id == "" {
		return "", insufficient("name the run whose answer is the evidence for it, as run_id.")
	}
	r, found, err := e.deps.Journal.Run(ctx, actor.Tenant, actor.User, id)
	if err != nil {
		return "", err
	}
	if why := unanswered(r); why != "" {
		return "", insufficient(why)
	}
	for _, s := range found {
		if s.Document == doc.ID && s.Version == doc.Version && r.Cited(s.Ref) && sound(s) {
			return string(id), nil
		}
	}
	return "", insufficient("no answer of the run cites this version of the document.")
}

// sound reports whether a source is still what was read; one that was erased is not.
func sound(s citation.Evidence) bool { return s.Excerpt != "" }

// unanswered says why a run holds no answer that somebody could act on; "" if it holds one. A draft is a
// text for its author to check, and stays one when it was saved.
func unanswered(r *run.Run) string {
	switch {
	case r.Kind.Decides():
		return "this run holds a proposal, and answers nothing. Name a run that answered a question."
	case r.State == run.AwaitingReview:
		return "this run wrote a draft, which awaits review and is no answer. Ask the question, and name the run that answers it."
	case !r.State.Final():
		return "this run has not ended yet."
	case r.State == run.Interrupted:
		return "this run was interrupted. Resume it, or ask anew."
	case r.State != run.Completed || r.Reason != run.Success:
		return "this run ended without an accepted answer. Ask anew, and name the run that answers."
	}
	return ""
}

func insufficient(why string) error {
	return problem.New(problem.Invalid, "insufficient_evidence", "The evidence does not suffice: %s", why)
}

// refusal turns a failure of the executor's checks into an error of the product.
func refusal(f *tool.Failure) error {
	kind := problem.Unavailable
	switch f.Code {
	case tool.NotAllowed, tool.PermissionDenied:
		kind = problem.Denied
	case tool.InvalidJSON, tool.InvalidArguments:
		kind = problem.Invalid
	}
	e := problem.Wrap(f.Err, kind, string(f.Code), "%s", f.Detail)
	if f.Pointer != "" {
		e.Fields = []problem.Field{{Pointer: f.Pointer, Detail: f.Detail}}
	}
	return e
}

// Pin hashes all that a person who agrees to a call leans on. A tool that was declared anew with
// anything of it changed is another tool, and what was agreed does not hold for it.
func Pin(t Declaration) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s %t %s %q %q %t", t.Tool.Spec().Hash(), max(t.Level, access.Reader), t.Evidence, t.Effect, t.Host, t.Address, t.Repeatable)
	return hex.EncodeToString(h.Sum(nil))
}
