package auth

import (
	"context"
	"errors"
	"time"

	"github.com/kaoju/kaoju/internal/problem"
)

// Provider is the seam to one identity provider. What cannot be learned of it because it is away,
// or does not answer as it should, is the error of Away; whoever it does not vouch for in every
// point gets the error of Unwelcome.
type Provider interface {
	// Issuer is the provider's name in all that it signs.
	Issuer() string
	// Authorization returns the address to which a browser is sent to sign in.
	Authorization(ctx context.Context, c Challenge) (string, error)
	// Redeem turns the reply that a browser brought back into what the provider says of the
	// person. Everything that it says is verified, and that it was said to this challenge.
	Redeem(ctx context.Context, reply Reply, c Challenge) (Claims, error)
	// Notice verifies a logout token. A bad one is problem.Invalid "invalid_logout_token".
	Notice(ctx context.Context, token string) (Notice, error)
	// Departure returns the address at which a browser ends its session with the provider and
	// comes back; "" where the provider offers none.
	Departure(ctx context.Context, back string) (string, error)
}

// Challenge is what one sign-in asks with and must be answered with. All three are random secrets.
type Challenge struct {
	State    string // comes back with the browser
	Nonce    string // comes back inside what the provider signs
	Verifier string // shows that whoever redeems the code asked for it
}

// Reply is what the provider sent a browser back with.
type Reply struct {
	State, Code, Error string
	// Issuer is who says that it answers; "" where the answer does not say.
	Issuer string
}

// Claims are what a provider says of a person. Name is for people and gives nothing.
type Claims struct {
	Subject string
	SID     string // the provider's session; "" where it names none
	Name    string
	Groups  []string
}

// Notice says that sessions have ended at the provider: those of a subject, of a session, or of
// both where both are named.
type Notice struct {
	ID           string // no two notices of a provider have the same
	Subject, SID string
	IssuedAt     time.Time
}

// Unwelcome is the one answer to whoever a provider's word opens nothing: a reply that is not as
// it must be, an unknown person, a suspended one. The reason is for the log; it is one of a few
// fixed words and holds nothing of the reply.
func Unwelcome(reason string) error {
	return problem.Wrap(errors.New(reason), problem.Denied, "unauthenticated", "Signing in through the identity provider opened no account here.")
}

// Away is the answer while a provider cannot be asked. The reason is for the log, and like that of
// Unwelcome holds nothing that the provider sent.
func Away(reason string) error {
	return problem.Wrap(errors.New(reason), problem.Unavailable, "provider_unavailable",
		"The identity provider cannot be reached, or does not answer as it should; try again.")
}
