package eval

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kaoju/kaoju/internal/corpus"
)

// object hands each field to the function of its key.
func (r *reader) object(n node, path string, keys map[string]func(field)) {
	if n.kind != object {
		r.fault(n.line, path, "must be a mapping, and is %s", n.kind)
		return
	}
	for _, f := range n.fields {
		take, ok := keys[f.key]
		if !ok {
			known := make([]string, 0, len(keys))
			for k := range keys {
				known = append(known, k)
			}
			slices.Sort(known)
			r.fault(f.line, join(path, f.key), "is no key of this place; there are %s", strings.Join(known, ", "))
			continue
		}
		take(field{join(path, f.key), f.line, f.value})
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// items returns the members of a list; a single value stands for a list of one.
func (r *reader) items(n node, path string) []node {
	switch n.kind {
	case list:
		return n.items
	case scalar:
		return []node{n}
	case "", null:
		return nil
	}
	r.fault(n.line, path, "must be a list, and is %s", n.kind)
	return nil
}

// text takes a value that is not empty.
func (r *reader) text(to *string) func(field) {
	return func(f field) {
		if f.value.kind != scalar || strings.TrimSpace(f.value.text) == "" {
			r.fault(f.line, f.key, "must be a text, and is %s", said(f.value))
			return
		}
		*to = f.value.text
	}
}

func said(n node) string {
	if n.kind == scalar {
		return "empty"
	}
	return string(n.kind)
}

// typed is text for a named type.
func typed[T ~string](r *reader, to *T) func(field) {
	return func(f field) {
		var s string
		r.text(&s)(f)
		*to = T(s)
	}
}

// word takes one of some words.
func (r *reader) word(to *string, words ...string) func(field) {
	return func(f field) {
		if f.value.kind != scalar || !slices.Contains(words, f.value.text) {
			r.fault(f.line, f.key, "must be one of %s", strings.Join(words, ", "))
			return
		}
		*to = f.value.text
	}
}

func (r *reader) count(to *int, low, high int) func(field) {
	return func(f field) {
		n, err := strconv.Atoi(f.value.text)
		if f.value.kind != scalar || err != nil || n < low || n > high {
			r.fault(f.line, f.key, "must be a whole number from %d to %d", low, high)
			return
		}
		*to = n
	}
}

func (r *reader) share(to *float64) func(field) {
	return func(f field) {
		n, err := strconv.ParseFloat(f.value.text, 64)
		if f.value.kind != scalar || err != nil || !(n >= 0 && n <= 1) {
			r.fault(f.line, f.key, "must be a share from 0 to 1")
			return
		}
		*to = n
	}
}

// partly takes a share of which none is another thing than zero. The share is a new one each time,
// since a case and the defaults must not have one together.
func (r *reader) partly(to **float64) func(field) {
	return func(f field) {
		var n float64
		r.share(&n)(f)
		*to = &n
	}
}

func (r *reader) truth(to *bool) func(field) {
	return func(f field) {
		if f.value.kind != scalar || f.value.text != "true" && f.value.text != "false" {
			r.fault(f.line, f.key, "must be true or false")
			return
		}
		*to = f.value.text == "true"
	}
}

// texts takes a list of texts, none of them empty.
func texts[T ~string](r *reader, to *[]T) func(field) {
	return func(f field) {
		*to = nil
		for _, item := range r.items(f.value, f.key) {
			var s T
			typed(r, &s)(field{f.key, item.line, item})
			*to = append(*to, s)
		}
		if len(*to) == 0 && f.value.kind == list {
			r.fault(f.line, f.key, "is empty; leave it out")
		}
	}
}

// targets adds documents by id, key, or key@version.
func (r *reader) targets(to *[]Target, parse func(string) (Target, bool), shape string) func(field) {
	return func(f field) {
		var list []string
		texts(r, &list)(f)
		for _, s := range list {
			t, ok := parse(s)
			if !ok {
				r.fault(f.line, f.key, "%q must be %s", s, shape)
				continue
			}
			*to = append(*to, t)
		}
	}
}

func byID(s string) (Target, bool)  { return Target{Document: corpus.DocumentID(s)}, s != "" }
func byKey(s string) (Target, bool) { return Target{Key: corpus.Key(s)}, s != "" }

func byVersion(s string) (Target, bool) {
	i := strings.LastIndexByte(s, '@')
	if i <= 0 {
		return Target{}, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return Target{Key: corpus.Key(s[:i]), Version: n}, err == nil && n > 0
}

// wanted are the keys of documents, which several places share.
func (r *reader) wanted(to *[]Target) map[string]func(field) {
	return map[string]func(field){
		"documents": r.targets(to, byID, "the id of a version"),
		"doc_keys":  r.targets(to, byKey, "the key of a document"),
		"versions":  r.targets(to, byVersion, "a key and a version, such as travel-policy@2"),
	}
}
