package main

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/url"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/anthropic"
	"github.com/kaoju/kaoju/internal/llm/openai"
	"github.com/kaoju/kaoju/internal/llm/rules"
	"github.com/kaoju/kaoju/internal/llm/textcall"
	"github.com/kaoju/kaoju/internal/outbound"
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
	place := llm.ByAddress
	if p := conf.get("model_place"); p != "auto" {
		place = llm.Place(p)
	}
	return modelAt(endpointSettings{conf.get("model_url"), conf.get("model"), conf.get("model_key"), conf.get("model_api"), place}, extra)
}

// endpointSettings say where a model answers, in which protocol, and where that counts as being.
type endpointSettings struct {
	url, model, key, api string
	place                llm.Place
}

// modelAt makes the adapter of an endpoint. Extra fields go into every request.
func modelAt(e endpointSettings, extra map[string]json.RawMessage) (llm.Generator, error) {
	client, err := reach(e.url)
	if err != nil {
		return nil, err
	}
	if e.api == "anthropic" {
		return anthropic.New(anthropic.Config{BaseURL: e.url, Model: e.model, Key: e.key, Client: client, Place: e.place, Extra: extra})
	}
	return openai.New(openai.Config{BaseURL: e.url, Model: e.model, Key: e.key, Client: client, Place: e.place, Extra: extra})
}

// reach makes a client that may reach the host of an address which the operator set, wherever
// that host is.
func reach(address string) (*http.Client, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return outbound.New(outbound.Options{Allow: []string{net.JoinHostPort(u.Hostname(), port)}}), nil
}

// askHere asks in this process, and says before where the text goes if it goes anywhere else.
func (c *cli) askHere(ctx context.Context, s *stack, actor access.Actor, req agent.Request) (api.Answer, error) {
	local, err := s.desk.LocalOnly(ctx, actor)
	if err != nil {
		return api.Answer{}, err
	}
	if s.model.Remote && !local {
		c.leaves(s.model.Host)
	}
	if s.verifier.Remote && !local {
		c.note("The sentences of the answer and the passages that they cite go to %s, to be checked.", terminal.Clean(s.verifier.Host))
	}
	return s.ask(ctx, actor, req)
}

func (c *cli) leaves(host string) {
	c.note("The question, the snippets that are found and the passages that are read go to %s.", terminal.Clean(host))
}
