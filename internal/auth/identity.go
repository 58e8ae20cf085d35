package auth

import (
	"context"
	"time"

	"github.com/kaoju/kaoju/internal/access"
)

// Identity is who a person of the tenant is at an identity provider. It is known by issuer and
// subject alone: names and addresses of mail change hands.
type Identity struct {
	ID        string
	Tenant    access.TenantID
	User      access.UserID
	Issuer    string
	Subject   string
	CreatedAt time.Time
}

// Identities is the seam to the links between people and providers.
type Identities interface {
	// PutIdentity links a person to an issuer and subject, with a ledger entry that names neither.
	// A link that is there already stays as it is and is returned. One that is another person's is
	// problem.Conflict "identity_taken"; an unknown user is problem.NotFound, and a service
	// account problem.Invalid "service_account".
	PutIdentity(ctx context.Context, by access.UserID, link Identity) (Identity, error)
	// Identities lists the links of a user, oldest first.
	Identities(ctx context.Context, tenant access.TenantID, user access.UserID) ([]Identity, error)
	// RemoveIdentity ends a link of a user (of any where user is "") with the sessions that began
	// through it, and writes a ledger entry. With the last link goes what providers gave. An
	// unknown one, or another user's, is problem.NotFound.
	RemoveIdentity(ctx context.Context, tenant access.TenantID, by, user access.UserID, id string) error
}

// Arrival is a person whom a provider has vouched for, at the door.
type Arrival struct {
	Tenant          access.TenantID
	Issuer, Subject string
	// Newcomer is the person to make if nobody is linked; an empty one means that nobody is made.
	Newcomer access.Identity
	// Groups and Roles are what the provider gives the person now, of what the settings map.
	Groups []access.GroupID
	Roles  []access.Role
	// Session is the session that begins; its tenant and user are set by the store.
	Session Session
}

// Arrivals is the seam to signing in through a provider.
type Arrivals interface {
	// Admit lets a person in, in one transaction: it finds the link or makes the newcomer with
	// one, gives and takes what the provider says now, and stores the session. Nobody linked and
	// no newcomer, and a suspended person or a service account, are problem.NotFound alike, and
	// nothing changes.
	//
	// What an earlier Admit gave and this one does not is taken back; what was given by hand
	// stays, also where the provider gives it too. Groups that do not exist are passed over. The
	// epoch rises, and a ledger entry is written, if anything changed.
	Admit(ctx context.Context, a Arrival) (access.UserID, error)
	// Spend uses an id up: the second time is problem.Conflict "spent". Ids whose time is over
	// are forgotten; nothing that they stood for may be good any longer then.
	Spend(ctx context.Context, id string, until time.Time) error
	// EndProvided uses a notice up and ends the sessions that it is about, in one transaction: a
	// notice that could not be heeded can be given again. It returns how many have ended. A notice
	// that was used up before is problem.Conflict "spent", and ends none.
	EndProvided(ctx context.Context, e Ending) (int, error)
}

// Ending is a provider's notice that sessions which began through it have ended: those of a subject,
// of a session of the provider's, or of both where both are named.
type Ending struct {
	ID    string    // what Spend would know the notice by
	Until time.Time // how long it is remembered

	Tenant               access.TenantID
	Issuer, Subject, SID string
}
