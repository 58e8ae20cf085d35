package serve

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/rule"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/auth/oidc"
)

// federate lets people of the folder in through the provider of the settings, if one is set.
func (s *server) federate(ctx context.Context, conf *setting.Config, listen string) error {
	if conf.Get("oidc_issuer") == "" {
		return nil
	}
	p, err := conf.Provider(listen)
	if err != nil {
		return outcome.New(outcome.Usage, err.Error())
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
		Gate: s.Gate, Provider: p, Identities: s.DB.Identities(), Arrivals: s.DB.Arrivals(), Key: key, Tenant: tenant,
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
func (s *server) tenantOfProvider(ctx context.Context, conf *setting.Config) (access.TenantID, error) {
	tenants, err := s.DB.Admin().Tenants(ctx)
	if err != nil {
		return "", err
	}
	tenant := access.TenantID(conf.Get("oidc_tenant"))
	if tenant == "" && len(tenants) == 1 {
		tenant = tenants[0]
	}
	if !slices.Contains(tenants, tenant) {
		return "", outcome.New(outcome.Usage, fmt.Sprintf("setting oidc_tenant: name one of the tenants of this folder, %v", tenants))
	}
	return tenant, nil
}
