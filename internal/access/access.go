// Package access decides who may see and change what.
//
// Its one product is Scope: an opaque value, made by Resolve from the current directory and the
// request, without which no search or read function of the product can be called. The rules are
// few: a knowledge base's grants and the document's policy must both allow; deny beats allow; a
// suspended user has nothing; no role of the tenant gives a reading right by itself; anything
// unknown is a denial.
package access

import (
	"context"
	"time"
)

// Epoch counts the changes of a tenant that can alter what anybody sees: users, groups, grants,
// policies, publications. It rises in the transaction that makes the change. Only equality has a
// meaning.
type Epoch int64

// Directory is the seam to the store of users, groups and grants.
type Directory interface {
	// Snapshot returns the user's identity, every knowledge base of the tenant with its grants,
	// and the epoch, all read at one instant. An unknown tenant or user is problem.NotFound.
	Snapshot(ctx context.Context, tenant TenantID, user UserID) (Snapshot, error)
}

// Snapshot is the part of the directory that decides one user's rights, at one epoch.
type Snapshot struct {
	Epoch    Epoch
	Identity Identity
	Bases    []KnowledgeBase
	// LocalOnly is true if nothing of the tenant may be sent to a model elsewhere.
	LocalOnly bool
}

// Tenant is what holds for a tenant as a whole.
type Tenant struct {
	ID   TenantID
	Name string
	// LocalOnly keeps questions, snippets and passages from every model that is not local.
	LocalOnly bool
}

// Tenancy is the seam to what holds for tenants as a whole. An unknown tenant is problem.NotFound.
type Tenancy interface {
	Tenant(ctx context.Context, id TenantID) (Tenant, error)
	// SetLocalOnly raises the epoch and writes a ledger entry in its transaction, also where it
	// changes nothing.
	SetLocalOnly(ctx context.Context, tenant TenantID, by UserID, on bool) error
}

// Publishing says how a knowledge base publishes a later version of a document.
type Publishing string

// By proposal a second, separate decision publishes; directly a manager's upload does.
const (
	ByProposal Publishing = "proposal"
	Directly   Publishing = "direct"
)

// KnowledgeBase is a set of documents that share grants.
type KnowledgeBase struct {
	ID          KnowledgeBaseID
	Tenant      TenantID
	Name        string
	Publishing  Publishing
	Grants      []Grant
	LockVersion int
	CreatedAt   time.Time
}

// View says which statuses a scope admits.
type View uint8

// The views. Published is what search and answers use. Catalog adds the metadata of drafts and
// archived versions for editors. Content adds the content of drafts for editors and of archived
// versions for knowledge administrators who may read the document. Cited admits published and
// archived versions to every reader: it is for the stored excerpts of an actor's own runs alone,
// which stay readable as long as the document is.
const (
	Published View = iota
	Catalog
	Content
	Cited
)

// Status is the state of one version of a document.
type Status string

// The statuses of a version. Reserved is one whose upload has not succeeded yet: it is admitted
// by no scope.
const (
	StatusReserved  Status = "reserved"
	StatusDraft     Status = "draft"
	StatusPublished Status = "published"
	StatusArchived  Status = "archived"
)

// Request narrows a scope further than the actor's rights do. It can never widen them. Empty
// fields do not narrow.
type Request struct {
	View View
	// Bases limits the scope to these knowledge bases; nil means all the actor may read. An id
	// the actor cannot see simply admits nothing.
	Bases []KnowledgeBaseID
	// DocKey limits the scope to the versions of one document.
	DocKey string
	// UpdatedFrom (inclusive) and UpdatedTo (exclusive) bound the version's update time.
	UpdatedFrom, UpdatedTo time.Time
	// ViewAs, if not empty, leaves in the scope only what that user too may see: a tenant
	// administrator, with a credential for administration, looks at what rights have made of the product
	// for somebody. It is
	// problem.NotFound to everybody else, and for a user who is unknown or suspended.
	ViewAs UserID
	// AsOf, if not zero, admits the versions that were in force at that moment instead of those
	// that are now. It needs the role knowledge_admin besides the right to read; without it the
	// scope admits nothing. View is Published then.
	AsOf time.Time
}

// Resource is what a scope needs to know of one version of a document to admit it.
type Resource struct {
	Tenant        TenantID
	KnowledgeBase KnowledgeBaseID
	DocKey        string
	Status        Status
	Policy        Policy
	UpdatedAt     time.Time
	InForce       []Interval
}

// Interval is a time in which a version was in force: From inclusive, To exclusive; a zero To is
// open.
type Interval struct{ From, To time.Time }

// Holds reports whether a moment lies in the interval.
func (i Interval) Holds(at time.Time) bool {
	return !at.Before(i.From) && (i.To.IsZero() || at.Before(i.To))
}

// Membership is a group with its direct members: users, and groups inside it.
type Membership struct {
	Group   GroupID
	Members []Principal
}

// Admin is the seam to changes of the directory. Each method is one transaction that also raises
// the tenant's epoch and writes a ledger entry.
type Admin interface {
	// CreateTenant makes an empty tenant; a taken id is problem.Conflict "exists".
	CreateTenant(ctx context.Context, id TenantID, name string) error
	// Tenants lists all tenants by id. It is the operator's.
	Tenants(ctx context.Context) ([]TenantID, error)
	// PutUser makes or replaces a user. Groups of the identity are ignored: see PutGroup.
	PutUser(ctx context.Context, tenant TenantID, by UserID, id Identity) error
	// Users lists the users of a tenant by id, without their groups; Groups lists its groups with
	// their direct members. At most limit items with ids after the cursor.
	Users(ctx context.Context, tenant TenantID, after UserID, limit int) ([]Identity, error)
	Groups(ctx context.Context, tenant TenantID, after GroupID, limit int) ([]Membership, error)
	// DeleteGroup removes a group from the directory. Grants and policies that name it give
	// nothing any more. An unknown group is problem.NotFound.
	DeleteGroup(ctx context.Context, tenant TenantID, by UserID, group GroupID) error
	// PutGroup makes or replaces a group with its members: users, and groups inside it.
	PutGroup(ctx context.Context, tenant TenantID, by UserID, group GroupID, members []Principal) error
}
