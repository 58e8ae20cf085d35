package queue_test

import (
	"testing"

	"github.com/kaoju/kaoju/internal/queue"
)

func TestOnlyThreeStatesAreFinal(t *testing.T) {
	for state, want := range map[queue.State]bool{
		queue.Queued: false, queue.Running: false, queue.Succeeded: true, queue.Failed: true, queue.Cancelled: true, "": false, "unknown": false,
	} {
		if state.Final() != want {
			t.Errorf("%q is final: %v", state, state.Final())
		}
	}
}
