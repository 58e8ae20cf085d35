package run

import (
	"time"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/tool"
)

// Limits bound a whole run, over all its steps, attempts and restarts. A zero Tokens is unset;
// every other limit is in force.
type Limits struct {
	Steps        int           `json:"steps"`
	Repairs      int           `json:"repairs"`
	ToolCalls    int           `json:"tool_calls"`
	SearchPages  int           `json:"search_pages"`
	PageSize     int           `json:"page_size"`
	Documents    int           `json:"documents"`
	TextUnits    int           `json:"document_text"` // UTF-16 units of one document
	WindowUnits  int           `json:"window"`        // UTF-16 units of a default window
	ContextChars int           `json:"context_chars"` // code points of one prompt
	Tokens       int           `json:"tokens"`
	Total        time.Duration `json:"total_ns"`
	Request      time.Duration `json:"request_ns"`
}

// DefaultLimits returns the limits of a run that asks for none.
func DefaultLimits() Limits {
	return Limits{
		Steps: 8, Repairs: 1, ToolCalls: 8, SearchPages: 2, PageSize: 5, Documents: 3,
		TextUnits: 4000, WindowUnits: 2000, ContextChars: 32000,
		Total: 180 * time.Second, Request: 60 * time.Second,
	}
}

// Use counts what a run has used of its limits.
type Use struct {
	Steps       int           `json:"steps"`
	Repairs     int           `json:"repairs"`
	ToolCalls   int           `json:"tool_calls"`
	SearchPages int           `json:"search_pages"`
	Documents   int           `json:"documents"`
	Text        int           `json:"text"` // UTF-16 units read, over all documents
	Tokens      int           `json:"tokens"`
	Elapsed     time.Duration `json:"elapsed_ns"` // working time of all attempts
}

// Usage totals what the model calls of a run reported. A nil figure was not obtained from any
// call; Calls and CallsWithUsage say how complete the others are.
type Usage struct {
	Calls          int      `json:"calls"`
	CallsWithUsage int      `json:"calls_with_usage"`
	Prompt         *int     `json:"prompt_tokens"`
	Completion     *int     `json:"completion_tokens"`
	Total          *int     `json:"total_tokens"`
	Estimated      *int     `json:"estimated_tokens"` // for calls without usage; an estimate
	Messages       int      `json:"messages"`
	Characters     int      `json:"characters"` // code points sent
	Cost           *float64 `json:"cost"`
}

// Sent counts a model call before it is made.
func (u *Usage) Sent(messages, characters int) {
	u.Calls++
	u.Messages += messages
	u.Characters += characters
}

// Received adds what a call reported. A nil report, or one without any figure, leaves the totals
// as they are and adds the estimate instead, if there is one.
func (u *Usage) Received(r *llm.Usage, estimate int) {
	if r == nil || r.Prompt == nil && r.Completion == nil && r.Total == nil {
		if estimate > 0 {
			add(&u.Estimated, &estimate)
		}
		return
	}
	u.CallsWithUsage++
	add(&u.Prompt, r.Prompt)
	add(&u.Completion, r.Completion)
	switch {
	case r.Total != nil:
		add(&u.Total, r.Total)
	case r.Prompt != nil && r.Completion != nil:
		sum := *r.Prompt + *r.Completion
		add(&u.Total, &sum)
	}
}

// Tokens returns the tokens used as far as known: reported ones, and estimates for the rest.
func (u *Usage) Tokens() int {
	n := 0
	if u.Total != nil {
		n = *u.Total
	}
	if u.Estimated != nil {
		n += *u.Estimated
	}
	return n
}

func add(total **int, n *int) {
	if n == nil {
		return
	}
	sum := *n
	if *total != nil {
		sum += **total
	}
	*total = &sum
}

// EndOf is the reason for which a failure of a tool ends a run: its code, where that is one of the contract's words.
func EndOf(code tool.Code) Reason {
	if code == tool.TextChanged {
		return ToolError
	}
	return Reason(code)
}
