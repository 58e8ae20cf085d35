package httpapi

import (
	"context"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/export"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// drafts registers saving, editing and exporting what runs wrote, and saying what it is worth.
func (s *server) drafts() {
	const one = "/api/drafts/{id}"
	handle(s, operation("save-draft", http.MethodPost, "/api/runs/{id}/draft", "Save the draft of a run that awaits review", http.StatusCreated), s.saveDraft)
	handle(s, operation("list-drafts", http.MethodGet, "/api/drafts", "The caller's own drafts, newest first", 0), s.listDrafts)
	handle(s, operation("get-draft", http.MethodGet, one, "A draft with its sources and checks", 0), s.getDraft)
	handle(s, operation("edit-draft", http.MethodPut, one, "Save the next version of a draft", 0), s.editDraft)
	handle(s, operation("list-draft-versions", http.MethodGet, one+"/versions", "All versions of a draft, newest first", 0), s.listDraftVersions)
	handle(s, operation("export-draft", http.MethodGet, one+"/export", "A draft as a document with footnotes", 0), s.exportDraft)
	handle(s, operation("export-run", http.MethodGet, "/api/runs/{id}/export", "An answer as a document with footnotes", 0), s.exportRun)
	s.feedback()
}

// DraftPath names a draft in an address.
type DraftPath struct {
	ID string `path:"id"`
}

// DraftVersionPath names a version of a draft.
type DraftVersionPath struct {
	DraftPath
	Version int `query:"version" minimum:"0" doc:"A version; the newest if it is not given."`
}

// saveDraft saves what a run put up for review. The key is needed, so that a client which asks again
// cannot save twice.
func (s *server) saveDraft(ctx context.Context, actor access.Actor, in *struct {
	RunPath
	Key  string `header:"Idempotency-Key" doc:"Needed here: the same key saves once."`
	Body api.SaveDraft
}) (*answer[api.SavedDraft], error) {
	id := run.ID(in.ID)
	if in.Key == "" {
		// Whose run it is comes first: what is missing is nobody's business but the owner's.
		if _, err := s.deps.Desk.Run(ctx, actor, id); err != nil {
			return nil, err
		}
		return nil, problem.New(problem.Invalid, "idempotency_key_required", "Saving a draft needs the header Idempotency-Key.")
	}
	request := struct {
		Run  string
		Body api.SaveDraft
	}{in.ID, in.Body}
	return once(ctx, s.keys, errandOf(actor, "save-draft", in.Key, request), func(ctx context.Context) (idempotency.Receipt, error) {
		d, err := s.deps.Desk.SaveDraft(ctx, actor, id, desk.DraftChange{
			Title: in.Body.Title, Body: in.Body.Body, Base: in.Body.BaseVersion, DiscardWithheld: in.Body.DiscardWithheld,
		})
		return idempotency.Receipt{ID: string(d.ID), Version: d.No}, err
	}, func(r idempotency.Receipt) (*answer[api.SavedDraft], error) {
		return &answer[api.SavedDraft]{api.SavedDraft{DraftID: r.ID, Version: r.Version}}, nil
	})
}

func (s *server) listDrafts(ctx context.Context, actor access.Actor, in *Paging) (*answer[api.List[api.DraftVersion]], error) {
	page, err := s.deps.Desk.Drafts(ctx, actor, draft.Filter{Limit: in.size(maxPage), After: in.Cursor})
	if err != nil {
		return nil, err
	}
	return &answer[api.List[api.DraftVersion]]{api.List[api.DraftVersion]{Items: wire.Each(page.Items, wire.DraftVersion), NextCursor: next(page.Next)}}, nil
}

func (s *server) getDraft(ctx context.Context, actor access.Actor, in *DraftVersionPath) (*object[api.Draft], error) {
	v, err := s.deps.Desk.Draft(ctx, actor, draft.ID(in.ID), in.Version)
	if err != nil {
		return nil, err
	}
	return s.draftObject(ctx, actor, v)
}

func (s *server) listDraftVersions(ctx context.Context, actor access.Actor, in *DraftPath) (*answer[api.List[api.DraftVersion]], error) {
	list, err := s.deps.Desk.DraftVersions(ctx, actor, draft.ID(in.ID))
	if err != nil {
		return nil, err
	}
	return &answer[api.List[api.DraftVersion]]{api.List[api.DraftVersion]{Items: wire.Each(list, wire.DraftVersion)}}, nil
}

// editDraft takes the version last seen as the entity tag, and refuses an edit without one: it would
// overwrite what its maker has not read.
func (s *server) editDraft(ctx context.Context, actor access.Actor, in *struct {
	DraftPath
	IfMatch string `header:"If-Match" doc:"Needed here: the ETag of the version last seen, or *."`
	Body    api.DraftChange
}) (*object[api.Draft], error) {
	base := lockOf(in.IfMatch)
	if base < 0 || in.IfMatch == "" {
		if _, err := s.deps.Desk.Draft(ctx, actor, draft.ID(in.ID), 0); err != nil {
			return nil, err
		}
		if in.IfMatch == "" {
			return nil, problem.New(problem.Invalid, "precondition_required", "Editing a draft needs the header If-Match with the ETag of the version last seen.")
		}
		return nil, unmet()
	}
	v, err := s.deps.Desk.EditDraft(ctx, actor, draft.ID(in.ID), desk.DraftChange{
		Title: in.Body.Title, Body: in.Body.Body, Base: base, DiscardWithheld: in.Body.DiscardWithheld,
	})
	if problem.CodeOf(err) == "version_conflict" {
		return nil, unmet()
	}
	if err != nil {
		return nil, err
	}
	return s.draftObject(ctx, actor, v)
}

func (s *server) exportDraft(ctx context.Context, actor access.Actor, in *struct {
	DraftVersionPath
	Format string `query:"format" doc:"markdown, docx or pdf; markdown if it is not given."`
}) (*stream, error) {
	d, err := s.deps.Desk.ExportDraft(ctx, actor, draft.ID(in.ID), in.Version)
	if err != nil {
		return nil, err
	}
	return file(d, in.Format)
}

func (s *server) exportRun(ctx context.Context, actor access.Actor, in *struct {
	RunPath
	Format string `query:"format" doc:"markdown, docx or pdf; markdown if it is not given."`
}) (*stream, error) {
	d, err := s.deps.Desk.ExportRun(ctx, actor, run.ID(in.ID))
	if err != nil {
		return nil, err
	}
	return file(d, in.Format)
}

// file is a document as a download.
func file(d export.Document, format string) (*stream, error) {
	if format == "" {
		format = string(export.AsMarkdown)
	}
	f := export.FormatOf(format)
	if string(f) != format {
		return nil, refused([]problem.Field{{Pointer: "?format", Detail: "must be markdown, docx or pdf"}})
	}
	raw, err := export.Write(d, f)
	if err != nil {
		return nil, err
	}
	media, ending := f.Media()
	return &stream{func(hc huma.Context) {
		_, w := humago.Unwrap(hc)
		h := w.Header()
		h.Set("Content-Type", media)
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": titleName(d.Title) + ending}))
		h.Set("Content-Length", strconv.Itoa(len(raw)))
		w.WriteHeader(http.StatusOK)
		// The client has gone if this fails; there is nobody to tell.
		_, _ = w.Write(raw)
	}}, nil
}

// titleName makes the name of a file of a title.
func titleName(title string) string {
	name := []rune(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, title))
	name = name[:min(len(name), 80)]
	if out := strings.Trim(string(name), " ._"); out != "" {
		return out
	}
	return "kaoju"
}

func (s *server) draftObject(ctx context.Context, actor access.Actor, v desk.DraftView) (*object[api.Draft], error) {
	out := wire.Draft(v)
	if err := wire.NameBases(ctx, s.deps.Desk, actor, nil, out.Citations); err != nil {
		return nil, err
	}
	return &object[api.Draft]{ETag: etag(v.No), Body: out}, nil
}
