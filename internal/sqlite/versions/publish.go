package versions

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/contents"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Newest returns the newest version that is not merely reserved.
func Newest(there []Row) (Row, bool) {
	for i := len(there) - 1; i >= 0; i-- {
		if there[i].Status != access.StatusReserved {
			return there[i], true
		}
	}
	return Row{}, false
}

// Promote makes a version the published one of its key, with an entry in the ledger.
func Promote(ctx context.Context, t *database.Tx, v *Row, by access.UserID) error {
	body, err := Succeed(ctx, t, v)
	if err != nil {
		return err
	}
	return chain.Change(ctx, t, ledger.DocumentPublished, v.Tenant, by, body)
}

// Succeed makes a version the published one of its key, whose policy the others follow, and returns what the
// ledger says of it.
func Succeed(ctx context.Context, t *database.Tx, v *Row) (map[string]any, error) {
	former, err := enforce(ctx, t, v)
	if err != nil {
		return nil, err
	}
	inside, err := contents.Follow(ctx, t, HolderOf(*v), row.Marshal(v.Policy))
	body := contents.Tell(Body(v.Document), inside)
	body["archived"] = row.List(former)
	return body, err
}

// NotPublished refuses to archive a version that is not in force.
func NotPublished(v Row) error {
	return problem.New(problem.Conflict, "not_published", "Only a published version can be archived; this one is %s.", v.Status)
}
