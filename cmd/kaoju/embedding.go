package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/minilm"
	"github.com/kaoju/kaoju/internal/llm/openai"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// embeddingSettings are the settings of search by meaning alone, for the commands that ask no model.
var embeddingSettings = []string{"embedding", "embedding_url", "embedding_model", "embedding_place", "similarity"}

// builtin is the embedding model that is part of the program. It is the one place where that model is
// named.
func builtin() *embedding.Model {
	return embedding.New(minilm.New(), embedding.Traits{Mean: minilm.Mean(), Reads: minilm.Legible})
}

// checkEmbedding refuses settings of an embedding model that do not go together.
func checkEmbedding(c *config) error {
	url, model := c.get("embedding_url") != "", c.get("embedding_model") != ""
	switch {
	case c.get("embedding") == "off" && (url || model):
		return errors.New("setting embedding: an endpoint is set that nothing asks; leave KAOJU_EMBEDDING at auto, or leave KAOJU_EMBEDDING_URL and KAOJU_EMBEDDING_MODEL empty")
	case url && !model:
		return errors.New("setting embedding_model: an embedding endpoint is set, so the model needs a name (KAOJU_EMBEDDING_MODEL)")
	case model && !url:
		return errors.New("setting embedding_model: a model is named, but no endpoint is set (KAOJU_EMBEDDING_URL)")
	}
	return nil
}

// embeddingsOf makes the models that may answer questions: first the one that versions are embedded
// with, then the built-in one, whose vectors may still be in force. There is none where the setting
// is off.
func embeddingsOf(conf *config) ([]*embedding.Model, error) {
	if conf.get("embedding") == "off" {
		return nil, nil
	}
	var models []*embedding.Model
	if url := conf.get("embedding_url"); url != "" {
		client, err := reach(url)
		if err != nil {
			return nil, err
		}
		e, err := openai.NewEmbedder(openai.Config{
			BaseURL: url, Model: conf.get("embedding_model"), Key: conf.get("embedding_key"), Client: client, Place: placeOf(conf.get("embedding_place")),
			FirstByte: 30 * time.Second, Total: 2 * time.Minute,
		})
		if err != nil {
			return nil, err
		}
		models = append(models, embedding.New(e, embedding.Traits{Host: e.Info().Host, Remote: e.Info().Remote}))
	}
	return append(models, builtin()), nil
}

// meaning is search by meaning over a data folder.
type meaning struct {
	model  *embedding.Model
	worker *embedding.Worker
	leg    *retrieval.Semantic
}

// search makes the searcher over a data folder, and search by meaning where there is a model.
func search(conf *config, db *sqlite.DB, log *slog.Logger) (*retrieval.Searcher, *meaning, error) {
	local := retrieval.NewLocal(db.Segments())
	models, err := embeddingsOf(conf)
	if err != nil || len(models) == 0 {
		return retrieval.NewSearcher(local, db.Texts()), nil, err
	}
	var asked []retrieval.Questioner
	for _, m := range models {
		asked = append(asked, m)
	}
	vectors := db.Vectors()
	m := &meaning{
		model:  models[0],
		worker: &embedding.Worker{Queue: vectors, Store: vectors, Model: models[0], Log: log},
		leg:    retrieval.NewSemantic(local, vectors, retrieval.SemanticOptions{Log: log}, asked...),
	}
	threshold, err := strconv.ParseFloat(conf.get("similarity"), 64)
	return retrieval.NewHybrid(local, db.Texts(), m.leg, threshold), m, err
}

// info names the model as other models are named; the zero value without one.
func (m *meaning) info() llm.Info {
	if m == nil {
		return llm.Info{}
	}
	return llm.Info{Engine: llm.Model, Name: m.model.Space().Model, Host: m.model.Host(), Remote: m.model.Remote()}
}

// want says to the store which model versions are embedded with: none where search by meaning is off.
func (s *stack) want(ctx context.Context) error {
	var w embedding.Wanted
	if s.meaning != nil {
		w = embedding.Wanted{Model: s.meaning.model.Key(), Remote: s.meaning.model.Remote()}
	}
	return s.db.Vectors().Want(ctx, w)
}

// embed makes vectors until the context ends.
func (s *stack) embed(ctx context.Context) {
	if s.meaning != nil {
		s.meaning.worker.Run(ctx)
	}
}

// pending counts the published versions that an actor may read whose vectors are to come.
func (s *stack) pending(ctx context.Context, actor access.Actor) (n int, err error) {
	err = access.Within(ctx, s.db.Directory(), actor, access.Request{View: access.Published}, func(scope access.Scope) error {
		n, err = s.meaning.leg.Pending(ctx, scope)
		return err
	})
	return n, err
}

// embedding describes search by meaning to an actor. Where the text of the actor's tenant must not go
// to the model there is none for that tenant.
func (s *stack) embedding(ctx context.Context, actor access.Actor) (api.Embedding, error) {
	if s.meaning == nil {
		return api.Embedding{}, nil
	}
	i := s.meaning.info()
	local, err := s.desk.LocalOnly(ctx, actor)
	if err != nil || local && i.Remote {
		return api.Embedding{}, err
	}
	n, err := s.pending(ctx, actor)
	return api.Embedding{Configured: true, Name: i.Name, Pending: n, Host: i.Host, Remote: i.Remote}, err
}

// catchUp makes vectors until all that the actor may read are there, and says before where the text
// goes if it goes anywhere else.
func (c *cli) catchUp(ctx context.Context, s *stack, actor access.Actor) error {
	e, err := s.embedding(ctx, actor)
	if err != nil {
		return err
	}
	c.tellOfText(llm.Info{Host: e.Host, Remote: e.Remote})
	if err := s.want(ctx); err != nil {
		return err
	}
	work, stop := context.WithCancel(ctx)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		s.embed(work)
	}()
	defer func() { stop(); <-stopped }()
	return caughtUp(ctx, func() (api.Embedding, error) { return s.embedding(ctx, actor) })
}

// embedAll makes the vectors of a folder as far as the model answers, and says before where the text
// goes if it goes anywhere else.
func (c *cli) embedAll(ctx context.Context, s *stack) error {
	if s.meaning == nil {
		return nil
	}
	c.tellOfText(s.meaning.info())
	if err := s.want(ctx); err != nil {
		return err
	}
	return s.meaning.worker.Drain(ctx)
}

// tellOfText says where the text of versions goes to be embedded, if it leaves this machine.
func (c *cli) tellOfText(model llm.Info) {
	if model.Remote {
		c.note("The text of the documents goes to %s, to be found by meaning.", terminal.Clean(model.Host))
	}
}

// caughtUp waits until no vectors are pending.
func caughtUp(ctx context.Context, look func() (api.Embedding, error)) error {
	for wait := 10 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		e, err := look()
		switch {
		case err != nil:
			return err
		case !e.Configured:
			return exit{exitRefused, "there are no vectors to wait for: no embedding model is configured here, or the text of this tenant must not go to it"}
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

func embeddingDetail(models []*embedding.Model) string {
	if len(models) == 0 {
		return "search is by words alone"
	}
	m := models[0]
	switch {
	case m.Host() == "":
		return m.Space().Model + ": computed here, nothing leaves this process"
	case m.Remote():
		return m.Space().Model + " at " + m.Host() + ": questions and the text of versions leave this machine"
	}
	return m.Space().Model + " at " + m.Host() + ", which counts as local"
}

func cosine(s string) error {
	if x, err := strconv.ParseFloat(s, 64); err != nil || !(x >= -1 && x <= 1) {
		return fmt.Errorf("must be a number between -1 and 1")
	}
	return nil
}
