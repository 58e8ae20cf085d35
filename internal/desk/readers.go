package desk

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// Reader is a person of the tenant with the grounds on which a version may be read or not.
type Reader struct {
	User access.UserID
	// DisplayName and Service are told of who may read alone.
	DisplayName string
	Service     bool
	access.Grounds
}

// peoplePerPage bounds how many people are looked at for one page of readers.
const peoplePerPage = 1000

// Readers lists who may read a version, and why, by user id. It takes a tenant administrator who may see
// the version: a manager of a knowledge base, whoever makes one, can grant it to any group, and must not
// learn from the list who is in it. A page may hold fewer people than its limit and still have a next one: so does one in
// the middle of which rights changed. What it has was so until then, and the next one begins where it ends, by the rights
// of that moment.
func (d *Desk) Readers(ctx context.Context, actor access.Actor, id corpus.DocumentID, after access.UserID, limit int) (corpus.Page[Reader], error) {
	var out corpus.Page[Reader]
	err := d.governed(ctx, actor, id, true, func(g grounding) error {
		out = corpus.Page[Reader]{}
		for from, looked := after, 0; ; {
			people, err := d.deps.Admin.Users(ctx, actor.Tenant, from, limit)
			if err != nil {
				return err
			}
			for _, p := range people {
				r, err := g.reader(ctx, d.deps.Directory, p.User)
				if looked > 0 && problem.CodeOf(err) == "scope_stale" {
					out.Next = string(from)
					return nil
				}
				if err != nil {
					return err
				}
				looked, from = looked+1, p.User
				if r.Obstacle == access.NoObstacle {
					r.DisplayName, r.Service = p.DisplayName, p.Service
					out.Items = append(out.Items, r)
				}
				if len(out.Items) == limit || looked == peoplePerPage {
					out.Next = string(from)
					return nil
				}
			}
			if len(people) < limit {
				return nil
			}
		}
	})
	return out, err
}

// Reader says whether and why one person may read a version. Everybody may ask it of themselves; to
// ask it of another takes a tenant administrator who may see the version.
func (d *Desk) Reader(ctx context.Context, actor access.Actor, id corpus.DocumentID, user access.UserID) (Reader, error) {
	var out Reader
	err := d.governed(ctx, actor, id, user != actor.User, func(g grounding) error {
		var err error
		if out, err = g.reader(ctx, d.deps.Directory, user); err != nil || out.Obstacle != access.NoObstacle {
			return err
		}
		p, err := d.person(ctx, actor.Tenant, user)
		out.DisplayName, out.Service = p.DisplayName, p.Service
		return err
	})
	return out, err
}

// grounding is a version with what decides who may read it, at one epoch.
type grounding struct {
	epoch access.Epoch
	base  access.KnowledgeBase
	doc   corpus.Document
}

// governed calls fn with a version that the actor may see, again where rights changed meanwhile. Of others
// only an administrator of people may ask. Anything else is not found, as an unknown version is.
func (d *Desk) governed(ctx context.Context, actor access.Actor, id corpus.DocumentID, others bool, fn func(grounding) error) error {
	return d.within(ctx, actor, access.Request{View: access.Catalog}, func(scope access.Scope) error {
		doc, err := d.deps.Catalog.Document(ctx, scope, id)
		if err != nil {
			return err
		}
		if others && (!scope.Has(access.TenantAdmin) || !actor.May(access.Running)) {
			return problem.Missing()
		}
		kb, err := d.deps.Bases.Base(ctx, scope, doc.KnowledgeBase)
		if err != nil {
			return err
		}
		return fn(grounding{scope.Epoch(), kb, doc})
	})
}

// reader is a person and the grounds.
func (g grounding) reader(ctx context.Context, dir access.Directory, user access.UserID) (Reader, error) {
	out := Reader{User: user}
	scope, err := access.Resolve(ctx, dir, access.Actor{Tenant: g.doc.Tenant, User: user}, access.Request{View: access.Content})
	switch {
	case problem.Is(err, problem.NotFound):
		out.Grounds = access.Absent(g.base, user, g.doc.Resource())
		return out, nil
	case err != nil:
		return out, err
	case scope.Epoch() != g.epoch:
		return out, access.Stale()
	}
	out.Grounds = scope.Grounds(g.base, g.doc.Resource())
	return out, nil
}

// looking is within for what an administrator can do as somebody else. Each look is recorded, whatever it
// came to, since "no" tells of rights too, and before anything is shown; what was looked for is no part of
// the entry.
func (d *Desk) looking(ctx context.Context, actor access.Actor, req access.Request, part string, fn func(access.Scope) error) error {
	looked := false
	err := d.within(ctx, actor, req, func(scope access.Scope) error {
		looked = scope.ViewedAs() != ""
		return fn(scope)
	})
	if !looked {
		return err
	}
	_, failed := d.deps.Ledger.Append(ctx, ledger.Entry{
		Tenant: string(actor.Tenant), Kind: ledger.RightsViewed, Actor: string(actor.User), Time: d.deps.Clock(),
		Body: body(map[string]any{"as": req.ViewAs, "part": part}),
	})
	if failed != nil {
		return failed
	}
	return err
}
