package desk

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// LocalOnly reports whether nothing of the actor's tenant may be sent to a model elsewhere. Every
// member of the tenant may know.
func (d *Desk) LocalOnly(ctx context.Context, actor access.Actor) (bool, error) {
	snap, err := d.deps.Directory.Snapshot(ctx, actor.Tenant, actor.User)
	if err != nil {
		return false, err
	}
	if snap.Identity.Suspended || snap.Identity.User != actor.User {
		return false, problem.Missing()
	}
	return snap.LocalOnly, nil
}

// Tenant returns what holds for the actor's tenant as a whole. It needs tenant_admin, as does
// SetLocalOnly.
func (d *Desk) Tenant(ctx context.Context, actor access.Actor) (access.Tenant, error) {
	if err := d.administers(ctx, actor); err != nil {
		return access.Tenant{}, err
	}
	return d.deps.Tenancy.Tenant(ctx, actor.Tenant)
}

// SetLocalOnly says whether text of the actor's tenant must stay from models elsewhere. It holds
// from the next model call on, in runs under way too.
func (d *Desk) SetLocalOnly(ctx context.Context, actor access.Actor, on bool) (access.Tenant, error) {
	if err := d.administers(ctx, actor); err != nil {
		return access.Tenant{}, err
	}
	if err := d.deps.Tenancy.SetLocalOnly(ctx, actor.Tenant, actor.User, on); err != nil {
		return access.Tenant{}, err
	}
	return d.deps.Tenancy.Tenant(ctx, actor.Tenant)
}
