package auth

import (
	"crypto/sha256"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/problem"
)

// Rate allows Burst requests at once and one more each Every. A zero Rate limits nothing.
type Rate struct {
	Burst int
	Every time.Duration
}

// off reports whether the rate limits nothing.
func (r Rate) off() bool { return r.Burst <= 0 || r.Every <= 0 }

// limiterKeys bounds the keys that a limiter remembers.
const limiterKeys = 1 << 16

// Limiter counts requests by key. It remembers a bounded number of keys: those that have their
// whole burst again are forgotten first. It is safe for concurrent use, and a nil Limiter limits
// nothing.
type Limiter struct {
	rate Rate
	most int
	mu   sync.Mutex
	// full is when a key has its whole burst again.
	full map[[sha256.Size]byte]time.Time
}

// NewLimiter returns a limiter; nil where the rate limits nothing.
func NewLimiter(rate Rate) *Limiter {
	if rate.off() {
		return nil
	}
	return &Limiter{rate: rate, most: limiterKeys, full: map[[sha256.Size]byte]time.Time{}}
}

// Take counts a request. It returns nil, or a *Limited that says how long to wait; a refused
// request is not counted.
func (l *Limiter) Take(key string, now time.Time) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	id := sha256.Sum256([]byte(key))
	stored, known := l.full[id]
	full := l.clamp(stored, now)
	allowed := time.Duration(l.rate.Burst-1) * l.rate.Every
	if ahead := full.Sub(now); ahead > allowed {
		l.full[id] = full
		return &Limited{After: ahead - allowed}
	}
	if !known {
		l.room(now)
	}
	l.full[id] = full.Add(l.rate.Every)
	return nil
}

// Give takes back one request, as if it had not been made.
func (l *Limiter) Give(key string, now time.Time) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	id := sha256.Sum256([]byte(key))
	if full, known := l.full[id]; known {
		l.full[id] = full.Add(-l.rate.Every)
	}
}

// clamp keeps a stored moment between now and one whole burst from now, so that a clock that was
// set back does not shut anybody out for long.
func (l *Limiter) clamp(full, now time.Time) time.Time {
	if full.Before(now) {
		return now
	}
	if last := now.Add(time.Duration(l.rate.Burst) * l.rate.Every); full.After(last) {
		return last
	}
	return full
}

// room makes place for one more key: all keys that have their burst again go, and if there is
// none, an eighth of the others, in no order that somebody could choose.
func (l *Limiter) room(now time.Time) {
	if len(l.full) < l.most {
		return
	}
	for id, full := range l.full {
		if !full.After(now) {
			delete(l.full, id)
		}
	}
	for id := range l.full {
		if len(l.full) <= l.most-l.most/8 {
			return
		}
		delete(l.full, id)
	}
}

// Limited is the refusal of a request that came too soon: problem.Exhausted "rate_limited".
type Limited struct {
	After time.Duration // how long to wait
}

// Seconds is After in whole seconds, at least 1.
func (l *Limited) Seconds() int { return max(1, int((l.After+time.Second-1)/time.Second)) }

// Error says how long to wait.
func (l *Limited) Error() string { return l.Unwrap().Error() }

// Unwrap returns the problem.
func (l *Limited) Unwrap() error {
	return problem.New(problem.Exhausted, "rate_limited", "Too many requests; try again in %d s.", l.Seconds())
}

// network names where a request came from for counting: the address, of IPv6 the network of 64
// bits that one customer usually has.
func network(remote string) string {
	if ap, err := netip.ParseAddrPort(remote); err == nil {
		remote = ap.Addr().String()
	}
	a, err := netip.ParseAddr(remote)
	if err != nil {
		return "unknown"
	}
	a = a.Unmap().WithZone("")
	if a.Is4() {
		return a.String()
	}
	p, err := a.Prefix(64)
	if err != nil {
		return a.String()
	}
	return fmt.Sprint(p)
}
