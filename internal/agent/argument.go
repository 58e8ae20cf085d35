package agent

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// prefix returns the first n code points.
func prefix(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// The bounds on arguments in events, in code points.
const (
	maxArgument  = 200  // of each string
	maxArguments = 2000 // of all of it, as JSON
)

// shorten cuts every string in the arguments, at any depth; nil if they are too long all the same.
func shorten(args json.RawMessage) json.RawMessage {
	if args == nil {
		return nil
	}
	var v any
	dec := json.NewDecoder(bytes.NewReader(args))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return nil
	}
	short := mustJSON(shortened(v))
	if utf8.RuneCountInString(short) > maxArguments {
		return nil
	}
	return json.RawMessage(short)
}

func shortened(v any) any {
	switch v := v.(type) {
	case string:
		return prefix(v, maxArgument)
	case []any:
		for i := range v {
			v[i] = shortened(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = shortened(v[k])
		}
	}
	return v
}
