package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// Follow calls fn with each event of a run after a number, as they happen, until the run's
// closing event, an error of fn, or the end of the context. The closing event of an attempt that
// was resumed is not the run's. A connection that breaks is taken up again where it broke; one that
// breaks twice without an event between is an error.
func (c *Client) Follow(ctx context.Context, run string, after int64, fn func(Event) error) error {
	idle := 0
	for {
		res, err := c.open(ctx, call{
			method: http.MethodGet, path: place("runs", run, "events"), query: values("after", strconv.FormatInt(after, 10)),
			header: http.Header{"Accept": {"text/event-stream"}},
		})
		if err != nil {
			return err
		}
		if res.StatusCode == http.StatusNoContent {
			res.Body.Close()
			return nil
		}
		before, closed := after, false
		err = read(res.Body, func(e Event) error {
			// Behind an interrupted attempt there may be another: only the server knows.
			after, closed = e.Sequence, e.Closes() && e.Type != "run.interrupted"
			return fn(e)
		})
		res.Body.Close()
		var own *callbackError
		switch {
		case errors.As(err, &own):
			return own.err
		case ctx.Err() != nil:
			return ctx.Err()
		case closed:
			return nil
		}
		if idle++; after > before {
			idle = 0
		}
		if idle > 1 {
			return fmt.Errorf("the event stream of run %s ended early: %w", run, errors.Join(err, io.ErrUnexpectedEOF))
		}
	}
}

// ChatStream asks and calls fn with each event of the run as it happens. It ends like Follow,
// but takes no broken connection up again: what fn has seen names the run.
func (c *Client) ChatStream(ctx context.Context, in ChatRequest, key string, fn func(Event) error) error {
	header := once(key)
	header.Set("Accept", "text/event-stream")
	res, err := c.open(ctx, call{method: http.MethodPost, path: place("chat"), body: in, header: header})
	if err != nil {
		return err
	}
	defer res.Body.Close()
	closed := false
	err = read(res.Body, func(e Event) error {
		closed = e.Closes()
		return fn(e)
	})
	var own *callbackError
	switch {
	case errors.As(err, &own):
		return own.err
	case err == nil && !closed:
		return fmt.Errorf("the event stream ended early: %w", io.ErrUnexpectedEOF)
	}
	return err
}

// callbackError is an error of the caller's own function on its way out.
type callbackError struct{ err error }

func (e *callbackError) Error() string { return e.err.Error() }

// maxEvent bounds one event of a stream.
const maxEvent = 16 << 20

// read takes a stream of events apart (WHATWG HTML, section 9.2). Comments, retry times and
// fields it does not know are passed over.
func read(r io.Reader, fn func(Event) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxEvent)
	var data []byte
	for lines.Scan() {
		line := lines.Bytes()
		if len(line) > 0 {
			if value, ok := bytes.CutPrefix(line, []byte("data:")); ok {
				if data != nil {
					data = append(data, '\n')
				}
				data = append(data, bytes.TrimPrefix(value, []byte(" "))...)
			}
			continue
		}
		if data == nil {
			continue
		}
		var e Event
		if err := json.Unmarshal(data, &e); err != nil {
			return fmt.Errorf("reading an event: %w", err)
		}
		data = nil
		if err := fn(e); err != nil {
			return &callbackError{err}
		}
	}
	return lines.Err()
}
