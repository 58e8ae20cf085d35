package setting

import "github.com/kaoju/kaoju/cmd/kaoju/rule"

// Setting is one setting of the product. The table of them drives flags, environment, file,
// `kaoju doctor` and the reference in docs/operations.md.
type Setting struct {
	Name     string // in kaoju.yaml, and as a flag with dashes
	Env      string // its environment variable
	Fallback string // what holds where nobody sets it
	Secret   bool   // never printed
	Help     string
	check    func(string) error
}

// Table holds every setting, in the order in which `kaoju doctor` prints them.
var Table = []Setting{
	{Name: "data", Env: "KAOJU_DATA", Fallback: "./kaoju-data", Help: "folder that holds everything Kaoju keeps"},
	{Name: "listen", Env: "KAOJU_LISTEN", Fallback: "127.0.0.1:8000", Help: "address of the HTTP interface"},
	{Name: "as", Env: "KAOJU_AS", Fallback: "admin", Help: "user a command on a data folder acts as"},
	{Name: "tenant", Env: "KAOJU_TENANT", Help: "tenant a command on a data folder acts in; needed when there are several"},
	{Name: "server", Env: "KAOJU_SERVER", Help: "act on a running server at this address instead of a data folder", check: rule.URL},
	{Name: "token", Env: "KAOJU_TOKEN", Secret: true, Help: "token for --server"},
	{Name: "model_url", Env: "KAOJU_MODEL_URL", Help: "base address of a model endpoint, with /v1; empty: answers are extracted by rules", check: rule.URL},
	{Name: "model", Env: "KAOJU_MODEL", Help: "name of the model at that endpoint"},
	{Name: "model_key", Env: "KAOJU_MODEL_KEY", Secret: true, Help: "key for that endpoint"},
	{Name: "model_api", Env: "KAOJU_MODEL_API", Fallback: "openai", Help: "protocol of that endpoint: openai or anthropic", check: rule.OneOf("openai", "anthropic")},
	{Name: "model_tools", Env: "KAOJU_MODEL_TOOLS", Fallback: "auto", Help: "how the model calls tools: native, text (blocks in its answer), or auto (native until the endpoint refuses)", check: rule.OneOf("native", "text", "auto")},
	{Name: "model_place", Env: "KAOJU_MODEL_PLACE", Fallback: "auto", Help: "where that endpoint counts as being: local, remote, or auto (local on this machine alone)", check: rule.OneOf("auto", "local", "remote")},
	{Name: "verifier", Env: "KAOJU_VERIFIER", Fallback: "rules", Help: "who checks sentences beside the rules: rules (nobody), model (the model that answers), endpoint (the one at verifier_url)", check: rule.OneOf("rules", "model", "endpoint")},
	{Name: "verifier_url", Env: "KAOJU_VERIFIER_URL", Help: "base address of the verifier's endpoint, with /v1", check: rule.URL},
	{Name: "verifier_model", Env: "KAOJU_VERIFIER_MODEL", Help: "name of the model at that endpoint"},
	{Name: "verifier_key", Env: "KAOJU_VERIFIER_KEY", Secret: true, Help: "key for that endpoint"},
	{Name: "verifier_api", Env: "KAOJU_VERIFIER_API", Fallback: "openai", Help: "protocol of that endpoint: openai or anthropic", check: rule.OneOf("openai", "anthropic")},
	{Name: "verifier_place", Env: "KAOJU_VERIFIER_PLACE", Fallback: "auto", Help: "where that endpoint counts as being: local, remote, or auto (local on this machine alone)", check: rule.OneOf("auto", "local", "remote")},
	{Name: "embedding", Env: "KAOJU_EMBEDDING", Fallback: "auto", Help: "search by meaning: auto (with the model at embedding_url, else the built-in one) or off", check: rule.OneOf("auto", "off")},
	{Name: "embedding_url", Env: "KAOJU_EMBEDDING_URL", Help: "base address of an embedding endpoint, with /v1", check: rule.URL},
	{Name: "embedding_model", Env: "KAOJU_EMBEDDING_MODEL", Help: "name of the model at that endpoint"},
	{Name: "embedding_key", Env: "KAOJU_EMBEDDING_KEY", Secret: true, Help: "key for that endpoint"},
	{Name: "embedding_place", Env: "KAOJU_EMBEDDING_PLACE", Fallback: "auto", Help: "where that endpoint counts as being: local, remote, or auto (local on this machine alone)", check: rule.OneOf("auto", "local", "remote")},
	{Name: "similarity", Env: "KAOJU_SIMILARITY", Fallback: "0.35", Help: "similarity from -1 to 1 that a passage without a word of the query needs to be a hit", check: rule.Cosine},
	{Name: "rerank_url", Env: "KAOJU_RERANK_URL", Help: "base address of an endpoint that ranks passages, up to /rerank; empty: hits keep the order of the search", check: rule.URL},
	{Name: "rerank_model", Env: "KAOJU_RERANK_MODEL", Help: "name of the model at that endpoint"},
	{Name: "rerank_key", Env: "KAOJU_RERANK_KEY", Secret: true, Help: "key for that endpoint"},
	{Name: "rerank_api", Env: "KAOJU_RERANK_API", Fallback: "jina", Help: "protocol of that endpoint: jina (also Cohere, vLLM, Infinity, llama.cpp) or tei (Text Embeddings Inference)", check: rule.OneOf("jina", "tei")},
	{Name: "rerank_place", Env: "KAOJU_RERANK_PLACE", Fallback: "auto", Help: "where that endpoint counts as being: local, remote, or auto (local on this machine alone)", check: rule.OneOf("auto", "local", "remote")},
	{Name: "rerank_hits", Env: "KAOJU_RERANK_HITS", Fallback: "30", Help: "first hits of a search that are reordered, 2 to 100", check: rule.Positive},
	{Name: "rerank_time", Env: "KAOJU_RERANK_TIME", Fallback: "5s", Help: "time that a search waits for that endpoint", check: rule.Duration},
	{Name: "max_file_bytes", Env: "KAOJU_MAX_FILE_BYTES", Fallback: "268435456", Help: "largest original that is taken in", check: rule.Positive},
	{Name: "source_hosts", Env: "KAOJU_SOURCE_HOSTS", Help: "hosts inside the private network that files and Git repositories may be fetched from, as host:port, separated by commas; others are reached on the public internet alone", check: rule.Hosts},
	{Name: "git_tokens", Env: "KAOJU_GIT_TOKENS", Secret: true, Help: "tokens for Git repositories: HOST=TOKEN or HOST=USER:TOKEN, separated by commas; each is sent to its host alone, over https", check: rule.HostTokens},
	{Name: "file_time", Env: "KAOJU_FILE_TIME", Fallback: "120s", Help: "time that reading one file may take, by the clock and by the processor", check: rule.Duration},
	{Name: "file_memory", Env: "KAOJU_FILE_MEMORY", Fallback: "536870912", Help: "bytes of memory that reading one file may take, at least 64 MiB", check: rule.Memory},
	{Name: "ocr_program", Env: "KAOJU_OCR_PROGRAM", Fallback: "tesseract", Help: "program that recognises characters on pages without text, by name or path; off: none. Where it is not installed, nothing is recognised"},
	{Name: "ocr_languages", Env: "KAOJU_OCR_LANGUAGES", Fallback: "chi_sim+eng", Help: "languages that it looks for, as it names them, joined by +; those that are not installed are left out", check: rule.Languages},
	{Name: "workers", Env: "KAOJU_WORKERS", Fallback: "2", Help: "files read at the same time", check: rule.Positive},
	{Name: "runs", Env: "KAOJU_RUNS", Fallback: "8", Help: "runs that work at the same time", check: rule.Positive},
	{Name: "run_time", Env: "KAOJU_RUN_TIME", Fallback: "180s", Help: "working time of one run", check: rule.Duration},
	{Name: "request_time", Env: "KAOJU_REQUEST_TIME", Fallback: "60s", Help: "time of one model request", check: rule.Duration},
	{Name: "run_tokens", Env: "KAOJU_RUN_TOKENS", Fallback: "0", Help: "tokens after which a run ends, checked after each response; 0: none", check: rule.Number},
	{Name: "token_rate", Env: "KAOJU_TOKEN_RATE", Fallback: "0", Help: "requests a second that one token or session may make; 0: no limit", check: rule.Number},
	{Name: "tenant_rate", Env: "KAOJU_TENANT_RATE", Fallback: "0", Help: "requests a second that one tenant may make; 0: no limit", check: rule.Number},
	{Name: "secure_cookie", Env: "KAOJU_SECURE_COOKIE", Fallback: "no", Help: "yes where TLS ends at a proxy in front: the session's cookie is for TLS alone", check: rule.OneOf("yes", "no")},
	{Name: "oidc_issuer", Env: "KAOJU_OIDC_ISSUER", Help: "address of an OpenID Connect provider through which people sign in", check: rule.URL},
	{Name: "oidc_client_id", Env: "KAOJU_OIDC_CLIENT_ID", Help: "what the provider calls this server"},
	{Name: "oidc_client_secret", Env: "KAOJU_OIDC_CLIENT_SECRET", Secret: true, Help: "how this server proves itself to the provider"},
	{Name: "oidc_redirect_url", Env: "KAOJU_OIDC_REDIRECT_URL", Help: "where the provider sends browsers back to, ending in /auth/oidc/callback; needed unless the server listens on this machine alone", check: rule.URL},
	{Name: "oidc_tenant", Env: "KAOJU_OIDC_TENANT", Help: "tenant of the people who sign in through the provider; needed when there are several"},
	{Name: "oidc_name", Env: "KAOJU_OIDC_NAME", Fallback: "SSO", Help: "how people know the provider"},
	{Name: "oidc_scopes", Env: "KAOJU_OIDC_SCOPES", Fallback: "openid profile", Help: "what is asked of the provider, separated by spaces"},
	{Name: "oidc_hosts", Env: "KAOJU_OIDC_HOSTS", Help: "further hosts of the provider as host:port, separated by commas; no other host is contacted"},
	{Name: "oidc_name_claim", Env: "KAOJU_OIDC_NAME_CLAIM", Fallback: "name", Help: "claim with a person's name"},
	{Name: "oidc_groups_claim", Env: "KAOJU_OIDC_GROUPS_CLAIM", Fallback: "groups", Help: "claim with a person's groups at the provider"},
	{Name: "oidc_groups", Env: "KAOJU_OIDC_GROUPS", Help: "groups that groups of the provider give: PROVIDERS=OURS, separated by semicolons", check: rule.GroupPairs},
	{Name: "oidc_roles", Env: "KAOJU_OIDC_ROLES", Help: "roles that groups of the provider give: PROVIDERS=ROLE, separated by semicolons; never tenant_admin", check: rule.RolePairs},
	{Name: "oidc_create", Env: "KAOJU_OIDC_CREATE", Fallback: "no", Help: "yes: whoever the provider lets in becomes a member at the first sign-in; no: only who is linked", check: rule.OneOf("yes", "no")},
	{Name: "tools_file", Env: "KAOJU_TOOLS_FILE", Help: "file in which further tools are declared; empty: the built-in ones alone"},
	{Name: "confirm_sensitive", Env: "KAOJU_CONFIRM_SENSITIVE", Fallback: "yes", Help: "yes if exports of full texts and of histories wait for a decision", check: rule.OneOf("yes", "no")},
	{Name: "log_level", Env: "KAOJU_LOG_LEVEL", Fallback: "info", Help: "debug, info, warn or error", check: rule.OneOf("debug", "info", "warn", "error")},
	{Name: "database_url", Env: "KAOJU_DATABASE_URL", Secret: true, Help: "only SQLite in the data folder is supported; must be empty", check: rule.NoDatabase},
}
