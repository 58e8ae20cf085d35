// Package outcome is how a command ends: its exit status, and the one sentence that is printed of a failure.
package outcome

import (
	"context"
	"errors"
	"net/http"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/problem"
)

// The exit statuses of every command.
const (
	Done         = 0
	Failed       = 1
	Usage        = 2
	Insufficient = 3
	Refused      = 4 // refused, or not found
)

// exit is an error that has its own status. Its message, if any, was not printed yet.
type exit struct {
	status  int
	message string
}

// Error implements error.
func (e exit) Error() string { return e.message }

// New is the error that ends a command with a status and a sentence, which may be empty.
func New(status int, message string) error { return exit{status, message} }

// Of maps an error to an exit status and to the sentence that is printed.
func Of(err error) (int, string) {
	var e exit
	if errors.As(err, &e) {
		return e.status, e.message
	}
	if errors.Is(err, context.Canceled) {
		return Failed, "interrupted"
	}
	var answered *api.Problem
	if errors.As(err, &answered) {
		return answeredStatus(answered), answered.Detail
	}
	var p *problem.Error
	if !errors.As(err, &p) {
		return Failed, err.Error()
	}
	switch p.Kind {
	case problem.NotFound, problem.Denied:
		return Refused, p.Detail
	case problem.Invalid:
		if usageCodes[p.Code] {
			return Usage, p.Detail
		}
	case problem.Internal:
		return Failed, p.Error()
	}
	return Failed, p.Detail
}

// answeredStatus maps what a server answered to the exit status that the same command has on a
// folder.
func answeredStatus(p *api.Problem) int {
	switch {
	case p.Status == http.StatusNotFound || p.Status == http.StatusForbidden || p.Status == http.StatusUnauthorized:
		return Refused
	case usageCodes[p.Code]:
		return Usage
	}
	return Failed
}

// usageCodes are the refusals that are about what was typed, not about a file or a store.
var usageCodes = map[string]bool{
	"invalid_request": true, "empty_query": true, "invalid_offset": true, "invalid_id": true, "invalid_scope": true,
	"invalid_role": true, "invalid_level": true, "invalid_principal": true, "invalid_questions": true,
}
