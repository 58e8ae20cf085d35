package drawing_test

import (
	"context"
	"errors"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/drawing"
)

func TestWhoeverWaitsNoMoreIsHeardByTheWorkDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var w drawing.Work
	if w.Count(1); w.Err(ctx) != nil {
		t.Error("it looks at every step")
	}
	if w.Count(200_000); !errors.Is(w.Err(ctx), context.Canceled) {
		t.Error("one large step counts as a small one")
	}
	if w.Err(ctx) != nil || w.Done != 200_001 {
		t.Errorf("it looks again after nothing was done; %d", w.Done)
	}
}
