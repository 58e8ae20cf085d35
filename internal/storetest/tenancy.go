package storetest

import (
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
)

// tenancyTests are the promises about tenants as a whole.
var tenancyTests = []test{
	{"ATenantIsLocalOnlyOnceThatIsSet", func(_ *testing.T, w *World) {
		for _, on := range []bool{false, true, true, false} {
			entries := w.changes(func() error { return w.Tenancy.SetLocalOnly(w.ctx, acme, "olga", on) }, ledger.DirectoryChanged)
			is(w, "actor", entries[0].Actor, "olga")
			is(w, "told", strings.Contains(string(entries[0].Body), "local_only"), true)
			got, err := w.Tenancy.Tenant(w.ctx, acme)
			w.ok(err)
			is(w, "tenant", got, access.Tenant{ID: acme, Name: strings.ToUpper(string(acme)), LocalOnly: on})
			for user, tenant := range map[access.UserID]access.TenantID{"carol": acme, "rita": acme} {
				snap, err := w.Directory.Snapshot(w.ctx, tenant, user)
				w.ok(err)
				is(w, "snapshot", snap.LocalOnly, on)
				is(w, "scope", w.scope(user, access.Published).LocalOnly(), on)
			}
			other, err := w.Tenancy.Tenant(w.ctx, globex)
			w.ok(err)
			is(w, "the other tenant", other.LocalOnly, false)
		}
	}},
	{"AnUnknownTenantCanNeitherBeReadNorSet", func(_ *testing.T, w *World) {
		_, err := w.Tenancy.Tenant(w.ctx, "nobody")
		w.want(err, "not_found")
		w.want(w.Tenancy.SetLocalOnly(w.ctx, "nobody", "olga", true), "not_found")
	}},
}
