// Package pause waits by the clock between two tries of something, and no longer than there is somebody
// to wait for.
package pause

import (
	"context"
	"time"
)

// For waits for a time and returns nil, or the context's error if that has ended by then. Whoever waits in
// tests of its own takes it as a field that a test can set.
func For(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return ctx.Err()
	}
}
