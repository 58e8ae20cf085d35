package demo

import (
	"bytes"
	"context"
	"fmt"
	"path"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ingest"
	"github.com/kaoju/kaoju/internal/problem"
)

// operator is the name under which the directory's changes are recorded.
const operator = access.Operator

// Deps are the seams through which the demonstration goes in.
type Deps struct {
	Admin     access.Admin
	Directory access.Directory
	Bases     corpus.Bases
	Auth      auth.Store
	// Intake takes the originals in, as every upload does; its catalog is asked afterwards.
	Intake *ingest.Intake
	// Drain works on queued jobs until none is due (ingest.Worker.Drain).
	Drain func(ctx context.Context) error
}

// Seed fills a store that holds neither tenant of the demonstration, and returns the token of
// each person. It is not meant to be repeated: where one of the tenants is there already it
// returns problem.Conflict "exists". When it returns without an error, every document was looked
// up again and has its version and status.
func Seed(ctx context.Context, d Deps) (map[access.UserID]string, error) {
	if err := d.directory(ctx); err != nil {
		return nil, fmt.Errorf("demonstration directory: %w", err)
	}
	for _, b := range Bases() {
		if err := d.base(ctx, b); err != nil {
			return nil, fmt.Errorf("demonstration base %s: %w", b.ID, err)
		}
	}
	for _, doc := range Documents() {
		if err := d.document(ctx, doc); err != nil {
			return nil, fmt.Errorf("demonstration document %s: %w", doc.ID, err)
		}
	}
	for _, doc := range Documents() {
		if err := d.confirm(ctx, doc); err != nil {
			return nil, fmt.Errorf("demonstration document %s: %w", doc.ID, err)
		}
	}
	return d.tokens(ctx)
}

// directory makes tenants, people and groups.
func (d Deps) directory(ctx context.Context) error {
	for _, t := range Tenants() {
		if err := d.Admin.CreateTenant(ctx, t.ID, t.Name); err != nil {
			return err
		}
	}
	for _, p := range People() {
		id := access.Identity{User: p.ID, DisplayName: p.Name, Roles: p.Roles}
		if err := d.Admin.PutUser(ctx, p.Tenant, operator, id); err != nil {
			return err
		}
	}
	for _, t := range Tenants() {
		for _, g := range t.Groups {
			if err := d.Admin.PutGroup(ctx, t.ID, operator, g.ID, g.Members); err != nil {
				return err
			}
		}
	}
	return nil
}

// base makes a knowledge base as its manager, who then sets the grants.
func (d Deps) base(ctx context.Context, b Base) error {
	actor := access.Actor{Tenant: b.Tenant, User: b.Manager}
	kb := access.KnowledgeBase{ID: b.ID, Tenant: b.Tenant, Name: b.Name, Publishing: b.Publishing}
	err := access.Within(ctx, d.Directory, actor, access.Request{View: access.Catalog}, func(scope access.Scope) error {
		_, err := d.Bases.Create(ctx, scope, kb)
		return err
	})
	if err != nil {
		return err
	}
	return access.Within(ctx, d.Directory, actor, access.Request{View: access.Catalog}, func(scope access.Scope) error {
		return d.Bases.SetGrants(ctx, scope, b.ID, b.Grants)
	})
}

// document uploads one version as the manager of its base and waits until it was read. The actor
// is marked as the operator, whose upload may publish over an earlier version without a proposal.
func (d Deps) document(ctx context.Context, doc Document) error {
	body, err := doc.Original()
	if err != nil {
		return err
	}
	actor, err := manager(doc)
	if err != nil {
		return err
	}
	r, err := d.Intake.Upload(ctx, actor, corpus.Upload{
		ID: doc.ID, KnowledgeBase: doc.Base, Key: doc.Key, Title: doc.Title, FileName: path.Base(doc.File),
		Policy: doc.Policy, Publish: doc.Status != access.StatusDraft, Operator: true,
	}, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if r.Document != doc.ID || r.Version != doc.Version || r.Unchanged || r.Held {
		return problem.New(problem.Internal, "demo_broken", "The store answered the upload of %s with %s version %d.", doc.ID, r.Document, r.Version)
	}
	return d.Drain(ctx)
}

// confirm looks a version up again as its base's manager. An archived one is looked up as metadata.
func (d Deps) confirm(ctx context.Context, doc Document) error {
	actor, err := manager(doc)
	if err != nil {
		return err
	}
	return access.Within(ctx, d.Directory, actor, access.Request{View: access.Catalog}, func(scope access.Scope) error {
		got, err := d.Intake.Catalog.Document(ctx, scope, doc.ID)
		if err != nil {
			return err
		}
		if got.Version != doc.Version || got.Status != doc.Status || got.Key != doc.Key || got.ChunkCount == 0 {
			return problem.New(problem.Internal, "demo_broken", "%s came in as version %d, %s, with %d chunks.",
				doc.ID, got.Version, got.Status, got.ChunkCount)
		}
		return nil
	})
}

// manager returns the operator acting as the person who fills the document's base.
func manager(doc Document) (access.Actor, error) {
	for _, b := range Bases() {
		if b.Tenant == doc.Tenant && b.ID == doc.Base {
			return access.Actor{Tenant: b.Tenant, User: b.Manager, Operator: true}, nil
		}
	}
	return access.Actor{}, problem.New(problem.Internal, "demo_broken", "No base of the demonstration is named %s.", doc.Base)
}

// tokens issues one token a person.
func (d Deps) tokens(ctx context.Context) (map[access.UserID]string, error) {
	out := map[access.UserID]string{}
	for _, p := range People() {
		secret, err := auth.Issue(ctx, d.Auth, auth.Token{Tenant: p.Tenant, User: p.ID, Name: "demonstration"})
		if err != nil {
			return nil, fmt.Errorf("demonstration token of %s: %w", p.ID, err)
		}
		out[p.ID] = secret
	}
	return out, nil
}
