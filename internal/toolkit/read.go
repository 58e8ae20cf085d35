package toolkit

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/tool"
)

const readSchema = `{
	"type": "object",
	"additionalProperties": false,
	"required": ["document_id"],
	"properties": {
		"document_id": {"type": "string", "minLength": 1, "maxLength": 200, "description": "The document_id of a search result of this task."},
		"around": {"type": "string", "minLength": 1, "maxLength": 200, "description": "Words of the document to centre on. Without it the passage that the search found is shown."},
		"offset": {"type": "integer", "minimum": 0, "description": "Position in the document, in characters from 0, at which to begin instead; span.end of a window continues it."}
	}
}`

const readDescription = `Reads a window of a document that a search of this task found, and makes it a source that can be cited. ` +
	`Give around or offset to see another part; the same part is not read twice. The number of documents and the text of each are limited over the whole task.`

type reading struct {
	dir     access.Directory
	catalog corpus.Catalog
	texts   corpus.Texts
}

// NewRead makes read_document. The catalog is asked first, so that the text of a document that is
// gone is never loaded.
func NewRead(dir access.Directory, catalog corpus.Catalog, texts corpus.Texts) tool.Tool {
	return &reading{dir: dir, catalog: catalog, texts: texts}
}

// Spec describes the tool.
func (r *reading) Spec() tool.Spec {
	return tool.Spec{Name: ReadDocument, Description: readDescription, Schema: json.RawMessage(readSchema), Sensitivity: tool.Read}
}

type readArgs struct {
	Document corpus.DocumentID `json:"document_id"`
	Around   string            `json:"around"`
	Offset   *int              `json:"offset"`
}

// window is the answer to a read; the run adds the text under its reference.
type window struct {
	OK              bool                   `json:"ok"`
	Document        corpus.DocumentID      `json:"document_id"`
	Key             corpus.Key             `json:"doc_key"`
	Base            access.KnowledgeBaseID `json:"knowledge_base_id"`
	BaseName        string                 `json:"knowledge_base,omitempty"`
	Title           string                 `json:"title"`
	Version         int                    `json:"version"`
	Status          access.Status          `json:"status,omitempty"` // only where it is another than published
	Heading         []string               `json:"heading_path"`
	Locator         corpus.Locator         `json:"locator"`
	Span            corpus.Span            `json:"span"`
	TruncatedBefore bool                   `json:"truncated_before"`
	TruncatedAfter  bool                   `json:"truncated_after"`
	Note            string                 `json:"note,omitempty"`
}

// Call reads one window.
func (r *reading) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	var args readArgs
	if err := arguments(call.Args, &args); err != nil {
		return tool.Result{}, err
	}
	if args.Around != "" && args.Offset != nil {
		return tool.Result{}, failure(tool.InvalidArguments, "Give around or offset, not both.")
	}
	hit, ok := call.Session.Hits[args.Document]
	if !ok {
		return tool.Result{}, failure(tool.OutOfScope, "Only documents that a search of this task found can be read.")
	}
	if err := mayRead(call.Session, args.Document); err != nil {
		return tool.Result{}, err
	}
	var out tool.Result
	err := access.Within(ctx, r.dir, call.Actor, call.Session.Request, func(scope access.Scope) error {
		d, err := r.catalog.Document(ctx, scope, args.Document)
		if err != nil {
			return wrap(err, "look up a document")
		}
		// A run that asks about the past reads what was in force then; any other what is now.
		now := call.Session.Request.AsOf.IsZero()
		if d.ID != hit.Document || d.Version != hit.Version || now && d.Status != access.StatusPublished {
			return problem.Missing()
		}
		text, err := r.texts.Text(ctx, scope, args.Document)
		if err != nil {
			return wrap(err, "load the text of a document")
		}
		out, err = r.window(ctx, scope, look{text, hit, args, call.Session})
		return err
	})
	if err != nil {
		return tool.Result{}, gone(err)
	}
	return out, nil
}

// mayRead holds a read against the limits of the run.
func mayRead(session tool.Session, id corpus.DocumentID) error {
	read := session.DocumentsRead()
	known := false
	for _, other := range read {
		known = known || other == id
	}
	switch {
	case !known && len(read) >= session.Documents:
		return failure(tool.LimitDocuments, "All %d documents of this task are read.", session.Documents)
	case session.UnitsLeft(id) == 0:
		return failure(tool.LimitText, "All text that this task may read of the document is read.")
	}
	return nil
}

// look is a wish to see a part of a text: the hit that led there, what the model asked for, and
// the run's limits.
type look struct {
	text    corpus.Text
	hit     tool.Hit
	args    readArgs
	session tool.Session
}

// window cuts the window and describes it.
func (r *reading) window(ctx context.Context, scope access.Scope, l look) (tool.Result, error) {
	text, hit, args, session := l.text, l.hit, l.args, l.session
	s := newScript(text.Text)
	size := min(session.WindowUnits, session.UnitsLeft(args.Document))
	span, note, err := place(ctx, s, text, hit, args, size)
	if err != nil {
		return tool.Result{}, err
	}
	if span.Len() == 0 {
		return tool.Result{}, failure(tool.LimitText, "What is left of the text limit of this document holds no further character.")
	}
	if read(session.Windows, text.Document, span) {
		return tool.Result{}, failure(tool.NoProgress, "This part of the document was already read.")
	}
	chunks, err := r.chunks(ctx, scope, text.Document.ID, span)
	if err != nil {
		return tool.Result{}, err
	}
	p := passage(scope, text.Document, hit.Chunk)
	heading := []string(nil)
	p.Chunk, p.Chunks, heading = choose(chunks, hit, span)
	p.Span, p.Text = span, string(s.text[span.Start:span.End])
	p.Segments = corpus.Narrow(s.text, 0, text.Segments, span)
	p.Locator = corpus.Cover(p.Segments)
	all := s.trim(corpus.Span{End: len(s.text)})
	p.TruncatedBefore, p.TruncatedAfter = span.Start > all.Start, span.End < all.End
	answer := window{
		OK: true, Document: p.Document, Key: p.Key, Base: p.KnowledgeBase, BaseName: p.BaseName, Title: p.Title, Version: p.Version, Heading: path(heading), Locator: p.Locator,
		Span: span, TruncatedBefore: p.TruncatedBefore, TruncatedAfter: p.TruncatedAfter, Note: note,
	}
	if p.Status != access.StatusPublished {
		answer.Status = p.Status
	}
	content, err := json.Marshal(answer)
	return tool.Result{
		Content: content, Passages: []corpus.Passage{p},
		Summary: map[string]any{"document_id": p.Document, "version": p.Version, "span": span, "units": s.size(span), "chunk_ids": p.Chunks},
	}, err
}

// place decides where the window lies. The note tells the model when that is not where it asked.
func place(ctx context.Context, s *script, text corpus.Text, hit tool.Hit, args readArgs, size int) (corpus.Span, string, error) {
	if args.Offset != nil {
		end := s.trim(corpus.Span{End: len(s.text)}).End
		if *args.Offset >= end {
			return corpus.Span{}, "", failure(tool.InvalidArguments, "Argument \"offset\" is not before the end of the text, which has %d characters.", end)
		}
		return s.from(*args.Offset, size), "", nil
	}
	anchor, note := hit.Span, ""
	if args.Around != "" {
		at, ok, err := find(ctx, s.text, args.Around, hit.Span.Start)
		switch {
		case err != nil:
			return corpus.Span{}, "", err
		case ok:
			anchor = at
		case hit.Chunk == "" && chinese(args.Around):
			note = "文中未找到这些词，这里给出的是文档的开头。"
		case hit.Chunk == "":
			note = "These words are not in the text; this is the beginning of the document."
		case chinese(args.Around):
			note = "文中未找到这些词，这里给出的是检索命中的位置。"
		default:
			note = "These words are not in the text; this is the passage that the search found."
		}
	}
	if whole, ok := s.enclosing(text.Segments, anchor, size); ok {
		return whole, note, nil
	}
	return s.around(anchor, section(text.Segments, anchor), size), note, nil
}

// section returns where the section of a place begins: at its heading. It is -1 where the format
// has no headings, or the place stands before the first.
func section(segments []corpus.Segment, place corpus.Span) int {
	i := len(segments) - 1
	for i > 0 && segments[i].Span.Start > place.Start {
		i--
	}
	if i < 0 {
		return -1
	}
	path, ok := corpus.Headings(segments[i].Locator)
	if !ok || len(path) == 0 {
		return -1
	}
	for ; i > 0; i-- {
		before, ok := corpus.Headings(segments[i-1].Locator)
		if !ok || !slices.Equal(before, path) {
			break
		}
	}
	return segments[i].Span.Start
}

// chunks returns the chunks that a window overlaps, in order. Each further batch begins with the last chunk of the one
// before: where it does not, the version was cut anew meanwhile.
func (r *reading) chunks(ctx context.Context, scope access.Scope, id corpus.DocumentID, span corpus.Span) ([]corpus.Chunk, error) {
	const batch = 200
	var out []corpus.Chunk
	for last := (corpus.Chunk{}); ; {
		list, err := r.texts.Chunks(ctx, scope, id, max(0, last.No-1), batch)
		if err != nil {
			return nil, wrap(err, "load the chunks of a document")
		}
		n := len(list)
		if last.No > 0 {
			if n == 0 || list[0].ID != last.ID {
				return nil, access.Stale()
			}
			list = list[1:]
		}
		for _, c := range list {
			if c.Span.Overlap(span) > 0 {
				out = append(out, c)
			}
			last = c
		}
		if n < batch || last.Span.Start >= span.End {
			return out, nil
		}
	}
}

// choose names the chunk that holds the hit if the window shows it, else the one that the window
// shows most of; and all that it shows.
func choose(chunks []corpus.Chunk, hit tool.Hit, span corpus.Span) (corpus.ChunkID, []corpus.ChunkID, []string) {
	id, most := hit.Chunk, 0
	ids := []corpus.ChunkID{}
	var heading []string
	for _, c := range chunks {
		ids = append(ids, c.ID)
		if n := c.Span.Overlap(span); most >= 0 && n > most {
			id, most, heading = c.ID, n, c.HeadingPath
		}
		if c.ID == hit.Chunk {
			id, most, heading = c.ID, -1, c.HeadingPath
		}
	}
	return id, ids, heading
}
