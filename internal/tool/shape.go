package tool

import (
	"strings"
)

// shape is what a JSON Schema declares at one place of the arguments: which fields, and what lies
// in them. Several schemas may apply to one place. A nil shape declares nothing.
type shape struct {
	root  map[string]any
	nodes []map[string]any
}

// maxShape bounds the schemas that apply to one place, so that a reference to itself ends.
const maxShape = 64

// at returns the shape of a place to which the given schemas apply, with references followed and
// combinations taken apart.
func (s *shape) at(schemas ...any) *shape {
	out := &shape{root: s.root}
	for len(schemas) > 0 && len(out.nodes) < maxShape {
		node, ok := schemas[0].(map[string]any)
		schemas = schemas[1:]
		if !ok {
			continue
		}
		out.nodes = append(out.nodes, node)
		for _, word := range []string{"allOf", "anyOf", "oneOf"} {
			list, _ := node[word].([]any)
			schemas = append(schemas, list...)
		}
		for _, word := range []string{"then", "else"} {
			schemas = append(schemas, node[word])
		}
		if ref, ok := node["$ref"].(string); ok {
			schemas = append(schemas, s.lookup(ref))
		}
	}
	if len(out.nodes) == 0 {
		return nil
	}
	return out
}

// lookup follows a reference inside the schema document; nil if it leads elsewhere.
func (s *shape) lookup(ref string) any {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	var at any = s.root
	for _, step := range strings.Split(path, "/")[1:] {
		object, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
	}
	return at
}

// property returns the shape inside a field, and whether the field is declared by name.
func (s *shape) property(name string) (*shape, bool) {
	if s == nil {
		return nil, false
	}
	var schemas []any
	declared := false
	for _, node := range s.nodes {
		properties, _ := node["properties"].(map[string]any)
		if inner, ok := properties[name]; ok {
			declared = true
			schemas = append(schemas, inner)
		} else if extra, ok := node["additionalProperties"]; ok {
			schemas = append(schemas, extra)
		}
	}
	return s.at(schemas...), declared
}

// item returns the shape of the elements of an array.
func (s *shape) item() *shape {
	if s == nil {
		return nil
	}
	var schemas []any
	for _, node := range s.nodes {
		schemas = append(schemas, node["items"])
		list, _ := node["prefixItems"].([]any)
		schemas = append(schemas, list...)
	}
	return s.at(schemas...)
}

// spelling returns the declared field that a name differs from in case alone; "" if there is none.
func (s *shape) spelling(name string) string {
	if s == nil {
		return ""
	}
	for _, node := range s.nodes {
		properties, _ := node["properties"].(map[string]any)
		for _, declared := range sortedKeys(properties) {
			if declared != name && foldCase(declared) == foldCase(name) {
				return declared
			}
		}
	}
	return ""
}

// rule returns the value of a keyword at a JSON pointer into the schema.
func (s *shape) rule(pointer, keyword string) (any, bool) {
	node, ok := s.lookup("#" + pointer).(map[string]any)
	if !ok {
		return nil, false
	}
	v, ok := node[keyword]
	return v, ok
}
