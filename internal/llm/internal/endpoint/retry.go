package endpoint

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxPause bounds the wait for a retry: an endpoint that wants more has to be asked later, by
// someone else.
const maxPause = time.Minute

// pause says how long to wait before the next try, and whether there is one. A wait that would
// outlive the deadline is not begun.
func (e *Endpoint) pause(ctx context.Context, f *failed, try int) (time.Duration, bool) {
	if !f.retry || try >= e.config.Retries || ctx.Err() != nil {
		return 0, false
	}
	d, told := retryAfter(f.after, time.Now())
	if told {
		d += jitter(d / 10)
	} else {
		d = e.config.Backoff << try
		d = d/2 + jitter(d/2)
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= d {
		return 0, false
	}
	return d, d <= maxPause+maxPause/10
}

// retryAfter reads the header of that name: seconds, or a date. Anything else counts as absent.
func retryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if n, err := strconv.ParseFloat(value, 64); err == nil && n >= 0 && n < 1e6 {
		return time.Duration(n * float64(time.Second)), true
	}
	if t, err := http.ParseTime(value); err == nil {
		return max(0, t.Sub(now)), true
	}
	return 0, false
}

// jitter is a random duration below d, so that many callers do not come back together.
func jitter(d time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	return rand.N(d)
}

// sleep waits and reports whether it was not interrupted.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
