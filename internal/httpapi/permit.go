package httpapi

import (
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// permit returns what a credential must carry to reach a route. It depends on the route alone,
// so that a refusal says nothing of any object. A route that is not listed needs everything: it
// is forgotten here, and a test says so.
func permit(pattern string) access.Permission {
	switch pattern {
	case "DELETE /api/session", "POST /auth/oidc/logout":
		return 0 // Ending a session takes nothing but the session.
	case "GET /openapi.json", "GET /api/me", "GET /api/system", "GET /api/session",
		"GET /api/knowledge-bases", "GET /api/knowledge-bases/{kb}", "GET /api/knowledge-bases/{kb}/grants",
		"GET /api/knowledge-bases/{kb}/documents", "GET /api/documents/{id}", "GET /api/documents/{id}/versions",
		"GET /api/documents/{id}/readers", "GET /api/documents/{id}/readers/{user}",
		"GET /api/documents/{id}/chunks", "GET /api/documents/{id}/original", "GET /api/documents/{id}/preview", "GET /api/documents/{id}/pages/{file}", "GET /api/documents/{id}/drawing", "GET /api/documents/{id}/diff", "GET /api/jobs/{id}",
		"GET /api/runs", "GET /api/runs/{id}", "GET /api/runs/{id}/events", "GET /api/runs/{id}/sources/{ref}", "GET /api/runs/{id}/sources/{ref}/preview", "GET /api/ledger",
		"GET /api/ledger/{id}", "GET /api/ledger/{id}/proof", "GET /api/ledger/checkpoint", "GET /api/ledger/key", "GET /api/ledger/export",
		"GET /api/runs/{id}/why", "GET /api/runs/{id}/bundle",
		"GET /api/conversations", "GET /api/conversations/{id}/memory", "GET /api/tools/document-versions/{document_id}",
		"GET /api/drafts", "GET /api/drafts/{id}", "GET /api/drafts/{id}/versions", "GET /api/drafts/{id}/export", "GET /api/runs/{id}/export", "GET /api/feedback",
		"GET /api/publish-proposals", "GET /api/publish-proposals/{id}", "GET /api/approvals", "GET /api/approvals/{id}",
		"GET /api/tools", "GET /api/tasks/{id}", "GET /api/tasks/{id}/result":
		return access.Reading
	case "POST /api/search", "POST /api/chat", "POST /api/runs", "POST /api/runs/{id}/cancel", "POST /api/runs/{id}/resume", "POST /api/runs/{id}/draft",
		"PUT /api/drafts/{id}", "POST /api/feedback", "DELETE /api/conversations/{id}/memory":
		return access.Asking
	case "POST /api/knowledge-bases", "PATCH /api/knowledge-bases/{kb}", "DELETE /api/knowledge-bases/{kb}",
		"PUT /api/knowledge-bases/{kb}/grants", "POST /api/knowledge-bases/{kb}/documents", "PATCH /api/documents/{id}",
		"DELETE /api/documents/{id}", "POST /api/documents/{id}/archive", "POST /api/jobs/{id}/cancel":
		return access.Writing
	case "POST /api/documents/{id}/publish-proposals", "POST /api/documents/{id}/archive-proposals", "POST /api/publish-proposals/{id}/decisions", "POST /api/approvals/{id}/decisions",
		"POST /api/tools/{name}/proposals":
		return access.Deciding
	case "GET /api/users", "POST /api/users", "GET /api/users/{id}", "PATCH /api/users/{id}", "PUT /api/users/{id}/password",
		"GET /api/synonyms", "PUT /api/synonyms", "GET /api/evaluations", "GET /api/evaluations/{id}",
		"GET /api/groups", "POST /api/groups", "GET /api/groups/{id}", "DELETE /api/groups/{id}", "GET /api/groups/{id}/members",
		"PUT /api/groups/{id}/members", "POST /api/groups/{id}/members", "DELETE /api/groups/{id}/members/{member}",
		"GET /api/tokens", "POST /api/tokens", "DELETE /api/tokens/{id}", "POST /api/me/password",
		"GET /api/identities", "POST /api/identities", "DELETE /api/identities/{id}", "POST /api/me/identities":
		return access.Running
	}
	return access.AllPermissions
}

// permitted refuses a credential that does not carry what the route needs. Where there is no
// route there is nothing to refuse.
func permitted(actor access.Actor, pattern string) error {
	if pattern == "" || actor.May(permit(pattern)) {
		return nil
	}
	return problem.New(problem.Denied, "insufficient_scope", "This credential does not carry the scope that the operation needs.")
}

// open reports whether an address needs no credentials. The web interface is the same for everybody,
// and what it shows it asks for with the credentials of whoever sits before it. Metrics are none of
// this door's: it has nothing there, whoever asks.
func (s *server) open(path, pattern string) bool {
	if s.deps.Pages[pattern] != nil {
		return true
	}
	switch path {
	case "/healthz", "/readyz", "/metrics":
		return true
	}
	switch pattern {
	case "POST /api/session", "POST /api/setup", "GET /api/sign-in",
		"GET /auth/oidc/login", "GET /auth/oidc/callback", "POST /auth/oidc/backchannel-logout":
		return true
	}
	return false
}
