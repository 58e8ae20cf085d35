package tool

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// identityNames are the names, folded by identityKey, of fields that say who is asking or what
// they may see. They come from the session alone.
var identityNames = []string{
	"user", "userid", "username", "tenant", "tenantid", "actor", "actorid", "roles", "role", "group", "groupid",
	"groups", "groupids", "scope", "scopes", "permissions", "owner", "ownerid", "acl", "principal", "principalid",
	"principals", "identity", "identityid", "sub", "subject", "subjectid", "onbehalfof", "actas", "runas", "impersonate",
}

// identityKey folds the ways to write one field name: case, width, and the marks between words.
func identityKey(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0xFF01 && r <= 0xFF5E {
			r -= 0xFEE0
		}
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return r
	}, foldLower(name))
}

// foldLower is foldCase, with letters of ASCII in lower case.
func foldLower(s string) string { return strings.ToLower(foldCase(s)) }

// strip takes the identity fields out of the arguments, at every depth, and returns their JSON
// pointers in order. A field that the tool's schema declares at that place is the tool's own and
// stays.
func strip(v any, schema *shape, pointer string) []string {
	var out []string
	switch v := v.(type) {
	case map[string]any:
		for _, name := range sortedKeys(v) {
			at := pointer + "/" + escapePointer(name)
			inner, declared := schema.property(name)
			if !declared && slices.Contains(identityNames, identityKey(name)) {
				delete(v, name)
				out = append(out, at)
				continue
			}
			out = append(out, strip(v[name], inner, at)...)
		}
	case []any:
		for i, item := range v {
			out = append(out, strip(item, schema.item(), pointer+"/"+strconv.Itoa(i))...)
		}
	}
	return out
}

// misspelt returns the pointer of a field that differs from a declared one in case alone, and the
// declared name. encoding/json would fill the declared field from it, past the schema's rules.
func misspelt(v any, schema *shape, pointer string) (at, declared string) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range sortedKeys(v) {
			here := pointer + "/" + escapePointer(name)
			inner, ok := schema.property(name)
			if !ok {
				if want := schema.spelling(name); want != "" {
					return here, want
				}
			}
			if at, declared = misspelt(v[name], inner, here); at != "" {
				return at, declared
			}
		}
	case []any:
		for i, item := range v {
			if at, declared = misspelt(item, schema.item(), pointer+"/"+strconv.Itoa(i)); at != "" {
				return at, declared
			}
		}
	}
	return "", ""
}

func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
