// Package unscoped is the one way to read documents without an actor's scope.
//
// It exists for work that acts on no person's behalf: publishing what was parsed, checking that
// rows and index agree, evaluating retrieval on a corpus. archtest holds the list of packages
// that may import it. Its scopes admit everything of one tenant and nothing of any other.
package unscoped

import (
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/access/internal/key"
)

// Scope returns a scope that admits every document of the tenant, in every status.
func Scope(tenant access.TenantID) access.Scope {
	return access.Unscoped(key.Key{}, tenant)
}
