package retrieval

import (
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/analysis"
)

// Lexicons gives the words and synonyms of a tenant; nil for one that has none. It is called for
// each search and must be cheap.
type Lexicons func(access.TenantID) *analysis.Lexicon

// of is the lexicon of a tenant, also where there are none for anybody.
func (l Lexicons) of(tenant access.TenantID) *analysis.Lexicon {
	if l == nil {
		return nil
	}
	return l(tenant)
}
