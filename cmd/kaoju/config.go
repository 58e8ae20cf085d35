package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/declaration"
	"github.com/kaoju/kaoju/cmd/kaoju/rule"
)

// setting is one setting of the product. The table of them drives flags, environment, file,
// `kaoju doctor` and the reference in docs/operations.md.
type setting struct {
	name     string // in kaoju.yaml, and as a flag with dashes
	env      string
	fallback string
	secret   bool
	help     string
	check    func(string) error
}

var settings = []setting{
	{name: "data", env: "KAOJU_DATA", fallback: "./kaoju-data", help: "folder that holds everything Kaoju keeps"},
	{name: "listen", env: "KAOJU_LISTEN", fallback: "127.0.0.1:8000", help: "address of the HTTP interface"},
	{name: "as", env: "KAOJU_AS", fallback: "admin", help: "user a command on a data folder acts as"},
	{name: "tenant", env: "KAOJU_TENANT", help: "tenant a command on a data folder acts in; needed when there are several"},
	{name: "server", env: "KAOJU_SERVER", help: "act on a running server at this address instead of a data folder", check: rule.URL},
	{name: "token", env: "KAOJU_TOKEN", secret: true, help: "token for --server"},
	{name: "model_url", env: "KAOJU_MODEL_URL", help: "base address of a model endpoint, with /v1; empty: answers are extracted by rules", check: rule.URL},
	{name: "model", env: "KAOJU_MODEL", help: "name of the model at that endpoint"},
	{name: "model_key", env: "KAOJU_MODEL_KEY", secret: true, help: "key for that endpoint"},
	{name: "model_api", env: "KAOJU_MODEL_API", fallback: "openai", help: "protocol of that endpoint: openai or anthropic", check: rule.OneOf("openai", "anthropic")},
	{name: "model_tools", env: "KAOJU_MODEL_TOOLS", fallback: "auto", help: "how the model calls tools: native, text (blocks in its answer), or auto (native until the endpoint refuses)", check: rule.OneOf("native", "text", "auto")},
	{name: "model_place", env: "KAOJU_MODEL_PLACE", fallback: "auto", help: "where that endpoint counts as being: local, remote, or auto (local on this machine alone)", check: rule.OneOf("auto", "local", "remote")},
	{name: "verifier", env: "KAOJU_VERIFIER", fallback: "rules", help: "who checks sentences beside the rules: rules (nobody), model (the model that answers), endpoint (the one at verifier_url)", check: rule.OneOf("rules", "model", "endpoint")},
	{name: "verifier_url", env: "KAOJU_VERIFIER_URL", help: "base address of the verifier's endpoint, with /v1", check: rule.URL},
	{name: "verifier_model", env: "KAOJU_VERIFIER_MODEL", help: "name of the model at that endpoint"},
	{name: "verifier_key", env: "KAOJU_VERIFIER_KEY", secret: true, help: "key for that endpoint"},
	{name: "verifier_api", env: "KAOJU_VERIFIER_API", fallback: "openai", help: "protocol of that endpoint: openai or anthropic", check: rule.OneOf("openai", "anthropic")},
	{name: "verifier_place", env: "KAOJU_VERIFIER_PLACE", fallback: "auto", help: "where that endpoint counts as being: local, remote, or auto (local on this machine alone)", check: rule.OneOf("auto", "local", "remote")},
	{name: "embedding", env: "KAOJU_EMBEDDING", fallback: "auto", help: "search by meaning: auto (with the model at embedding_url, else the built-in one) or off", check: rule.OneOf("auto", "off")},
	{name: "embedding_url", env: "KAOJU_EMBEDDING_URL", help: "base address of an embedding endpoint, with /v1", check: rule.URL},
	{name: "embedding_model", env: "KAOJU_EMBEDDING_MODEL", help: "name of the model at that endpoint"},
	{name: "embedding_key", env: "KAOJU_EMBEDDING_KEY", secret: true, help: "key for that endpoint"},
	{name: "embedding_place", env: "KAOJU_EMBEDDING_PLACE", fallback: "auto", help: "where that endpoint counts as being: local, remote, or auto (local on this machine alone)", check: rule.OneOf("auto", "local", "remote")},
	{name: "similarity", env: "KAOJU_SIMILARITY", fallback: "0.35", help: "similarity from -1 to 1 that a passage without a word of the query needs to be a hit", check: rule.Cosine},
	{name: "rerank_url", env: "KAOJU_RERANK_URL", help: "base address of an endpoint that ranks passages, up to /rerank; empty: hits keep the order of the search", check: rule.URL},
	{name: "rerank_model", env: "KAOJU_RERANK_MODEL", help: "name of the model at that endpoint"},
	{name: "rerank_key", env: "KAOJU_RERANK_KEY", secret: true, help: "key for that endpoint"},
	{name: "rerank_api", env: "KAOJU_RERANK_API", fallback: "jina", help: "protocol of that endpoint: jina (also Cohere, vLLM, Infinity, llama.cpp) or tei (Text Embeddings Inference)", check: rule.OneOf("jina", "tei")},
	{name: "rerank_place", env: "KAOJU_RERANK_PLACE", fallback: "auto", help: "where that endpoint counts as being: local, remote, or auto (local on this machine alone)", check: rule.OneOf("auto", "local", "remote")},
	{name: "rerank_hits", env: "KAOJU_RERANK_HITS", fallback: "30", help: "first hits of a search that are reordered, 2 to 100", check: rule.Positive},
	{name: "rerank_time", env: "KAOJU_RERANK_TIME", fallback: "5s", help: "time that a search waits for that endpoint", check: rule.Duration},
	{name: "max_file_bytes", env: "KAOJU_MAX_FILE_BYTES", fallback: "268435456", help: "largest original that is taken in", check: rule.Positive},
	{name: "file_time", env: "KAOJU_FILE_TIME", fallback: "120s", help: "time that reading one file may take, by the clock and by the processor", check: rule.Duration},
	{name: "file_memory", env: "KAOJU_FILE_MEMORY", fallback: "536870912", help: "bytes of memory that reading one file may take, at least 64 MiB", check: rule.Memory},
	{name: "workers", env: "KAOJU_WORKERS", fallback: "2", help: "files read at the same time", check: rule.Positive},
	{name: "runs", env: "KAOJU_RUNS", fallback: "8", help: "runs that work at the same time", check: rule.Positive},
	{name: "run_time", env: "KAOJU_RUN_TIME", fallback: "180s", help: "working time of one run", check: rule.Duration},
	{name: "request_time", env: "KAOJU_REQUEST_TIME", fallback: "60s", help: "time of one model request", check: rule.Duration},
	{name: "run_tokens", env: "KAOJU_RUN_TOKENS", fallback: "0", help: "tokens after which a run ends, checked after each response; 0: none", check: rule.Number},
	{name: "token_rate", env: "KAOJU_TOKEN_RATE", fallback: "0", help: "requests a second that one token or session may make; 0: no limit", check: rule.Number},
	{name: "tenant_rate", env: "KAOJU_TENANT_RATE", fallback: "0", help: "requests a second that one tenant may make; 0: no limit", check: rule.Number},
	{name: "secure_cookie", env: "KAOJU_SECURE_COOKIE", fallback: "no", help: "yes where TLS ends at a proxy in front: the session's cookie is for TLS alone", check: rule.OneOf("yes", "no")},
	{name: "oidc_issuer", env: "KAOJU_OIDC_ISSUER", help: "address of an OpenID Connect provider through which people sign in", check: rule.URL},
	{name: "oidc_client_id", env: "KAOJU_OIDC_CLIENT_ID", help: "what the provider calls this server"},
	{name: "oidc_client_secret", env: "KAOJU_OIDC_CLIENT_SECRET", secret: true, help: "how this server proves itself to the provider"},
	{name: "oidc_redirect_url", env: "KAOJU_OIDC_REDIRECT_URL", help: "where the provider sends browsers back to, ending in /auth/oidc/callback; needed unless the server listens on this machine alone", check: rule.URL},
	{name: "oidc_tenant", env: "KAOJU_OIDC_TENANT", help: "tenant of the people who sign in through the provider; needed when there are several"},
	{name: "oidc_name", env: "KAOJU_OIDC_NAME", fallback: "SSO", help: "how people know the provider"},
	{name: "oidc_scopes", env: "KAOJU_OIDC_SCOPES", fallback: "openid profile", help: "what is asked of the provider, separated by spaces"},
	{name: "oidc_hosts", env: "KAOJU_OIDC_HOSTS", help: "further hosts of the provider as host:port, separated by commas; no other host is contacted"},
	{name: "oidc_name_claim", env: "KAOJU_OIDC_NAME_CLAIM", fallback: "name", help: "claim with a person's name"},
	{name: "oidc_groups_claim", env: "KAOJU_OIDC_GROUPS_CLAIM", fallback: "groups", help: "claim with a person's groups at the provider"},
	{name: "oidc_groups", env: "KAOJU_OIDC_GROUPS", help: "groups that groups of the provider give: PROVIDERS=OURS, separated by semicolons", check: rule.GroupPairs},
	{name: "oidc_roles", env: "KAOJU_OIDC_ROLES", help: "roles that groups of the provider give: PROVIDERS=ROLE, separated by semicolons; never tenant_admin", check: rule.RolePairs},
	{name: "oidc_create", env: "KAOJU_OIDC_CREATE", fallback: "no", help: "yes: whoever the provider lets in becomes a member at the first sign-in; no: only who is linked", check: rule.OneOf("yes", "no")},
	{name: "tools_file", env: "KAOJU_TOOLS_FILE", help: "file in which further tools are declared; empty: the built-in ones alone"},
	{name: "confirm_sensitive", env: "KAOJU_CONFIRM_SENSITIVE", fallback: "yes", help: "yes if exports of full texts and of histories wait for a decision", check: rule.OneOf("yes", "no")},
	{name: "log_level", env: "KAOJU_LOG_LEVEL", fallback: "info", help: "debug, info, warn or error", check: rule.OneOf("debug", "info", "warn", "error")},
	{name: "database_url", env: "KAOJU_DATABASE_URL", secret: true, help: "only SQLite in the data folder is supported; must be empty", check: rule.NoDatabase},
}

// origin says where the value of a setting came from.
type origin string

const (
	fromDefault origin = "default"
	fromFile    origin = "file"
	fromEnv     origin = "environment"
	fromFlag    origin = "flag"
)

// value is a setting in force.
type value struct {
	text string
	from origin
}

// config holds every setting in force.
type config struct {
	values map[string]value
	file   string // the file that was read, "" if none
	// keys are the variables that may hold the key of a declared tool.
	keys map[string]string
}

func (c *config) get(name string) string { return c.values[name].text }

func (c *config) number(name string) int {
	n, _ := strconv.Atoi(c.get(name)) // checked when it was loaded
	return n
}

func (c *config) duration(name string) time.Duration {
	d, _ := time.ParseDuration(c.get(name)) // checked when it was loaded
	return d
}

// addFlags gives a command the flags of the named settings.
func addFlags(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		s := settingNamed(name)
		cmd.Flags().String(flagName(name), s.fallback, s.help+" ("+s.env+")")
	}
}

func flagName(name string) string {
	out := []byte(name)
	for i, c := range out {
		if c == '_' {
			out[i] = '-'
		}
	}
	return string(out)
}

func settingNamed(name string) setting {
	for _, s := range settings {
		if s.name == name {
			return s
		}
	}
	panic("no setting " + name)
}

// load finds the value of every setting: flag, then environment, then file, then default. A file
// that is named and missing, an unknown name in it or a bad value is an error that says where.
func load(cmd *cobra.Command, env map[string]string) (*config, error) {
	path, _ := cmd.Flags().GetString("config")
	file, err := readFile(path)
	if err != nil {
		return nil, exit{exitUsage, err.Error()}
	}
	c := &config{values: map[string]value{}, file: path, keys: map[string]string{}}
	for name, text := range env {
		if strings.HasPrefix(name, declaration.KeyPrefix) {
			c.keys[name] = text
		}
	}
	if err := bound(cmd, env, file); err != nil {
		return nil, exit{exitUsage, err.Error()}
	}
	if file == nil {
		c.file = ""
	}
	for _, s := range settings {
		v := value{s.fallback, fromDefault}
		if text, ok := file[s.name]; ok {
			v = value{text, fromFile}
		}
		if text, ok := env[s.env]; ok && text != "" {
			v = value{text, fromEnv}
		}
		if f := cmd.Flags().Lookup(flagName(s.name)); f != nil && f.Changed {
			v = value{f.Value.String(), fromFlag}
		}
		if s.check != nil && v.text != "" {
			if err := s.check(v.text); err != nil {
				return nil, exit{exitUsage, fmt.Sprintf("setting %s (from %s): %v", s.name, v.from, err)}
			}
		}
		c.values[s.name] = v
	}
	if c.get("model_url") == "" && c.get("model") != "" {
		return nil, exit{exitUsage, "setting model: a model is named, but no endpoint is set (KAOJU_MODEL_URL)"}
	}
	if c.get("model_url") != "" && c.get("model") == "" {
		return nil, exit{exitUsage, "setting model: a model endpoint is set, so the model needs a name (KAOJU_MODEL)"}
	}
	if err := checkVerifier(c); err != nil {
		return nil, exit{exitUsage, err.Error()}
	}
	if err := checkEmbedding(c); err != nil {
		return nil, exit{exitUsage, err.Error()}
	}
	if err := rerankOf(c).Check(); err != nil {
		return nil, exit{exitUsage, err.Error()}
	}
	return c, c.checkProvider()
}

// readFile reads kaoju.yaml strictly. The default file may be absent.
func readFile(path string) (map[string]string, error) {
	raw, err := os.ReadFile(filepath.Clean(path))
	if errors.Is(err, fs.ErrNotExist) && path == defaultFile {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("settings file %s: it cannot be read", path)
	}
	var parsed map[string]any
	if err := yaml.Unmarshal(raw, &parsed); err != nil {
		return nil, fmt.Errorf("settings file %s: %s", path, yaml.FormatError(err, false, false))
	}
	out := map[string]string{}
	for name, v := range parsed {
		known := false
		for _, s := range settings {
			known = known || s.name == name
		}
		if !known {
			return nil, fmt.Errorf("settings file %s: there is no setting %q", path, name)
		}
		switch v.(type) {
		case string, bool, int, int64, uint64, float64:
			out[name] = fmt.Sprint(v)
		default:
			return nil, fmt.Errorf("settings file %s: %s must be a single value", path, name)
		}
	}
	return out, nil
}

const defaultFile = "kaoju.yaml"
