package main

import (
	"os"
	"path/filepath"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	whole "github.com/blevesearch/bleve/v2/analysis/analyzer/keyword"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/whitespace"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"
	bq "github.com/blevesearch/bleve/v2/search/query"

	"github.com/kaoju/kaoju/internal/access"
)

// bleveEngine asks for tenant, status and groups inside the query.
type bleveEngine struct{ index bleve.Index }

// chunkRow is a chunk as bleve indexes it.
type chunkRow struct {
	Body   string   `json:"body"`
	Tenant string   `json:"tenant"`
	Status string   `json:"status"`
	Groups []string `json:"groups"`
}

func newBleve(dir string) (*bleveEngine, error) {
	m := bleve.NewIndexMapping()
	if err := m.AddCustomAnalyzer("spaces", map[string]any{"type": custom.Name, "tokenizer": whitespace.Name}); err != nil {
		return nil, err
	}
	m.ScoringModel = "bm25"
	doc := bleve.NewDocumentStaticMapping()
	doc.AddFieldMappingsAt("body", field("spaces"))
	for _, name := range []string{"tenant", "status", "groups"} {
		doc.AddFieldMappingsAt(name, field(whole.Name))
	}
	m.DefaultMapping = doc
	x, err := bleve.NewUsing(filepath.Join(dir, "bleve"), m, scorch.Name, scorch.Name, nil)
	return &bleveEngine{x}, err
}

func field(analyzer string) *mapping.FieldMapping {
	f := bleve.NewTextFieldMapping()
	f.Analyzer = analyzer
	f.Store, f.IncludeTermVectors, f.IncludeInAll, f.DocValues = false, false, false, false
	return f
}

// add indexes the chunks of some versions in one batch.
func (b *bleveEngine) add(list []document, bodies [][]string) error {
	batch := b.index.NewBatch()
	for i, d := range list {
		row := chunkRow{Tenant: string(d.resource.Tenant), Status: string(d.resource.Status)}
		for _, p := range d.resource.Policy.Allow {
			row.Groups = append(row.Groups, string(p))
		}
		for c, chunk := range d.chunks {
			row.Body = bodies[i][c]
			if err := batch.Index(string(chunk.ID), row); err != nil {
				return err
			}
		}
	}
	return b.index.Batch(batch)
}

// Search implements engine.
func (b *bleveEngine) Search(text string, r right) (int, error) {
	var terms []bq.Query
	for _, t := range strong(text) {
		terms = append(terms, is("body", t))
	}
	var q bq.Query = bleve.NewDisjunctionQuery(terms...)
	if !r.all {
		var allowed []bq.Query
		for _, g := range r.groups {
			allowed = append(allowed, is("groups", string(access.Group(group(g)))))
		}
		filtered := bleve.NewBooleanQuery()
		filtered.AddMust(q)
		filtered.AddFilter(bleve.NewConjunctionQuery(
			is("tenant", string(r.tenant)), is("status", string(access.StatusPublished)), bleve.NewDisjunctionQuery(allowed...)))
		q = filtered
	}
	out, err := b.index.Search(bleve.NewSearchRequestOptions(q, best, 0, false))
	if err != nil {
		return 0, err
	}
	return len(out.Hits), nil
}

func is(field, term string) bq.Query {
	q := bleve.NewTermQuery(term)
	q.SetField(field)
	return q
}

func (b *bleveEngine) Close() error { return b.index.Close() }

// folder returns the bytes of all files below a folder that can be read.
func folder(dir string) uint64 {
	var n int64
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return 0
	}
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case err != nil:
		case info.IsDir():
			n += int64(folder(name))
		default:
			n += info.Size()
		}
	}
	return uint64(n)
}
