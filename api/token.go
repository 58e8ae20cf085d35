package api

import "time"

// Token is an API token without its secret. Scopes are "read", "ask", "write", "decide" and
// "admin".
type Token struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"`
	UserID     string     `json:"user_id"`
	Scopes     []string   `json:"scopes"`
	CreatedAt  time.Time  `json:"created_at"`
	ExpiresAt  *time.Time `json:"expires_at"`   // null: never
	LastUsedAt *time.Time `json:"last_used_at"` // to the minute; null: never
}

// NewToken asks for a token. Without scopes it carries what the credential that makes it
// carries, and without an end it lasts until it is revoked. User names a service account.
type NewToken struct {
	Name          string     `json:"name"`
	Scopes        *[]string  `json:"scopes,omitempty"`
	ExpiresInDays *int       `json:"expires_in_days,omitempty"`
	ExpiresAt     *time.Time `json:"expires_at,omitempty"`
	User          string     `json:"user,omitempty"`
}

// IssuedToken is a new token with its secret, which is shown this once.
type IssuedToken struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"`
	UserID     string     `json:"user_id"`
	Scopes     []string   `json:"scopes"`
	CreatedAt  time.Time  `json:"created_at"`
	ExpiresAt  *time.Time `json:"expires_at"`
	LastUsedAt *time.Time `json:"last_used_at"`
	Token      string     `json:"token"`
}
