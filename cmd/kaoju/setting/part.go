package setting

import (
	"errors"
	"net"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/cmd/kaoju/meaning"
	"github.com/kaoju/kaoju/cmd/kaoju/reranker"
	"github.com/kaoju/kaoju/cmd/kaoju/rule"
	"github.com/kaoju/kaoju/internal/auth/oidc"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/ranking"
)

// Place returns the place that a setting declares an endpoint to be at.
func (c *Config) Place(name string) llm.Place {
	if place := c.Get(name); place != "auto" {
		return llm.Place(place)
	}
	return llm.ByAddress
}

// Reranker returns the settings of what reorders hits.
func (c *Config) Reranker() reranker.Settings {
	return reranker.Settings{
		URL: c.Get("rerank_url"), Model: c.Get("rerank_model"), Key: c.Get("rerank_key"), API: ranking.Protocol(c.Get("rerank_api")),
		Place: c.Place("rerank_place"), Hits: c.Number("rerank_hits"), Time: c.Duration("rerank_time"),
	}
}

// Meaning returns the settings of search by meaning.
func (c *Config) Meaning() meaning.Settings {
	similarity, _ := strconv.ParseFloat(c.Get("similarity"), 64) // checked when it was loaded
	return meaning.Settings{
		Off: c.Get("embedding") == "off", URL: c.Get("embedding_url"), Model: c.Get("embedding_model"), Key: c.Get("embedding_key"),
		Place: c.Place("embedding_place"), Similarity: similarity,
	}
}

// checkEmbedding refuses settings of an embedding model that do not go together.
func (c *Config) checkEmbedding() error {
	url, model := c.Get("embedding_url") != "", c.Get("embedding_model") != ""
	switch {
	case c.Get("embedding") == "off" && (url || model):
		return errors.New("setting embedding: an endpoint is set that nothing asks; leave KAOJU_EMBEDDING at auto, or leave KAOJU_EMBEDDING_URL and KAOJU_EMBEDDING_MODEL empty")
	case url && !model:
		return errors.New("setting embedding_model: an embedding endpoint is set, so the model needs a name (KAOJU_EMBEDDING_MODEL)")
	case model && !url:
		return errors.New("setting embedding_model: a model is named, but no endpoint is set (KAOJU_EMBEDDING_URL)")
	}
	return nil
}

// checkVerifier refuses settings of a verifier that do not go together.
func (c *Config) checkVerifier() error {
	url, model := c.Get("verifier_url") != "", c.Get("verifier_model") != ""
	switch c.Get("verifier") {
	case "model":
		if c.Get("model_url") == "" {
			return errors.New("setting verifier: the model that answers is to verify, but no model is configured (KAOJU_MODEL_URL)")
		}
	case "endpoint":
		if !url || !model {
			return errors.New("setting verifier: an endpoint is to verify, so it needs an address and the name of a model (KAOJU_VERIFIER_URL, KAOJU_VERIFIER_MODEL)")
		}
		return nil
	}
	if url || model {
		return errors.New("setting verifier: an endpoint is set that nothing asks; say KAOJU_VERIFIER=endpoint")
	}
	return nil
}

// checkProvider refuses settings of the identity provider that do not fit together. It says
// nothing of the secret.
func (c *Config) checkProvider() error {
	if c.Get("oidc_issuer") == "" {
		for _, name := range []string{"oidc_client_id", "oidc_client_secret", "oidc_redirect_url", "oidc_tenant", "oidc_groups", "oidc_roles"} {
			if c.Get(name) != "" {
				return errors.New("setting " + name + ": no identity provider is set (KAOJU_OIDC_ISSUER)")
			}
		}
		return nil
	}
	_, err := c.Provider(c.Get("listen"))
	return err
}

// Provider makes the relying party of the settings for a server that listens at an address. It asks
// nobody.
func (c *Config) Provider(listen string) (*oidc.Provider, error) {
	back := c.Get("oidc_redirect_url")
	if back == "" {
		host, port, err := net.SplitHostPort(listen)
		if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return nil, errors.New("setting oidc_redirect_url: it is needed where others reach this server (KAOJU_OIDC_REDIRECT_URL)")
		}
		back = "http://" + net.JoinHostPort(host, port) + oidc.CallbackPath
	}
	p, err := oidc.New(oidc.Config{
		Issuer: c.Get("oidc_issuer"), ClientID: c.Get("oidc_client_id"), ClientSecret: c.Get("oidc_client_secret"), RedirectURL: back,
		Scopes: strings.Fields(c.Get("oidc_scopes")), NameClaim: c.Get("oidc_name_claim"), GroupsClaim: c.Get("oidc_groups_claim"),
		Hosts: rule.Parts(c.Get("oidc_hosts"), ","),
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}
