package run

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// Stored is all that is stored of a run, for whoever verifies a folder. It is nobody's view.
type Stored struct {
	// Run is nil if there is none, though the ledger tells of its end.
	Run      *Run
	Evidence []citation.Evidence
	Tape     []Recorded
	Entries  []ledger.Entry // of the ledger that belong to the run, in order
	Closing  []event.Event  // those that close attempts, in order
	// Lost is true if a version that it found or read was erased, as the ledger tells, or it lost something on its way.
	Lost bool
}

// The words of what is wrong with a run as a whole.
const (
	RunGone    = "run_missing" // the ledger tells of its end
	Unreadable = "record"      // what is stored is no record
)

// Hold holds all that is stored of a run against the ledger.
func (s Stored) Hold() Integrity {
	if s.Run == nil {
		return Integrity{Problems: []string{RunGone}}
	}
	if !s.Run.State.Final() && !Over(s.Entries) {
		return Integrity{Unproved: []string{NotEnded}}
	}
	told := ToldOf(s.Entries, s.Run.Attempt)
	out := told.Hold(s.Run, s.Evidence, s.Lost)
	if !told.HoldTape(s.Run, s.Tape, s.Lost) {
		out.Problems = append(out.Problems, Recordings)
	}
	if !s.Run.ClosedBy(s.Closing) {
		out.Problems = append(out.Problems, States)
	}
	if slices.ContainsFunc(told.Entries(), func(e ledger.Entry) bool { return !e.Sound() || e.Tenant != string(s.Run.Tenant) }) && !slices.Contains(out.Problems, EntryOther) {
		out.Problems = append(out.Problems, EntryOther)
	}
	return out
}

// ClosedBy reports whether events of a run that ended tell of the very end that it has.
func (r *Run) ClosedBy(events []event.Event) bool {
	for _, e := range slices.Backward(events) {
		var end struct {
			State  State  `json:"state"`
			Reason Reason `json:"finish_reason"`
		}
		if e.Type.Closes() && e.Attempt <= r.Attempt {
			return json.Unmarshal(e.Data, &end) == nil && e.Attempt == r.Attempt && end.State == r.State && end.Reason == r.Reason
		}
	}
	return false
}

// Archive is the seam to all that is stored of the runs of a tenant, for whoever holds the folder.
type Archive interface {
	// Told lists the runs that are stored of a tenant, and those of whose end its ledger tells, by id.
	Told(ctx context.Context, tenant access.TenantID) ([]ID, error)
	// Stored returns what is stored of one of them, as it is at one moment.
	Stored(ctx context.Context, tenant access.TenantID, id ID) (Stored, error)
}

// Tally is what came of holding the runs of a tenant.
type Tally struct {
	Runs     int `json:"runs"`
	Changed  int `json:"changed"`
	Unproved int `json:"unproved"` // beside those that are changed
}

// HoldAll holds every run of a tenant, one after the other, and gives each that is not verified. One that can't be read
// is changed. Runs that have not ended are not counted, if the ledger does not tell of their end: nothing tells of them yet.
func HoldAll(ctx context.Context, a Archive, tenant access.TenantID, each func(ID, Integrity)) (n Tally, err error) {
	ids, err := a.Told(ctx, tenant)
	if err != nil {
		return n, err
	}
	for _, id := range ids {
		s, err := a.Stored(ctx, tenant, id)
		held, err := HoldRead(ctx, s.Hold, err)
		if err != nil {
			return n, err
		}
		switch {
		case slices.Contains(held.Unproved, NotEnded):
			continue
		case held.Changed():
			n.Changed++
		case !held.Verified():
			n.Unproved++
		}
		if n.Runs++; !held.Verified() {
			each(id, held)
		}
	}
	return n, nil
}

// HoldRead is what holding gives of something that was read with err. What can't be read is changed, unless the store
// itself was away or the context has ended, which says nothing about it.
func HoldRead(ctx context.Context, hold func() Integrity, err error) (Integrity, error) {
	switch {
	case ctx.Err() != nil:
		return Integrity{}, context.Cause(ctx)
	case problem.Is(err, problem.Unavailable):
		return Integrity{}, err
	case err != nil:
		return Integrity{Problems: []string{Unreadable}}, nil //nolint:nilerr // that it can't be read is what holding found
	}
	return hold(), nil
}

// Told says of runs of which none was changed how far that is proved.
func (n Tally) Told() string { return Extent("runs", n.Runs, n.Unproved) }

// Extent says that of things of which none was changed.
func Extent(what string, n, unproved int) string {
	if unproved == 0 {
		return fmt.Sprintf("%d %s are what the ledger tells of", n, what)
	}
	return fmt.Sprintf("%d %s are what the ledger tells of, as far as it goes: of %d it does not tell all", n, what, unproved)
}
