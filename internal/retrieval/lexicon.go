package retrieval

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/analysis"
)

// Lexicons gives the words and synonyms of a tenant as they are now; nil for one that has none. It is
// called for each search and must be cheap.
type Lexicons func(context.Context, access.TenantID) (*analysis.Lexicon, error)

// Of is the lexicon of a tenant, also where there are none for anybody.
func (l Lexicons) Of(ctx context.Context, tenant access.TenantID) (*analysis.Lexicon, error) {
	if l == nil {
		return nil, nil
	}
	return l(ctx, tenant)
}
