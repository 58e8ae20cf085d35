package api

import "time"

// SignInWays says how one can sign in. It needs no credentials and tells nobody's name.
type SignInWays struct {
	Password  bool             `json:"password"`
	Providers []SignInProvider `json:"providers"`
}

// SignInProvider is an identity provider that lets people in. A browser goes to Login, with
// ?return= and the path on this server where it wants to be afterwards.
type SignInProvider struct {
	Name  string `json:"name"`
	Login string `json:"login"`
}

// Identity is who a person is at an identity provider, by issuer and subject alone.
type Identity struct {
	ID        string    `json:"id"`
	UserID    string    `json:"user_id"`
	Issuer    string    `json:"issuer"`
	Subject   string    `json:"subject"`
	CreatedAt time.Time `json:"created_at"`
}

// NewIdentity links a person to an identity by hand. Without an issuer it is that of the provider
// of the settings.
type NewIdentity struct {
	User    string `json:"user"`
	Issuer  string `json:"issuer,omitempty"`
	Subject string `json:"subject"`
}

// OwnIdentity begins to link an identity that the caller proves to have. Return is the path on
// this server where the browser wants to be afterwards.
type OwnIdentity struct {
	Return string `json:"return,omitempty"`
}

// Departure is where the browser goes next; null where there is nothing to go to.
type Departure struct {
	Location *string `json:"location"`
}
