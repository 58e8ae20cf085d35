package wire

import (
	"context"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/problem"
)

// NameBases gives sources, and both sides of conflicts, the names of their knowledge bases, where the actor may see
// those at this moment. A source that is withheld tells none.
func NameBases(ctx context.Context, d *desk.Desk, actor access.Actor, conflicts []api.Conflict, sources ...[]api.Citation) error {
	names := map[string]string{}
	name := func(id string) (string, error) {
		if known, done := names[id]; done || id == "" {
			return known, nil
		}
		b, err := d.Base(ctx, actor, access.KnowledgeBaseID(id))
		if err != nil && !problem.Is(err, problem.NotFound) {
			return "", err
		}
		names[id] = b.Name
		return b.Name, nil
	}
	var err error
	for _, list := range sources {
		for i := range list {
			if list[i].KnowledgeBase, err = name(list[i].KnowledgeBaseID); err != nil {
				return err
			}
		}
	}
	for _, c := range conflicts {
		for i := range c.Sides {
			if c.Sides[i].KnowledgeBase, err = name(c.Sides[i].KnowledgeBaseID); err != nil {
				return err
			}
		}
	}
	return nil
}
