package main

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/cmd/kaoju/rule"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/auth/oidc"
	"github.com/kaoju/kaoju/internal/outbound"
)

// checkProvider refuses settings of the identity provider that do not fit together. It says
// nothing of the secret.
func (c *config) checkProvider() error {
	if c.get("oidc_issuer") == "" {
		for _, name := range []string{"oidc_client_id", "oidc_client_secret", "oidc_redirect_url", "oidc_tenant", "oidc_groups", "oidc_roles"} {
			if c.get(name) != "" {
				return exit{exitUsage, "setting " + name + ": no identity provider is set (KAOJU_OIDC_ISSUER)"}
			}
		}
		return nil
	}
	_, err := c.provider(c.get("listen"))
	return err
}

// provider makes the relying party of the settings for a server at an address. It asks nobody.
func (c *config) provider(listen string) (*oidc.Provider, error) {
	back := c.get("oidc_redirect_url")
	if back == "" {
		host, port, err := net.SplitHostPort(listen)
		if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return nil, exit{exitUsage, "setting oidc_redirect_url: it is needed where others reach this server (KAOJU_OIDC_REDIRECT_URL)"}
		}
		back = "http://" + net.JoinHostPort(host, port) + oidc.CallbackPath
	}
	p, err := oidc.New(oidc.Config{
		Issuer: c.get("oidc_issuer"), ClientID: c.get("oidc_client_id"), ClientSecret: c.get("oidc_client_secret"), RedirectURL: back,
		Scopes: strings.Fields(c.get("oidc_scopes")), NameClaim: c.get("oidc_name_claim"), GroupsClaim: c.get("oidc_groups_claim"),
		Hosts: rule.Parts(c.get("oidc_hosts"), ","),
	})
	if err != nil {
		return nil, exit{exitUsage, err.Error()}
	}
	return p, nil
}

// federate lets people of the folder in through the provider of the settings, if one is set.
func (s *stack) federate(ctx context.Context, conf *config, listen string) error {
	if conf.get("oidc_issuer") == "" {
		return nil
	}
	p, err := conf.provider(listen)
	if err != nil {
		return err
	}
	tenant, err := s.tenantOfProvider(ctx, conf)
	if err != nil {
		return err
	}
	key, err := auth.OpenKey(filepath.Join(conf.get("data"), "oidc.key"))
	if err != nil {
		return err
	}
	deps := auth.FederationDeps{
		Gate: s.gate, Provider: p, Identities: s.db.Identities(), Arrivals: s.db.Arrivals(), Key: key, Tenant: tenant,
		Name: conf.get("oidc_name"), Home: strings.TrimSuffix(p.RedirectURL(), strings.TrimPrefix(oidc.CallbackPath, "/")), Create: conf.get("oidc_create") == "yes",
		Groups: map[string][]access.GroupID{}, Roles: map[string][]access.Role{},
	}
	for _, pair := range rule.Pairs(conf.get("oidc_groups")) {
		deps.Groups[pair[0]] = append(deps.Groups[pair[0]], access.GroupID(pair[1]))
	}
	for _, pair := range rule.Pairs(conf.get("oidc_roles")) {
		deps.Roles[pair[0]] = append(deps.Roles[pair[0]], access.Role(pair[1]))
	}
	s.provider, err = auth.NewFederation(deps)
	return err
}

// tenantOfProvider is the tenant of the settings, which must be there, or the only one.
func (s *stack) tenantOfProvider(ctx context.Context, conf *config) (access.TenantID, error) {
	tenants, err := s.db.Admin().Tenants(ctx)
	if err != nil {
		return "", err
	}
	tenant := access.TenantID(conf.get("oidc_tenant"))
	if tenant == "" && len(tenants) == 1 {
		tenant = tenants[0]
	}
	if !slices.Contains(tenants, tenant) {
		return "", exit{exitUsage, fmt.Sprintf("setting oidc_tenant: name one of the tenants of this folder, %v", tenants)}
	}
	return tenant, nil
}

// providerDetail says how people sign in.
func providerDetail(conf *config) string {
	if conf.get("oidc_issuer") == "" {
		return "with a password or a token"
	}
	strangers := "who is not linked is turned away"
	if conf.get("oidc_create") == "yes" {
		strangers = "who is not linked becomes a member"
	}
	where := conf.get("oidc_issuer")
	if u, err := outbound.ParseURL(where); err == nil {
		where = u.Host
	}
	return "with a password or a token, and through " + where + "; " + strangers
}
