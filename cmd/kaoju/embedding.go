package main

import (
	"context"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/meaning"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/llm"
)

// embeddingSettings are the settings of search by meaning alone, for the commands that ask no model, and
// rerankSettings those of what reorders hits.
var (
	embeddingSettings = []string{"embedding", "embedding_url", "embedding_model", "embedding_place", "similarity"}
	rerankSettings    = []string{"rerank_url", "rerank_model", "rerank_api", "rerank_place", "rerank_hits", "rerank_time"}
)

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
func (c *cli) waitOnServer(ctx context.Context, conf *setting.Config) error {
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
