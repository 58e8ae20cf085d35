package library

import (
	"context"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/meaning"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/llm"
)

var errNoVectors = outcome.New(outcome.Refused, "there are no vectors to wait for: no embedding model is configured here, or the text of this tenant must not go to it")

// catchUp makes vectors until all that the actor may read are there, and says before where the text
// goes if it goes anywhere else.
func (c commands) catchUp(ctx context.Context, s *wiring.Product, actor access.Actor) error {
	e, err := s.Meaning.Describe(ctx, actor)
	if err != nil {
		return err
	}
	c.TellOfText(llm.Info{Host: e.Host, Remote: e.Remote})
	return s.Meaning.CatchUp(ctx, actor, errNoVectors)
}

// waitOnServer returns when a server has made the vectors of what is published.
func (c commands) waitOnServer(ctx context.Context, conf *setting.Config) error {
	client, err := c.Client(conf)
	if err != nil {
		return err
	}
	return meaning.Await(ctx, errNoVectors, func() (api.Embedding, error) {
		system, err := client.System(ctx)
		return system.Embedding, err
	})
}
