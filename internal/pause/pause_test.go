package pause_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kaoju/kaoju/internal/pause"
)

func TestAPauseLastsAsLongAsItSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		for _, d := range []time.Duration{0, time.Millisecond, time.Hour} {
			if err := pause.For(t.Context(), d); err != nil {
				t.Errorf("%v: %v", d, err)
			}
		}
		if waited := time.Since(began); waited != time.Hour+time.Millisecond {
			t.Errorf("the pauses lasted %v", waited)
		}
	})
}

func TestAPauseEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if err := pause.For(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}
