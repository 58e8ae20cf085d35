// Package wire writes what the engines give in the types of package api.
//
// All doors show a thing in the same form: the REST door answers with it and the command line prints
// it. A conversion decides nothing and asks nobody, but for NameBases, which asks the desk under the
// actor's rights.
package wire

import (
	"encoding/json"
	"time"
)

// List makes an absent list an empty one.
func List[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

// Each turns a list into wire form.
func Each[T, U any](in []T, fn func(T) U) []U {
	out := make([]U, len(in))
	for i, v := range in {
		out[i] = fn(v)
	}
	return out
}

// Texts are values of a named kind of text as plain texts.
func Texts[T ~string](in []T) []string { return Each(in, func(v T) string { return string(v) }) }

// Moment is a time that may be absent.
func Moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// Raw marshals a value whose JSON form its own package defines; null if that fails.
func Raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return b
}

// Optional is a value that may be absent: nil for the zero one.
func Optional[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}
