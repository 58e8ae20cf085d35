package toolkit

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/tool"
)

// ReadDocumentVersion is the name of the tool that reads history.
const ReadDocumentVersion = "read_document_version"

const historySchema = `{
	"type": "object",
	"additionalProperties": false,
	"required": ["document_id"],
	"properties": {
		"document_id": {"type": "string", "minLength": 1, "maxLength": 200, "description": "A document_id in the versions of a search result of this task."},
		"around": {"type": "string", "minLength": 1, "maxLength": 200, "description": "Words of the version to centre on. Without it the beginning is shown, or the passage that the search found in this version."},
		"offset": {"type": "integer", "minimum": 0, "description": "Position in the version, in characters from 0, at which to begin instead; span.end of a window continues it."}
	}
}`

const historyDescription = `Reads a window of any version of a document that a search of this task found, also one that is no longer in force, and makes it a source that can be cited. ` +
	`Take the id from the versions of a search result, and say in the answer which version a statement is from. ` +
	`Give around or offset to see another part; the limits are those of read_document. Each use is recorded.`

// History reads versions that need not be in force, by parsing their originals again. It takes
// the role knowledge_admin and the right to read the document; whoever lacks either finds
// nothing there. Each reading is in the ledger before any of it is given out.
//
// It is the tool read_document_version for a run, and Text for a person's own request.
type History struct {
	reading
	blobs  corpus.Blobs
	ledger ledger.Log
	reader parse.Reader
	now    func() time.Time
}

// HistoryOption changes how read_document_version works.
type HistoryOption func(*History)

// Parsing makes originals be parsed by a reader instead of in this process.
func Parsing(r parse.Reader) HistoryOption { return func(h *History) { h.reader = r } }

// NewHistory makes the reader of versions. The texts name the chunks that a window shows.
func NewHistory(dir access.Directory, catalog corpus.Catalog, texts corpus.Texts, blobs corpus.Blobs, log ledger.Log, options ...HistoryOption) *History {
	h := &History{reading: reading{dir: dir, catalog: catalog, texts: texts}, blobs: blobs, ledger: log, reader: parse.Limits{}, now: time.Now}
	for _, o := range options {
		o(h)
	}
	return h
}

// Spec describes the tool.
func (h *History) Spec() tool.Spec {
	return tool.Spec{
		Name: ReadDocumentVersion, Description: historyDescription, Schema: json.RawMessage(historySchema),
		Sensitivity: tool.SensitiveRead, Role: access.KnowledgeAdmin,
	}
}

// Text returns the complete text of a version as it is made from its original now, with its
// places. For anybody who may not read history, or not this document, it is problem.NotFound in
// the same words as for an id that does not exist.
func (h *History) Text(ctx context.Context, actor access.Actor, id corpus.DocumentID) (corpus.Text, error) {
	var text corpus.Text
	err := h.within(ctx, actor, access.Request{View: access.Content}, func(scope access.Scope) error {
		var err error
		if text, err = h.parsed(ctx, scope, id); err != nil {
			return err
		}
		// Parsing takes time: the right must still be there when the text leaves.
		_, err = h.catalog.Document(ctx, scope, id)
		return err
	})
	if err != nil {
		return corpus.Text{}, err
	}
	if err := h.record(ctx, actor, "", text.Document, map[string]any{"part": "text"}); err != nil {
		return corpus.Text{}, err
	}
	return text, nil
}

// Call reads one window.
func (h *History) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	var args readArgs
	if err := arguments(call.Args, &args); err != nil {
		return tool.Result{}, err
	}
	if args.Around != "" && args.Offset != nil {
		return tool.Result{}, failure(tool.InvalidArguments, "Give around or offset, not both.")
	}
	hit, named, ok := versionOf(call.Session, args.Document)
	if !ok {
		return tool.Result{}, failure(tool.OutOfScope, "Only versions that a search of this task named can be read.")
	}
	if err := mayRead(call.Session, args.Document); err != nil {
		return tool.Result{}, err
	}
	var out tool.Result
	var read corpus.Document
	err := h.within(ctx, call.Actor, past(call.Session.Request), func(scope access.Scope) error {
		text, err := h.parsed(ctx, scope, args.Document)
		if err != nil {
			return err
		}
		if read = text.Document; read.Version != named.Version {
			return problem.Missing()
		}
		out, err = h.window(ctx, scope, look{text, hit, args, call.Session})
		return err
	})
	if err != nil {
		return tool.Result{}, gone(err)
	}
	span := out.Passages[0].Span
	if err := h.record(ctx, call.Actor, call.Session.Run, read, map[string]any{"part": "window", "span": span}); err != nil {
		return tool.Result{}, err
	}
	return out, nil
}

// versionOf returns a version that a search of the run named, with the hit that leads to its
// text: the search's own if it found this version, else none, since a place in one version is
// none in another.
func versionOf(session tool.Session, id corpus.DocumentID) (tool.Hit, tool.Version, bool) {
	for _, hit := range session.Hits {
		i := slices.IndexFunc(hit.Versions, func(v tool.Version) bool { return v.Document == id })
		if i < 0 {
			continue
		}
		if own, ok := session.Hits[id]; ok {
			return own, hit.Versions[i], true
		}
		return tool.Hit{Document: id, Version: hit.Versions[i].Version}, hit.Versions[i], true
	}
	return tool.Hit{}, tool.Version{}, false
}

// within reads under a scope of an actor who may read history. Whatever is not there is missing
// in the same words.
func (h *History) within(ctx context.Context, actor access.Actor, req access.Request, fn func(access.Scope) error) error {
	err := access.Within(ctx, h.dir, actor, req, func(scope access.Scope) error {
		if !scope.Has(access.KnowledgeAdmin) {
			return problem.Missing()
		}
		return fn(scope)
	})
	if problem.Is(err, problem.NotFound) {
		return problem.Missing()
	}
	return err
}

// parsed makes the text of a version from its original.
func (h *History) parsed(ctx context.Context, scope access.Scope, id corpus.DocumentID) (corpus.Text, error) {
	d, err := h.catalog.Document(ctx, scope, id)
	if err != nil {
		return corpus.Text{}, wrap(err, "look up a version")
	}
	original, err := h.blobs.Open(ctx, d.Checksum)
	if problem.Is(err, problem.NotFound) {
		// Either the version was erased meanwhile, or the store lost what it promised to keep,
		// which must not look like a version that is not there.
		if _, gone := h.catalog.Document(ctx, scope, id); gone != nil {
			return corpus.Text{}, gone
		}
		return corpus.Text{}, problem.Wrap(err, problem.Internal, "original_missing", "The original of this version is missing from the store.")
	}
	if err != nil {
		return corpus.Text{}, wrap(err, "open the original of a version")
	}
	defer original.Close()
	data, err := io.ReadAll(io.LimitReader(original, d.Size+1))
	if err != nil {
		return corpus.Text{}, wrap(err, "read the original of a version")
	}
	result, err := h.again(ctx, d, data)
	if err != nil {
		if ctx.Err() != nil {
			return corpus.Text{}, err
		}
		return corpus.Text{}, problem.Wrap(err, problem.Internal, "original_unreadable", "The original of this version can't be read again.")
	}
	text := corpus.Text{Document: d, Text: result.Parsed.Text, Blocks: result.Parsed.Blocks}
	for _, b := range result.Parsed.Blocks {
		text.Segments = append(text.Segments, b.Segments...)
	}
	return text, nil
}

// again parses an original as it was parsed when it came in. The type that was found then tells
// the format. The file's name is not kept, so the key serves in its place where it leads to that
// same type: it can tell tabs from commas.
func (h *History) again(ctx context.Context, d corpus.Document, data []byte) (parse.Result, error) {
	if parse.Supported(string(d.Key)) {
		result, err := h.reader.Parse(ctx, parse.File{Name: string(d.Key), Data: data})
		if err == nil && result.MediaType == d.MediaType {
			return result, nil
		}
	}
	return h.reader.Parse(ctx, parse.File{MediaType: d.MediaType, Data: data})
}

// record writes a reading of history into the ledger: who, which version, which part. Without
// the entry nothing is given out.
func (h *History) record(ctx context.Context, actor access.Actor, run string, d corpus.Document, what map[string]any) error {
	body := map[string]any{
		"document_id": d.ID, "version": d.Version, "status": d.Status, "checksum": d.Checksum,
	}
	for k, v := range what {
		body[k] = v
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("describe a reading of history: %w", err)
	}
	_, err = h.ledger.Append(ctx, ledger.Entry{
		Tenant: string(actor.Tenant), Kind: ledger.HistoryRead, RunID: run, Actor: string(actor.User), Time: h.now(), Body: raw,
	})
	return wrap(err, "record a reading of history")
}
