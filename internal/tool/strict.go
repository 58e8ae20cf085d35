package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/problem"
)

// The bounds of a strict object. They are far above what a tool needs and far below what could
// hurt the process that reads it.
const (
	maxBytes  = 256 << 10 // of the whole text
	maxDepth  = 32        // of objects and arrays inside each other
	maxNumber = 64        // bytes of one number
)

// Strict reports whether raw is one JSON object that every reader understands in the same way:
// valid UTF-8 of bounded size and depth, no name twice in an object (also not in another case,
// which encoding/json would mistake for the same field), no control character in a name, no NUL
// and no lone surrogate in a string, no number that a float64 can't hold, and nothing after the
// object. The error is problem.Invalid "invalid_json"; its detail holds no part of the text.
func Strict(raw []byte) error {
	_, err := decode(raw)
	return err
}

func invalidJSON(format string, args ...any) *problem.Error {
	return problem.New(problem.Invalid, "invalid_json", "The JSON is not usable: "+format, args...)
}

// errNotObject is the cause of refusing JSON that is whole and has another root than an object.
var errNotObject = errors.New("the root is not an object")

// decode reads a strict object. Numbers come as json.Number.
func decode(raw []byte) (map[string]any, error) {
	switch {
	case len(raw) > maxBytes:
		return nil, invalidJSON("it is longer than %d bytes.", maxBytes)
	case !utf8.Valid(raw):
		return nil, invalidJSON("it is not valid UTF-8.")
	case !json.Valid(raw):
		return nil, invalidJSON("it is not one complete JSON value.")
	case loneSurrogate(raw):
		return nil, invalidJSON("a string holds half of a surrogate pair.")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	r := reader{dec: dec}
	v, err := r.value(0)
	if err != nil {
		return nil, err
	}
	object, ok := v.(map[string]any)
	if !ok {
		e := invalidJSON("the root is not an object.")
		e.Err = errNotObject
		return nil, e
	}
	return object, nil
}

// reader builds values from the tokens of a text that is known to be valid JSON.
type reader struct{ dec *json.Decoder }

func (r reader) value(depth int) (any, error) {
	t, err := r.dec.Token()
	if err != nil {
		return nil, invalidJSON("it is not one complete JSON value.")
	}
	switch t := t.(type) {
	case json.Delim:
		if depth >= maxDepth {
			return nil, invalidJSON("it is nested more than %d levels deep.", maxDepth)
		}
		if t == '{' {
			return r.object(depth + 1)
		}
		return r.array(depth + 1)
	case string:
		if strings.ContainsRune(t, 0) {
			return nil, invalidJSON("a string holds a NUL.")
		}
		return t, nil
	case json.Number:
		if !holds(t) {
			return nil, invalidJSON("a number is too large, too small or too exact.")
		}
		return t, nil
	default:
		return t, nil
	}
}

func (r reader) object(depth int) (map[string]any, error) {
	out := map[string]any{}
	seen := map[string]bool{}
	for r.dec.More() {
		t, err := r.dec.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return nil, invalidJSON("it is not one complete JSON value.")
		}
		if strings.ContainsFunc(name, unicode.IsControl) {
			return nil, invalidJSON("a field's name holds a control character.")
		}
		if folded := foldCase(name); seen[folded] {
			return nil, invalidJSON("an object has the same field twice, or twice in different case.")
		} else {
			seen[folded] = true
		}
		if out[name], err = r.value(depth); err != nil {
			return nil, err
		}
	}
	_, err := r.dec.Token()
	return out, err
}

func (r reader) array(depth int) ([]any, error) {
	out := []any{}
	for r.dec.More() {
		v, err := r.value(depth)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	_, err := r.dec.Token()
	return out, err
}

// foldCase maps all strings that strings.EqualFold takes for equal to one: the long s and the
// Kelvin sign too, which encoding/json folds to letters of ASCII.
func foldCase(s string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, s)
}

// holds reports whether a float64 can hold the number so that it stays whole or fractional as it
// was written.
func holds(n json.Number) bool {
	s := n.String()
	if len(s) > maxNumber {
		return false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return false
	}
	mantissa, _, _ := strings.Cut(strings.ToLower(s), "e")
	if f == 0 {
		return !strings.ContainsAny(mantissa, "123456789")
	}
	exact, ok := new(big.Rat).SetString(s)
	return ok && exact.IsInt() == (f == math.Trunc(f))
}

// loneSurrogate reports whether a text that is valid JSON escapes half of a surrogate pair, which
// encoding/json would silently replace.
func loneSurrogate(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		unit := escaped(raw[i:])
		switch {
		case unit >= 0xD800 && unit < 0xDC00:
			if low := escaped(raw[i+6:]); low < 0xDC00 || low > 0xDFFF {
				return true
			}
			i += 11
		case unit >= 0xDC00 && unit <= 0xDFFF:
			return true
		default:
			i++
		}
	}
	return false
}

// escaped returns the unit of a \uXXXX at the beginning of b; -1 if there is none.
func escaped(b []byte) int {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return int(n)
}
