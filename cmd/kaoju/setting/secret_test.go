package setting

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
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
		for _, s := range Table {
			AddFlags(cmd, s.Name)
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

func TestAFlagOfACommandsOwnIsNotThatOfASettingOfItsName(t *testing.T) {
	cmd := &cobra.Command{}
	cmd.Flags().String("config", DefaultFile, "")
	AddFlags(cmd, "data")
	cmd.Flags().Bool("runs", false, "")
	for flag, value := range map[string]string{"data": "/elsewhere", "runs": "true"} {
		if err := cmd.Flags().Set(flag, value); err != nil {
			t.Fatal(err)
		}
	}
	conf, err := Load(cmd, nil)
	if err != nil {
		t.Fatal(err)
	}
	if v := conf.Value("runs"); v.From == Flag || conf.Get("data") != "/elsewhere" {
		t.Errorf("%+v, %s", v, conf.Get("data"))
	}
}
