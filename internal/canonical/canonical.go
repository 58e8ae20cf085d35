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
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/problem"
)

// Depth is how many lists and objects may stand in one another. Members are put in order level by level,
// so that what a value costs grows with its depth.
const Depth = 64

// JSON returns the canonical form of one JSON value. What is no single value, what has a member twice,
// what is deeper than Depth and what has a number that the form can't tell exactly is problem.Invalid
// "not_canonical".
func JSON(raw []byte) ([]byte, error) {
	f := former{Decoder: json.NewDecoder(bytes.NewReader(raw))}
	f.UseNumber()
	if err := f.value(Depth); err != nil {
		return nil, bad(err)
	}
	if _, err := f.Token(); err != io.EOF {
		return nil, bad(err)
	}
	return f.out, nil
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

// former reads a value and writes its form behind what it wrote before.
type former struct {
	*json.Decoder
	out   []byte
	spare []byte // for members that are put in order
}

// value writes the next value, in which lists and objects may stand in one another to a depth.
func (f *former) value(depth int) error {
	token, err := f.Token()
	if err != nil {
		return err
	}
	switch t := token.(type) {
	case json.Delim:
		if depth == 0 {
			return errForm
		}
		if t == '{' {
			return f.object(depth - 1)
		}
		return f.list(depth - 1)
	case string:
		f.out = text(f.out, t)
	case json.Number:
		f.out, err = number(f.out, t.String())
	case bool:
		f.out = strconv.AppendBool(f.out, t)
	default:
		f.out = append(f.out, "null"...)
	}
	return err
}

func (f *former) list(depth int) error {
	f.out = append(f.out, '[')
	for first := true; f.More(); first = false {
		if !first {
			f.out = append(f.out, ',')
		}
		if err := f.value(depth); err != nil {
			return err
		}
	}
	_, err := f.Token()
	f.out = append(f.out, ']')
	return err
}

// member is where a member of an object was written; its name is ordered by UTF-16 code units.
type member struct {
	name     []uint16
	from, to int
}

func before(a, b member) int { return slices.Compare(a.name, b.name) }

func (f *former) object(depth int) error {
	f.out = append(f.out, '{')
	var members []member
	start := len(f.out)
	for f.More() {
		token, err := f.Token()
		if err != nil {
			return err
		}
		if len(members) > 0 {
			f.out = append(f.out, ',')
		}
		from := len(f.out)
		name, _ := token.(string)
		f.out = append(text(f.out, name), ':')
		if err := f.value(depth); err != nil {
			return err
		}
		members = append(members, member{utf16.Encode([]rune(name)), from, len(f.out)})
	}
	if _, err := f.Token(); err != nil {
		return err
	}
	if !slices.IsSortedFunc(members, before) {
		slices.SortFunc(members, before)
		f.arrange(start, members)
	}
	for i := range members[min(1, len(members)):] {
		if slices.Equal(members[i].name, members[i+1].name) {
			return errForm
		}
	}
	f.out = append(f.out, '}')
	return nil
}

// arrange writes members in their order over those that were written from start on.
func (f *former) arrange(start int, members []member) {
	f.spare = append(f.spare[:0], f.out[start:]...)
	f.out = f.out[:start]
	for i, m := range members {
		if i > 0 {
			f.out = append(f.out, ',')
		}
		f.out = append(f.out, f.spare[m.from-start:m.to-start]...)
	}
}

// text writes a string with no more escapes than there must be.
func text(out []byte, s string) []byte {
	out = append(out, '"')
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
			out = utf8.AppendRune(out, r)
		}
	}
	return append(out, '"')
}

// number writes a number as ECMAScript does. A whole number that no double is would be read as another.
func number(out []byte, s string) ([]byte, error) {
	v, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil:
		return nil, errForm
	case v == 0:
		return append(out, '0'), nil
	case !strings.ContainsAny(s, ".eE") && strconv.FormatFloat(v, 'f', 0, 64) != s:
		return nil, errForm
	}
	b, err := json.Marshal(v) // which follows ECMAScript
	return append(out, b...), err
}
