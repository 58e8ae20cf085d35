package desk

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// named is what the body of an entry says of documents. History says what was read, archived what another
// version took the place of.
type named struct {
	Document  corpus.DocumentID      `json:"document"`
	History   corpus.DocumentID      `json:"document_id"`
	Documents []corpus.DocumentID    `json:"documents"`
	Archived  []corpus.DocumentID    `json:"archived"`
	Base      access.KnowledgeBaseID `json:"knowledge_base"`
	Citations []citedIn              `json:"citations"`
	Cited     []citedIn              `json:"cited"`
}

type citedIn struct {
	Ref        string            `json:"ref"`
	DocumentID corpus.DocumentID `json:"document_id"`
	Document   corpus.DocumentID `json:"document"`
}

// entries returns entries of a log as the actor may see them now. The ledger names documents by design,
// for auditors. Everybody else is shown their own entries without
// what they may not see any more: what an answer or a draft cites one by one, and of anything else that
// names a lost document the whole body.
func (d *Desk) entries(ctx context.Context, actor access.Actor, name ledger.Name, list ...ledger.Entry) (out []ledger.Entry, err error) {
	if name.Person == "" {
		return list, nil
	}
	err = d.within(ctx, actor, access.Request{View: access.Cited}, func(scope access.Scope) error {
		out = out[:0]
		rights := d.rights(scope)
		for _, e := range list {
			e, err := rights.entry(ctx, e)
			if err != nil {
				return err
			}
			out = append(out, e)
		}
		return nil
	})
	return out, err
}

// entry returns an entry of the actor's own without what the actor may not see any more.
func (r *rights) entry(ctx context.Context, e ledger.Entry) (ledger.Entry, error) {
	var body named
	unread := json.Unmarshal(e.Body, &body)
	if unread != nil { // what can't be judged is not shown
		e = silent(e)
		return e, nil //nolint:nilerr // it is a body of another form, and no failure
	}
	for _, id := range slices.Concat([]corpus.DocumentID{body.Document, body.History}, body.Documents, body.Archived) {
		if id == "" {
			continue
		}
		lost, err := r.lost(ctx, id)
		if err != nil {
			return e, err
		}
		// Whoever may change a base knows what became of its documents, deleted ones too.
		if lost && (body.Base == "" || r.scope.Level(body.Base) < access.Editor) {
			return silent(e), nil
		}
	}
	lost := map[string]bool{}
	for _, list := range [][]citedIn{body.Citations, body.Cited} {
		for _, c := range list {
			id := c.DocumentID
			if id == "" {
				id = c.Document
			}
			gone, err := r.lost(ctx, id)
			if err != nil {
				return e, err
			}
			lost[c.Ref] = lost[c.Ref] || gone
		}
	}
	out, _ := e.Withholding(func(ref string) bool { return lost[ref] })
	return out, nil
}

// lost reports whether the actor may see nothing of a version any more, in no view.
func (r *rights) lost(ctx context.Context, id corpus.DocumentID) (bool, error) {
	if doc, err := r.document(ctx, id); doc != nil || err != nil {
		return false, err
	}
	for _, view := range []access.View{access.Content, access.Catalog} {
		_, err := r.desk.deps.Catalog.Document(ctx, r.scope.Viewing(view), id)
		if err == nil || !problem.Is(err, problem.NotFound) {
			return false, err
		}
	}
	return true, nil
}

// silent is an entry of which nothing is shown but that it is there.
func silent(e ledger.Entry) ledger.Entry {
	e.Body = json.RawMessage(`{"withheld":true}`)
	return e
}
