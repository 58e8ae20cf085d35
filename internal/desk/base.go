package desk

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// Base is a knowledge base with the actor's own level on it. Its grants are filled in for
// managers alone.
type Base struct {
	access.KnowledgeBase
	Level access.Level
}

// BaseChange edits a knowledge base. Nil fields stay as they are.
type BaseChange struct {
	Name       *string
	Publishing *access.Publishing
	// LockVersion, if not zero, must be the row's.
	LockVersion int
}

// CreateBase makes a knowledge base that the actor manages. An empty id is chosen by the store,
// and so is one that belongs to a knowledge base which the actor cannot see: the answer names it.
func (d *Desk) CreateBase(ctx context.Context, actor access.Actor, id access.KnowledgeBaseID, name string) (Base, error) {
	name = strings.TrimSpace(name)
	var fields []problem.Field
	if id != "" && !access.ValidID(string(id)) {
		fields = append(fields, problem.Field{Pointer: "/id", Detail: "must be 1 to 64 letters, digits, dots, dashes or underscores, beginning with a letter or digit"})
	}
	if detail := badName(name); detail != "" {
		fields = append(fields, problem.Field{Pointer: "/name", Detail: detail})
	}
	if fields != nil {
		return Base{}, invalid(fields...)
	}
	var out Base
	err := d.within(ctx, actor, access.Request{View: access.Catalog}, func(scope access.Scope) error {
		kb, err := d.deps.Bases.Create(ctx, scope, access.KnowledgeBase{
			ID: id, Tenant: actor.Tenant, Name: name, Publishing: access.ByProposal, CreatedAt: d.deps.Clock().UTC(),
		})
		out = Base{kb, access.Manager}
		return err
	})
	return out, err
}

// Bases lists the knowledge bases that the actor may read, by id. With a user to look as, it lists those
// that both may read, with the lesser level; only a tenant administrator may, and it is recorded.
func (d *Desk) Bases(ctx context.Context, actor access.Actor, as access.UserID) ([]Base, error) {
	var out []Base
	err := d.looking(ctx, actor, access.Request{View: access.Catalog, ViewAs: as}, "knowledge_bases", func(scope access.Scope) error {
		list, err := d.deps.Bases.List(ctx, scope)
		out = nil
		for _, kb := range list {
			out = append(out, seen(kb, scope))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Base returns one knowledge base that the actor may read.
func (d *Desk) Base(ctx context.Context, actor access.Actor, id access.KnowledgeBaseID) (Base, error) {
	return d.base(ctx, actor, id, access.Reader)
}

// base returns a knowledge base on which the actor has at least a level.
func (d *Desk) base(ctx context.Context, actor access.Actor, id access.KnowledgeBaseID, least access.Level) (Base, error) {
	var out Base
	err := d.within(ctx, actor, access.Request{View: access.Catalog}, func(scope access.Scope) error {
		if scope.Level(id) < least {
			return problem.Missing()
		}
		kb, err := d.deps.Bases.Base(ctx, scope, id)
		out = seen(kb, scope)
		return err
	})
	return out, err
}

// EditableBase returns a knowledge base into which the actor may upload.
func (d *Desk) EditableBase(ctx context.Context, actor access.Actor, id access.KnowledgeBaseID) (Base, error) {
	return d.base(ctx, actor, id, access.Editor)
}

// EditBase changes name and publishing. It needs manager.
func (d *Desk) EditBase(ctx context.Context, actor access.Actor, id access.KnowledgeBaseID, c BaseChange) (Base, error) {
	if err := c.check(); err != nil {
		return Base{}, err
	}
	var out Base
	err := d.within(ctx, actor, access.Request{View: access.Catalog}, func(scope access.Scope) error {
		kb, err := d.managed(ctx, scope, id, c.LockVersion)
		if err != nil {
			return err
		}
		if c.Name != nil {
			kb.Name = strings.TrimSpace(*c.Name)
		}
		if c.Publishing != nil {
			kb.Publishing = *c.Publishing
		}
		kb, err = d.deps.Bases.Update(ctx, scope, kb)
		out = seen(kb, scope)
		return err
	})
	return out, err
}

// managed returns a knowledge base that the scope's actor manages, in the expected state.
func (d *Desk) managed(ctx context.Context, scope access.Scope, id access.KnowledgeBaseID, lock int) (access.KnowledgeBase, error) {
	if scope.Level(id) < access.Manager {
		return access.KnowledgeBase{}, problem.Missing()
	}
	kb, err := d.deps.Bases.Base(ctx, scope, id)
	if err == nil && lock != 0 && lock != kb.LockVersion {
		err = lockConflict()
	}
	return kb, err
}

func (c BaseChange) check() error {
	var fields []problem.Field
	if c.Name != nil {
		if detail := badName(strings.TrimSpace(*c.Name)); detail != "" {
			fields = append(fields, problem.Field{Pointer: "/name", Detail: detail})
		}
	}
	if c.Publishing != nil && *c.Publishing != access.ByProposal && *c.Publishing != access.Directly {
		fields = append(fields, problem.Field{Pointer: "/publishing", Detail: "must be proposal or direct"})
	}
	if fields == nil {
		return nil
	}
	return invalid(fields...)
}

// RemoveBase hides a knowledge base and all its documents at once. It needs manager.
func (d *Desk) RemoveBase(ctx context.Context, actor access.Actor, id access.KnowledgeBaseID, lock int) error {
	return d.within(ctx, actor, access.Request{View: access.Catalog}, func(scope access.Scope) error {
		if _, err := d.managed(ctx, scope, id, lock); err != nil {
			return err
		}
		return d.forgetPages(d.deps.Bases.Remove(ctx, scope, id))
	})
}

// Grants returns the grants of a knowledge base that the actor manages.
func (d *Desk) Grants(ctx context.Context, actor access.Actor, id access.KnowledgeBaseID) (Base, error) {
	return d.base(ctx, actor, id, access.Manager)
}

// SetGrants replaces the grants of a knowledge base that the actor manages. At least one manager
// must remain, or nobody could ever change them again.
func (d *Desk) SetGrants(ctx context.Context, actor access.Actor, id access.KnowledgeBaseID, grants []access.Grant, lock int) (Base, error) {
	if err := checkGrants(grants); err != nil {
		return Base{}, err
	}
	err := d.within(ctx, actor, access.Request{View: access.Catalog}, func(scope access.Scope) error {
		if _, err := d.managed(ctx, scope, id, lock); err != nil {
			return err
		}
		return d.deps.Bases.SetGrants(ctx, scope, id, grants)
	})
	if err != nil {
		return Base{}, err
	}
	b, err := d.base(ctx, actor, id, access.Reader)
	if problem.Is(err, problem.NotFound) || err == nil && b.Level < access.Manager {
		// The actor gave the knowledge base away; what was set is all that is left to tell.
		return Base{KnowledgeBase: access.KnowledgeBase{ID: id, Grants: grants}}, nil
	}
	return b, err
}

func checkGrants(grants []access.Grant) error {
	var seen []access.Principal
	managed := false
	for _, g := range grants {
		if slices.Contains(seen, g.Principal) {
			return invalid(problem.Field{Pointer: "/grants", Detail: "must name each principal once"})
		}
		seen = append(seen, g.Principal)
		managed = managed || g.Level == access.Manager
	}
	if !managed {
		return invalid(problem.Field{Pointer: "/grants", Detail: "must leave at least one manager"})
	}
	return nil
}

// seen is a knowledge base as the scope's actor sees it.
func seen(kb access.KnowledgeBase, scope access.Scope) Base {
	b := Base{kb, scope.Level(kb.ID)}
	if b.Level < access.Manager {
		b.Grants = nil
	}
	return b
}

// badName says what is wrong with the name of a thing; "" if nothing is.
func badName(name string) string { return badText(name, 200) }

// badTitle is badName for the title of a document, which may be as long as with an upload.
func badTitle(title string) string { return badText(title, 300) }

func badText(name string, most int) string {
	switch {
	case name == "":
		return "must not be empty"
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return "must be text without control characters"
	case utf8.RuneCountInString(name) > most:
		return "must not be longer than " + strconv.Itoa(most) + " characters"
	}
	return ""
}

// invalid is the refusal of a request, naming each wrong field.
func invalid(fields ...problem.Field) error {
	e := problem.New(problem.Invalid, "invalid_request", "%s %s.", strings.TrimLeft(fields[0].Pointer, "/?"), fields[0].Detail)
	e.Fields = fields
	return e
}
