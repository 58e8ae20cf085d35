package draft

import (
	"context"
	"fmt"
	"strings"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// Stored is all that is stored of a draft, for whoever verifies a folder. It is nobody's view.
type Stored struct {
	ID ID
	// Versions are in the order of their numbers; there is none where the ledger alone tells of the draft.
	Versions []Draft
	Entries  []ledger.Entry // of its run, or those that tell of it
	Erased   bool           // whether something was erased that its run had found or read
}

// The words of what is wrong with a draft as a whole, or after "version/2/" with one of its versions.
const (
	Gone   = "missing" // the ledger tells of its saving
	Newest = "newest"  // the draft counts other versions than it has
	Owner  = "owner"   // it belongs to another person or run than its saving tells
	Time   = "time"    // it was saved at another time
)

// Hold holds every version of a draft against the ledger's entry of its saving. Problems of a version have its number.
func (s Stored) Hold() (out run.Integrity) {
	told := map[int]bool{}
	for _, d := range s.Versions {
		told[d.No] = true
		held := s.holdVersion(d)
		for _, p := range held.Problems {
			out.Problems = append(out.Problems, of(d.No, p))
		}
		if len(out.Unproved) == 0 {
			out.Unproved = held.Unproved
		}
	}
	for _, e := range s.Entries {
		if no, ok := number(e, s.ID); ok && !told[no] {
			out.Problems = append(out.Problems, of(no, Gone))
		}
	}
	if n := len(s.Versions); n > 0 && (s.Versions[n-1].Newest != s.Versions[n-1].No || s.Versions[0].No != 1) {
		out.Problems = append(out.Problems, Newest)
	}
	return out
}

func of(no int, word string) string { return fmt.Sprintf("version/%d/%s", no, word) }

func (s Stored) holdVersion(d Draft) run.Integrity {
	for _, e := range s.Entries {
		if !d.SavedIn(e) {
			continue
		}
		out := Hold(d, e.Body, s.Erased)
		if !e.Sound() || e.Tenant != string(d.Tenant) {
			out.Problems = append(out.Problems, run.EntryOther)
		}
		if e.RunID != string(d.Run) || e.Actor != string(d.Actor) {
			out.Problems = append(out.Problems, Owner)
		}
		if e.Time.UnixMicro() != d.SavedAt.UnixMicro() {
			out.Problems = append(out.Problems, Time)
		}
		return out
	}
	return run.Integrity{Problems: []string{run.EntryGone}}
}

// Archive is the seam to all that is stored of the drafts of a tenant, for whoever holds the folder.
type Archive interface {
	// DraftsTold lists the drafts that are stored of a tenant, and those of whose saving its ledger tells, by id.
	DraftsTold(ctx context.Context, tenant access.TenantID) ([]ID, error)
	// DraftStored returns what is stored of one of them, as it is at one moment.
	DraftStored(ctx context.Context, tenant access.TenantID, id ID) (Stored, error)
}

// Tally is what came of holding the drafts of a tenant.
type Tally struct {
	Drafts   int `json:"drafts"`
	Changed  int `json:"changed"`
	Unproved int `json:"unproved"` // beside those that are changed
}

// HoldAll holds every draft of a tenant, one after the other, and gives each that is not verified. One that can't be
// read is changed.
func HoldAll(ctx context.Context, a Archive, tenant access.TenantID, each func(ID, run.Integrity)) (n Tally, err error) {
	ids, err := a.DraftsTold(ctx, tenant)
	if err != nil {
		return n, err
	}
	for _, id := range ids {
		s, err := a.DraftStored(ctx, tenant, id)
		held, err := run.HoldRead(ctx, s.Hold, err)
		if err != nil {
			return n, err
		}
		switch {
		case held.Changed():
			n.Changed++
		case !held.Verified():
			n.Unproved++
		}
		if n.Drafts++; !held.Verified() {
			each(id, held)
		}
	}
	return n, nil
}

// Told says of drafts of which none was changed how far that is proved.
func (n Tally) Told() string { return run.Extent("drafts", n.Drafts, n.Unproved) }

// Changed is the failure of runs and drafts that were changed, problem.Conflict "record_changed"; nil if none was.
func Changed(n run.Tally, saved Tally) error {
	var of []string
	if n.Changed > 0 {
		of = append(of, fmt.Sprintf("Of %d runs, %d are not what the ledger tells of.", n.Runs, n.Changed))
	}
	if saved.Changed > 0 {
		of = append(of, fmt.Sprintf("Of %d drafts, %d are not what the ledger tells of.", saved.Drafts, saved.Changed))
	}
	if len(of) == 0 {
		return nil
	}
	return problem.New(problem.Conflict, "record_changed", "%s", strings.Join(of, " "))
}
