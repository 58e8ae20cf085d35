package desk

import (
	"context"
	"strings"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// Search finds passages among the published versions that the actor may read, or among those that
// were in force at a moment, which is for knowledge administrators and is recorded. A knowledge
// base that the actor cannot see fails the whole search, like one that does not exist. A query that holds
// nothing to search for, stop words alone too, is problem.Invalid "empty_query": whoever typed it can type
// another. To a run, whose question it may be, it is a search that found nothing.
func (d *Desk) Search(ctx context.Context, actor access.Actor, req access.Request, q retrieval.Query) (retrieval.Result, error) {
	if strings.TrimSpace(q.Text) == "" {
		return retrieval.Result{}, problem.New(problem.Invalid, "empty_query", "The query is empty.")
	}
	req.View = access.Published
	var out retrieval.Result
	err := d.looking(ctx, actor, req, "search", func(scope access.Scope) error {
		if err := mayLookBack(scope, req); err != nil {
			return err
		}
		for _, kb := range req.Bases {
			if scope.Level(kb) < access.Reader {
				return problem.Missing()
			}
		}
		var err error
		if out, err = d.deps.Search.Search(ctx, scope, q); err == nil && out.Stopped {
			return problem.New(problem.Invalid, "empty_query", "The query has only words that stand in every text. Add a word or number to search for.")
		}
		return err
	})
	if err == nil {
		err = d.auditPast(ctx, actor, req, out)
	}
	if err != nil {
		return retrieval.Result{}, err
	}
	return out, nil
}
