package httpapi

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/httpapi/download"
	"github.com/kaoju/kaoju/internal/httpapi/strict"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/problem"
)

func itoa(n int) string { return strconv.Itoa(n) }

// documents registers the operations on documents that are there.
func (s *server) documents() {
	const one = "/api/documents/{id}"
	handle(s, operation("list-documents", http.MethodGet, "/api/knowledge-bases/{kb}/documents", "The newest version of each document", 0), s.listDocuments)
	handle(s, operation("get-document", http.MethodGet, one, "Look at a version", 0), s.getDocument)
	handle(s, operation("edit-document", http.MethodPatch, one, "Change title, access policy or labels", 0), s.editDocument)
	handle(s, operation("delete-document", http.MethodDelete, one, "Remove a version", http.StatusNoContent), s.deleteDocument)
	handle(s, operation("list-versions", http.MethodGet, one+"/versions", "All versions of the document, newest first", 0), s.listVersions)
	handle(s, operation("list-chunks", http.MethodGet, one+"/chunks", "The chunks of a version in order", 0), s.listChunks)
	handle(s, operation("get-page", http.MethodGet, one+"/pages/{file}", "A page of a PDF document, or a picture, as a picture", 0), s.getPage)
	handle(s, operation("get-drawing", http.MethodGet, one+"/drawing", "A sheet of a drawing as SVG that is made here", 0), s.getDrawing)
	handle(s, operation("get-original", http.MethodGet, one+"/original", "The original bytes", 0), s.getOriginal)
	handle(s, operation("get-preview", http.MethodGet, one+"/preview", "A stretch of a version as sanitised HTML", 0), s.getPreview)
}

// DocumentPath names a version in an address.
type DocumentPath struct {
	ID string `path:"id"`
}

func documentObject(d desk.Document) *object[api.Document] {
	return &object[api.Document]{ETag: etag(d.LockVersion), Body: wire.Document(d)}
}

func (s *server) listDocuments(ctx context.Context, actor access.Actor, in *struct {
	BasePath
	Paging
	Status      string `query:"status"`
	DocKey      string `query:"doc_key"`
	UpdatedFrom string `query:"updated_from" doc:"A day in UTC, inclusive."`
	UpdatedTo   string `query:"updated_to" doc:"A day in UTC, inclusive."`
	Source      string `query:"source" doc:"Only versions that the caller brought from this source; each names its place there."`
	ViewAs
}) (*answer[api.List[api.Document]], error) {
	from, to, fields := days(in.UpdatedFrom, in.UpdatedTo, "?updated_from", "?updated_to")
	switch access.Status(in.Status) {
	case "", access.StatusDraft, access.StatusPublished, access.StatusArchived:
	default:
		fields = append(fields, problem.Field{Pointer: "?status", Detail: "must be draft, published or archived"})
	}
	if err := refused(fields); err != nil {
		return nil, err
	}
	page, err := s.deps.Desk.Documents(ctx, actor, corpus.Filter{
		KnowledgeBase: access.KnowledgeBaseID(in.KB), Key: corpus.Key(in.DocKey), Status: access.Status(in.Status),
		UpdatedFrom: from, UpdatedTo: to, Source: in.Source, Newest: true, Limit: in.size(maxPage), After: in.Cursor,
	}, access.UserID(in.User))
	if err != nil {
		return nil, err
	}
	return &answer[api.List[api.Document]]{api.List[api.Document]{Items: wire.Each(page.Items, wire.Document), NextCursor: next(page.Next)}}, nil
}

func (s *server) getDocument(ctx context.Context, actor access.Actor, in *DocumentPath) (*object[api.Document], error) {
	d, err := s.deps.Desk.Document(ctx, actor, corpus.DocumentID(in.ID))
	if err != nil {
		return nil, err
	}
	return documentObject(d), nil
}

func (s *server) editDocument(ctx context.Context, actor access.Actor, in *struct {
	DocumentPath
	IfMatch string `header:"If-Match"`
	Body    api.DocumentChange
}) (*object[api.Document], error) {
	change := corpus.Change{Title: in.Body.Title, Labels: in.Body.Labels, LockVersion: lockOf(in.IfMatch)}
	if in.Body.AccessPolicy != nil {
		p, err := readPolicy(in.Body.AccessPolicy)
		if err != nil {
			return nil, err
		}
		change.Policy = &p
	}
	d, err := s.deps.Desk.EditDocument(ctx, actor, corpus.DocumentID(in.ID), change)
	if err != nil {
		return nil, matched(in.IfMatch, err)
	}
	return documentObject(d), nil
}

// readPolicy reads an access policy; one that is not understood must not become a wider one.
func readPolicy(b json.RawMessage) (access.Policy, error) {
	var p access.Policy
	var any any
	if strict.Decode(b, &any) != nil || any == nil || any == "" || p.UnmarshalJSON(b) != nil {
		return access.Policy{}, refused([]problem.Field{{
			Pointer: "/access_policy", Detail: `must be "inherit" or {"allow": […], "deny": […]} with principals such as user:ID, group:ID or everyone`,
		}})
	}
	return p, nil
}

func (s *server) deleteDocument(ctx context.Context, actor access.Actor, in *struct {
	DocumentPath
	IfMatch string `header:"If-Match"`
	Erase   bool   `query:"erase" doc:"Remove its bytes and text for good; for knowledge administrators."`
}) (*nothing, error) {
	remove := s.deps.Desk.DeleteDocument
	if in.Erase {
		remove = s.deps.Desk.EraseDocument
	}
	err := remove(ctx, actor, corpus.DocumentID(in.ID), lockOf(in.IfMatch))
	return nil, matched(in.IfMatch, err)
}

func (s *server) listVersions(ctx context.Context, actor access.Actor, in *DocumentPath) (*answer[api.List[api.Document]], error) {
	versions, err := s.deps.Desk.Versions(ctx, actor, corpus.DocumentID(in.ID))
	if err != nil {
		return nil, err
	}
	return &answer[api.List[api.Document]]{api.List[api.Document]{Items: wire.Each(versions, wire.Document)}}, nil
}

func (s *server) listChunks(ctx context.Context, actor access.Actor, in *struct {
	DocumentPath
	Limit  int    `query:"limit" minimum:"1" default:"1000"`
	Cursor string `query:"cursor"`
}) (*answer[api.List[api.Chunk]], error) {
	var after desk.Passed
	if in.Cursor != "" {
		if err := unseal(in.Cursor, &after); err != nil {
			return nil, err
		}
	}
	chunks, last, err := s.deps.Desk.Chunks(ctx, actor, corpus.DocumentID(in.ID), after, min(in.Limit, maxChunks))
	if err != nil {
		return nil, err
	}
	out := api.List[api.Chunk]{Items: wire.Each(chunks, wire.Chunk)}
	if last.No > 0 {
		out.NextCursor = seal(last)
	}
	return &answer[api.List[api.Chunk]]{out}, nil
}

// stream is a body that the operation writes itself.
type stream struct{ Body func(huma.Context) }

func (s *server) getOriginal(ctx context.Context, actor access.Actor, in *DocumentPath) (*stream, error) {
	doc, body, err := s.deps.Desk.Original(ctx, actor, corpus.DocumentID(in.ID))
	if err != nil {
		return nil, err
	}
	return &stream{func(hc huma.Context) {
		defer body.Close()
		_, w := humago.Unwrap(hc)
		download.Describe(w.Header(), doc)
		w.WriteHeader(http.StatusOK)
		out := newSender(w, s.deps.Pace.Write)
		defer out.settle()
		if _, err := io.Copy(out, body); err != nil {
			s.deps.Log.WarnContext(hc.Context(), "original not sent whole", "request_id", requestID(hc.Context()), "error", err)
			panic(http.ErrAbortHandler)
		}
	}}, nil
}
