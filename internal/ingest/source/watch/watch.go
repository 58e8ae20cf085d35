// Package watch decides when folders are looked through again: soon after something in them changed and
// it is quiet, and every few minutes anyway, since what changes on another machine may tell nobody.
//
// What a change was does not matter here. Each look goes through everything, so that nothing is lost where
// the system told too little, too late or too much.
package watch

import (
	"context"
	"time"
)

// Bell tells that something may have changed.
type Bell interface {
	// Rings gets a value after one change or many. It is never closed.
	Rings() <-chan struct{}
	// Renew listens in all folders that there are now. An error means that not all changes will be told.
	Renew(ctx context.Context) error
}

// Times say when to look.
type Times struct {
	Quiet time.Duration // without a change before a look; 0 means 2 s
	Most  time.Duration // that changes may put a look off; 0 means ten times Quiet
	Every time.Duration // between two looks anyway; 0 means 5 min
	Retry time.Duration // after a look that failed; 0 means 30 s, and never more than Every
}

// Defaults of Times.
const (
	Quiet = 2 * time.Second
	Every = 5 * time.Minute
	Retry = 30 * time.Second
)

func (t Times) filled() Times {
	set := func(d *time.Duration, value time.Duration) {
		if *d <= 0 {
			*d = value
		}
	}
	set(&t.Quiet, Quiet)
	set(&t.Most, 10*t.Quiet)
	set(&t.Every, Every)
	set(&t.Retry, Retry)
	t.Retry = min(t.Retry, t.Every)
	return t
}

// Outcome is what a look came to.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"
	Unquiet Outcome = "unquiet" // something is still being written: look again when it is quiet
	Failed  Outcome = "failed"  // look again after a while
)

// Follow looks at once and then again and again until the context ends. deaf is told, once as long as it
// lasts, why the bell does not tell of everything.
func Follow(ctx context.Context, bell Bell, times Times, look func(context.Context) Outcome, deaf func(error)) {
	times = times.filled()
	wasDeaf := false
	for {
		if err := bell.Renew(ctx); err != nil && ctx.Err() == nil && !wasDeaf {
			deaf(err)
			wasDeaf = true
		} else if err == nil {
			wasDeaf = false
		}
		if ctx.Err() != nil {
			return
		}
		next := times.Every
		switch look(ctx) {
		case Unquiet:
			next = times.Quiet
		case Failed:
			next = times.Retry
		}
		if !wait(ctx, bell, times, next) {
			return
		}
	}
}

// wait returns when it is time for the next look, or false when the context ended.
func wait(ctx context.Context, bell Bell, times Times, next time.Duration) bool {
	due := time.NewTimer(next)
	defer due.Stop()
	var latest <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return false
		case <-due.C:
			return true
		case <-latest:
			return true
		case <-bell.Rings():
			due.Reset(times.Quiet)
			if latest == nil {
				latest = time.After(times.Most)
			}
		}
	}
}
