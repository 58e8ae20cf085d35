package httpapi

import (
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/kaoju/kaoju/api"
)

// describe completes the OpenAPI description with what Go types cannot say: the form of an
// upload, bodies that operations write themselves, absent and null members.
func (s *server) describe() {
	doc := s.api.OpenAPI()
	schemas := doc.Components.Schemas
	ref := func(v any) *huma.Schema { return schemas.Schema(reflect.TypeOf(v), true, "") }
	answers := func(op *huma.Operation, status, detail string, content map[string]*huma.Schema) {
		r := &huma.Response{Description: detail}
		for media, schema := range content {
			if r.Content == nil {
				r.Content = map[string]*huma.MediaType{}
			}
			r.Content[media] = &huma.MediaType{Schema: schema}
		}
		op.Responses[status] = r
	}
	text, binary := &huma.Schema{Type: "string"}, &huma.Schema{Type: "string", Format: "binary"}
	answers(doc.Paths["/api/chat"].Post, "200", "The answer, or the run's events",
		map[string]*huma.Schema{"application/json": ref(api.Answer{}), "text/event-stream": text})
	events := doc.Paths["/api/runs/{id}/events"].Get
	answers(events, "200", "The run's events",
		map[string]*huma.Schema{"application/json": ref(api.List[api.Event]{}), "text/event-stream": text})
	answers(events, "204", "The run is over and the client has all of its events", nil)
	answers(doc.Paths["/api/documents/{id}/original"].Get, "200", "The original bytes", map[string]*huma.Schema{"*/*": binary})
	seen := doc.Paths["/api/documents/{id}/preview"].Get
	answers(seen, "200", "The stretch. `Link` names those before and after it, and in a book the chapters.", map[string]*huma.Schema{"text/html": text})
	answers(seen, "304", "The client has it already", nil)
	page := doc.Paths["/api/documents/{id}/pages/{file}"].Get
	answers(page, "200", "The page", map[string]*huma.Schema{"image/png": binary})
	answers(page, "304", "The client has it already", nil)
	drawing := doc.Paths["/api/documents/{id}/drawing"].Get
	answers(drawing, "200", "The sheet", map[string]*huma.Schema{"image/svg+xml": text})
	answers(drawing, "304", "The client has it already", nil)
	answers(doc.Paths["/api/ledger/export"].Get, "200", "The log in lines, and its signed end", map[string]*huma.Schema{"application/x-ndjson": {Type: "string"}})
	answers(doc.Paths["/api/runs/{id}/bundle"].Get, "200", "The evidence bundle", map[string]*huma.Schema{"application/json": {Type: "object"}})
	doc.Paths["/api/runs/{id}/resume"].Post.Description = "409 `not_resumable` for a run that was not interrupted. " +
		"409 `model_missing` for one that began with a model where none is configured now, unless it asked for `allow_rules_fallback`: " +
		"it stays interrupted, and can be resumed where a model is."
	doc.Paths["/api/documents/{id}/chunks"].Get.Description = "409 `chunks_renewed` for a cursor whose version was cut anew since: list it from the beginning. " +
		"Its text, and places in it, are as they were."
	for _, path := range []string{"/api/drafts/{id}/export", "/api/runs/{id}/export"} {
		doc.Paths[path].Get.Description = "409 `record_changed` for what is stored otherwise than the ledger tells: a file could not say so."
		answers(doc.Paths[path].Get, "200", "The document", map[string]*huma.Schema{"*/*": binary})
	}
	upload := doc.Paths["/api/knowledge-bases/{kb}/documents"].Post
	answers(upload, "200", "The newest version has these bytes already", map[string]*huma.Schema{"application/json": ref(api.Upload{})})
	upload.RequestBody = uploadBody()
	for _, path := range []string{"/healthz", "/readyz"} {
		answers(doc.Paths[path].Get, "503", "Not now", map[string]*huma.Schema{"application/json": ref(api.Health{})})
	}
	all := schemas.Map()
	all["Citation"].Required = []string{"label"}
	nullable(all["Job"], "error")
	nullable(all["JobContent"], "error")
	all["Proposal"].Required = []string{"proposal_id", "approval_id", "kind", "run_id", "document_id", "status", "created_at", "expires_at"}
	for name, members := range map[string][]string{
		"Proposal": {"summary", "difference"}, "ProposalSummary": {"from"}, "DiffSection": {"from_span", "to_span"}, "Current": {"span"},
		"Checkpoint": {"consistency"}, "Why": {"proof", "integrity"}, "Run": {"integrity"}, "Draft": {"integrity"},
	} {
		for _, member := range members {
			nullable(all[name], member)
		}
	}
	requireAll(doc, all)
}

// nullable lets a member that refers to another schema be null.
func nullable(s *huma.Schema, name string) {
	s.Properties[name] = &huma.Schema{OneOf: []*huma.Schema{s.Properties[name], {Type: "null"}}}
}

// requireAll gives every operation the answer to a missing token.
func requireAll(doc *huma.OpenAPI, all map[string]*huma.Schema) {
	if all["Problem"] == nil {
		return
	}
	problem := map[string]*huma.MediaType{"application/problem+json": {Schema: &huma.Schema{Ref: "#/components/schemas/Problem"}}}
	for _, item := range doc.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op == nil {
				continue
			}
			op.Responses["default"] = &huma.Response{Description: "Error", Content: problem}
			if len(op.Security) > 0 {
				op.Responses["401"] = &huma.Response{Description: http.StatusText(http.StatusUnauthorized), Content: problem}
			}
		}
	}
}

// uploadBody describes the form of an upload.
func uploadBody() *huma.RequestBody {
	text := func(description string) *huma.Schema { return &huma.Schema{Type: "string", Description: description} }
	return &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{
		Type: "object", Required: []string{"file"}, AdditionalProperties: false,
		Properties: map[string]*huma.Schema{
			"file":          {Type: "string", Format: "binary"},
			"id":            text("Chosen by the client, or left to the server."),
			"doc_key":       text("Identity across versions; the file's name if it is not given."),
			"title":         text("The document's own title if it is not given."),
			"status":        {Type: "string", Enum: []any{"draft", "published"}},
			"access_policy": text(`"inherit", or JSON: {"allow": […], "deny": […]}.`),
			"source_uri":    text("Where the original came from."),
			"source":        text("What the file is from, such as a folder that is followed, under a name of the caller's own."),
			"source_path":   text("The place of the file in its source."),
			"adopt":         {Type: "string", Enum: []any{"yes", "no"}, Description: "yes: the source is to have the key though all its versions came another way; else that is refused."},
		},
	}}}}
}
