package main

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/reranker"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/anthropic"
	"github.com/kaoju/kaoju/internal/llm/openai"
	"github.com/kaoju/kaoju/internal/llm/rules"
	"github.com/kaoju/kaoju/internal/llm/textcall"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/problem"
)

// generatorOf makes what answers: the adapter of the configured endpoint, or the rule-based engine.
func generatorOf(conf *config) (llm.Generator, error) {
	if conf.get("model_url") == "" {
		return rules.New(), nil
	}
	adapter, err := adapterOf(conf, nil)
	if err != nil || conf.get("model_tools") == "native" {
		return adapter, err
	}
	return textcall.New(adapter, textcall.Mode(conf.get("model_tools"))), nil
}

// adapterOf makes the adapter of the model that answers. Extra fields go into every request.
func adapterOf(conf *config, extra map[string]json.RawMessage) (llm.Generator, error) {
	return modelAt(endpointSettings{conf.get("model_url"), conf.get("model"), conf.get("model_key"), conf.get("model_api"), placeOf(conf.get("model_place"))}, extra)
}

// placeOf is the place that a setting declares.
func placeOf(setting string) llm.Place {
	if setting == "auto" {
		return llm.ByAddress
	}
	return llm.Place(setting)
}

// endpointSettings say where a model answers, in which protocol, and where that counts as being.
type endpointSettings struct {
	url, model, key, api string
	place                llm.Place
}

// modelAt makes the adapter of an endpoint. Extra fields go into every request.
func modelAt(e endpointSettings, extra map[string]json.RawMessage) (llm.Generator, error) {
	client, err := outbound.To(e.url)
	if err != nil {
		return nil, err
	}
	if e.api == "anthropic" {
		return anthropic.New(anthropic.Config{BaseURL: e.url, Model: e.model, Key: e.key, Client: client, Place: e.place, Extra: extra})
	}
	return openai.New(openai.Config{BaseURL: e.url, Model: e.model, Key: e.key, Client: client, Place: e.place, Extra: extra})
}

// modelSettings are the settings of what answers, of what checks and of search by meaning. Every command under which one
// of them works has all of them as flags.
var modelSettings = []string{
	"model_url", "model", "model_api", "model_tools", "model_place", "verifier", "verifier_url", "verifier_model", "verifier_api",
	"verifier_place", "run_time", "request_time", "embedding", "embedding_url", "embedding_model", "embedding_place", "similarity",
	"rerank_url", "rerank_model", "rerank_api", "rerank_place", "rerank_hits", "rerank_time",
}

// askHere asks in this process, and says before where the text goes if it goes anywhere else.
func (c *cli) askHere(ctx context.Context, s *stack, actor access.Actor, req agent.Request) (api.Answer, error) {
	if err := c.tellOfTenants(ctx, s, []access.TenantID{actor.Tenant}); err != nil {
		return api.Answer{}, err
	}
	return s.ask(ctx, actor, req)
}

// tellOfTenants says where text of tenants goes from this process. Of a tenant that is local-only
// nothing goes anywhere, and of one that is not there neither.
func (c *cli) tellOfTenants(ctx context.Context, s *stack, tenants []access.TenantID) error {
	slices.Sort(tenants)
	for _, id := range slices.Compact(tenants) {
		tenant, err := s.db.Tenancy().Tenant(ctx, id)
		switch {
		case problem.Is(err, problem.NotFound), err == nil && tenant.LocalOnly:
			continue
		case err != nil:
			return err
		}
		c.tellWhere(s.model, s.verifier, s.meaning.Info(), reranker.Info(s.searcher.Reranking))
		return nil
	}
	return nil
}

// tellOfServer says where a server sends the text of whoever asks it.
func (c *cli) tellOfServer(ctx context.Context, client *api.Client) error {
	system, err := client.System(ctx)
	if err == nil {
		m, v, e, r := system.Model, system.Verifier, system.Embedding, system.Reranker
		c.tellWhere(llm.Info{Host: m.Host, Remote: m.Remote}, llm.Info{Host: v.Host, Remote: v.Remote}, llm.Info{Host: e.Host, Remote: e.Remote}, llm.Info{Host: r.Host, Remote: r.Remote})
	}
	return err
}

// tellWhere says what goes to whom, of that which leaves the machine that answers.
func (c *cli) tellWhere(model, verifier, embedding, reranker llm.Info) {
	if model.Remote {
		c.note("The question, the snippets that are found and the passages that are read go to %s.", terminal.Clean(model.Host))
	}
	if verifier.Remote {
		c.note("The sentences of the answer and the passages that they cite go to %s, to be checked.", terminal.Clean(verifier.Host))
	}
	if embedding.Remote {
		c.note("What is searched for goes to %s, to be compared by meaning.", terminal.Clean(embedding.Host))
	}
	if reranker.Remote {
		c.note("What is searched for and the passages that are found go to %s, to be ranked.", terminal.Clean(reranker.Host))
	}
}
