package tool

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// SchemaFor infers the schema of a tool's arguments from a Go struct: its JSON field names, types
// and `jsonschema:"…"` descriptions, without extra fields. It panics on a type that JSON has no
// words for, which is a mistake of the program and not of its input.
func SchemaFor[T any]() json.RawMessage {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic("tool: no schema for the arguments: " + err.Error())
	}
	raw, err := json.Marshal(s)
	if err != nil {
		panic("tool: the inferred schema can't be written: " + err.Error())
	}
	return raw
}

// schema is a tool's schema, resolved once.
type schema struct {
	whole *jsonschema.Resolved
	// parts judge one field each, so that of several wrong fields always the same one is named.
	parts map[string]*jsonschema.Resolved
	shape *shape
}

func compile(raw json.RawMessage) (*schema, error) {
	root, err := decode(raw)
	if err != nil {
		return nil, err
	}
	if root["type"] != "object" {
		return nil, fmt.Errorf("the root's type is not object")
	}
	out := &schema{parts: map[string]*jsonschema.Resolved{}}
	if out.whole, err = resolve(root); err != nil {
		return nil, err
	}
	properties, _ := root["properties"].(map[string]any)
	for name, inner := range properties {
		part := map[string]any{"properties": map[string]any{name: inner}}
		for _, word := range []string{"$schema", "$defs", "definitions"} {
			if v, ok := root[word]; ok {
				part[word] = v
			}
		}
		// A part that leans on the rest of the schema can't stand alone; the whole judges it.
		if r, err := resolve(part); err == nil {
			out.parts[name] = r
		}
	}
	out.shape = (&shape{root: root}).at(root)
	return out, nil
}

func resolve(root map[string]any) (*jsonschema.Resolved, error) {
	raw, err := json.Marshal(root)
	if err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	return s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
}

// check judges arguments and returns nil, or a sentence that names the field and the rule it
// breaks. The sentence repeats no value of the arguments.
func (s *schema) check(args map[string]any) *Failure {
	if at, want := misspelt(args, s.shape, ""); at != "" {
		f := invalidArguments("Argument %s must be written %q.", quoteName(at), want)
		f.Pointer = at
		return f
	}
	value := numbers(args)
	err := s.whole.Validate(value)
	if err == nil {
		return nil
	}
	for _, name := range sortedKeys(s.parts) {
		if _, ok := args[name]; !ok {
			continue
		}
		if e := s.parts[name].Validate(value); e != nil {
			err = e
			break
		}
	}
	// The validator's own words repeat values, so they end here.
	text, at := s.sentence(err)
	f := invalidArguments("%s", text)
	f.Pointer = at
	return f
}

func invalidArguments(format string, args ...any) *Failure {
	return &Failure{Code: InvalidArguments, Detail: fmt.Sprintf(format, args...)}
}

var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// sentence turns an error of the validator into one for the model. The validator writes
// "validating PLACE: validating PLACE: RULE: …", with the innermost place last. The pointer is that
// of the argument that it is about.
func (s *schema) sentence(err error) (sentence, pointer string) {
	text, place := err.Error(), ""
	for {
		rest, ok := strings.CutPrefix(text, "validating ")
		if !ok {
			break
		}
		at, after, ok := strings.Cut(rest, ": ")
		if !ok {
			break
		}
		if text = after; strings.HasPrefix(at, "/") {
			place = at
		}
	}
	keyword, rest, _ := strings.Cut(text, ":")
	names := quoted.FindAllString(rest, -1)
	pointer = argument(place)
	switch {
	case keyword == "required" && len(names) > 0:
		return fmt.Sprintf("%s lacks the field %s (rule required).", subject(place), names[0]), pointer + "/" + escapePointer(unquote(names))
	case strings.HasPrefix(text, "unexpected additional properties"):
		names = quoted.FindAllString(text, -1)
		slices.Sort(names)
		return fmt.Sprintf("%s has the field %s, which this tool does not know (rule additionalProperties).", subject(place), quoteName(unquote(names))), pointer + "/" + escapePointer(unquote(names))
	}
	if value, ok := s.shape.rule(place, keyword); ok {
		if rule, err := json.Marshal(value); err == nil && len(rule) <= 200 {
			return fmt.Sprintf("%s breaks the rule %s: %s.", subject(place), keyword, rule), pointer
		}
	}
	if slices.Contains([]string{"anyOf", "oneOf", "not", "pattern", "enum", "contains", "uniqueItems"}, keyword) {
		return fmt.Sprintf("%s breaks the rule %s.", subject(place), keyword), pointer
	}
	return subject(place) + " does not fit the tool's schema.", pointer
}

func unquote(names []string) string {
	if len(names) == 0 {
		return ""
	}
	if s, err := strconv.Unquote(names[0]); err == nil {
		return s
	}
	return names[0]
}

// argument is the JSON pointer of the argument that a path in the schema speaks of.
func argument(path string) string {
	out := ""
	steps := strings.Split(path, "/")
	for i, step := range steps {
		if i > 0 && steps[i-1] == "properties" {
			out += "/" + step
		}
	}
	return out
}

// subject names the place in the arguments that a path in the schema speaks of.
func subject(path string) string {
	var names []string
	steps := strings.Split(path, "/")
	for i, step := range steps {
		if i > 0 && steps[i-1] == "properties" {
			names = append(names, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
		}
	}
	if len(names) == 0 {
		return "The arguments object"
	}
	return "Argument " + quoteName(strings.Join(names, "."))
}

// quoteName writes a name of the model's for a message, bounded.
func quoteName(name string) string {
	if r := []rune(name); len(r) > 64 {
		name = string(r[:64]) + "…"
	}
	return strconv.Quote(name)
}

// numbers returns a copy of a decoded value with its numbers as the validator wants them: whole
// ones as int64 where they fit, the others as float64.
func numbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, inner := range v {
			out[k] = numbers(inner)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = numbers(inner)
		}
		return out
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		f, _ := v.Float64()
		return f
	}
	return v
}

// canonical writes whole numbers without fraction and exponent, since 128.0 is an integer to the
// schema but not to encoding/json. It changes v.
func canonical(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			v[k] = canonical(inner)
		}
	case []any:
		for i, inner := range v {
			v[i] = canonical(inner)
		}
	case json.Number:
		if r, ok := new(big.Rat).SetString(v.String()); ok && r.IsInt() && r.Num().IsInt64() {
			return json.Number(r.Num().String())
		}
	}
	return v
}
