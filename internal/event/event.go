// Package event holds the numbered, durable events of a run and the seam to their log.
//
// Events are appended only together with the change of state they tell of (run.Journal), never
// alone. They hold ids, numbers, places and hashes, and no text of a document.
package event

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/kaoju/kaoju/internal/problem"
)

// Type names what happened. Clients ignore types they do not know.
type Type string

// The types of event. Completed, Failed and Interrupted close an attempt of a run.
const (
	RunCreated     Type = "run.created"
	RunStarted     Type = "run.started"
	RouteSelected  Type = "run.route.selected"
	StepStarted    Type = "run.step.started"
	StepCompleted  Type = "run.step.completed"
	ModelStarted   Type = "run.model.started"
	ModelCompleted Type = "run.model.completed"
	ModelFailed    Type = "run.model.failed"
	ToolStarted    Type = "run.tool.started"
	ToolCompleted  Type = "run.tool.completed"
	ToolFailed     Type = "run.tool.failed"
	SourceAdded    Type = "run.source.added"
	SourceWithheld Type = "run.source.withheld"
	AnswerStarted  Type = "run.answer.started"
	AnswerDelta    Type = "run.answer.delta"
	AnswerReset    Type = "run.answer.reset"
	DraftReady     Type = "run.draft.ready"
	Warning        Type = "run.warning"
	LimitReached   Type = "run.limit.reached"
	Waiting        Type = "run.waiting_for_human"
	Decided        Type = "run.human.decided"
	Resumed        Type = "run.resumed"
	CancelAsked    Type = "run.cancel_requested"
	Completed      Type = "run.completed"
	Failed         Type = "run.failed"
	Interrupted    Type = "run.interrupted"
)

// Closes reports whether an event of this type ends an attempt of its run.
func (t Type) Closes() bool { return t == Completed || t == Failed || t == Interrupted }

// Event is one entry of a run's log. Sequence starts at 1 and has no gaps.
type Event struct {
	RunID    string
	Sequence int64
	Attempt  int
	Type     Type
	Time     time.Time
	Data     json.RawMessage
}

// ID returns the event's id on the wire: RUN:SEQUENCE.
func (e Event) ID() string { return e.RunID + ":" + strconv.FormatInt(e.Sequence, 10) }

// New makes an event with data that must marshal to a JSON object; number, attempt and time are
// given when it is appended.
func New(t Type, data any) Event {
	raw, err := json.Marshal(data)
	if err != nil || len(raw) == 0 || raw[0] != '{' {
		raw = []byte(`{}`)
	}
	return Event{Type: t, Data: raw}
}

// ParseID takes the id of an event of the given run apart. A plain sequence number is accepted
// too. Anything else, also an id of another run, is problem.Invalid "invalid_last_event_id".
func ParseID(runID, id string) (int64, error) {
	if rest, ok := strings.CutPrefix(id, runID+":"); ok {
		id = rest
	}
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil || n < 0 {
		return 0, problem.New(problem.Invalid, "invalid_last_event_id", "Last-Event-ID is not the id of an event of this run.")
	}
	return n, nil
}

// Log is the seam to stored events.
type Log interface {
	// After returns the events of a run with a sequence above n, in order, at most limit. The
	// caller has authorised the actor for the run.
	After(ctx context.Context, runID string, n int64, limit int) ([]Event, error)
	// Wait returns when the run may have events above n, or when the context ends. A return
	// without new events is allowed; missing one is not.
	Wait(ctx context.Context, runID string, n int64) error
}
