package access

import (
	"bytes"
	"encoding/json"

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

// UnmarshalJSON accepts the forms that MarshalJSON writes, and null or "" for inherit. An unknown
// field or principal is an error: a policy that is not understood must not become a wider one.
func (p *Policy) UnmarshalJSON(b []byte) error {
	switch string(bytes.TrimSpace(b)) {
	case `null`, `""`, `"inherit"`:
		*p = Policy{}
		return nil
	}
	var w struct {
		Allow json.RawMessage `json:"allow"`
		Deny  []string        `json:"deny"`
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&w); err != nil {
		return problem.Wrap(err, problem.Invalid, "invalid_policy", `An access policy is "inherit" or {"allow": […], "deny": […]}.`)
	}
	out := Policy{Restricted: w.Allow != nil}
	var err error
	if out.Restricted {
		// An explicit null is neither a list nor the absence of one; it must not mean everybody.
		var allow *[]string
		if err = json.Unmarshal(w.Allow, &allow); err != nil || allow == nil {
			return problem.Wrap(err, problem.Invalid, "invalid_policy", "The allow list of an access policy is a list of principals.")
		}
		if out.Allow, err = principals(*allow); err != nil {
			return err
		}
	}
	if out.Deny, err = principals(w.Deny); err != nil {
		return err
	}
	*p = out
	return nil
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
