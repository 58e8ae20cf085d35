// Package failpointtest arms fail points. Only tests may import it.
package failpointtest

import (
	"context"
	"os"
	"sync/atomic"

	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/failpoint/internal/armed"
)

// With returns a context in which the hook is called at each point that is reached.
func With(ctx context.Context, hook func(failpoint.Point)) context.Context {
	return armed.With(ctx, func(name string) { hook(failpoint.Point(name)) })
}

// Dying returns a context in which the process kills itself when a point is reached for the nth time:
// at once, as by kill -9, so that nothing is put in order.
func Dying(ctx context.Context, at failpoint.Point, nth int) context.Context {
	var seen atomic.Int64
	return With(ctx, func(p failpoint.Point) {
		if p != at || seen.Add(1) != int64(nth) {
			return
		}
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Kill() // Whether it worked shows in what follows, which must not happen.
		}
		select {}
	})
}
