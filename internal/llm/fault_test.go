package llm_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestCauseIsFoundInsideAnError(t *testing.T) {
	inner := errors.New("status 401")
	fault := &llm.Fault{Cause: llm.Unauthorized, Err: inner}
	for name, c := range map[string]struct {
		err  error
		want llm.Cause
	}{
		"none": {nil, ""}, "another error": {inner, ""}, "bare": {fault, llm.Unauthorized}, "without more": {&llm.Fault{Cause: llm.Silent}, llm.Silent},
		"wrapped": {fmt.Errorf("call: %w", problem.Wrap(fault, problem.Unavailable, "model_error", "no")), llm.Unauthorized},
	} {
		if got := llm.CauseOf(c.err); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if !errors.Is(fault, inner) || fault.Error() != "unauthorized: status 401" || (&llm.Fault{Cause: llm.Silent}).Error() != "timeout" {
		t.Errorf("%v", fault)
	}
}
