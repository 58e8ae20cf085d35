package desk

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// crowd is an office with people who may all read; rights change at some of the questions to its directory.
type crowd struct {
	*office
	asked int
	moves func(asked int) bool
}

func (c *crowd) Snapshot(_ context.Context, _ access.TenantID, user access.UserID) (access.Snapshot, error) {
	if c.asked++; c.moves(c.asked) {
		c.snap.Epoch++
	}
	snap := c.snap
	if snap.Identity.User = user; user != "alice" {
		snap.Identity.Roles = nil
	}
	return snap, nil
}

type crowdAdmin struct {
	access.Admin
	n int
}

func (a crowdAdmin) Users(_ context.Context, _ access.TenantID, after access.UserID, limit int) (out []access.Identity, err error) {
	for i := range a.n {
		if id := access.UserID(fmt.Sprintf("u%03d", i)); id > after && len(out) < limit {
			out = append(out, access.Identity{User: id})
		}
	}
	return out, nil
}

type crowdBases struct {
	corpus.Bases
	*crowd
}

func (b crowdBases) Base(context.Context, access.Scope, access.KnowledgeBaseID) (access.KnowledgeBase, error) {
	return b.snap.Bases[0], nil
}

// everybody reads all pages of who may read, and returns the people, how many pages, and how often the directory was
// asked.
func everybody(t *testing.T, n int, moves func(asked int) bool) (people []access.UserID, pages, asked int, err error) {
	t.Helper()
	o := newOffice()
	o.snap.Identity.Roles = []access.Role{access.TenantAdmin}
	o.snap.Bases[0].Grants = []access.Grant{{Principal: access.Everyone, Level: access.Reader}}
	c := &crowd{office: o, moves: moves}
	d := o.put("d1", "k", 1, access.StatusPublished, "text")
	desk := New(Deps{Directory: c, Catalog: catalog{office: o}, Bases: crowdBases{crowd: c}, Admin: crowdAdmin{n: n}})
	for after := access.UserID(""); ; pages++ {
		page, err := desk.Readers(t.Context(), alice, d.ID, after, 50)
		if err != nil {
			return people, pages, c.asked, err
		}
		for _, r := range page.Items {
			people = append(people, r.User)
		}
		if after = access.UserID(page.Next); after == "" {
			return people, pages + 1, c.asked, nil
		}
	}
}

func TestAListOfReadersGoesOnWhereRightsChanged(t *testing.T) {
	want, whole, asked, err := everybody(t, 120, func(int) bool { return false })
	if err != nil || len(want) != 120 || whole != 3 {
		t.Fatalf("%d people on %d pages, %v", len(want), whole, err)
	}
	// After every tenth question rights change: each page ends there, and nothing is asked anew but who asks.
	got, pages, more, err := everybody(t, 120, func(n int) bool { return n%10 == 0 })
	if err != nil || pages <= whole {
		t.Fatalf("%d pages, %v", pages, err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if more > asked+3*pages {
		t.Errorf("%d questions to the directory on %d pages; without changes %d", more, pages, asked)
	}
	// Where they change at each question nobody is looked at, and it is not tried forever.
	if _, _, n, err := everybody(t, 120, func(int) bool { return true }); !problem.Is(err, problem.Unavailable) || n > 16 {
		t.Errorf("%d questions, %v", n, err)
	}
}
