package endpoint

import (
	"bytes"
	"errors"
	"io"
)

// The caps on what an endpoint may send. They bound memory, whatever the endpoint says.
const (
	MaxLine      = 4 << 20 // bytes of a line of a stream, or of the data of one event
	MaxJSON      = 8 << 20 // bytes of a response that is not a stream
	MaxText      = 1 << 20 // bytes of a turn's text
	MaxReasoning = 4 << 20 // bytes of a turn's reasoning
	MaxCalls     = 32      // tool calls of a turn
	MaxArguments = 256 << 10
	MaxName      = 256
)

// errLong ends a stream whose line or event is longer than MaxLine.
var errLong = errors.New("a line or an event of the stream is too long")

// Event returns the data of the next server-sent event, or io.EOF. Comments, names, ids and
// events without data are passed over; a last event without its blank line still counts.
//
// Lines end with LF, CRLF or CR. The returned slice is valid until the next call.
func (r *Reply) Event() ([]byte, error) {
	var data []byte
	seen := false
	for {
		line, err := r.line()
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		case err != nil && len(line) == 0:
			if seen {
				return data, nil
			}
			return nil, io.EOF
		case len(line) == 0:
			if seen {
				return data, nil
			}
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		if string(name) != "data" {
			continue
		}
		if seen {
			data = append(data, '\n')
		}
		seen = true
		if data = append(data, bytes.TrimPrefix(value, []byte(" "))...); len(data) > MaxLine {
			return nil, r.endpoint.TooLong(errLong.Error())
		}
	}
}

// line returns the next line without its end. At the end of the stream it returns io.EOF along
// with what was left.
func (r *Reply) line() ([]byte, error) {
	var out []byte
	for {
		if _, err := r.body.Peek(1); err != nil {
			return r.unmarked(out), err
		}
		chunk, err := r.body.Peek(r.body.Buffered())
		if err != nil {
			return nil, err
		}
		if r.cr && chunk[0] == '\n' {
			r.cr = false // the second half of CRLF
			_, _ = r.body.Discard(1)
			continue
		}
		r.cr = false
		end := bytes.IndexAny(chunk, "\r\n")
		if end < 0 {
			end = len(chunk)
		}
		if out = append(out, chunk[:end]...); len(out) > MaxLine {
			return nil, r.endpoint.TooLong(errLong.Error())
		}
		if end < len(chunk) {
			r.cr = chunk[end] == '\r'
			_, _ = r.body.Discard(end + 1)
			return r.unmarked(out), nil
		}
		_, _ = r.body.Discard(end)
	}
}

// unmarked takes the byte order mark off the first line.
func (r *Reply) unmarked(line []byte) []byte {
	if !r.begun {
		r.begun = true
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return line
}

// Whole returns the body of a response that is not a stream.
func (r *Reply) Whole() ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r.body, MaxJSON+1))
	if err != nil {
		return nil, err
	}
	if len(b) > MaxJSON {
		return nil, r.endpoint.TooLong("the response is too long")
	}
	return b, nil
}
