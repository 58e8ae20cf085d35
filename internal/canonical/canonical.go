// Package canonical writes JSON in one form, so that what is hashed or signed does not depend on how
// somebody spaced it, ordered its members or escaped its strings. The form is that of RFC 8785.
package canonical

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/kaoju/kaoju/internal/problem"
)

// JSON returns the canonical form of one JSON value. What is no single value, what has a member twice,
// and what has a number that the form can't tell exactly is problem.Invalid "not_canonical".
func JSON(raw []byte) ([]byte, error) {
	r := reader{json.NewDecoder(bytes.NewReader(raw))}
	r.UseNumber()
	v, err := r.value()
	if err != nil {
		return nil, bad(err)
	}
	if _, err := r.Token(); err != io.EOF {
		return nil, bad(err)
	}
	return v, nil
}

// Marshal returns the canonical form of what a value is in JSON.
func Marshal(v any) ([]byte, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, bad(err)
	}
	return JSON(raw)
}

// Equal reports whether two texts are the same JSON value.
func Equal(a, b []byte) bool {
	x, err := JSON(a)
	if err != nil {
		return false
	}
	y, err := JSON(b)
	return err == nil && bytes.Equal(x, y)
}

func bad(err error) error {
	return problem.Wrap(err, problem.Invalid, "not_canonical", "This is no JSON value that has one form.")
}

var errForm = problem.New(problem.Invalid, "not_canonical", "This is no JSON value that has one form.")

type reader struct{ *json.Decoder }

func (r reader) value() ([]byte, error) {
	token, err := r.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return r.object()
		}
		return r.list()
	case string:
		return text(t), nil
	case json.Number:
		return number(t.String())
	case bool:
		return strconv.AppendBool(nil, t), nil
	}
	return []byte("null"), nil
}

func (r reader) list() ([]byte, error) {
	out := []byte("[")
	for r.More() {
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, v...)
	}
	_, err := r.Token()
	return append(out, ']'), err
}

// member is a member of an object; its name is ordered by UTF-16 code units.
type member struct {
	name  []uint16
	bytes []byte
}

func (r reader) object() ([]byte, error) {
	var members []member
	for r.More() {
		token, err := r.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string)
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		members = append(members, member{utf16.Encode([]rune(name)), slices.Concat(text(name), []byte(":"), v)})
	}
	if _, err := r.Token(); err != nil {
		return nil, err
	}
	slices.SortFunc(members, func(a, b member) int { return slices.Compare(a.name, b.name) })
	out := []byte("{")
	for i, m := range members {
		if i > 0 {
			if slices.Equal(m.name, members[i-1].name) {
				return nil, errForm
			}
			out = append(out, ',')
		}
		out = append(out, m.bytes...)
	}
	return append(out, '}'), nil
}

// text writes a string with no more escapes than there must be.
func text(s string) []byte {
	out := []byte{'"'}
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r < ' ':
			if i := strings.IndexRune("\b\t\n\f\r", r); i >= 0 {
				out = append(out, '\\', "btnfr"[i])
				break
			}
			out = append(out, `\u00`...)
			out = append(out, "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
		default:
			out = append(out, string(r)...)
		}
	}
	return append(out, '"')
}

// number writes a number as ECMAScript does. A whole number that no double is would be read as another.
func number(s string) ([]byte, error) {
	f, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil:
		return nil, errForm
	case f == 0:
		return []byte("0"), nil
	case !strings.ContainsAny(s, ".eE") && strconv.FormatFloat(f, 'f', 0, 64) != s:
		return nil, errForm
	}
	return json.Marshal(f) // which follows ECMAScript
}
