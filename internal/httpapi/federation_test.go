package httpapi

import (
	"context"

	"github.com/kaoju/kaoju/internal/auth"
)

// idle is a provider that is there and lets nobody in.
type idle struct{}

func (idle) Issuer() string { return "https://id.example" }

func (idle) Authorization(_ context.Context, c auth.Challenge) (string, error) {
	return "https://id.example/authorize?state=" + c.State, nil
}

func (idle) Redeem(context.Context, auth.Reply, auth.Challenge) (auth.Claims, error) {
	return auth.Claims{}, auth.Unwelcome("nobody")
}

func (idle) Notice(context.Context, string) (auth.Notice, error) {
	return auth.Notice{}, auth.BadNotice("none")
}

func (idle) Departure(context.Context, string) (string, error) { return "", nil }

// federated lets people of Acme in through a provider.
func (w *world) federated(gate *auth.Gate, p auth.Provider, change ...func(*auth.FederationDeps)) *auth.Federation {
	w.t.Helper()
	deps := auth.FederationDeps{
		Gate: gate, Provider: p, Identities: w.db.Identities(), Arrivals: w.db.Arrivals(), Key: make([]byte, 32), Tenant: acme, Name: "Acme SSO",
	}
	for _, c := range change {
		c(&deps)
	}
	f, err := auth.NewFederation(deps)
	must(w.t, err)
	return f
}
