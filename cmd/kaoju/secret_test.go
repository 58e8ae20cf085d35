package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/internal/llm/llmtest"
)

const canary = "sk-canary-0123456789"

// TestASecretGoesToNoAddressButItsOwn stores a secret in one place and an address in another.
func TestASecretGoesToNoAddressButItsOwn(t *testing.T) {
	const here, there = "https://here.example/v1", "https://there.example/v1"
	type place = map[string]string
	for name, c := range map[string]struct {
		flags, env, file place
		refused          bool
	}{
		"both in the file":                        {file: place{"model_url": here, "model_key": canary}},
		"both in the environment":                 {env: place{"KAOJU_MODEL_URL": here, "KAOJU_MODEL_KEY": canary}},
		"a key alone, an address by flag":         {flags: place{"model-url": there}, env: place{"KAOJU_MODEL_KEY": canary}},
		"another address by flag":                 {flags: place{"model-url": there}, file: place{"model_url": here, "model_key": canary}, refused: true},
		"another address by flag, key in env":     {flags: place{"model-url": there}, env: place{"KAOJU_MODEL_URL": here, "KAOJU_MODEL_KEY": canary}, refused: true},
		"another address in the environment":      {env: place{"KAOJU_MODEL_URL": there}, file: place{"model_url": here, "model_key": canary}, refused: true},
		"another port":                            {env: place{"KAOJU_MODEL_URL": "https://here.example:444/v1"}, file: place{"model_url": here, "model_key": canary}, refused: true},
		"another scheme":                          {env: place{"KAOJU_MODEL_URL": "http://here.example/v1"}, file: place{"model_url": here, "model_key": canary}, refused: true},
		"the same host, another path":             {env: place{"KAOJU_MODEL_URL": "https://HERE.example:443/v2"}, file: place{"model_url": here, "model_key": canary}},
		"a key set beside the new address":        {env: place{"KAOJU_MODEL_URL": there, "KAOJU_MODEL_KEY": "other"}, file: place{"model_url": here, "model_key": canary}},
		"a weaker address":                        {env: place{"KAOJU_MODEL_URL": here, "KAOJU_MODEL_KEY": canary}, file: place{"model_url": there}},
		"no key":                                  {flags: place{"model-url": there}, file: place{"model_url": here}},
		"a token, and another server by flag":     {flags: place{"server": there}, env: place{"KAOJU_SERVER": here, "KAOJU_TOKEN": canary}, refused: true},
		"a token by flag, a server in the env":    {flags: place{"token": canary}, env: place{"KAOJU_SERVER": here}},
		"a token in the file, a server elsewhere": {env: place{"KAOJU_SERVER": there}, file: place{"server": here, "token": canary}, refused: true},
		"a provider's secret, another issuer":     {env: place{"KAOJU_OIDC_ISSUER": there}, file: place{"oidc_issuer": here, "oidc_client_secret": canary}, refused: true},
	} {
		cmd := &cobra.Command{}
		for _, s := range settings {
			cmd.Flags().String(flagName(s.name), s.fallback, "")
		}
		for flag, value := range c.flags {
			if err := cmd.Flags().Set(flag, value); err != nil {
				t.Fatal(err)
			}
		}
		err := bound(cmd, c.env, c.file)
		if (err != nil) != c.refused {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && (strings.Contains(err.Error(), canary) || strings.Contains(err.Error(), "example")) {
			t.Errorf("%s: the refusal repeats a value: %v", name, err)
		}
	}
}

// TestCommandsRefuseAStoredKeyForAnotherHost is the same through the command line.
func TestCommandsRefuseAStoredKeyForAnotherHost(t *testing.T) {
	e := llmtest.NewEndpoint(t).Forever()
	file := filepath.Join(t.TempDir(), "kaoju.yaml")
	if err := os.WriteFile(file, []byte("model_url: https://api.example/v1\nmodel: m\nmodel_key: "+canary+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	status := execute(t.Context(), []string{"doctor", "--data", t.TempDir(), "--config", file}, map[string]string{"KAOJU_MODEL_URL": e.URL}, strings.NewReader(""), &out, &errs)
	if status != exitUsage || e.Requests() != 0 || strings.Contains(out.String()+errs.String(), canary) || !strings.Contains(errs.String(), "model_key") {
		t.Errorf("status %d after %d requests: %s%s", status, e.Requests(), out.String(), errs.String())
	}
}

// TestDoctorAsksTheModelsEndpoint lets it answer, refuse the key, and be gone.
func TestDoctorAsksTheModelsEndpoint(t *testing.T) {
	for name, c := range map[string]struct {
		code    int
		healthy bool
		says    string
	}{
		"it answers": {200, true, "it answers"}, "it has no list of models": {404, true, "it answers"}, "it refuses the key": {401, false, "does not accept the key"},
		"it wants to be paid": {402, false, "wants to be paid"}, "it is down": {503, false, "status 503"}, "it is gone": {0, false, "could not be reached"},
	} {
		for _, protocol := range []string{"openai", "anthropic"} {
			e := llmtest.NewEndpoint(t, llmtest.Status(max(c.code, 200), canary)).Forever()
			if c.code == 0 {
				e.Close()
			}
			var out, errs strings.Builder
			env := map[string]string{"KAOJU_MODEL_URL": e.URL, "KAOJU_MODEL": "m", "KAOJU_MODEL_KEY": canary, "KAOJU_MODEL_API": protocol, "KAOJU_LOG_LEVEL": "debug"}
			status := execute(t.Context(), []string{"doctor", "--data", filepath.Join(t.TempDir(), "none"), "--json"}, env, strings.NewReader(""), &out, &errs)
			var got struct {
				Healthy bool
				Checks  []finding
			}
			if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
				t.Fatal(err)
			}
			told := ""
			for _, f := range got.Checks {
				if f.Check == "model endpoint" {
					told = f.Detail
				}
			}
			if got.Healthy != c.healthy || (status == exitDone) != c.healthy || !strings.Contains(told, c.says) {
				t.Errorf("%s over %s: status %d, healthy %t, %q", name, protocol, status, got.Healthy, told)
			}
			if strings.Contains(out.String()+errs.String(), canary) {
				t.Errorf("%s over %s: the key is told: %s%s", name, protocol, out.String(), errs.String())
			}
			if c.code != 0 && e.Path(0) != "/v1/models" {
				t.Errorf("%s: asked for %s", name, e.Path(0))
			}
		}
	}
}
