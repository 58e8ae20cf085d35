package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

const (
	// batch bounds the events that are read and sent at once.
	batch = 200
	// maxEvents bounds the events of one JSON answer.
	maxEvents = 5000
)

// streams registers the events of a run.
func (s *server) streams() {
	handle(s, operation("list-events", http.MethodGet, "/api/runs/{id}/events", "Follow a run, or list its events", 0), s.events)
}

// events checks the reader's place before anything is sent. Without a wish for JSON it streams.
func (s *server) events(ctx context.Context, actor access.Actor, in *struct {
	RunPath
	Accept string `header:"Accept"`
	Last   string `header:"Last-Event-ID"`
	After  string `query:"after" doc:"Id or sequence of the last event that the client has."`
	Limit  int    `query:"limit" minimum:"1" default:"5000"`
}) (*stream, error) {
	id, last := run.ID(in.ID), in.Last
	if last == "" {
		last = in.After
	}
	at, err := s.deps.Desk.Resume(ctx, actor, id, last)
	if in.Last == "" && problem.CodeOf(err) == "invalid_last_event_id" {
		err = refused([]problem.Field{{Pointer: "?after", Detail: "must be the id or the sequence of an event of this run"}})
	}
	if err != nil {
		return nil, err
	}
	if prefers(in.Accept, "application/json") && !prefers(in.Accept, "text/event-stream") {
		return s.listEvents(ctx, actor, id, at.After, min(in.Limit, maxEvents))
	}
	if at.Over {
		return &stream{func(hc huma.Context) { hc.SetStatus(http.StatusNoContent) }}, nil
	}
	return &stream{func(hc huma.Context) { s.follow(hc, actor, id, at.After) }}, nil
}

func (s *server) listEvents(ctx context.Context, actor access.Actor, id run.ID, after int64, limit int) (*stream, error) {
	events, _, err := s.deps.Desk.Events(ctx, actor, id, after, limit+1)
	if err != nil {
		return nil, err
	}
	var cursor *string
	if len(events) > limit {
		events = events[:limit]
		cursor = wire.Optional(events[limit-1].ID())
	}
	out := api.List[api.Event]{Items: wire.Each(events, wire.Event), NextCursor: cursor}
	return &stream{func(hc huma.Context) {
		_, w := humago.Unwrap(hc)
		writeJSON(w, http.StatusOK, out)
	}}, nil
}

// follow sends a run's events as they are committed until a closing event, the end of the
// client, or the end of the actor's right to them. Credentials and rights are checked before
// each batch, and again and again while nothing happens.
func (s *server) follow(hc huma.Context, actor access.Actor, id run.ID, after int64) {
	r, w := humago.Unwrap(hc)
	out := newSender(w, s.deps.Pace.Write)
	defer out.settle()
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache, no-store, no-transform")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead || out.send([]byte("retry: 2000\n\n")) != nil {
		return
	}
	beat := time.Now()
	for {
		v := visiting(r)
		if now, err := s.authenticate(r, &v); err != nil || now != actor {
			return
		}
		events, closed, err := s.deps.Desk.Events(r.Context(), actor, id, after, batch)
		if err != nil {
			if !problem.Is(err, problem.NotFound) && r.Context().Err() == nil {
				s.deps.Log.WarnContext(r.Context(), "event stream ended early", "request_id", requestID(r.Context()), "error", err)
			}
			return
		}
		if len(events) > 0 {
			if out.send(frames(events)) != nil || closed {
				return
			}
			after, beat = events[len(events)-1].Sequence, time.Now()
			continue
		}
		if time.Since(beat) >= s.deps.Pace.Heartbeat {
			if out.send([]byte(": hb\n\n")) != nil {
				return
			}
			beat = time.Now()
		}
		if !s.wait(r.Context(), id, after, min(s.deps.Pace.Recheck, s.deps.Pace.Heartbeat)) {
			return
		}
	}
}

// wait returns when there may be events or it is time to look again; false if the client is gone
// or the log has failed.
func (s *server) wait(ctx context.Context, id run.ID, after int64, most time.Duration) bool {
	waiting, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	err := s.deps.Desk.Wait(waiting, id, after)
	return ctx.Err() == nil && (err == nil || errors.Is(err, context.DeadlineExceeded) || waiting.Err() != nil)
}

// frames writes events in the form of the stream. An envelope is one line of JSON.
func frames(events []event.Event) []byte {
	var b bytes.Buffer
	for _, e := range events {
		data, err := json.Marshal(wire.Event(e))
		if err != nil {
			continue
		}
		b.WriteString("id: " + e.ID() + "\nevent: " + string(e.Type) + "\ndata: ")
		b.Write(data)
		b.WriteString("\n\n")
	}
	return b.Bytes()
}
