package wiring

import (
	"encoding/json"

	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/anthropic"
	"github.com/kaoju/kaoju/internal/llm/openai"
	"github.com/kaoju/kaoju/internal/llm/rules"
	"github.com/kaoju/kaoju/internal/llm/textcall"
	"github.com/kaoju/kaoju/internal/outbound"
)

// GeneratorOf makes what answers: the adapter of the configured endpoint, or the rule-based engine.
func GeneratorOf(conf *setting.Config) (llm.Generator, error) {
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
