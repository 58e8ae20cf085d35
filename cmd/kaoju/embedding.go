package main

import (
	"context"
	"errors"
	"strconv"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/meaning"
	"github.com/kaoju/kaoju/cmd/kaoju/reranker"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/ranking"
)

// embeddingSettings are the settings of search by meaning alone, for the commands that ask no model, and
// rerankSettings those of what reorders hits.
var (
	embeddingSettings = []string{"embedding", "embedding_url", "embedding_model", "embedding_place", "similarity"}
	rerankSettings    = []string{"rerank_url", "rerank_model", "rerank_api", "rerank_place", "rerank_hits", "rerank_time"}
)

// rerankOf reads the settings of what reorders hits.
func rerankOf(conf *config) reranker.Settings {
	return reranker.Settings{
		URL: conf.get("rerank_url"), Model: conf.get("rerank_model"), Key: conf.get("rerank_key"), API: ranking.Protocol(conf.get("rerank_api")),
		Place: placeOf(conf.get("rerank_place")), Hits: conf.number("rerank_hits"), Time: conf.duration("rerank_time"),
	}
}

// meaningOf reads the settings of search by meaning.
func meaningOf(conf *config) meaning.Settings {
	similarity, _ := strconv.ParseFloat(conf.get("similarity"), 64) // checked when it was loaded
	return meaning.Settings{
		Off: conf.get("embedding") == "off", URL: conf.get("embedding_url"), Model: conf.get("embedding_model"), Key: conf.get("embedding_key"),
		Place: placeOf(conf.get("embedding_place")), Similarity: similarity,
	}
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

var errNoVectors = exit{exitRefused, "there are no vectors to wait for: no embedding model is configured here, or the text of this tenant must not go to it"}

// catchUp makes vectors until all that the actor may read are there, and says before where the text
// goes if it goes anywhere else.
func (c *cli) catchUp(ctx context.Context, s *stack, actor access.Actor) error {
	e, err := s.meaning.Describe(ctx, actor)
	if err != nil {
		return err
	}
	c.tellOfText(llm.Info{Host: e.Host, Remote: e.Remote})
	return s.meaning.CatchUp(ctx, actor, errNoVectors)
}

// waitOnServer returns when a server has made the vectors of what is published.
func (c *cli) waitOnServer(ctx context.Context, conf *config) error {
	client, err := c.client(conf)
	if err != nil {
		return err
	}
	return meaning.Await(ctx, errNoVectors, func() (api.Embedding, error) {
		system, err := client.System(ctx)
		return system.Embedding, err
	})
}

// tellOfText says where the text of versions goes to be embedded, if it leaves this machine.
func (c *cli) tellOfText(model llm.Info) {
	if model.Remote {
		c.note("The text of the documents goes to %s, to be found by meaning.", terminal.Clean(model.Host))
	}
}
