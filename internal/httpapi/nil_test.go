package httpapi

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// isNil reports whether an interface holds a nil pointer.
func isNil(v any) bool { return reflect.ValueOf(v).IsNil() }

// indented writes JSON so that a change of it can be read.
func indented(t *testing.T, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	must(t, json.Indent(&b, raw, "", "  "))
	b.WriteByte('\n')
	return b.Bytes()
}
