package storetest

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
)

// wish is a pending proposal as the machine knows it.
type wish struct {
	proposal approval.Proposal
	user     string
	paper    *paper
	changes  int // of the key when it was made
	waits    int // of the machine when it was made
}

// everybody draws a user, root too.
func everybody(rt *rapid.T, label string) string {
	return rapid.SampledFrom(append([]string{"root"}, machineUsers...)).Draw(rt, label)
}

func (m *machine) deleteGroup(rt *rapid.T) {
	g := rapid.SampledFrom(machineGroups).Draw(rt, "group")
	err := m.Admin.DeleteGroup(m.ctx, m.tenant, "root", access.GroupID(g))
	if _, ok := m.members[g]; !ok {
		m.want(err, "not_found")
		return
	}
	m.ok(err)
	delete(m.members, g)
	for other, members := range m.members {
		m.members[other] = slices.DeleteFunc(slices.Clone(members), func(p string) bool { return p == "group:"+g })
	}
}

func (m *machine) archive(rt *rapid.T) {
	p := m.pick(rt)
	if p == nil {
		return
	}
	_, err := m.Catalog.Archive(m.ctx, m.root(access.Catalog), corpus.DocumentID(p.id))
	switch {
	case !m.sees("root", access.Catalog, p):
		m.want(err, "not_found")
	case p.status != "published":
		m.want(err, "not_published")
	default:
		m.ok(err)
		p.status = "archived"
		m.touch(p)
	}
}

func (m *machine) erasePaper(rt *rapid.T) {
	p := m.pick(rt)
	if p == nil {
		return
	}
	err := m.Catalog.Erase(m.ctx, m.root(access.Catalog), corpus.DocumentID(p.id))
	if !m.passes("root", p) {
		m.want(err, "not_found")
		return
	}
	m.ok(err)
	if p.status != "erased" {
		p.status = "erased"
		m.touch(p)
	}
}

// propose proposes to publish a version, mostly one that lives, by somebody who may.
func (m *machine) propose(rt *rapid.T) {
	p, user := m.pick(rt), everybody(rt, "proposer")
	if p == nil {
		return
	}
	if living := m.living(p.base, p.key); len(living) > 0 && rapid.IntRange(0, 3).Draw(rt, "likely") > 0 {
		p = rapid.SampledFrom(living).Draw(rt, "living")
		if !m.mayDecide(user, p) && m.level(user, p.base) != 1 {
			user = "root"
		}
	}
	scope, err := m.scoped(user, access.Catalog)
	var got approval.Proposal
	if err == nil {
		got, err = m.Approvals.Propose(m.ctx, scope, approval.Proposal{Document: p.id})
	}
	if !m.mayDecide(user, p) || !m.sees(user, access.Catalog, p) {
		m.want(err, "not_found")
		return
	}
	m.ok(err)
	m.seen["proposed"]++
	m.pending = append(m.pending, &wish{got, user, p, m.touched[p.base+"/"+p.key], m.waits})
}

// wait lets more than half of a proposal's lifetime pass.
func (m *machine) wait(*rapid.T) {
	m.clock.Advance(10 * time.Minute)
	m.waits++
}

// late reports whether a proposal's time is over: two waits are more than its lifetime.
func (m *machine) late(w *wish) bool { return m.waits-w.waits >= 2 }

func (m *machine) decide(rt *rapid.T) {
	if len(m.pending) == 0 {
		return
	}
	w := rapid.SampledFrom(m.pending).Draw(rt, "proposal")
	user, approved := w.user, rapid.IntRange(0, 3).Draw(rt, "approved") > 0
	if rapid.IntRange(0, 7).Draw(rt, "stranger") == 0 {
		user = everybody(rt, "decider")
	}
	scope, err := m.scoped(user, access.Catalog)
	var got approval.Proposal
	if err == nil {
		got, err = m.Approvals.Decide(m.ctx, scope, w.proposal.ID, approval.Decision{Approved: approved, Request: "req"})
	}
	if user != w.user || !m.mayDecide(user, w.paper) {
		m.want(err, "not_found")
		return
	}
	m.pending = slices.DeleteFunc(m.pending, func(other *wish) bool { return other == w })
	end := run.Success
	switch {
	case m.late(w):
		m.want(err, "proposal_expired")
		end = run.Expired
	case !approved:
		m.ok(err)
		end = run.WasCancelled
	case m.touched[w.paper.base+"/"+w.paper.key] != w.changes:
		m.want(err, "lock_conflict")
		end = run.Conflict
	default:
		m.ok(err)
		is(m.World, "status", got.Status, approval.Executed)
		if w.paper.status == "published" {
			m.touch(w.paper)
		} else {
			m.publish(w.paper)
		}
	}
	r, _, err := m.Journal.Run(m.ctx, m.tenant, access.UserID(w.user), run.ID(w.proposal.Run))
	m.ok(err)
	m.seen[string(end)]++
	is(m.World, "end of the run", fmt.Sprint(r.State, " ", r.Reason), fmt.Sprint("completed ", end))
}

// compareProposals looks at every open proposal as its maker and as somebody else.
func (m *machine) compareProposals() {
	for _, w := range m.pending {
		want := approval.Pending
		if m.late(w) {
			want = approval.Expired
		}
		got, err := m.Approvals.Proposal(m.ctx, m.tenant, access.UserID(w.user), w.proposal.ID)
		m.ok(err)
		is(m.World, "status of a proposal", got.Status, want)
		for _, user := range append([]string{"root"}, machineUsers...) {
			if _, err := m.Approvals.Proposal(m.ctx, m.tenant, access.UserID(user), w.proposal.ID); (err == nil) != (user == w.user) {
				m.t.Fatalf("%s looks at the proposal of %s: %v", user, w.user, err)
			}
		}
	}
}

// comparePast lets one user look at what was in force at one of the moments that were noted.
func (m *machine) comparePast(rt *rapid.T) {
	if len(m.history) == 0 {
		return
	}
	user, then := everybody(rt, "historian"), rapid.SampledFrom(m.history).Draw(rt, "moment")
	scope, err := access.Resolve(m.ctx, m.Directory, access.Actor{Tenant: m.tenant, User: access.UserID(user)}, access.Request{AsOf: then.at})
	if m.suspended[user] {
		m.want(err, "not_found")
		return
	}
	m.ok(err)
	var want, admitted []string
	for _, p := range m.docs {
		if m.saw(user, then, p) {
			if p.status != "published" {
				m.seen["seen in the past alone"]++
			}
			want = append(want, p.id)
		}
		x, err := m.Texts.Text(m.ctx, scope, corpus.DocumentID(p.id))
		if m.saw(user, then, p) != (err == nil) || err == nil && x.Text != p.text {
			m.t.Fatalf("%s reads %+v as of %v as %+v, %v", user, *p, then.at, x.Document, err)
		}
		if err != nil && !problem.Is(err, problem.NotFound) {
			m.ok(err)
		}
	}
	m.agrees("list of the past", want, ids(m.listed(scope, corpus.Filter{}, 3)))
	img, err := m.Segments.Image(m.ctx, m.tenant, retrieval.State{}, func(corpus.DocumentID, int64) bool { return true })
	m.ok(err)
	for _, d := range img.Documents {
		if scope.Admits(d.Resource) {
			admitted = append(admitted, string(d.Document))
		}
	}
	m.agrees("image of the past", want, admitted)
}
