package access_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// people answers for several users; asked counts, and moves puts the directory on after a question.
type people struct {
	snaps map[access.UserID]access.Snapshot
	moves map[int]access.Epoch
	asked int
}

func (p *people) Snapshot(_ context.Context, _ access.TenantID, user access.UserID) (access.Snapshot, error) {
	snap, ok := p.snaps[user]
	if !ok {
		return access.Snapshot{}, problem.Missing()
	}
	p.asked++
	if epoch, ok := p.moves[p.asked]; ok {
		snap.Epoch = epoch
	}
	return snap, nil
}

// as gives a snapshot of rita to another user: whatever named rita names that user.
func as(user access.UserID, snap access.Snapshot) access.Snapshot {
	snap.Identity.User = user
	return snap
}

func TestLookingAsSomebodyShowsWhatBothMaySee(t *testing.T) {
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		mine, theirs := drawSnapshot(t, "mine"), as("bob", drawSnapshot(t, "theirs"))
		theirs.Bases = mine.Bases
		if !mine.Identity.Has(access.TenantAdmin) {
			mine.Identity.Roles = append(mine.Identity.Roles, access.TenantAdmin)
		}
		dir := &people{snaps: map[access.UserID]access.Snapshot{"rita": mine, "bob": theirs}}
		req := drawRequest(t, "request")
		alone := func(user access.UserID) access.Scope {
			s, err := access.Resolve(ctx, dir, access.Actor{Tenant: "acme", User: user}, req)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		own, other := alone("rita"), alone("bob")
		req.ViewAs = "bob"
		both := alone("rita")
		view := rapid.SampledFrom(views).Draw(t, "view")
		resources := rapid.SliceOfN(rapid.Custom(drawResource), 1, 8).Draw(t, "resources")
		for name, s := range map[string][3]access.Scope{"as asked": {both, own, other}, "another view": {both.Viewing(view), own.Viewing(view), other.Viewing(view)}} {
			want := make([]bool, len(resources))
			for i, r := range resources {
				a, b := s[1].Admits(r), s[2].Admits(r)
				want[i] = a && b
				switch {
				case a && b:
					seen["both"]++
				case a:
					seen["mine alone"]++
				case b:
					seen["theirs alone"]++
				}
				if s[0].Admits(r) != want[i] {
					t.Fatalf("%s: %v, mine %v, theirs %v: %+v", name, s[0].Admits(r), a, b, r)
				}
			}
			if diff := cmp.Diff(want, judged(s[0], access.NewRoll(resources))); diff != "" {
				t.Fatalf("%s:\n%s", name, diff)
			}
			if s[0].Digest() == s[1].Digest() || s[0].Digest() == s[2].Digest() {
				t.Fatalf("%s: what both may see has the key of what one may see", name)
			}
		}
		for _, kb := range []access.KnowledgeBaseID{"kb1", "kb2", "foreign"} {
			if want := min(own.Level(kb), other.Level(kb)); both.Level(kb) != want || slices.Contains(both.Bases(), kb) != (want >= access.Reader) {
				t.Fatalf("%s: level %v among %v, want %v", kb, both.Level(kb), both.Bases(), want)
			}
		}
		for _, role := range []access.Role{access.Member, access.KnowledgeAdmin, access.TenantAdmin, access.Auditor} {
			if both.Has(role) != (own.Has(role) && other.Has(role)) {
				t.Fatalf("role %s: %v", role, both.Has(role))
			}
		}
		if both.Actor() != "rita" || both.ViewedAs() != "bob" || own.ViewedAs() != "" || !both.Excludes(access.Policy{}) {
			t.Fatalf("actor %q as %q; a scope for looking lets policies be set: %v", both.Actor(), both.ViewedAs(), !both.Excludes(access.Policy{}))
		}
	})
	for _, kind := range []string{"both", "mine alone", "theirs alone"} {
		if seen[kind] == 0 {
			t.Errorf("no version was drawn that %s may see", kind)
		}
	}
}

func TestOnlyATenantAdministratorLooksAsSomebody(t *testing.T) {
	snap := func(user access.UserID, roles ...access.Role) access.Snapshot {
		return access.Snapshot{Identity: access.Identity{User: user, Roles: roles}}
	}
	gone := snap("gone")
	gone.Identity.Suspended = true
	dir := &people{snaps: map[access.UserID]access.Snapshot{
		"rita": snap("rita", access.TenantAdmin), "bob": snap("bob"), "gone": gone,
		"mary": snap("mary", access.Member, access.KnowledgeAdmin, access.Auditor),
	}}
	for _, c := range []struct {
		by, as access.UserID
		may    bool
	}{{"rita", "bob", true}, {"rita", "rita", true}, {"rita", "gone", false}, {"rita", "nobody", false}, {"mary", "bob", false}, {"mary", "mary", false}, {"bob", "rita", false}} {
		s, err := access.Resolve(ctx, dir, access.Actor{Tenant: "acme", User: c.by}, access.Request{ViewAs: c.as})
		if c.may != (err == nil) || c.may != s.Valid() || err != nil && !problem.Is(err, problem.NotFound) {
			t.Errorf("%s as %s: %v, %v", c.by, c.as, s.Valid(), err)
		}
	}
	reading := access.Actor{Tenant: "acme", User: "rita", Withheld: access.Running}
	if s, err := access.Resolve(ctx, dir, reading, access.Request{ViewAs: "bob"}); !problem.Is(err, problem.NotFound) || s.Valid() {
		t.Errorf("with a credential that is not for administration: %v, %v", s.Valid(), err)
	}
}

func TestBothPartsOfAViewAreOfOneEpoch(t *testing.T) {
	rita := access.Snapshot{Epoch: 1, Identity: access.Identity{User: "rita", Roles: []access.Role{access.TenantAdmin}}}
	dir := &people{snaps: map[access.UserID]access.Snapshot{"rita": rita, "bob": as("bob", rita)}, moves: map[int]access.Epoch{2: 2, 4: 3}}
	calls := 0
	err := access.Within(ctx, dir, access.Actor{Tenant: "acme", User: "rita"}, access.Request{ViewAs: "bob"}, func(s access.Scope) error {
		calls++
		return s.Current(1)
	})
	if err != nil || calls != 1 || dir.asked != 6 {
		t.Errorf("%d calls after %d questions: %v", calls, dir.asked, err)
	}
	dir.moves = map[int]access.Epoch{}
	for i := range 40 {
		dir.moves[i] = access.Epoch(i)
	}
	dir.asked = 0
	if err := access.Within(ctx, dir, access.Actor{Tenant: "acme", User: "rita"}, access.Request{ViewAs: "bob"}, func(access.Scope) error {
		t.Error("read under rights of two epochs")
		return nil
	}); problem.CodeOf(err) != "busy" {
		t.Errorf("%v", err)
	}
}
