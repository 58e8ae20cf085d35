package approval_test

import (
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestAProposalIsDueFromTheLastMomentOfItsLifetime(t *testing.T) {
	made := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	for status, open := range map[approval.Status]bool{
		approval.Pending: true, approval.Executed: false, approval.Cancelled: false, approval.Expired: false, approval.Conflict: false,
	} {
		p := approval.Proposal{Status: status, CreatedAt: made, ExpiresAt: made.Add(approval.Lifetime)}
		for after, late := range map[time.Duration]bool{
			-time.Hour: false, 0: false, 899 * time.Second: false, 900*time.Second - 1: false, 900 * time.Second: true, 900*time.Second + 1: true, 24 * time.Hour: true,
		} {
			if got := p.Due(made.Add(after)); got != (open && late) {
				t.Errorf("%s, after %v: due %v", status, after, got)
			}
		}
	}
}

func TestTheRefusalsOfADecisionAreToldApart(t *testing.T) {
	for code, c := range map[string]struct {
		err  *problem.Error
		kind problem.Kind
	}{
		"already_decided":  {approval.AlreadyDecided(), problem.Conflict},
		"lock_conflict":    {approval.LockConflict(), problem.Conflict},
		"proposal_expired": {approval.TooLate(), problem.Expired},
	} {
		if c.err.Code != code || c.err.Kind != c.kind || c.err.Detail == "" {
			t.Errorf("%s: %+v", code, c.err)
		}
	}
}
