package api

import (
	"context"
	"net/http"
)

// Reader says whether a person may read a version, and why. Grants are those that the person holds on the
// knowledge base, alone or through a group, the highest first. Policy says how the document's own policy
// decides: "inherits", "allows", "denies" or "not_listed", by PolicyPrincipals. Where the person may not
// read, Obstacle is the first reason: "no_grant", "policy", "status", or "not_active" for a name that no
// active user has. DisplayName is told of those who may read. Of others only tenant administrators may ask.
type Reader struct {
	UserID           string   `json:"user_id"`
	DisplayName      string   `json:"display_name,omitempty"`
	Service          bool     `json:"service,omitempty"`
	MayRead          bool     `json:"may_read"`
	Obstacle         string   `json:"obstacle,omitempty"`
	Level            string   `json:"level" enum:"none,reader,editor,manager"`
	Grants           []Grant  `json:"grants"`
	Policy           string   `json:"policy" enum:"inherits,allows,denies,not_listed"`
	PolicyPrincipals []string `json:"policy_principals"`
}

// Readers lists who may read a version. It needs tenant_admin beside the right to see the version. A page may be empty and
// still have a next one.
func (c *Client) Readers(ctx context.Context, document string, p Page) (out List[Reader], err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("documents", document, "readers"), query: p.values()}, &out)
}

// Reader says why a person may read a version or not. Everybody may ask it of themselves.
func (c *Client) Reader(ctx context.Context, document, user string) (out Reader, err error) {
	return out, c.do(ctx, call{method: http.MethodGet, path: place("documents", document, "readers", user)}, &out)
}
