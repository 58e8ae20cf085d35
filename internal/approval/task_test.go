package approval_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestAProposalMayBecomeOneTaskWhoeverAsks(t *testing.T) {
	seen := map[approval.TaskID]approval.ID{}
	rapid.Check(t, func(t *rapid.T) {
		id := approval.ID("prop_" + rapid.StringMatching(`[a-z2-7]{1,26}`).Draw(t, "id"))
		k := approval.TaskOf(id)
		if k != approval.TaskOf(id) || !strings.HasPrefix(string(k), "task_") || len(k) != len(id) {
			t.Fatalf("%s becomes %s", id, k)
		}
		if other, ok := seen[k]; ok && other != id {
			t.Fatalf("%s and %s become %s", id, other, k)
		}
		seen[k] = id
	})
}

func TestThreeStatusesOfATaskAreFinal(t *testing.T) {
	for status, want := range map[approval.TaskStatus]bool{
		approval.Queued: false, approval.Running: false, approval.Succeeded: true, approval.Failed: true, approval.Unknown: true, "": false, "done": false,
	} {
		if status.Final() != want {
			t.Errorf("%q is final: %v", status, !want)
		}
	}
}

func TestArgumentsAreKnownByTheirHash(t *testing.T) {
	seen := map[string]string{}
	for _, args := range []string{`{}`, `{"a":1}`, `{"a":2}`, `{"a":1,"b":1}`, ``} {
		hash := approval.Call{Args: json.RawMessage(args), Tool: "x"}.ArgsHash()
		if hash != (approval.Call{Args: json.RawMessage(args), Owner: "y"}).ArgsHash() || len(hash) != 64 || seen[hash] != "" {
			t.Errorf("%s: %s, like %s", args, hash, seen[hash])
		}
		seen[hash] = args + " "
	}
}

func TestALostTaskIsAConflict(t *testing.T) {
	if e := approval.TaskLost(); e.Code != "lease_lost" || e.Kind != problem.Conflict || e.Detail == "" {
		t.Errorf("%+v", e)
	}
}
