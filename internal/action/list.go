package action

import (
	"context"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/tool"
)

// Listed is a declared tool as a person may see it.
type Listed struct {
	tool.Spec
	Declaration
	// Decision is true if a call waits for a decision.
	Decision bool
}

// Tools lists the declared tools that the actor may use now, by name.
func (e *Engine) Tools(ctx context.Context, actor access.Actor) ([]Listed, error) {
	snap, err := e.deps.Directory.Snapshot(ctx, actor.Tenant, actor.User)
	if err != nil {
		return nil, err
	}
	var out []Listed
	for _, name := range slices.Sorted(slices.Values(e.names)) {
		t := e.tools[name]
		if snap.Identity.Suspended || snap.Identity.Service || t.spec.Role != "" && !snap.Identity.Has(t.spec.Role) {
			continue
		}
		out = append(out, Listed{t.spec, t.Declaration, !e.automatic(t.spec.Sensitivity)})
	}
	return out, nil
}
