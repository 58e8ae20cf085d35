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
			return nil, r.endpoint.Bad(errLong.Error())
		}
	}
}

// line returns the next line without its end. At the end of the stream it returns io.EOF along
// with what was left.
func (r *Reply) line() ([]byte, error) {
	var out []byte
	for {
		b, err := r.body.ReadByte()
		if err != nil {
			return out, err
		}
		switch {
		case b == '\n' && r.cr:
			r.cr = false // the second half of CRLF
			continue
		case b == '\n' || b == '\r':
			r.cr = b == '\r'
			r.begun = true
			return out, nil
		}
		r.cr = false
		out = append(out, b)
		if !r.begun && len(out) == 3 && string(out) == "\xef\xbb\xbf" {
			out, r.begun = out[:0], true // a byte order mark
		}
		if len(out) > MaxLine {
			return nil, r.endpoint.Bad(errLong.Error())
		}
	}
}

// Whole returns the body of a response that is not a stream.
func (r *Reply) Whole() ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r.body, MaxJSON+1))
	if err != nil {
		return nil, err
	}
	if len(b) > MaxJSON {
		return nil, r.endpoint.Bad("the response is too long")
	}
	return b, nil
}
