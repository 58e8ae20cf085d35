package access

import (
	"context"

	"github.com/kaoju/kaoju/internal/problem"
)

// viewAs narrows a scope to what the request's ViewAs may see too. It never widens: an administrator
// has no reading right by the role, and gets none by looking as somebody who has. Both parts are of
// one epoch, or the whole is stale.
func (s Scope) viewAs(ctx context.Context, dir Directory, actor Actor, req Request) (Scope, error) {
	if !s.Has(TenantAdmin) || !actor.May(Running) {
		return Scope{}, problem.Missing()
	}
	other, err := resolve(ctx, dir, Actor{Tenant: s.tenant, User: req.ViewAs}, req)
	if err != nil {
		return Scope{}, err
	}
	if other.epoch != s.epoch {
		return Scope{}, Stale()
	}
	s.second = &other
	s.digest = s.fingerprint()
	return s, nil
}

// ViewedAs returns the user as whom the scope's actor looks; empty if it is the actor's own.
func (s Scope) ViewedAs() UserID {
	if s.second == nil {
		return ""
	}
	return s.second.user
}

// judgeBoth is Judge for a scope that looks as another person.
func (s Scope) judgeBoth(r *Roll) []uint64 {
	others := s.second.Judge(r)
	s.second = nil
	out := s.Judge(r)
	for i := range out {
		out[i] &= others[i]
	}
	return out
}
