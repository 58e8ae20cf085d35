package problem_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/kaoju/kaoju/internal/problem"
)

func TestAnUnclassifiedErrorIsInternal(t *testing.T) {
	for _, err := range []error{errors.New("x"), nil, fmt.Errorf("wrap: %w", io.EOF), &problem.Error{}} {
		if problem.KindOf(err) != problem.Internal || problem.CodeOf(err) != "internal" {
			t.Errorf("%v: kind %v, code %q", err, problem.KindOf(err), problem.CodeOf(err))
		}
	}
	if problem.Is(nil, problem.Internal) {
		t.Error("no error is of a kind")
	}
	if !problem.Is(errors.New("x"), problem.Internal) {
		t.Error("an unclassified error is internal")
	}
}

func TestTheOutermostProblemOfAChainCounts(t *testing.T) {
	inner := problem.New(problem.NotFound, "not_found", "No %s.", "such thing")
	outer := problem.Wrap(inner, problem.Conflict, "taken", "Taken by %d.", 7)
	err := fmt.Errorf("handler: %w", outer)
	if problem.KindOf(err) != problem.Conflict || problem.CodeOf(err) != "taken" || !problem.Is(err, problem.Conflict) || problem.Is(err, problem.NotFound) {
		t.Errorf("kind %v, code %q", problem.KindOf(err), problem.CodeOf(err))
	}
	if !errors.Is(err, inner) {
		t.Error("the cause is lost")
	}
	if got, want := err.Error(), "handler: Taken by 7.: No such thing."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTheCauseStaysOutOfTheDetail(t *testing.T) {
	err := problem.Wrap(errors.New("password=secret"), problem.Unavailable, "storage", "The store failed.")
	if err.Detail != "The store failed." || !errors.Is(err, err.Err) {
		t.Errorf("detail %q", err.Detail)
	}
}

func TestMissingIsAlwaysTheSame(t *testing.T) {
	a, b := problem.Missing(), problem.Missing()
	if a == b {
		t.Error("two callers share one error and could change it for each other")
	}
	if a.Error() != b.Error() || a.Kind != problem.NotFound || a.Code != "not_found" || a.Fields != nil || a.Err != nil {
		t.Errorf("%+v and %+v", a, b)
	}
}

func TestEveryKindHasAName(t *testing.T) {
	want := map[problem.Kind]string{
		problem.Internal: "internal", problem.NotFound: "not_found", problem.Denied: "denied", problem.Invalid: "invalid",
		problem.Conflict: "conflict", problem.Expired: "expired", problem.Exhausted: "exhausted", problem.Unavailable: "unavailable", 99: "kind(99)",
	}
	for k, name := range want {
		if k.String() != name {
			t.Errorf("%d is called %q, want %q", k, k, name)
		}
	}
}
