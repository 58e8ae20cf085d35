package endpoint

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
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
	if d > maxPause+maxPause/10 {
		return 0, false
	}
	return d, e.budget.spend()
}

// The budget of retries: how many there are in a row without a success, and how many successes
// give one back.
const (
	budgetSize  = 20
	budgetShare = 5
)

// budget bounds the retries of all calls together, so that an endpoint that is down is not asked
// three times by everybody. Every call keeps its first try. It is a bucket that successes fill, not
// time: as long as nothing succeeds there is no reason to ask more often.
type budget struct {
	mu     sync.Mutex
	left   int
	earned int // successes since one was given back
}

// spend takes a retry, and reports whether there was one.
func (b *budget) spend() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left == 0 {
		return false
	}
	b.left--
	return true
}

// earn counts a success.
func (b *budget) earn() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.earned++; b.earned == budgetShare {
		b.earned, b.left = 0, min(b.left+1, budgetSize)
	}
}

// longest stands for every wait that is too long to be told apart.
const longest = 1e6 * time.Second

// retryAfter reads the header of that name: seconds, or a date. Anything else counts as absent, but
// for a number of any length: whoever writes one wants to be left alone.
func retryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if value != "" && strings.Trim(value, "0123456789") == "" && len(strings.TrimLeft(value, "0")) > 6 {
		return longest, true
	}
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
