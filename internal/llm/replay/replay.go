// Package replay answers as a model once did, from a recording, so that a run can be gone through
// again without the model.
package replay

import (
	"context"
	"sync"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
)

// Turn is what came back from one request: a response, or an error.
type Turn struct {
	Response llm.Response
	Err      error
}

// Tape plays turns in order, one a request, whoever of its generators is asked.
type Tape struct {
	// Asked, if set, sees each request with the number of the turn that answers it, from 0; one
	// beyond the last turn too.
	Asked func(n int, req llm.Request)
	// Over, if set, is called when more is asked for than was recorded. It may end the context, as
	// whatever ended the recorded run did.
	Over func()

	mu    sync.Mutex
	turns []Turn
	next  int
}

// New returns a tape of the turns.
func New(turns []Turn) *Tape { return &Tape{turns: turns} }

// Next returns the number of the turn that the next request gets.
func (t *Tape) Next() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.next
}

// Left returns how many turns were not asked for.
func (t *Tape) Left() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.turns) - t.next
}

// As returns a generator that goes by the name of a recorded one and plays the tape.
func (t *Tape) As(info llm.Info) llm.Generator { return &generator{t, info} }

type generator struct {
	tape *Tape
	info llm.Info
}

// Info names the recorded generator.
func (g *generator) Info() llm.Info { return g.info }

// Generate plays the next turn. Beyond the last it is problem.Unavailable "tape_over", or the
// context's error where Over ended that.
func (g *generator) Generate(ctx context.Context, req llm.Request, emit func(llm.Delta)) (llm.Response, error) {
	n, turn, ok := g.tape.take()
	if g.tape.Asked != nil {
		g.tape.Asked(n, req)
	}
	if !ok {
		if g.tape.Over != nil {
			g.tape.Over()
		}
		if err := ctx.Err(); err != nil {
			return llm.Response{}, err
		}
		return llm.Response{}, problem.New(problem.Unavailable, "tape_over", "The recording has %d turns, and another was asked for.", n)
	}
	if emit != nil && turn.Err == nil && turn.Response.Message.Text != "" {
		emit(llm.Delta{Text: turn.Response.Message.Text})
	}
	return turn.Response, turn.Err
}

func (t *Tape) take() (int, Turn, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := t.next
	if n >= len(t.turns) {
		return n, Turn{}, false
	}
	t.next++
	return n, t.turns[n], true
}
