package wiring

import (
	"encoding/json"

	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/internal/llm"
)

// VerifierOf makes what checks sentences beside the rules; nil if nothing does. It answers at
// temperature 0, so that the same sentence is judged the same way as far as the endpoint can.
func VerifierOf(conf *setting.Config) (llm.Generator, error) {
	steady := map[string]json.RawMessage{"temperature": json.RawMessage("0")}
	switch conf.Get("verifier") {
	case "model":
		return adapterOf(conf, steady)
	case "endpoint":
		return modelAt(endpointSettings{conf.Get("verifier_url"), conf.Get("verifier_model"), conf.Get("verifier_key"), conf.Get("verifier_api"), conf.Place("verifier_place")}, steady)
	}
	return nil, nil
}
