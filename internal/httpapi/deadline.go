package httpapi

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// patient reads a request's body from a client that must keep sending: the read deadline moves
// on with everything that arrives, and is gone when the body has been read. A deadline that
// stayed behind would cut off an operation that takes longer than its body.
type patient struct {
	io.ReadCloser
	control *http.ResponseController
	pause   time.Duration
}

// Read waits at most the pause.
func (p *patient) Read(b []byte) (int, error) {
	// Where deadlines cannot be set, the server's own stay in force.
	_ = p.control.SetReadDeadline(time.Now().Add(p.pause))
	n, err := p.ReadCloser.Read(b)
	if errors.Is(err, io.EOF) {
		_ = p.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// Close leaves the connection without the deadline.
func (p *patient) Close() error {
	_ = p.control.SetReadDeadline(time.Time{})
	return p.ReadCloser.Close()
}

// sender writes to a client that must keep up: what cannot be sent in time ends the answer.
type sender struct {
	w       http.ResponseWriter
	control *http.ResponseController
	pause   time.Duration
}

func newSender(w http.ResponseWriter, pause time.Duration) *sender {
	return &sender{w, http.NewResponseController(w), pause}
}

// Write waits at most the pause.
func (o *sender) Write(b []byte) (int, error) {
	// Where deadlines cannot be set, the server's own stay in force.
	_ = o.control.SetWriteDeadline(time.Now().Add(o.pause))
	return o.w.Write(b)
}

// send writes and flushes.
func (o *sender) send(b []byte) error {
	if _, err := o.Write(b); err != nil {
		return err
	}
	return o.control.Flush()
}

// settle leaves the connection without the deadline.
func (o *sender) settle() { _ = o.control.SetWriteDeadline(time.Time{}) }
