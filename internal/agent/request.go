package agent

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// Request is what an actor asks for. Everything a run may do follows from it and from the
// actor's rights; nothing is added later.
type Request struct {
	Kind         run.Kind // "" means an answer
	Goal         string
	Conversation string
	// Bases narrows the run to these knowledge bases; nil means all that the actor may read now.
	Bases                  []access.KnowledgeBaseID
	DocKey                 string
	UpdatedFrom, UpdatedTo time.Time // inclusive, exclusive
	// AsOf asks for what was in force at that moment. It is for knowledge administrators on the
	// routes that search by themselves; any other request with it is refused.
	AsOf  time.Time
	Route run.Route // "" lets the rules choose
	// RulesFallback lets the rule-based engine take over when the model fails.
	RulesFallback bool
}

// maxGoal bounds a question, in code points.
const maxGoal = 4000

// check refuses a request that no run can be made of, naming each wrong field.
func (r *Request) check() error {
	var fields []problem.Field
	bad := func(pointer, detail string) { fields = append(fields, problem.Field{Pointer: pointer, Detail: detail}) }
	r.Goal = strings.TrimSpace(r.Goal)
	switch {
	case r.Goal == "":
		bad("/goal", "must not be empty")
	case !utf8.ValidString(r.Goal):
		bad("/goal", "must be valid UTF-8")
	case utf8.RuneCountInString(r.Goal) > maxGoal:
		bad("/goal", "must not be longer than 4,000 characters")
	}
	switch r.Kind {
	case "":
		r.Kind = run.ForAnswer
	case run.ForAnswer, run.ForDraft:
	default:
		bad("/kind", "must be answer or draft")
	}
	if r.Route != "" && !knownRoute(r.Route) {
		bad("/route", "is not a route")
	}
	if !r.UpdatedFrom.IsZero() && !r.UpdatedTo.IsZero() && !r.UpdatedFrom.Before(r.UpdatedTo) {
		bad("/updated_to", "must not be before updated_from")
	}
	if utf8.RuneCountInString(r.Conversation) > 128 {
		bad("/conversation_id", "must not be longer than 128 characters")
	}
	if fields == nil {
		return nil
	}
	e := problem.New(problem.Invalid, "invalid_request", "The request cannot be run as it is: %s %s.",
		strings.TrimPrefix(fields[0].Pointer, "/"), fields[0].Detail)
	e.Fields = fields
	return e
}

// chinese reports whether people who wrote the text expect Chinese back.
func chinese(text string) bool {
	for _, r := range text {
		if unicode.Is(unicode.Han, r) {
			return true
		}
	}
	return false
}
