package trial

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/run"
)

// trace follows the run through everything that is stored about it: from each passage back to the
// bytes of its original, and from events and ledger to the same run.
func (y *try) trace(ctx context.Context) {
	if !y.c.In(eval.Traceability) {
		return
	}
	stored, evidence, err := y.Journal.Run(ctx, y.actor.Tenant, y.actor.User, y.run)
	if err != nil {
		y.fault(eval.Traceability, "no_run", "the journal does not have the run: %s", said(err))
		return
	}
	for _, ref := range stored.Answer.Refs {
		if !slices.ContainsFunc(evidence, func(e citation.Evidence) bool { return e.Ref == ref }) {
			y.fault(eval.Traceability, "no_evidence", "the answer cites [%s], and the run has no such evidence", ref)
		}
	}
	for _, e := range evidence {
		y.original(ctx, e)
	}
	events, ok := y.history(ctx)
	if !ok {
		return
	}
	y.rebuild(events, stored, evidence)
	y.entry(ctx, stored, evidence)
}

// history reads all stored events of the run and looks whether the sequence is whole.
func (y *try) history(ctx context.Context) (all []event.Event, ok bool) {
	for {
		page, err := y.Events.After(ctx, string(y.run), int64(len(all)), 500)
		if err != nil {
			y.fault(eval.Traceability, "no_events", "the events can't be read: %s", said(err))
			return nil, false
		}
		if len(page) == 0 {
			break
		}
		all = append(all, page...)
	}
	for i, e := range all {
		if e.Sequence != int64(i+1) || e.RunID != string(y.run) {
			y.fault(eval.Traceability, "event_gap", "event %d of the run has the number %d", i+1, e.Sequence)
			return nil, false
		}
	}
	if len(all) == 0 || all[0].Type != event.RunCreated || !all[len(all)-1].Type.Closes() {
		y.fault(eval.Traceability, "event_gap", "the events do not lead from the run's creation to its end")
		return nil, false
	}
	return all, true
}

// told is what the events alone say of a run.
type told struct {
	route, state, reason string
	tools                []string
	closings, answer     int
	calls                []toldCall
	sources              map[string]toldSource
}

type toldCall struct {
	ID   string `json:"call_id"`
	Tool string `json:"tool"`
	Args string `json:"args_hash"`
	Code string `json:"code"`
}

type toldSource struct {
	Ref      string            `json:"ref"`
	Document corpus.DocumentID `json:"document_id"`
	Version  int               `json:"version"`
	Hash     string            `json:"excerpt_hash"`
}

// retell reads the events from the first to the last.
func retell(events []event.Event) told {
	out := told{sources: map[string]toldSource{}}
	for _, e := range events {
		var d struct {
			Route  string   `json:"route"`
			Tools  []string `json:"tools"`
			State  string   `json:"state"`
			Reason string   `json:"finish_reason"`
			Chars  int      `json:"chars"`
			toldCall
			toldSource
		}
		_ = json.Unmarshal(e.Data, &d) // what is missing is found to be missing by whoever compares
		switch e.Type {
		case event.RouteSelected:
			out.route, out.tools = d.Route, d.Tools
		case event.ToolStarted:
			out.calls = append(out.calls, toldCall{d.ID, d.Tool, d.Args, ""})
		case event.ToolCompleted, event.ToolFailed:
			if e.Type == event.ToolCompleted {
				d.Code = "ok"
			}
			for i := range out.calls {
				if out.calls[i].ID == d.ID && out.calls[i].Code == "" {
					out.calls[i].Code = d.Code
					break
				}
			}
		case event.SourceAdded:
			out.sources[d.Ref] = d.toldSource
		case event.AnswerStarted:
			out.answer = 0
		case event.AnswerDelta:
			out.answer += d.Chars
		}
		if e.Type.Closes() {
			out.closings++
			out.state, out.reason = d.State, d.Reason
		}
	}
	return out
}

// rebuild makes the run anew from its events and compares it with what is stored.
func (y *try) rebuild(events []event.Event, r *run.Run, evidence []citation.Evidence) {
	t := retell(events)
	differs := func(what string, told, stored any) {
		y.fault(eval.Traceability, "events_differ", "the events tell of another %s: %v, and the run has %v", what, told, stored)
	}
	if t.closings != r.Attempt {
		differs("number of ends", t.closings, r.Attempt)
	}
	if t.state != string(r.State) || t.reason != string(r.Reason) {
		differs("end", t.state+" ("+t.reason+")", string(r.State)+" ("+string(r.Reason)+")")
	}
	if r.Kind == run.ForPublish {
		return
	}
	if t.route != string(r.Route) || !slices.Equal(t.tools, r.Tools) {
		differs("route", t.route, r.Route)
	}
	var calls []toldCall
	for _, c := range r.Calls {
		calls = append(calls, toldCall{c.ID, c.Tool, c.ArgsHash, c.Code})
	}
	if !slices.Equal(t.calls, calls) {
		differs("list of tool calls", len(t.calls), len(calls))
	}
	if len(t.sources) != len(evidence) {
		differs("number of sources", len(t.sources), len(evidence))
	}
	for _, e := range evidence {
		if t.sources[e.Ref] != (toldSource{e.Ref, e.Document, e.Version, e.Hash}) {
			differs("source ["+e.Ref+"]", t.sources[e.Ref].Document, e.Document)
		}
	}
	if n := len([]rune(r.Answer.Text)); t.answer != n {
		differs("length of the answer", t.answer, n)
	}
}
