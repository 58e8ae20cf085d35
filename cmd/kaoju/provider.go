package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/cmd/kaoju/rule"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/auth/oidc"
	"github.com/kaoju/kaoju/internal/outbound"
)

// federate lets people of the folder in through the provider of the settings, if one is set.
func (s *stack) federate(ctx context.Context, conf *setting.Config, listen string) error {
	if conf.Get("oidc_issuer") == "" {
		return nil
	}
	p, err := conf.Provider(listen)
	if err != nil {
		return exit{exitUsage, err.Error()}
	}
	tenant, err := s.tenantOfProvider(ctx, conf)
	if err != nil {
		return err
	}
	key, err := auth.OpenKey(filepath.Join(conf.Get("data"), "oidc.key"))
	if err != nil {
		return err
	}
	deps := auth.FederationDeps{
		Gate: s.gate, Provider: p, Identities: s.db.Identities(), Arrivals: s.db.Arrivals(), Key: key, Tenant: tenant,
		Name: conf.Get("oidc_name"), Home: strings.TrimSuffix(p.RedirectURL(), strings.TrimPrefix(oidc.CallbackPath, "/")), Create: conf.Get("oidc_create") == "yes",
		Groups: map[string][]access.GroupID{}, Roles: map[string][]access.Role{},
	}
	for _, pair := range rule.Pairs(conf.Get("oidc_groups")) {
		deps.Groups[pair[0]] = append(deps.Groups[pair[0]], access.GroupID(pair[1]))
	}
	for _, pair := range rule.Pairs(conf.Get("oidc_roles")) {
		deps.Roles[pair[0]] = append(deps.Roles[pair[0]], access.Role(pair[1]))
	}
	s.provider, err = auth.NewFederation(deps)
	return err
}

// tenantOfProvider is the tenant of the settings, which must be there, or the only one.
func (s *stack) tenantOfProvider(ctx context.Context, conf *setting.Config) (access.TenantID, error) {
	tenants, err := s.db.Admin().Tenants(ctx)
	if err != nil {
		return "", err
	}
	tenant := access.TenantID(conf.Get("oidc_tenant"))
	if tenant == "" && len(tenants) == 1 {
		tenant = tenants[0]
	}
	if !slices.Contains(tenants, tenant) {
		return "", exit{exitUsage, fmt.Sprintf("setting oidc_tenant: name one of the tenants of this folder, %v", tenants)}
	}
	return tenant, nil
}

// providerDetail says how people sign in.
func providerDetail(conf *setting.Config) string {
	if conf.Get("oidc_issuer") == "" {
		return "with a password or a token"
	}
	strangers := "who is not linked is turned away"
	if conf.Get("oidc_create") == "yes" {
		strangers = "who is not linked becomes a member"
	}
	where := conf.Get("oidc_issuer")
	if u, err := outbound.ParseURL(where); err == nil {
		where = u.Host
	}
	return "with a password or a token, and through " + where + "; " + strangers
}
