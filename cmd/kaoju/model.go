package main

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/reranker"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
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
func generatorOf(conf *setting.Config) (llm.Generator, error) {
	if conf.Get("model_url") == "" {
		return rules.New(), nil
	}
	adapter, err := adapterOf(conf, nil)
	if err != nil || conf.Get("model_tools") == "native" {
		return adapter, err
	}
	return textcall.New(adapter, textcall.Mode(conf.Get("model_tools"))), nil
}

// adapterOf makes the adapter of the model that answers. Extra fields go into every request.
func adapterOf(conf *setting.Config, extra map[string]json.RawMessage) (llm.Generator, error) {
	return modelAt(endpointSettings{conf.Get("model_url"), conf.Get("model"), conf.Get("model_key"), conf.Get("model_api"), conf.Place("model_place")}, extra)
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
var modelSettings = slices.Concat([]string{
	"model_url", "model", "model_api", "model_tools", "model_place", "verifier", "verifier_url", "verifier_model", "verifier_api",
	"verifier_place", "run_time", "request_time",
}, embeddingSettings, rerankSettings)

// askHere asks in this process, and says before where the text goes if it goes anywhere else.
func (c *cli) askHere(ctx context.Context, s *stack, actor access.Actor, req agent.Request) (api.Answer, error) {
	if err := c.tellOfTenants(ctx, s, s.reach().Asking(req.Goal), actor.Tenant); err != nil {
		return api.Answer{}, err
	}
	return s.ask(ctx, actor, req)
}

// reach is where the models of this process send something.
func (s *stack) reach() terminal.Reach {
	e, r := s.meaning.Info(), reranker.Info(s.searcher.Reranking)
	return terminal.Reach{
		Model: terminal.Elsewhere(s.model.Host, s.model.Remote), Verifier: terminal.Elsewhere(s.verifier.Host, s.verifier.Remote),
		Embedding: terminal.Elsewhere(e.Host, e.Remote), Reranker: terminal.Elsewhere(r.Host, r.Remote),
	}
}

// tellOfTenants says where text of tenants goes from this process. Of a tenant that is local-only
// nothing goes anywhere, and of one that is not there neither.
func (c *cli) tellOfTenants(ctx context.Context, s *stack, to terminal.Reach, tenants ...access.TenantID) error {
	slices.Sort(tenants)
	for _, id := range slices.Compact(tenants) {
		tenant, err := s.db.Tenancy().Tenant(ctx, id)
		switch {
		case problem.Is(err, problem.NotFound), err == nil && tenant.LocalOnly:
			continue
		case err != nil:
			return err
		}
		c.tellWhere(to)
		return nil
	}
	return nil
}

// tellOfServer says where a server sends the text of whoever does something there: to those whom the given function
// leaves of all.
func (c *cli) tellOfServer(ctx context.Context, client *api.Client, what func(terminal.Reach) terminal.Reach) error {
	system, err := client.System(ctx)
	c.tellWhere(what(terminal.ReachOf(system)))
	return err
}

// tellWhere says what leaves the machine that answers or searches.
func (c *cli) tellWhere(to terminal.Reach) {
	for _, line := range to.Lines() {
		c.note("%s", line)
	}
}
