package setting

import (
	"fmt"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/internal/outbound"
)

// bindings are the secrets that belong to an address: each goes to no other host.
var bindings = []struct{ secret, address string }{{"model_key", "model_url"}, {"verifier_key", "verifier_url"}, {"embedding_key", "embedding_url"}, {"rerank_key", "rerank_url"}, {"token", "server"}, {"oidc_client_secret", "oidc_issuer"}}

// bound refuses an address that overrules the one beside which its secret was stored: the key in a
// file is for the endpoint in that file, and must not go to one that a flag or a variable names. A
// secret that was stored without an address goes wherever the operator says.
func bound(cmd *cobra.Command, env, file map[string]string) error {
	for _, b := range bindings {
		secret, from := named(b.secret), named(b.address)
		flag := func(s Setting) string {
			if text, ok := given(cmd, s.Name); ok {
				return text
			}
			return ""
		}
		// The places from the strongest down.
		secrets := []string{flag(secret), env[secret.Env], file[secret.Name]}
		addresses := []string{flag(from), env[from.Env], file[from.Name]}
		names := []Origin{Flag, Environment, File}
		stored, used := first(secrets), first(addresses)
		if stored < 0 || used < 0 || used >= stored || addresses[stored] == "" || sameOrigin(addresses[used], addresses[stored]) {
			continue
		}
		return fmt.Errorf("setting %s (from %s): another address is given by %s, and %s is not sent to any but the one beside it; set %s there too",
			secret.Name, names[stored], names[used], secret.Name, secret.Name)
	}
	return nil
}

// first is the place of the first value that is set, -1 if none is.
func first(values []string) int {
	for i, v := range values {
		if v != "" {
			return i
		}
	}
	return -1
}

// sameOrigin reports whether two addresses have one scheme, host and port.
func sameOrigin(a, b string) bool {
	x, err := url.Parse(a)
	if err != nil {
		return false
	}
	y, err := url.Parse(b)
	return err == nil && x.Scheme == y.Scheme && outbound.HostPort(x) == outbound.HostPort(y)
}
