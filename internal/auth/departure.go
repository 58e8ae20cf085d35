package auth

import (
	"context"
	"errors"
	"time"

	"github.com/kaoju/kaoju/internal/problem"
)

// NoticeTime is how old a provider's notice may be. Its id is remembered for longer.
const NoticeTime = 10 * time.Minute

// Heed ends the sessions that a provider says have ended with it. It says nothing of whether there
// were any. What could not be ended can be ended by the same token later. A token that is not verified in every point, or was heeded before, is problem.Invalid
// "invalid_logout_token"; those are counted by address.
func (f *Federation) Heed(ctx context.Context, token, address string) error {
	gate, now := f.deps.Gate, f.deps.Gate.deps.Clock()
	from := network(address)
	if err := gate.networks.Take(from, now); err != nil {
		return err
	}
	n, err := f.deps.Provider.Notice(ctx, token)
	if err != nil {
		return err
	}
	tenant, err := f.tenant(ctx)
	if err != nil {
		return err
	}
	_, err = f.deps.Arrivals.EndProvided(ctx, Ending{
		ID: "notice " + HashToken(f.Issuer()+"\x00"+n.ID), Until: now.Add(3 * NoticeTime),
		Tenant: tenant, Issuer: f.Issuer(), Subject: n.Subject, SID: n.SID,
	})
	if problem.CodeOf(err) == "spent" {
		return BadNotice("heeded before")
	}
	if err != nil {
		return err
	}
	gate.networks.Give(from, now)
	return nil
}

// BadNotice is the one answer to a logout token that is not heeded. The reason is for the log.
func BadNotice(reason string) error {
	return problem.Wrap(errors.New(reason), problem.Invalid, "invalid_logout_token", "This is not a logout token of the identity provider, or it was used before.")
}

// Depart ends a session and returns the address at which the browser ends the one with the
// provider; "" for a session that the provider did not begin, or where it offers none. A provider
// that is away keeps nobody signed in here.
func (f *Federation) Depart(ctx context.Context, secret string) (location string, err error) {
	s, _, err := f.deps.Gate.Session(ctx, secret)
	if err != nil {
		return "", err
	}
	if err := f.deps.Gate.SignOut(ctx, secret); err != nil || s.Issuer != f.Issuer() {
		return "", err
	}
	location, err = f.deps.Provider.Departure(ctx, f.deps.Home)
	if problem.Is(err, problem.Unavailable) {
		return "", nil
	}
	return location, err
}
