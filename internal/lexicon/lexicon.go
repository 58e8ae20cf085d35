// Package lexicon holds the words and synonyms of a tenant: a list of lines that its administrator
// edits as a whole, and that the tenant's searches go by from the next query on.
//
// A line is one of these; names are separated by commas of either width or by "、".
//
//	OA, 办公自动化, office automation     names of the same: each finds the others
//	NB, 本子 => 笔记本电脑                 the names on the left find those on the right as well
//	范廷颂                                a Chinese word that is kept whole
//	# words of the sales team             a remark
//
// A rule is not followed on: what a name finds are the names of its own lines and no more. The list
// says nothing of documents, and is the same for everybody in the tenant.
package lexicon

import (
	"context"
	"time"

	"github.com/kaoju/kaoju/internal/access"
)

// List is what a tenant's administrator wrote. One that was never set has no lines, the lock
// version 1 and no time.
type List struct {
	Lines       []string
	LockVersion int
	UpdatedAt   time.Time
	UpdatedBy   access.UserID
	// Indexed is false while versions may be indexed with other words than those of the list: they
	// are still found by their characters.
	Indexed bool
}

// Change replaces a list.
type Change struct {
	Lines []string
	// LockVersion is that of the list that is replaced; 0 replaces whatever is there.
	LockVersion int
	// Count and Words say what the lines hold, for the ledger; Words is also how the store knows that
	// the words changed.
	Count Count
	Words string
}

// Store is the seam to the lists. An unknown tenant is problem.NotFound.
type Store interface {
	// List returns the tenant's list.
	List(ctx context.Context, tenant access.TenantID) (List, error)
	// Mark returns the lock version of the tenant's list, and 0 where none was ever set. It is called
	// before each query and must be cheap.
	Mark(ctx context.Context, tenant access.TenantID) (int, error)
	// SetList replaces the list and writes a ledger entry without its text in the same transaction,
	// also where it changes nothing. Another lock version than that of the list is problem.Conflict
	// "lock_conflict".
	SetList(ctx context.Context, tenant access.TenantID, by access.UserID, c Change) (List, error)
}
