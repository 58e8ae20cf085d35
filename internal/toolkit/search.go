package toolkit

import (
	"context"
	"encoding/json"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/tool"
)

// Searcher finds passages in a scope; *retrieval.Searcher is one. A query without any searchable
// term is problem.Invalid.
type Searcher interface {
	Search(ctx context.Context, scope access.Scope, q retrieval.Query) (retrieval.Result, error)
}

const (
	// batch is how many candidates are asked for at once, and pool how many a page is chosen from at
	// most, so that one long document does not fill a page while others match too.
	batch = 20
	pool  = 100
	// perDocument is how many passages of one document a page shows while others match.
	perDocument = 2
)

const searchSchema = `{
	"type": "object",
	"additionalProperties": false,
	"required": ["query"],
	"properties": {
		"query": {"type": "string", "minLength": 1, "maxLength": 400, "description": "Words, names, numbers or codes to look for. Chinese or English."},
		"page": {"type": "integer", "minimum": 1, "maximum": 100, "default": 1, "description": "Page of results, from 1. Ask for the next one only when has_more is true."}
	}
}`

const searchDescription = `Searches the documents that the asking person may see. Returns candidates with title, place and a snippet, not their text: ` +
	`read_document gives the text. A snippet is no evidence and can't be cited. Search pages are limited over the whole task, and the same search is not done twice. ` +
	`When nothing is found, say that the material does not settle the question.`

type search struct {
	dir      access.Directory
	searcher Searcher
	texts    corpus.Texts
	catalog  corpus.Catalog // nil: no versions are named
}

// SearchOption changes what search_knowledge gives beside its hits.
type SearchOption func(*search)

// Versions makes hits name the other versions of their document, from the catalog, in runs that
// may read history and for actors who may read the content of those versions.
func Versions(catalog corpus.Catalog) SearchOption {
	return func(s *search) { s.catalog = catalog }
}

// NewSearch makes search_knowledge. The texts give the whole passages of the hits, for a run that
// places them in the context itself.
func NewSearch(dir access.Directory, s Searcher, texts corpus.Texts, options ...SearchOption) tool.Tool {
	t := &search{dir: dir, searcher: s, texts: texts}
	for _, o := range options {
		o(t)
	}
	return t
}

// Spec describes the tool.
func (s *search) Spec() tool.Spec {
	return tool.Spec{Name: SearchKnowledge, Description: searchDescription, Schema: json.RawMessage(searchSchema), Sensitivity: tool.Read}
}

// found is a hit as the model sees it.
type found struct {
	Document  corpus.DocumentID      `json:"document_id"`
	Key       corpus.Key             `json:"doc_key"`
	Base      access.KnowledgeBaseID `json:"knowledge_base_id"`
	BaseName  string                 `json:"knowledge_base,omitempty"`
	Title     string                 `json:"title"`
	Version   int                    `json:"version"`
	Heading   []string               `json:"heading_path"`
	Snippet   string                 `json:"snippet"`
	Locator   corpus.Locator         `json:"locator"`
	UpdatedAt time.Time              `json:"updated_at"`
	Status    access.Status          `json:"status,omitempty"` // only where it may be another than published
	Versions  []tool.Version         `json:"versions,omitempty"`
}

// page is the answer to a search.
type page struct {
	OK      bool    `json:"ok"`
	Query   string  `json:"query"`
	Page    int     `json:"page"`
	Hits    []found `json:"hits"`
	More    bool    `json:"has_more"`
	Message string  `json:"message,omitempty"`
	// WordsOnly says that search by meaning is there and failed, so that other words may find more.
	WordsOnly bool `json:"words_only,omitempty"`
}

// faults say which parts of a search are there and failed.
type faults struct{ words, order bool }

// add notes the parts that a result was made without.
func (f *faults) add(skipped []retrieval.Skipped) {
	for _, s := range skipped {
		f.words = f.words || s.Reason.Fault() && s.Leg == "semantic"
		f.order = f.order || s.Reason.Fault() && s.Leg == "rerank"
	}
}

// Call searches one page.
func (s *search) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	args := struct {
		Query string `json:"query"`
		Page  int    `json:"page"`
	}{Page: 1}
	if err := arguments(call.Args, &args); err != nil {
		return tool.Result{}, err
	}
	query := citation.Normal(args.Query)
	if err := mayTurn(call.Session, query, args.Page); err != nil {
		return tool.Result{}, err
	}
	var hits []tool.Hit
	var failed faults
	answer := page{OK: true, Query: args.Query, Page: args.Page}
	err := access.Within(ctx, s.dir, call.Actor, call.Session.Request, func(scope access.Scope) error {
		chosen, more, without, err := s.choose(ctx, scope, args.Query, args.Page, call.Session)
		if err != nil {
			return err
		}
		answer.More, answer.WordsOnly, failed = more, without.words, without
		hits, answer.Hits, err = s.load(ctx, scope, chosen)
		return err
	})
	if err != nil {
		return tool.Result{}, searchFailure(err)
	}
	if err := s.name(ctx, call, hits, answer.Hits); err != nil {
		return tool.Result{}, searchFailure(err)
	}
	if len(hits) == 0 {
		answer.Message = nothing(args.Query, args.Page)
	}
	out, err := result(answer, query, hits)
	out.Search.NotReranked = failed.order
	return out, err
}

// result puts a page and its hits into what the run needs to know.
func result(answer page, query string, hits []tool.Hit) (tool.Result, error) {
	chunks := make([]corpus.ChunkID, len(hits))
	for i, h := range hits {
		chunks[i] = h.Chunk
	}
	content, err := json.Marshal(answer)
	return tool.Result{
		Content: content,
		Search:  &tool.Search{Query: query, Page: answer.Page, Hits: len(hits), More: answer.More, WordsOnly: answer.WordsOnly},
		Hits:    hits,
		Summary: map[string]any{"hits": len(hits), "has_more": answer.More, "page": answer.Page, "chunk_ids": chunks},
	}, err
}

// mayTurn holds a search against what the run did and what is left to it.
func mayTurn(session tool.Session, query string, number int) error {
	if query == "" {
		return failure(tool.InvalidArguments, "The query is empty.")
	}
	for _, done := range session.Searches {
		if done.Query == query && done.Page == number {
			return failure(tool.NoProgress, "This page of this search was already shown.")
		}
	}
	if len(session.Searches) >= session.SearchPages {
		return failure(tool.LimitSearchPages, "All %d search pages of this task are used.", session.SearchPages)
	}
	return nil
}

// choose returns the hits of a page: those in order of rank, but no more than two of a document
// while others match. What a page leaves out moves to the next, so that no page repeats another.
// Candidates are asked for until the pages are full of hits that need no such exception, which
// gives the same pages as asking for all of them. It tells besides whether there are more, and
// which parts of the search failed.
func (s *search) choose(ctx context.Context, scope access.Scope, query string, number int, session tool.Session) (hits []retrieval.Hit, more bool, failed faults, err error) {
	size := max(1, session.PageSize)
	limit := min(max(pool, size*(session.SearchPages+1)), retrieval.MaxOffset)
	var ranked []retrieval.Hit
	for {
		result, err := s.searcher.Search(ctx, scope, retrieval.Query{Text: query, Limit: batch, Offset: len(ranked)})
		if err != nil {
			return nil, false, faults{}, err
		}
		failed.add(result.Skipped)
		ranked = append(ranked, result.Hits...)
		hits, rest, full := turn(ranked, size, number)
		ended := !result.More || len(result.Hits) == 0 || len(ranked) >= limit
		if full || ended {
			return hits, len(rest) > 0 || len(hits) > 0 && result.More, failed, nil
		}
	}
}

// turn takes pages from the ranked candidates and returns the last of them and what is left,
// still ranked. It is full if every page was filled without a third passage of a document.
func turn(ranked []retrieval.Hit, size, number int) (hits, rest []retrieval.Hit, full bool) {
	rest, full = ranked, true
	for range number {
		chosen := make([]bool, len(rest))
		n := fill(rest, chosen, 0, size, perDocument)
		full = full && n == size
		fill(rest, chosen, n, size, size)
		var left []retrieval.Hit
		hits = nil
		for i, h := range rest {
			if chosen[i] {
				hits = append(hits, h)
			} else {
				left = append(left, h)
			}
		}
		rest = left
	}
	return hits, rest, full
}

// fill chooses candidates in order until a page of the given size is full, at most so many of each
// document, and returns how many are chosen then.
func fill(ranked []retrieval.Hit, chosen []bool, n, size, each int) int {
	count := map[corpus.DocumentID]int{}
	for i, h := range ranked {
		if chosen[i] {
			count[h.Document.ID]++
		}
	}
	for i, h := range ranked {
		if n < size && !chosen[i] && count[h.Document.ID] < each {
			chosen[i] = true
			count[h.Document.ID]++
			n++
		}
	}
	return n
}

// load reads the chunks of the hits under the scope that found them.
func (s *search) load(ctx context.Context, scope access.Scope, chosen []retrieval.Hit) ([]tool.Hit, []found, error) {
	hits, shown := []tool.Hit{}, []found{}
	for _, h := range chosen {
		chunk, doc, err := s.texts.Chunk(ctx, scope, h.Chunk)
		if problem.Is(err, problem.NotFound) {
			return nil, nil, access.Stale() // it was cut anew since it was found, and is to be found again
		}
		if err != nil {
			return nil, nil, wrap(err, "load a chunk that was found")
		}
		p := passage(scope, doc, chunk.ID)
		p.Chunks = []corpus.ChunkID{chunk.ID}
		p.Locator, p.Span, p.Text = chunk.Locator, chunk.Span, chunk.Text
		p.Segments, p.Context = chunk.Segments, chunk.Context
		p.TruncatedBefore, p.TruncatedAfter = chunk.Span.Start > 0, chunk.Span.End < doc.CharCount
		hits = append(hits, tool.Hit{
			Document: doc.ID, Version: doc.Version, Title: doc.Title, Chunk: chunk.ID, Span: chunk.Span, Passage: p,
		})
		f := found{
			Document: doc.ID, Key: doc.Key, Base: doc.KnowledgeBase, BaseName: p.BaseName, Title: doc.Title, Version: doc.Version, Heading: path(chunk.HeadingPath),
			Snippet: h.Snippet, Locator: chunk.Locator, UpdatedAt: doc.UpdatedAt.UTC(),
		}
		if doc.Status != access.StatusPublished {
			f.Status = doc.Status
		}
		shown = append(shown, f)
	}
	return hits, shown, nil
}

// nothing is the message of a search that worked and found nothing.
func nothing(query string, number int) string {
	switch zh := chinese(query); {
	case zh && number > 1:
		return "没有更多结果。"
	case zh:
		return "未找到相关资料。当前知识库无法提供这个问题的答案。"
	case number > 1:
		return "There are no more results."
	}
	return "No relevant material was found. The current knowledge base cannot answer this question."
}

// searchFailure sorts the errors of a search. A search that failed never looks like one that
// found nothing: what is not the query's fault stays an error of a dependency.
func searchFailure(err error) error {
	switch {
	case problem.Is(err, problem.Invalid):
		return &tool.Failure{Code: tool.InvalidArguments, Detail: "The query has nothing that can be searched for."}
	case problem.Is(err, problem.NotFound):
		// The actor was removed between the executor's check and this one.
		return &tool.Failure{Code: tool.PermissionDenied, Detail: "This tool may not be used.", Err: err}
	}
	return wrap(err, "search")
}
