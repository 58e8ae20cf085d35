package main

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
)

// right is what a query may see: a tenant's published versions that a group of the list may read.
type right struct {
	name   string
	all    bool // no filter at all
	tenant access.TenantID
	groups []int
	share  float64 // of all chunks
}

// rights makes the user whose groups leave about each share of the world visible, and one without
// bounds. Groups are taken rarest first, which makes many of them for a large share.
func (w *world) rights() []right {
	var out []right
	for _, goal := range []float64{0.01, 0.10, 0.60} {
		out = append(out, w.right(goal))
	}
	return append(out, right{name: "100 %", all: true, share: 1})
}

func (w *world) right(goal float64) right {
	holders := make([][]int, groups) // group → versions of the first tenant that are published
	numbers := map[access.Principal]int{}
	for g := range groups {
		numbers[access.Group(group(g))] = g
	}
	for i := range w.versions {
		r := w.resource(i)
		if r.Tenant != tenantID(0) || r.Status != access.StatusPublished {
			continue
		}
		for _, p := range r.Policy.Allow {
			g := numbers[p]
			holders[g] = append(holders[g], i)
		}
	}
	rnd := source(int(goal*100), 4)
	seen := map[int]bool{}
	out := right{tenant: tenantID(0)}
	for _, g := range rnd.Perm(groups) {
		fresh := 0
		for _, i := range holders[g] {
			if !seen[i] {
				fresh++
			}
		}
		// A group that would overshoot is for those who may see more.
		if float64(len(seen)+fresh) > goal*1.1*float64(w.versions) {
			continue
		}
		out.groups = append(out.groups, g)
		for _, i := range holders[g] {
			seen[i] = true
		}
		if float64(len(seen)) >= goal*float64(w.versions) {
			break
		}
	}
	out.share = float64(len(seen)) / float64(w.versions)
	out.name = map[float64]string{0.01: "1 %", 0.10: "10 %", 0.60: "60 %"}[goal]
	return out
}

// Snapshot implements access.Directory for the one user that the right describes.
func (r right) Snapshot(context.Context, access.TenantID, access.UserID) (access.Snapshot, error) {
	s := access.Snapshot{Epoch: 1, Identity: access.Identity{User: "u"}, Bases: []access.KnowledgeBase{
		{ID: kb, Tenant: r.tenant, Grants: []access.Grant{{Principal: access.Everyone, Level: access.Reader}}},
	}}
	for _, g := range r.groups {
		s.Identity.Groups = append(s.Identity.Groups, group(g))
	}
	return s, nil
}

func (r right) scope() (access.Scope, error) {
	return access.Resolve(context.Background(), r, access.Actor{Tenant: r.tenant, User: "u"}, access.Request{})
}
