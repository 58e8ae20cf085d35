package tool

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// Check makes a call that a person proposes go through the checks of Run without running the tool:
// the name, then the actor's right now, then the arguments. A refusal of the right says nothing of
// the arguments.
func (e *Executor) Check(ctx context.Context, actor access.Actor, allowed []string, name string, args []byte) Outcome {
	t, ok := e.find(name, allowed)
	if !ok {
		return notAllowed()
	}
	out := Outcome{Spec: t.spec}
	if err := e.authorise(ctx, actor, t.spec); err != nil {
		var f *Failure
		if !errors.As(err, &f) {
			f = &Failure{Code: Dependency, Detail: "The tool failed.", Err: err}
		}
		out.Failure = f
		return out
	}
	out.Failure = t.read(args, &out)
	return out
}

func notAllowed() Outcome {
	return Outcome{Failure: &Failure{Code: NotAllowed, Detail: "This tool is not available here."}}
}

// read takes arguments in: strict JSON, without identity fields, as the schema has them. What is no
// JSON at all and what breaks a rule have different codes; that the root is an object is a rule.
func (t registered) read(raw []byte, out *Outcome) *Failure {
	args, err := decode(raw)
	if errors.Is(err, errNotObject) {
		return invalidArguments("The arguments are not an object (rule type).")
	}
	if err != nil {
		return &Failure{Code: InvalidJSON, Detail: detail(err)}
	}
	out.Stripped = strip(args, t.schema.shape, "")
	if out.Args, err = json.Marshal(canonical(args)); err != nil {
		return &Failure{Code: InvalidJSON, Detail: "The arguments can't be written back as JSON."}
	}
	return t.schema.check(args)
}

func detail(err error) string {
	var p *problem.Error
	if errors.As(err, &p) {
		return p.Detail
	}
	return "The arguments are not usable."
}
