package api

import "time"

// SignIn begins a session. Tenant may be left out where there is only one.
type SignIn struct {
	User     string `json:"user"`
	Password string `json:"password"`
	Tenant   string `json:"tenant,omitempty"`
}

// Session says who is signed in, and until when at the latest. ExpiresAt is null for a caller
// with a token.
type Session struct {
	UserID      string     `json:"user_id"`
	TenantID    string     `json:"tenant_id"`
	DisplayName string     `json:"display_name"`
	Roles       []string   `json:"roles"`
	Groups      []string   `json:"groups"`
	ExpiresAt   *time.Time `json:"expires_at"`
}

// PasswordChange replaces the caller's own password.
type PasswordChange struct {
	Current string `json:"current"`
	New     string `json:"new"`
}

// Setup is the first administrator's choice of a password, with the one-time token that the
// server printed.
type Setup struct {
	Token    string `json:"token"`
	Password string `json:"password"`
}
