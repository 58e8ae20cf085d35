package access

import (
	"context"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/access/internal/key"
	"github.com/kaoju/kaoju/internal/problem"
)

// Scope is the right to see some documents of one tenant, as of one epoch. Only this package
// makes one; the zero Scope admits nothing. It is immutable and safe to share.
type Scope struct {
	valid      bool
	unscoped   bool
	operator   bool
	tenant     TenantID
	user       UserID
	epoch      Epoch
	view       View
	roles      []Role
	principals map[Principal]bool
	levels     map[KnowledgeBaseID]Level
	names      map[KnowledgeBaseID]string // of those
	docKey     string
	from, to   time.Time
	asOf       time.Time
	localOnly  bool
	second     *Scope // of the person as whom the actor looks; what it does not admit is not admitted
	digest     string
}

// Resolve makes the scope of an actor for a request from the directory as it is now. A suspended
// or unknown user gets problem.NotFound, and any failure of the directory is returned: there is
// no scope without an answer from it.
func Resolve(ctx context.Context, dir Directory, actor Actor, req Request) (Scope, error) {
	s, err := resolve(ctx, dir, actor, req)
	if err != nil || req.ViewAs == "" {
		return s, err
	}
	return s.viewAs(ctx, dir, actor, req)
}

func resolve(ctx context.Context, dir Directory, actor Actor, req Request) (Scope, error) {
	snap, err := dir.Snapshot(ctx, actor.Tenant, actor.User)
	if err != nil {
		return Scope{}, err
	}
	if snap.Identity.Suspended || snap.Identity.User != actor.User {
		return Scope{}, problem.Missing()
	}
	s := Scope{
		valid: true, operator: actor.Operator, tenant: actor.Tenant, user: actor.User, epoch: snap.Epoch, view: req.View,
		roles:      slices.Clone(snap.Identity.Roles),
		principals: map[Principal]bool{Everyone: true, User(actor.User): true},
		levels:     map[KnowledgeBaseID]Level{}, names: map[KnowledgeBaseID]string{},
		docKey: req.DocKey, from: req.UpdatedFrom, to: req.UpdatedTo, asOf: req.AsOf,
		localOnly: snap.LocalOnly,
	}
	for _, g := range snap.Identity.Groups {
		s.principals[Group(g)] = true
	}
	for _, kb := range snap.Bases {
		if kb.Tenant != actor.Tenant || req.Bases != nil && !slices.Contains(req.Bases, kb.ID) {
			continue
		}
		for _, g := range kb.Grants {
			if s.principals[g.Principal] && g.Level > s.levels[kb.ID] {
				s.levels[kb.ID], s.names[kb.ID] = g.Level, kb.Name
			}
		}
	}
	s.digest = s.fingerprint()
	return s, nil
}

// Unscoped makes a scope that admits all of a tenant. Only packages below access can call it,
// since only they can name the key; it is reached through access/unscoped.
func Unscoped(_ key.Key, tenant TenantID) Scope {
	return Scope{valid: true, unscoped: true, tenant: tenant, view: Content, digest: "unscoped\x00" + string(tenant)}
}

// Admits reports whether the scope lets its actor see the version. It is the one place where
// that is decided; drivers call it for every row, the index for every document of its filter.
func (s Scope) Admits(r Resource) bool {
	if !s.valid || r.Tenant != s.tenant || r.Status == StatusReserved {
		return false
	}
	if s.unscoped {
		return true
	}
	if s.second != nil && !s.second.Admits(r) {
		return false
	}
	if s.docKey != "" && r.DocKey != s.docKey ||
		!s.from.IsZero() && r.UpdatedAt.Before(s.from) ||
		!s.to.IsZero() && !r.UpdatedAt.Before(s.to) {
		return false
	}
	level := s.levels[r.KnowledgeBase]
	if level < Reader || !s.passes(r.Policy) {
		return false
	}
	if !s.asOf.IsZero() {
		return slices.Contains(s.roles, KnowledgeAdmin) && (r.Status == StatusPublished || r.Status == StatusArchived) &&
			slices.ContainsFunc(r.InForce, func(i Interval) bool { return i.Holds(s.asOf) })
	}
	return s.sees(r.Status, level)
}

// sees applies the view's rule for a status.
func (s Scope) sees(status Status, level Level) bool {
	switch {
	case status == StatusPublished:
		return true
	case s.view == Published:
		return false
	case s.view == Cited:
		return status == StatusArchived
	case status == StatusDraft:
		return level >= Editor
	case status == StatusArchived && s.view == Catalog:
		return level >= Editor
	case status == StatusArchived && s.view == Content:
		return slices.Contains(s.roles, KnowledgeAdmin)
	}
	return false
}

// passes applies a document's policy: deny first, then the allow list if there is one.
func (s Scope) passes(p Policy) bool {
	for _, d := range p.Deny {
		if s.principals[d] {
			return false
		}
	}
	if !p.Restricted {
		return true
	}
	for _, a := range p.Allow {
		if s.principals[a] {
			return true
		}
	}
	return false
}

// Excludes reports whether a policy would shut the scope's own actor out. It never shuts out the
// operator, who has other ways in, nor a scope without bounds. A scope that looks as another person
// is for looking: it is shut out by every policy.
func (s Scope) Excludes(p Policy) bool {
	return !s.valid || s.second != nil || !s.unscoped && !s.operator && !s.passes(p)
}

// Level returns the actor's level on a knowledge base, after the request's narrowing.
func (s Scope) Level(kb KnowledgeBaseID) Level {
	if !s.valid {
		return NoLevel
	}
	if s.unscoped {
		return Manager
	}
	if s.second != nil {
		return min(s.levels[kb], s.second.Level(kb))
	}
	return s.levels[kb]
}

// BaseName returns what people call a knowledge base in which the scope admits anything; "" if it has no name but its id.
func (s Scope) BaseName(kb KnowledgeBaseID) string { return s.names[kb] }

// Bases returns the knowledge bases in which the scope admits anything, in order of their ids.
func (s Scope) Bases() []KnowledgeBaseID {
	out := make([]KnowledgeBaseID, 0, len(s.levels))
	for kb := range s.levels {
		if s.Level(kb) >= Reader {
			out = append(out, kb)
		}
	}
	slices.Sort(out)
	return out
}

// Viewing returns the scope under another view. The actor's rights stay as they are: each view
// asks for its own.
func (s Scope) Viewing(view View) Scope {
	s.view = view
	if s.second != nil {
		other := s.second.Viewing(view)
		s.second = &other
	}
	if s.valid && !s.unscoped {
		s.digest = s.fingerprint()
	}
	return s
}

// Valid reports whether Resolve (or unscoped.Scope) made the scope.
func (s Scope) Valid() bool { return s.valid }

// Unbounded reports whether the scope came from access/unscoped.
func (s Scope) Unbounded() bool { return s.valid && s.unscoped }

// Bounded reports whether the scope admits by more than knowledge base, status and policy: by a key or by times.
func (s Scope) Bounded() bool {
	return s.docKey != "" || !s.from.IsZero() || !s.to.IsZero() || !s.asOf.IsZero() || s.second != nil && s.second.Bounded()
}

// Tenant returns the tenant that the scope belongs to.
func (s Scope) Tenant() TenantID { return s.tenant }

// Actor returns the user that the scope was made for; empty for an unscoped one.
func (s Scope) Actor() UserID { return s.user }

// LocalOnly reports whether what the scope shows must not be sent to a model elsewhere. A scope that
// was not resolved says so too.
func (s Scope) LocalOnly() bool { return !s.valid || s.localOnly }

// Has reports whether the actor, and whoever the actor looks as, holds a role of the tenant.
func (s Scope) Has(role Role) bool {
	return s.valid && slices.Contains(s.roles, role) && (s.second == nil || s.second.Has(role))
}

// Epoch returns the epoch of the directory that the scope was made from.
func (s Scope) Epoch() Epoch { return s.epoch }

// Digest returns a key under which what the scope admits may be cached, for its epoch alone. Two
// scopes with one digest at one epoch admit the same documents.
func (s Scope) Digest() string { return s.digest }

// Current returns Stale unless the scope may be used at the given epoch of its tenant.
func (s Scope) Current(now Epoch) error {
	if !s.valid {
		return problem.Missing()
	}
	if !s.unscoped && s.epoch != now {
		return Stale()
	}
	return nil
}

// Stale is the error of a read with a scope that is older than the directory. Within retries it.
func Stale() *problem.Error {
	return problem.New(problem.Conflict, "scope_stale", "Permissions changed while this was being read; try again.")
}

// Within resolves a scope and calls fn with it, again with a fresh scope when fn found it stale,
// at most eight times. It is how every surface reads.
func Within(ctx context.Context, dir Directory, actor Actor, req Request, fn func(Scope) error) error {
	var err error
	for range 8 {
		var scope Scope
		if scope, err = Resolve(ctx, dir, actor, req); err == nil {
			err = fn(scope)
		}
		if problem.CodeOf(err) != "scope_stale" {
			return err
		}
	}
	return problem.Wrap(err, problem.Unavailable, "busy", "Permissions change faster than this could be read; try again.")
}

// fingerprint writes every field that Admits looks at, with lengths, so that no two different
// scopes share it.
func (s Scope) fingerprint() string {
	var parts []string
	for p := range s.principals {
		parts = append(parts, string(p))
	}
	for kb, l := range s.levels {
		parts = append(parts, "level:"+string(kb)+"="+l.String())
	}
	sort.Strings(parts)
	if slices.Contains(s.roles, KnowledgeAdmin) {
		parts = append(parts, "history")
	}
	if s.second != nil {
		parts = append(parts, "and", s.second.digest)
	}
	parts = append(parts, string(s.tenant), strconv.Itoa(int(s.view)), s.docKey, stamp(s.from), stamp(s.to), stamp(s.asOf))
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(strconv.Itoa(len(p)))
		b.WriteByte(':')
		b.WriteString(p)
	}
	return b.String()
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}
