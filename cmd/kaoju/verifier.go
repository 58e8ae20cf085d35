package main

import (
	"encoding/json"
	"errors"

	"github.com/kaoju/kaoju/internal/llm"
)

// checkVerifier refuses settings of a verifier that do not go together.
func checkVerifier(c *config) error {
	url, model := c.get("verifier_url") != "", c.get("verifier_model") != ""
	switch c.get("verifier") {
	case "model":
		if c.get("model_url") == "" {
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

// verifierOf makes what checks sentences beside the rules; nil if nothing does. It answers at
// temperature 0, so that the same sentence is judged the same way as far as the endpoint can.
func verifierOf(conf *config) (llm.Generator, error) {
	steady := map[string]json.RawMessage{"temperature": json.RawMessage("0")}
	switch conf.get("verifier") {
	case "model":
		return adapterOf(conf, steady)
	case "endpoint":
		return modelAt(endpointSettings{conf.get("verifier_url"), conf.get("verifier_model"), conf.get("verifier_key"), conf.get("verifier_api"), placeOf(conf.get("verifier_place"))}, steady)
	}
	return nil, nil
}
