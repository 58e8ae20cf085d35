package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/pause"
	"github.com/kaoju/kaoju/internal/problem"
)

// Options set the bounds of an executor. Zero values mean the defaults.
type Options struct {
	Timeout time.Duration // of one try; 20 s
	Tries   int           // of one call, the first included; 3
	Backoff time.Duration // before the second try, doubled before each further one; 200 ms
	// Grace is how long a tool may take to stop after its context ended; 5 s. A tool that does
	// not stop is abandoned and not tried again.
	Grace time.Duration
	// Sleep waits between tries and returns the context's error if that ends first. It is for
	// tests; nil waits by the clock.
	Sleep func(ctx context.Context, d time.Duration) error
	// Writes lets Run execute tools that write. It is for a caller that holds a person's decision
	// on this very call; without it a write tool is neither described nor run.
	Writes bool
}

// Executor runs tools. It is the only code that calls Tool.Call, and safe for concurrent use.
type Executor struct {
	dir   access.Directory
	tools map[string]registered
	o     Options
}

type registered struct {
	tool   Tool
	spec   Spec
	schema *schema
}

var toolName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_-]{0,63}$`)

// NewExecutor registers tools and resolves their schemas. A bad name, two names that differ in
// case or marks alone, an unknown sensitivity, or a schema that is not one of an object is
// problem.Internal "invalid_tool".
func NewExecutor(dir access.Directory, tools []Tool, o Options) (*Executor, error) {
	if dir == nil {
		return nil, problem.New(problem.Internal, "invalid_tool", "Tools need a directory to ask for rights.")
	}
	e := &Executor{dir: dir, tools: map[string]registered{}, o: withDefaults(o)}
	seen := map[string]string{}
	for _, t := range tools {
		spec := t.Spec()
		if !toolName.MatchString(spec.Name) {
			return nil, problem.New(problem.Internal, "invalid_tool", "%q is not a tool name: use up to 64 letters, digits, dashes and underscores.", spec.Name)
		}
		if other, ok := seen[identityKey(spec.Name)]; ok {
			return nil, problem.New(problem.Internal, "invalid_tool", "The tools %q and %q have names that can be confused.", other, spec.Name)
		}
		seen[identityKey(spec.Name)] = spec.Name
		if !slices.Contains([]Sensitivity{Read, SensitiveRead, Write}, spec.Sensitivity) {
			return nil, problem.New(problem.Internal, "invalid_tool", "The tool %q has the unknown sensitivity %q.", spec.Name, spec.Sensitivity)
		}
		s, err := compile(spec.Schema)
		if err != nil {
			return nil, problem.Wrap(err, problem.Internal, "invalid_tool", "The tool %q has no usable schema.", spec.Name)
		}
		e.tools[spec.Name] = registered{tool: t, spec: spec, schema: s}
	}
	return e, nil
}

func withDefaults(o Options) Options {
	if o.Timeout <= 0 {
		o.Timeout = 20 * time.Second
	}
	if o.Tries <= 0 {
		o.Tries = 3
	}
	if o.Backoff <= 0 {
		o.Backoff = 200 * time.Millisecond
	}
	if o.Grace <= 0 {
		o.Grace = 5 * time.Second
	}
	if o.Sleep == nil {
		o.Sleep = pause.For
	}
	return o
}

// Specs describes the named tools to a model, in the order of the names. Names that are not
// registered or that may not run here are left out.
func (e *Executor) Specs(names []string) []llm.ToolSpec {
	var out []llm.ToolSpec
	seen := map[string]bool{}
	for _, name := range names {
		t, ok := e.find(name, names)
		if !ok || seen[name] {
			continue
		}
		seen[name] = true
		out = append(out, llm.ToolSpec{Name: t.spec.Name, Description: t.spec.Description, Schema: t.spec.Schema})
	}
	return out
}

func (e *Executor) find(name string, allowed []string) (registered, bool) {
	t, ok := e.tools[name]
	if !ok || !slices.Contains(allowed, name) || t.spec.Sensitivity == Write && !e.o.Writes {
		return registered{}, false
	}
	return t, true
}

// Run makes one call of a model go through all checks, and the tool if they pass. Rights are read
// from the directory before every try. When ctx ends, the failure's cause is the context's error
// (errors.Is finds it) and nothing is tried again.
func (e *Executor) Run(ctx context.Context, actor access.Actor, allowed []string, session Session, call llm.ToolCall) Outcome {
	t, ok := e.find(call.Name, allowed)
	if !ok {
		return notAllowed()
	}
	out := Outcome{Spec: t.spec}
	if out.Failure = t.read([]byte(call.Arguments), &out); out.Failure != nil {
		return out
	}
	e.try(ctx, t, Call{ID: call.ID, Actor: actor, Args: out.Args, Session: session}, &out)
	return out
}

// try authorises and calls until it succeeds, fails for good, or the tries are used up.
func (e *Executor) try(ctx context.Context, t registered, call Call, out *Outcome) {
	wait := e.o.Backoff
	for {
		if err := ctx.Err(); err != nil {
			out.Failure = ended(err)
			return
		}
		out.Tries++
		var again bool
		out.Result, out.Failure, again = e.once(ctx, t, call)
		if out.Failure == nil || !again || out.Tries >= e.o.Tries {
			return
		}
		if err := e.o.Sleep(ctx, wait); err != nil {
			out.Failure = ended(err)
			return
		}
		wait *= 2
	}
}

// once is one try, under its deadline. It reports whether another may follow.
func (e *Executor) once(ctx context.Context, t registered, call Call) (Result, *Failure, bool) {
	bounded, cancel := context.WithTimeout(ctx, e.o.Timeout)
	defer cancel()
	done := make(chan reply, 1)
	go func() {
		// A tool that ends its goroutine without returning must not leave the run waiting.
		r := reply{err: errors.New("the tool ended without an answer")}
		defer func() {
			if p := recover(); p != nil {
				r = reply{err: fmt.Errorf("panic: %v\n%s", p, debug.Stack())}
			}
			done <- r
		}()
		var got reply
		if got.err = e.authorise(bounded, call.Actor, t.spec); got.err == nil {
			got.result, got.err = t.tool.Call(bounded, call)
		}
		r = got
	}()
	r, stopped := e.await(bounded, done)
	if err := ctx.Err(); err != nil {
		return Result{}, ended(err), false
	}
	var f *Failure
	switch {
	case !stopped:
		f = &Failure{Code: Timeout, Detail: "The tool took too long and did not stop.", Err: bounded.Err()}
	case r.err == nil && !isObject(r.result.Content):
		f = &Failure{Code: Dependency, Detail: "The tool gave no usable answer.", Err: errors.New("the content is not a JSON object")}
	case r.err == nil:
		return r.result, nil, false
	case errors.As(r.err, &f) && f != nil:
		f = withoutValues(f)
	case bounded.Err() != nil:
		f = &Failure{Code: Timeout, Detail: "The tool took too long.", Err: r.err}
	default:
		f = &Failure{Code: Dependency, Detail: "The tool failed.", Err: r.err}
	}
	return Result{}, f, stopped && f.Code.Retryable()
}

type reply struct {
	result Result
	err    error
}

// await returns what the tool answered, or false if it went on past its context and the grace.
func (e *Executor) await(ctx context.Context, done <-chan reply) (reply, bool) {
	select {
	case r := <-done:
		return r, true
	case <-ctx.Done():
	}
	grace := time.NewTimer(e.o.Grace)
	defer grace.Stop()
	select {
	case r := <-done:
		return r, true
	case <-grace.C:
		return reply{}, false
	}
}

// authorise asks the directory, now, whether the actor may use the tool. The answer depends on
// the actor and the tool alone. A directory that can't answer is a failed dependency.
func (e *Executor) authorise(ctx context.Context, actor access.Actor, spec Spec) error {
	denied := &Failure{Code: PermissionDenied, Detail: "This tool may not be used."}
	snap, err := e.dir.Snapshot(ctx, actor.Tenant, actor.User)
	if problem.Is(err, problem.NotFound) {
		return denied
	}
	if err != nil {
		return fmt.Errorf("read the rights of the actor: %w", err)
	}
	if snap.Identity.Suspended || snap.Identity.User != actor.User || actor.User == "" {
		return denied
	}
	if spec.Role != "" && !snap.Identity.Has(spec.Role) {
		return denied
	}
	return nil
}

// ended is the failure of a call whose run was stopped or ran out of time.
func ended(err error) *Failure {
	if errors.Is(err, context.DeadlineExceeded) {
		return &Failure{Code: Timeout, Detail: "The time of the run is over.", Err: err}
	}
	return &Failure{Code: Dependency, Detail: "The call was stopped.", Err: err}
}

// withoutValues takes the cause off a failure that is about the arguments: such a cause repeats
// what the model wrote, and causes go to logs.
func withoutValues(f *Failure) *Failure {
	if f.Code != InvalidJSON && f.Code != InvalidArguments {
		return f
	}
	return &Failure{Code: f.Code, Detail: f.Detail, Pointer: f.Pointer}
}

func isObject(raw json.RawMessage) bool {
	return json.Valid(raw) && strings.HasPrefix(strings.TrimLeft(string(raw), " \t\r\n"), "{")
}
