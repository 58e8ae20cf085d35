package api

import (
	"context"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
)

// Ready reports whether the server can work.
func (c *Client) Ready(ctx context.Context) error {
	return c.do(ctx, call{method: http.MethodGet, path: "/readyz"}, nil)
}

// Me returns who the token belongs to.
func (c *Client) Me(ctx context.Context) (out Me, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("me")}, &out)
}

// System returns what the server runs with.
func (c *Client) System(ctx context.Context) (out System, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("system")}, &out)
}

// CreateKnowledgeBase makes a knowledge base that the caller manages. The key may be empty.
func (c *Client) CreateKnowledgeBase(ctx context.Context, in NewKnowledgeBase, key string) (out KnowledgeBase, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: place("knowledge-bases"), body: in, header: once(key)}, &out)
}

// KnowledgeBases lists what the caller may read.
func (c *Client) KnowledgeBases(ctx context.Context, p Page) (out List[KnowledgeBase], err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("knowledge-bases"), query: p.values()}, &out)
}

// KnowledgeBasesAs lists those that the caller, a tenant administrator, and another user may both read.
func (c *Client) KnowledgeBasesAs(ctx context.Context, user string, p Page) (out List[KnowledgeBase], err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("knowledge-bases"), query: p.values("view_as", user)}, &out)
}

// KnowledgeBase returns one knowledge base.
func (c *Client) KnowledgeBase(ctx context.Context, kb string) (out KnowledgeBase, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("knowledge-bases", kb)}, &out)
}

// EditKnowledgeBase changes name or publishing. The ETag may be empty.
func (c *Client) EditKnowledgeBase(ctx context.Context, kb string, in KnowledgeBaseChange, etag string) (out KnowledgeBase, err error) {
	return out, c.do(ctx, call{method: http.MethodPatch, path: place("knowledge-bases", kb), body: in, header: matching(etag)}, &out)
}

// DeleteKnowledgeBase removes a knowledge base with its documents. The ETag may be empty.
func (c *Client) DeleteKnowledgeBase(ctx context.Context, kb, etag string) error {
	return c.do(ctx, call{method: http.MethodDelete, path: place("knowledge-bases", kb), header: matching(etag)}, nil)
}

// Grants returns the grants of a knowledge base that the caller manages.
func (c *Client) Grants(ctx context.Context, kb string) (out Grants, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("knowledge-bases", kb, "grants")}, &out)
}

// SetGrants replaces the grants. The ETag may be empty.
func (c *Client) SetGrants(ctx context.Context, kb string, in Grants, etag string) (out Grants, err error) {
	return out, c.do(ctx, call{method: http.MethodPut, path: place("knowledge-bases", kb, "grants"), body: in, header: matching(etag)}, &out)
}

// NewDocument describes an upload. Only FileName and Body are needed.
type NewDocument struct {
	FileName     string
	Body         io.Reader
	MediaType    string
	ID           string
	DocKey       string
	Title        string
	Publish      bool
	AccessPolicy string // "inherit" or JSON
	SourceURI    string
	Source       string // what the file is from, such as a folder that is followed
	SourcePath   string // its place there
	Adopt        bool   // the source is to have the key though all its versions came another way
	Key          string // idempotency key
}

// Upload sends a document, streaming its body. Where the server keeps the upload as a draft
// because publishing needs a proposal, the error is a *Problem with code "proposal_required"
// that names document and job.
func (c *Client) Upload(ctx context.Context, kb string, in NewDocument) (out Upload, err error) {
	r, w := io.Pipe()
	defer r.Close()
	form := multipart.NewWriter(w)
	go func() { w.CloseWithError(writeForm(form, in)) }()
	header := once(in.Key)
	header.Set("Content-Type", form.FormDataContentType())
	return out, c.do(ctx, call{
		method: http.MethodPost, path: place("knowledge-bases", kb, "documents"), header: header, body: io.Reader(r),
	}, &out)
}

// writeForm writes the fields before the file.
func writeForm(form *multipart.Writer, in NewDocument) error {
	status, adopt := "", ""
	if in.Publish {
		status = "published"
	}
	if in.Adopt {
		adopt = "yes"
	}
	for _, f := range [][2]string{
		{"id", in.ID}, {"doc_key", in.DocKey}, {"title", in.Title}, {"status", status},
		{"access_policy", in.AccessPolicy}, {"source_uri", in.SourceURI}, {"source", in.Source}, {"source_path", in.SourcePath}, {"adopt", adopt},
	} {
		if f[1] == "" {
			continue
		}
		if err := form.WriteField(f[0], f[1]); err != nil {
			return err
		}
	}
	media := in.MediaType
	if media == "" {
		media = "application/octet-stream"
	}
	name := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", " ", "\n", " ").Replace(in.FileName)
	part, err := form.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="file"; filename="` + name + `"`}, "Content-Type": {media},
	})
	if err != nil {
		return err
	}
	if _, err := io.Copy(part, in.Body); err != nil {
		return err
	}
	return form.Close()
}

// DocumentFilter selects documents of a list. Days are in UTC, both included.
type DocumentFilter struct {
	Status      string
	DocKey      string
	UpdatedFrom string
	UpdatedTo   string
	// Source leaves only the versions that the caller brought from it.
	Source string
	// ViewAs leaves only what this user too may see; for tenant administrators.
	ViewAs string
}

// Documents lists the newest version of each document.
func (c *Client) Documents(ctx context.Context, kb string, f DocumentFilter, p Page) (out List[Document], err error) {
	q := p.values("status", f.Status, "doc_key", f.DocKey, "updated_from", f.UpdatedFrom, "updated_to", f.UpdatedTo, "source", f.Source, "view_as", f.ViewAs)
	return out, c.do(ctx, call{method: http.MethodGet, path: place("knowledge-bases", kb, "documents"), query: q}, &out)
}

// Document returns one version.
func (c *Client) Document(ctx context.Context, id string) (out Document, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("documents", id)}, &out)
}

// EditDocument changes title, access policy or labels. The ETag may be empty.
func (c *Client) EditDocument(ctx context.Context, id string, in DocumentChange, etag string) (out Document, err error) {
	return out, c.do(ctx, call{method: http.MethodPatch, path: place("documents", id), body: in, header: matching(etag)}, &out)
}

// DeleteDocument removes one version. The ETag may be empty.
func (c *Client) DeleteDocument(ctx context.Context, id, etag string) error {
	return c.do(ctx, call{method: http.MethodDelete, path: place("documents", id), header: matching(etag)}, nil)
}

// Versions lists all versions of a document that the caller may list, newest first.
func (c *Client) Versions(ctx context.Context, id string) (out List[Document], err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("documents", id, "versions")}, &out)
}

// Chunks lists the chunks of a version in order.
func (c *Client) Chunks(ctx context.Context, id string, p Page) (out List[Chunk], err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("documents", id, "chunks"), query: p.values()}, &out)
}

// Original opens the original bytes. The caller closes them.
func (c *Client) Original(ctx context.Context, id string) (io.ReadCloser, error) {
	res, err := c.open(ctx, call{method: http.MethodGet, path: place("documents", id, "original"), header: http.Header{"Accept": {"*/*"}}})
	if err != nil {
		return nil, err
	}
	return res.Body, nil
}

// Job returns how far an upload is.
func (c *Client) Job(ctx context.Context, id string) (out Job, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("jobs", id)}, &out)
}

// CancelJob asks a job to stop.
func (c *Client) CancelJob(ctx context.Context, id string) (out Job, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: place("jobs", id, "cancel")}, &out)
}

// Search finds passages.
func (c *Client) Search(ctx context.Context, in SearchRequest) (out SearchResult, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: place("search"), body: in}, &out)
}

// Chat asks and waits for the answer. The key may be empty.
func (c *Client) Chat(ctx context.Context, in ChatRequest, key string) (out Answer, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: place("chat"), body: in, header: once(key)}, &out)
}

// CreateRun starts a run. The key may be empty.
func (c *Client) CreateRun(ctx context.Context, in RunRequest, key string) (out Started, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: place("runs"), body: in, header: once(key)}, &out)
}

// RunFilter selects runs of a list.
type RunFilter struct {
	ConversationID string
	State          string
}

// Runs lists the caller's own runs, newest first.
func (c *Client) Runs(ctx context.Context, f RunFilter, p Page) (out List[Run], err error) {
	q := p.values("conversation_id", f.ConversationID, "state", f.State)
	return out, c.do(ctx, call{method: http.MethodGet, path: place("runs"), query: q}, &out)
}

// Run returns a run and its answer.
func (c *Client) Run(ctx context.Context, id string) (out Run, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("runs", id)}, &out)
}

// ResumeRun goes on with a run that was interrupted, in its next attempt. For any other run but one
// that waits for a person the error is a *Problem with code "not_resumable".
func (c *Client) ResumeRun(ctx context.Context, id string) (out Started, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: place("runs", id, "resume")}, &out)
}

// CancelRun asks a run to stop.
func (c *Client) CancelRun(ctx context.Context, id string) (out Started, err error) {
	return out, c.do(ctx, call{method: http.MethodPost, path: place("runs", id, "cancel")}, &out)
}

// Source returns a passage exactly as a run read it.
func (c *Client) Source(ctx context.Context, run, ref string) (out Source, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("runs", run, "sources", ref)}, &out)
}

// LedgerFilter selects entries of the ledger. Days are in UTC, both included.
type LedgerFilter struct {
	RunID string
	Actor string
	From  string
	To    string
}

// Ledger lists entries in order: the caller's own, or an auditor's tenant whole.
func (c *Client) Ledger(ctx context.Context, f LedgerFilter, p Page) (out List[Entry], err error) {
	q := p.values("run_id", f.RunID, "actor", f.Actor, "from", f.From, "to", f.To)
	return out, c.do(ctx, call{method: http.MethodGet, path: place("ledger"), query: q}, &out)
}

// Events lists the events of a run after a number.
func (c *Client) Events(ctx context.Context, run string, after int64) (out List[Event], err error) {
	q := values("after", strconv.FormatInt(after, 10))
	return out, c.do(ctx, call{method: http.MethodGet, path: place("runs", run, "events"), query: q}, &out)
}
