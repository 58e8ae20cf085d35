// Package action lets a person have a declared tool called about a version of a document: it checks
// the wish, keeps it as a proposal, and carries out what was approved.
//
// Before a call is even proposed, in this order: the tool is among those that were declared, the
// person may use it, the arguments satisfy its schema, the version that they name is the one in
// force, and the evidence suffices. Then a person decides, in a request of its own. An effect in
// the store is written with the decision. An effect outside is carried out here and nowhere else:
// claimed with a token, called with the proposal's id as Idempotency-Key, and ended. Where a process
// ended in between, nobody knows whether the other side did it, and the task says so; only where the
// operator declared that the other side honours the key is it asked again.
package action

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/pause"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
)

// Declaration is a tool that a person may propose to call, with what its call needs beside the
// tool's own role and schema.
type Declaration struct {
	Tool tool.Tool
	// Level is what the person needs on the knowledge base of the document; at least Reader.
	Level access.Level
	// Evidence is true for a tool whose call needs an answer of the person's that cites the version.
	Evidence bool
	Effect   approval.Effect
	// Host is where the arguments go to, as a card tells it; "" for an effect in the store.
	Host string
	// Address is the whole address there.
	Address string
	// Repeatable is true if the other side does a thing once however often it is asked with one
	// Idempotency-Key.
	Repeatable bool
}

// Deps are what the engine works with.
type Deps struct {
	Directory access.Directory
	Catalog   corpus.Catalog
	Journal   run.Journal
	Book      approval.Book
	Tasks     approval.Tasks
	// Confirm says whether sensitive reads wait for a decision. Writes always do.
	Confirm bool
	Clock   func() time.Time
	Log     *slog.Logger
	// Pause waits between the tries of a repeatable call; nil waits by the clock. It is for tests.
	Pause func(ctx context.Context, d time.Duration) error
}

// Engine proposes and carries out calls. It is safe for concurrent use.
type Engine struct {
	deps     Deps
	executor *tool.Executor
	names    []string
	tools    map[string]declared
	life     context.Context // ends when the engine is closed
	end      context.CancelFunc
	closing  sync.Mutex // so that no call begins once Close waits
	work     sync.WaitGroup
}

type declared struct {
	Declaration
	spec tool.Spec
	hash string
}

// New makes an engine of the declared tools. A tool that acts must take the two arguments that say
// on what it acts, as required strings: object_id and version; and none named run_id or arguments,
// which belong to the request. Anything else is problem.Internal "invalid_tool", as for an executor.
func New(d Deps, tools []Declaration) (*Engine, error) {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.Clock == nil {
		d.Clock = time.Now
	}
	if d.Pause == nil {
		d.Pause = pause.For
	}
	e := &Engine{deps: d, tools: map[string]declared{}}
	e.life, e.end = context.WithCancel(context.Background())
	var all []tool.Tool
	for _, t := range tools {
		spec := t.Tool.Spec()
		if err := valid(t, spec); err != nil {
			return nil, err
		}
		t.Level = max(t.Level, access.Reader)
		e.tools[spec.Name] = declared{Declaration: t, spec: spec, hash: Pin(t)}
		e.names = append(e.names, spec.Name)
		all = append(all, t.Tool)
	}
	var err error
	// A call goes out once: what may be tried again is decided here, not by the executor.
	e.executor, err = tool.NewExecutor(d.Directory, all, tool.Options{Writes: true, Tries: 1, Timeout: callTime})
	return e, err
}

// callTime bounds one call; lease is longer than a call with the time that it may take to stop.
const (
	callTime = 60 * time.Second
	lease    = 2 * time.Minute
)

func valid(t Declaration, spec tool.Spec) error {
	var schema struct {
		Required   []string `json:"required"`
		Properties map[string]struct {
			Type string `json:"type"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(spec.Schema, &schema); err != nil {
		return problem.Wrap(err, problem.Internal, "invalid_tool", "The tool %q has no usable schema.", spec.Name)
	}
	for _, name := range []string{"object_id", "version"} {
		if !slices.Contains(schema.Required, name) || schema.Properties[name].Type != "string" {
			return problem.New(problem.Internal, "invalid_tool", "The schema of the tool %q must require the string %q.", spec.Name, name)
		}
	}
	for _, name := range []string{"run_id", "arguments"} {
		if _, ok := schema.Properties[name]; ok {
			return problem.New(problem.Internal, "invalid_tool", "The schema of the tool %q must not have the field %q, which belongs to the request.", spec.Name, name)
		}
	}
	if t.Effect != approval.Recorded && t.Effect != approval.Outside {
		return problem.New(problem.Internal, "invalid_tool", "The tool %q has the unknown effect %q.", spec.Name, t.Effect)
	}
	return nil
}

// Names lists the declared tools in order.
func (e *Engine) Names() []string { return slices.Clone(e.names) }
