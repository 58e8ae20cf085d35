package access

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/kaoju/kaoju/internal/problem"
)

// Policy narrows who may read one document. The zero Policy inherits the knowledge base's
// grants. With Restricted, only principals in Allow pass; Deny always beats Allow. A policy can
// never widen what the knowledge base grants.
type Policy struct {
	Restricted bool
	Allow      []Principal
	Deny       []Principal
}

// wirePolicy is the JSON form of a policy that does not merely inherit.
type wirePolicy struct {
	Allow []string `json:"allow,omitempty"`
	Deny  []string `json:"deny,omitempty"`
}

// MarshalJSON writes "inherit", or {"allow": […], "deny": […]}. A restricted policy that allows
// nobody is written with an empty allow list, so that it reads back as restricted.
func (p Policy) MarshalJSON() ([]byte, error) {
	if !p.Restricted && len(p.Deny) == 0 {
		return []byte(`"inherit"`), nil
	}
	deny := texts(p.Deny)
	if !p.Restricted {
		return json.Marshal(wirePolicy{Deny: deny})
	}
	return json.Marshal(struct {
		Allow []string `json:"allow"`
		Deny  []string `json:"deny,omitempty"`
	}{texts(p.Allow), deny})
}

// UnmarshalJSON accepts the forms that MarshalJSON writes, and null or "" for inherit. Anything else
// is an error, also a key in another case, a key that is there twice, a list that is null and an
// object that says nothing: a policy that is not understood must not become a wider one.
func (p *Policy) UnmarshalJSON(b []byte) error {
	switch string(bytes.TrimSpace(b)) {
	case `null`, `""`, `"inherit"`:
		*p = Policy{}
		return nil
	}
	lists, err := policyLists(b)
	if err != nil {
		return problem.Wrap(err, problem.Invalid, "invalid_policy", `An access policy is "inherit" or {"allow": […], "deny": […]}.`)
	}
	var out Policy
	if _, out.Restricted = lists["allow"]; out.Restricted {
		if out.Allow, err = principals(lists["allow"]); err != nil {
			return err
		}
	}
	if out.Deny, err = principals(lists["deny"]); err != nil {
		return err
	}
	*p = out
	return nil
}

// policyLists reads the members of a policy by hand, since the decoder of a struct folds the case
// of keys and lets a later one hide an earlier one.
func policyLists(b []byte) (map[string][]string, error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return nil, errors.Join(err, errors.New("it is no object"))
	}
	lists := map[string][]string{}
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return nil, err
		}
		key, _ := tok.(string)
		if _, twice := lists[key]; twice || key != "allow" && key != "deny" {
			return nil, errors.New("a key is unknown or there twice")
		}
		var list *[]string
		if err := dec.Decode(&list); err != nil {
			return nil, err
		}
		if list == nil {
			// It is neither a list nor the absence of one; it must not mean everybody.
			return nil, errors.New("a list is null")
		}
		lists[key] = *list
	}
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows it")
	}
	if len(lists) == 0 {
		return nil, errors.New("it says nothing")
	}
	return lists, nil
}

// Equal reports whether two policies say the same in the same order.
func (p Policy) Equal(q Policy) bool {
	a, errA := p.MarshalJSON()
	b, errB := q.MarshalJSON()
	return errA == nil && errB == nil && bytes.Equal(a, b)
}

func texts(list []Principal) []string {
	out := make([]string, len(list))
	for i, p := range list {
		out[i] = string(p)
	}
	return out
}

func principals(list []string) ([]Principal, error) {
	var out []Principal
	for _, s := range list {
		p, err := ParsePrincipal(s)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}
