// Package meaning wires search by meaning over a data folder: the models of the settings, the leg of
// the search, and the worker that makes vectors.
package meaning

import (
	"context"
	"log/slog"
	"time"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/minilm"
	"github.com/kaoju/kaoju/internal/llm/openai"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// Settings say what search by meaning goes by. Without a URL it is the built-in model.
type Settings struct {
	Off             bool
	URL, Model, Key string
	Place           llm.Place
	// Similarity is what a passage without a word of the query needs to be a hit.
	Similarity float64
}

// builtin is the embedding model that is part of the program. It is the one place where that model is
// named.
func builtin() *embedding.Model {
	return embedding.New(minilm.New(), embedding.Traits{Mean: minilm.Mean(), Reads: minilm.Legible})
}

// Models makes the models that may answer questions: first the one that versions are embedded with,
// then the built-in one, whose vectors may still be in force. There is none where it is off.
func Models(s Settings) ([]*embedding.Model, error) {
	if s.Off {
		return nil, nil
	}
	if s.URL == "" {
		return []*embedding.Model{builtin()}, nil
	}
	client, err := outbound.To(s.URL)
	if err != nil {
		return nil, err
	}
	e, err := openai.NewEmbedder(openai.Config{
		BaseURL: s.URL, Model: s.Model, Key: s.Key, Client: client, Place: s.Place, FirstByte: 30 * time.Second, Total: 2 * time.Minute,
	})
	if err != nil {
		return nil, err
	}
	return []*embedding.Model{embedding.New(e, embedding.Traits{Host: e.Info().Host, Remote: e.Info().Remote}), builtin()}, nil
}

// Detail says in a sentence what a model of Models is and where text goes.
func Detail(models []*embedding.Model) string {
	if len(models) == 0 {
		return "search is by words alone"
	}
	m := models[0]
	switch name := m.Space().Model; {
	case m.Host() == "":
		return name + ": computed here, nothing leaves this process"
	case m.Remote():
		return name + " at " + m.Host() + ": questions and the text of versions leave this machine"
	default:
		return name + " at " + m.Host() + ", which counts as local"
	}
}

// Meaning is search by meaning over a data folder. A nil Meaning is that of a folder without a model.
type Meaning struct {
	db     *sqlite.DB
	model  *embedding.Model
	worker *embedding.Worker
	leg    *retrieval.Semantic
}

// Open makes the searcher over the index of a data folder, and search by meaning where there is a model.
func Open(s Settings, local *retrieval.Local, db *sqlite.DB, log *slog.Logger) (*retrieval.Searcher, *Meaning, error) {
	models, err := Models(s)
	if err != nil {
		return nil, nil, err
	}
	if len(models) == 0 {
		searcher := retrieval.NewSearcher(local, db.Texts())
		searcher.Lexicons = local.Lexicons
		return searcher, nil, nil
	}
	var asked []retrieval.Questioner
	for _, m := range models {
		asked = append(asked, m)
	}
	vectors := db.Vectors()
	m := &Meaning{
		db: db, model: models[0],
		worker: &embedding.Worker{Queue: vectors, Store: vectors, Model: models[0], Log: log},
		leg:    retrieval.NewSemantic(local, vectors, retrieval.SemanticOptions{Folder: db.Spool(), Log: log}, asked...),
	}
	searcher := retrieval.NewHybrid(local, db.Texts(), m.leg, s.Similarity)
	searcher.Lexicons = local.Lexicons
	return searcher, m, nil
}

// Info names the model as other models are named; the zero value without one.
func (m *Meaning) Info() llm.Info {
	if m == nil {
		return llm.Info{}
	}
	return llm.Info{Engine: llm.Model, Name: m.model.Space().Model, Host: m.model.Host(), Remote: m.model.Remote()}
}

// Want says to a folder which model its versions are embedded with: none without one.
func (m *Meaning) Want(ctx context.Context, db *sqlite.DB) error {
	var w embedding.Wanted
	if m != nil {
		w = embedding.Wanted{Model: m.model.Key(), Remote: m.model.Remote()}
	}
	return db.Vectors().Want(ctx, w)
}

// Run makes vectors until the context ends.
func (m *Meaning) Run(ctx context.Context) {
	if m != nil {
		m.worker.Run(ctx)
	}
}

// Drain makes the vectors that are due.
func (m *Meaning) Drain(ctx context.Context) error {
	if m == nil {
		return nil
	}
	if err := m.Want(ctx, m.db); err != nil {
		return err
	}
	return m.worker.Drain(ctx)
}

// Describe tells an actor of search by meaning. Where the text of the actor's tenant must not go to the
// model there is none for that tenant.
func (m *Meaning) Describe(ctx context.Context, actor access.Actor) (api.Embedding, error) {
	if m == nil {
		return api.Embedding{}, nil
	}
	i := m.Info()
	out := api.Embedding{}
	err := access.Within(ctx, m.db.Directory(), actor, access.Request{View: access.Published}, func(scope access.Scope) error {
		if scope.LocalOnly() && i.Remote {
			return nil
		}
		pending, err := m.leg.Pending(ctx, scope)
		if err != nil {
			return err
		}
		refused, err := m.leg.Refused(ctx, scope)
		out = api.Embedding{Configured: true, Name: i.Name, Pending: pending, Refused: refused, Host: i.Host, Remote: i.Remote}
		return err
	})
	return out, err
}

// CatchUp makes vectors until all that the actor may read are there; missing is returned where there is
// nothing to wait for.
func (m *Meaning) CatchUp(ctx context.Context, actor access.Actor, missing error) error {
	if m == nil {
		return missing
	}
	if err := m.Want(ctx, m.db); err != nil {
		return err
	}
	work, stop := context.WithCancel(ctx)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		m.Run(work)
	}()
	defer func() { stop(); <-stopped }()
	return Await(ctx, missing, func() (api.Embedding, error) { return m.Describe(ctx, actor) })
}

// Await looks until no vectors are pending; missing is returned where there is nothing to wait for.
func Await(ctx context.Context, missing error, look func() (api.Embedding, error)) error {
	for wait := 10 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		e, err := look()
		switch {
		case err != nil:
			return err
		case !e.Configured:
			return missing
		case e.Pending == 0:
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}
