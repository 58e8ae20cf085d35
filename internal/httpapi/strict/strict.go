// Package strict reads JSON that means what it says: one value, no key twice or in another case.
package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxDepth bounds how deeply a body may nest.
const maxDepth = 64

// Decode reads exactly one JSON value. Invalid UTF-8, keys that are equal or differ in case
// alone, data after the value and nesting beyond maxDepth are errors, in words that repeat nothing
// of the body. The standard decoder takes keys in any case, so that of two such ones the second
// would hide the first.
func Decode(data []byte, v any) error {
	if !utf8.Valid(data) {
		return errors.New("it is not valid UTF-8")
	}
	if err := scan(json.NewDecoder(bytes.NewReader(data))); err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return errors.New("a value has the wrong type")
	}
	return nil
}

// scan walks the tokens of one value and looks for what the decoder lets pass.
func scan(dec *json.Decoder) error {
	dec.UseNumber()
	type level struct {
		keys map[string]bool // nil in an array
		key  bool            // the next token is a key or the end
	}
	var stack []level
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return errors.New("it ends too early")
		}
		if err != nil {
			return errors.New("it is malformed")
		}
		top := len(stack) - 1
		switch t := tok.(type) {
		case json.Delim:
			if t == '{' || t == '[' {
				if len(stack) == maxDepth {
					return errors.New("it nests too deeply")
				}
				if top >= 0 {
					stack[top].key = stack[top].keys != nil
				}
				l := level{}
				if t == '{' {
					l = level{map[string]bool{}, true}
				}
				stack = append(stack, l)
				continue
			}
			stack = stack[:top]
		default:
			if top >= 0 && stack[top].keys != nil {
				if stack[top].key {
					name, _ := tok.(string)
					name = folded(name)
					if stack[top].keys[name] {
						return errors.New("a key appears twice")
					}
					stack[top].keys[name] = true
				}
				stack[top].key = !stack[top].key
			}
		}
		if len(stack) == 0 {
			break
		}
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows it")
	}
	return nil
}

// folded returns one form for all keys that differ in case alone, as strings.EqualFold has it.
func folded(key string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, key)
}
