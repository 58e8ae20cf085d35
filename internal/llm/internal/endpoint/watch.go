package endpoint

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
)

// watch ends one try when the endpoint is silent for too long. Its timer runs only while a read
// waits, so that a slow consumer is never mistaken for a silent endpoint.
type watch struct {
	ctx       context.Context
	cancel    context.CancelCauseFunc
	timer     *time.Timer
	firstByte time.Duration
	idle      time.Duration

	mu      sync.Mutex
	silence error // what the timer ends the try with
	got     bool
	after   context.CancelFunc
}

func newWatch(parent context.Context, firstByte, idle time.Duration) *watch {
	ctx, cancel := context.WithCancelCause(parent)
	w := &watch{ctx: ctx, cancel: cancel, firstByte: firstByte, idle: idle, silence: errTimeout("for the first byte", firstByte)}
	w.timer = time.AfterFunc(firstByte, w.fire)
	w.timer.Stop()
	return w
}

func (w *watch) fire() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cancel(w.silence)
}

// first starts the wait for the first byte, which covers connecting and the headers too.
func (w *watch) first() { w.timer.Reset(w.firstByte) }

// then lets a function run when the watch stops.
func (w *watch) then(f context.CancelFunc) { w.after = f }

// stop ends the exchange and releases everything.
func (w *watch) stop() {
	w.timer.Stop()
	w.cancel(nil)
	if w.after != nil {
		w.after()
	}
}

// cause replaces an error that only says "cancelled" by the reason for it.
func (w *watch) cause(err error) error {
	var p *problem.Error
	if errors.As(context.Cause(w.ctx), &p) {
		return p
	}
	return bare(err)
}

// watched is a body whose reads are watched.
type watched struct {
	r io.Reader
	w *watch
}

// Read waits for the first byte as long as is left of that wait, then for the idle time.
func (b *watched) Read(p []byte) (int, error) {
	if b.w.got {
		b.w.timer.Reset(b.w.idle)
	}
	n, err := b.r.Read(p)
	if n > 0 || err != nil {
		b.w.timer.Stop()
	}
	if n > 0 && !b.w.got {
		b.w.got = true
		b.w.mu.Lock()
		b.w.silence = errTimeout("for the next piece", b.w.idle)
		b.w.mu.Unlock()
	}
	return n, err
}

func errTimeout(what string, d time.Duration) error {
	fault := &llm.Fault{Cause: llm.Silent}
	return problem.Wrap(fault, problem.Unavailable, "model_timeout", "The language model was waited for %s longer than %s.", what, d)
}
