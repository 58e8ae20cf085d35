package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// node is a value of a question file with the line it stands on, whichever notation it came in.
type node struct {
	line   int
	kind   kind
	text   string // of a scalar, as written but without quotes
	bare   bool   // a number or truth value that had no quotes
	items  []node
	fields []field
}

type field struct {
	key   string
	line  int
	value node
}

type kind string

const (
	scalar kind = "a single value"
	list   kind = "a list"
	object kind = "a mapping"
	null   kind = "nothing"
)

// maxDepth bounds how deep a question file nests.
const maxDepth = 32

// parseYAML reads a document of YAML. Anchors, tags and merged keys have no place in it.
func parseYAML(name string, raw []byte) (node, error) {
	file, err := parser.ParseBytes(raw, 0)
	if err != nil {
		line := 1
		var at yaml.Error
		if errors.As(err, &at) && at.GetToken() != nil {
			line = at.GetToken().Position.Line
			return node{}, broken(name, line, "", "%s", at.GetMessage())
		}
		return node{}, broken(name, line, "", "it is not YAML")
	}
	docs := file.Docs[:0]
	for _, d := range file.Docs {
		if d.Body != nil {
			docs = append(docs, d)
		}
	}
	if len(docs) != 1 {
		return node{}, broken(name, 1, "", "it must hold one document, and holds %d", len(docs))
	}
	return fromYAML(name, docs[0].Body, 0)
}

func fromYAML(name string, n ast.Node, depth int) (node, error) {
	line := 1
	if t := n.GetToken(); t != nil && t.Position != nil {
		line = t.Position.Line
	}
	if depth > maxDepth {
		return node{}, broken(name, line, "", "it nests too deep")
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		return mapping(name, line, n.Values, depth)
	case *ast.MappingValueNode:
		return mapping(name, line, []*ast.MappingValueNode{n}, depth)
	case *ast.SequenceNode:
		out := node{line: line, kind: list}
		for _, v := range n.Values {
			item, err := fromYAML(name, v, depth+1)
			if err != nil {
				return node{}, err
			}
			out.items = append(out.items, item)
		}
		return out, nil
	case *ast.LiteralNode:
		return node{line: line, kind: scalar, text: n.Value.Value}, nil
	case *ast.StringNode:
		return node{line: line, kind: scalar, text: n.Value}, nil
	case *ast.NullNode:
		return node{line: line, kind: null}, nil
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return node{line: line, kind: scalar, text: n.GetToken().Value, bare: true}, nil
	}
	return node{}, broken(name, line, "", "anchors, tags and merged keys have no place here")
}

func mapping(name string, line int, values []*ast.MappingValueNode, depth int) (node, error) {
	out := node{line: line, kind: object}
	for _, v := range values {
		key, err := fromYAML(name, v.Key, depth+1)
		if err != nil {
			return node{}, err
		}
		if key.kind != scalar {
			return node{}, broken(name, key.line, "", "a key must be a single value")
		}
		value, err := fromYAML(name, v.Value, depth+1)
		if err != nil {
			return node{}, err
		}
		if value.kind == null {
			value.line = key.line
		}
		if err := out.add(name, field{key.text, key.line, value}); err != nil {
			return node{}, err
		}
	}
	return out, nil
}

func (n *node) add(name string, f field) error {
	for _, other := range n.fields {
		if other.key == f.key {
			return broken(name, f.line, f.key, "stands here twice")
		}
	}
	n.fields = append(n.fields, f)
	return nil
}

// parseJSON reads one line of JSON.
func parseJSON(name string, line int, raw []byte) (node, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	out, err := fromJSON(name, line, dec, 0)
	if err != nil {
		return node{}, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return node{}, broken(name, line, "", "something stands behind the object")
	}
	return out, nil
}

func fromJSON(name string, line int, dec *json.Decoder, depth int) (node, error) {
	t, err := dec.Token()
	if err != nil || depth > maxDepth {
		return node{}, broken(name, line, "", "it is not a JSON object")
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '[' || t == '{' {
			return composite(name, line, dec, depth, t)
		}
	case string:
		return node{line: line, kind: scalar, text: t}, nil
	case json.Number:
		return node{line: line, kind: scalar, text: t.String(), bare: true}, nil
	case bool:
		text := "false"
		if t {
			text = "true"
		}
		return node{line: line, kind: scalar, text: text, bare: true}, nil
	case nil:
		return node{line: line, kind: null}, nil
	}
	return node{}, broken(name, line, "", "it is not a JSON object")
}

func composite(name string, line int, dec *json.Decoder, depth int, open json.Delim) (node, error) {
	out := node{line: line, kind: list}
	if open == '{' {
		out.kind = object
	}
	for dec.More() {
		var key string
		if open == '{' {
			k, err := fromJSON(name, line, dec, depth+1)
			if err != nil {
				return node{}, err
			}
			key = k.text
		}
		value, err := fromJSON(name, line, dec, depth+1)
		if err != nil {
			return node{}, err
		}
		if open == '[' {
			out.items = append(out.items, value)
		} else if err := out.add(name, field{key, line, value}); err != nil {
			return node{}, err
		}
	}
	if _, err := dec.Token(); err != nil {
		return node{}, broken(name, line, "", "it is not a JSON object")
	}
	return out, nil
}

// json writes the node as JSON: the arguments of a tool call. A number or truth value without
// quotes stays one.
func (n node) json(out *strings.Builder) {
	switch n.kind {
	case object:
		out.WriteByte('{')
		for i, f := range n.fields {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString(quoted(f.key) + ":")
			f.value.json(out)
		}
		out.WriteByte('}')
	case list:
		out.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				out.WriteByte(',')
			}
			item.json(out)
		}
		out.WriteByte(']')
	case null:
		out.WriteString("null")
	default:
		if n.bare && json.Valid([]byte(n.text)) {
			out.WriteString(n.text)
		} else {
			out.WriteString(quoted(n.text))
		}
	}
}
