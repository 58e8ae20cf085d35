package toolkit_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/tool"
)

var alice = access.Actor{Tenant: "acme", User: "alice"}

// world is a small corpus in memory behind the seams that the tools use. It decides by the real
// scope, and fails where a test asks it to.
type world struct {
	corpus.Catalog // the methods that no tool calls
	epoch          access.Epoch
	grants         []access.Grant
	suspended      bool
	roles          []access.Role
	stale          int // reads that find their scope stale
	fail           error
	docs           map[corpus.DocumentID]corpus.Document
	texts          map[corpus.DocumentID]corpus.Text
	chunks         map[corpus.DocumentID][]corpus.Chunk
	ranked         []corpus.ChunkID // what a search finds, best first
	skipped        []retrieval.Skipped
	queries        []retrieval.Query
	loads          int
}

func newWorld() *world {
	return &world{
		epoch: 1, grants: []access.Grant{{Principal: access.Everyone, Level: access.Reader}},
		docs: map[corpus.DocumentID]corpus.Document{}, texts: map[corpus.DocumentID]corpus.Text{}, chunks: map[corpus.DocumentID][]corpus.Chunk{},
	}
}

func (w *world) Snapshot(context.Context, access.TenantID, access.UserID) (access.Snapshot, error) {
	return access.Snapshot{
		Epoch: w.epoch, Identity: access.Identity{User: "alice", Suspended: w.suspended, Roles: w.roles},
		Bases: []access.KnowledgeBase{{ID: "kb", Name: "Handbook", Tenant: "acme", Grants: w.grants}},
	}, nil
}

// admit is what every read of the seams begins with.
func (w *world) admit(scope access.Scope, id corpus.DocumentID) error {
	if w.fail != nil {
		return w.fail
	}
	if w.stale > 0 {
		w.stale--
		return access.Stale()
	}
	if err := scope.Current(w.epoch); err != nil {
		return err
	}
	if d, ok := w.docs[id]; !ok || !scope.Admits(d.Resource()) {
		return problem.Missing()
	}
	return nil
}

func (w *world) Document(_ context.Context, scope access.Scope, id corpus.DocumentID) (corpus.Document, error) {
	return w.docs[id], w.admit(scope, id)
}

func (w *world) Text(_ context.Context, scope access.Scope, id corpus.DocumentID) (corpus.Text, error) {
	w.loads++
	return w.texts[id], w.admit(scope, id)
}

func (w *world) Stretch(context.Context, access.Scope, corpus.DocumentID, corpus.Span) (corpus.Stretch, error) {
	return corpus.Stretch{}, problem.New(problem.Internal, "unused", "A tool reads whole texts.")
}

func (w *world) Chunks(_ context.Context, scope access.Scope, id corpus.DocumentID, after, limit int) ([]corpus.Chunk, error) {
	var out []corpus.Chunk
	for _, c := range w.chunks[id] {
		if c.No > after && len(out) < limit {
			out = append(out, c)
		}
	}
	return out, w.admit(scope, id)
}

func (w *world) Chunk(_ context.Context, scope access.Scope, id corpus.ChunkID) (corpus.Chunk, corpus.Document, error) {
	for doc, list := range w.chunks {
		for _, c := range list {
			if c.ID == id {
				return c, w.docs[doc], w.admit(scope, doc)
			}
		}
	}
	return corpus.Chunk{}, corpus.Document{}, problem.Missing()
}

func (w *world) Search(ctx context.Context, scope access.Scope, q retrieval.Query) (retrieval.Result, error) {
	w.queries = append(w.queries, q)
	if w.fail != nil {
		return retrieval.Result{}, w.fail
	}
	out := retrieval.Result{Skipped: w.skipped}
	skip := q.Offset
	for _, id := range w.ranked {
		c, d, err := w.Chunk(ctx, scope, id)
		if problem.Is(err, problem.NotFound) {
			continue
		}
		if err != nil {
			return out, err
		}
		if skip > 0 {
			skip--
			continue
		}
		if len(out.Hits) == q.Limit {
			out.More = true
			break
		}
		out.Hits = append(out.Hits, retrieval.Hit{Document: d, Chunk: c.ID, HeadingPath: c.HeadingPath, Locator: c.Locator, Span: c.Span, Snippet: "snippet of " + string(c.ID)})
	}
	return out, nil
}

// add puts a document of plain text in, one segment a line and one chunk a paragraph (lines up to
// an empty one). A line that begins with "# " is the heading of what follows.
func (w *world) add(id corpus.DocumentID, text string) {
	runes := []rune(text)
	d := corpus.Document{
		ID: id, Tenant: "acme", KnowledgeBase: "kb", Key: corpus.Key("key-" + id), Title: "Title of " + string(id), Version: 2,
		Status: access.StatusPublished, SourceURI: "file:///" + string(id), CharCount: len(runes), UpdatedAt: time.Date(2026, 10, 1, 8, 0, 0, 0, time.UTC),
	}
	var segments []corpus.Segment
	var chunks []corpus.Chunk
	heading, at, line := []string{}, 0, 0
	open := false
	for _, s := range strings.SplitAfter(text, "\n") {
		line++
		n := len([]rune(s))
		body := strings.TrimRight(s, "\n")
		if body == "" {
			open = false
			at += n
			continue
		}
		if h, ok := strings.CutPrefix(body, "# "); ok {
			heading = []string{h}
		}
		span := corpus.Span{Start: at, End: at + len([]rune(body))}
		seg := corpus.Segment{Span: span, Locator: corpus.TextLocator{Format: "md", Heading: heading, Line: line, Char: [2]int{span.Start, span.End}}}
		segments = append(segments, seg)
		if !open {
			no := len(chunks) + 1
			chunks = append(chunks, corpus.Chunk{ID: chunkID(id, no), Document: id, No: no, HeadingPath: heading, Span: span})
			open = true
		}
		c := &chunks[len(chunks)-1]
		c.Span.End = span.End
		c.Segments = append(c.Segments, seg)
		at += n
	}
	for i := range chunks {
		chunks[i].Text = string(runes[chunks[i].Span.Start:chunks[i].Span.End])
		chunks[i].Locator = corpus.Cover(chunks[i].Segments)
	}
	w.docs[id], w.chunks[id] = d, chunks
	w.texts[id] = corpus.Text{Document: d, Text: text, Segments: segments}
}

func chunkID(id corpus.DocumentID, no int) corpus.ChunkID {
	return corpus.ChunkID("c-" + string(id) + "-" + string(rune('0'+no)))
}

// hit is what a search would have left in the session for a chunk.
func (w *world) hit(id corpus.DocumentID, no int) tool.Hit {
	c := w.chunks[id][no-1]
	return tool.Hit{Document: id, Version: w.docs[id].Version, Title: w.docs[id].Title, Chunk: c.ID, Span: c.Span}
}

func session(hits ...tool.Hit) tool.Session {
	s := tool.Session{Hits: map[corpus.DocumentID]tool.Hit{}, SearchPages: 2, PageSize: 5, Documents: 3, TextUnits: 4000, WindowUnits: 2000}
	for _, h := range hits {
		s.Hits[h.Document] = h
	}
	return s
}

func call(t *testing.T, tl tool.Tool, s tool.Session, args string) (tool.Result, error) {
	t.Helper()
	return tl.Call(context.Background(), tool.Call{ID: "call", Actor: alice, Args: json.RawMessage(args), Session: s})
}

func code(err error) tool.Code {
	if f, ok := err.(*tool.Failure); ok {
		return f.Code
	}
	return ""
}

// object decodes the content of a result.
func object(t *testing.T, r tool.Result) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(r.Content, &m); err != nil {
		t.Fatalf("content %s: %v", r.Content, err)
	}
	return m
}
