package access_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

func drawPolicy(t *rapid.T) access.Policy {
	names := rapid.SliceOfN(rapid.SampledFrom([]access.Principal{"everyone", "user:rita", "user:bob", "group:g1"}), 0, 3)
	p := access.Policy{Restricted: rapid.Bool().Draw(t, "restricted"), Deny: names.Draw(t, "deny")}
	if p.Restricted {
		p.Allow = names.Draw(t, "allow")
	}
	return p
}

func TestAPolicySurvivesJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPolicy(t)
		raw, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var back access.Policy
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if d := cmp.Diff(p, back, cmpopts.EquateEmpty()); d != "" || !p.Equal(back) {
			t.Fatalf("%s: %s", raw, d)
		}
	})
}

func TestAPolicyIsWrittenInItsShortestForm(t *testing.T) {
	for want, p := range map[string]access.Policy{
		`"inherit"`:             {},
		`{"deny":["user:bob"]}`: {Deny: []access.Principal{"user:bob"}},
		`{"allow":[]}`:          {Restricted: true},
		`{"allow":["everyone"],"deny":["group:g1"]}`: {Restricted: true, Allow: []access.Principal{"everyone"}, Deny: []access.Principal{"group:g1"}},
	} {
		if got, err := json.Marshal(p); err != nil || string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}

func TestAPolicyIsReadAsItsWordsSay(t *testing.T) {
	for raw, want := range map[string]access.Policy{
		`"inherit"`: {}, `""`: {}, `null`: {}, ` "inherit" `: {},
		`{"allow":[]}`:                   {Restricted: true},
		`{"allow":["user:a"],"deny":[]}`: {Restricted: true, Allow: []access.Principal{"user:a"}},
		`{"deny":[]}`:                    {},
		`{"deny":["everyone"]}`:          {Deny: []access.Principal{"everyone"}},
	} {
		p := access.Policy{Restricted: true, Deny: []access.Principal{"user:former"}}
		if err := p.UnmarshalJSON([]byte(raw)); err != nil {
			t.Errorf("%s: %v", raw, err)
		} else if d := cmp.Diff(want, p, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%s: %s", raw, d)
		}
	}
}

func TestAPolicyThatIsNotUnderstoodIsAnErrorAndChangesNothing(t *testing.T) {
	for _, raw := range []string{
		`"open"`, `"INHERIT"`, `true`, `7`, `[]`, `["user:a"]`, `{"allow":"user:a"}`, `{"allow":null}`, `{"allow":null,"deny":["user:a"]}`, `{"allow":[null]}`,
		`{"allow":["bob"]}`, `{"deny":["robot:x"]}`, `{"allows":["user:a"]}`, `{"allow":["user:a"],"public":true}`, `{"allow":["user:a"]`, ``, `{"allow":[["user:a"]]}`, `{"allow":[7]}`,
		`{}`, `{"deny":null}`, `{"DENY":[]}`, `{"Allow":["everyone"]}`, `{"allow":["user:a"],"ALLOW":["everyone"]}`, `{"deny":["user:a"],"deny":[]}`,
		`{"deny":["user:a"],"Deny":[]}`, `{"deny":["user:a"],"d\u0065ny":[]}`, `{"allow":["user:a"],"deny":null}`, `{"deny":[]} {}`, `{"deny":[]}x`, `{"deny":[]`, `{"":[]}`,
	} {
		p := access.Policy{Restricted: true}
		err := p.UnmarshalJSON([]byte(raw))
		if !problem.Is(err, problem.Invalid) {
			t.Errorf("%s was read as %+v, %v", raw, p, err)
		}
		if d := cmp.Diff(access.Policy{Restricted: true}, p); d != "" {
			t.Errorf("%s changed the policy: %s", raw, d)
		}
	}
}

func TestEqualPoliciesSayTheSameInTheSameOrder(t *testing.T) {
	a := access.Policy{Restricted: true, Allow: []access.Principal{"user:a", "user:b"}}
	for name, c := range map[string]struct {
		other access.Policy
		want  bool
	}{
		"itself":        {a, true},
		"another order": {access.Policy{Restricted: true, Allow: []access.Principal{"user:b", "user:a"}}, false},
		"a denial":      {access.Policy{Restricted: true, Allow: a.Allow, Deny: []access.Principal{"user:c"}}, false},
		"inherit":       {access.Policy{}, false},
		"nobody":        {access.Policy{Restricted: true}, false},
	} {
		if a.Equal(c.other) != c.want {
			t.Errorf("%s: equal %v", name, a.Equal(c.other))
		}
	}
}

func FuzzPolicy(f *testing.F) {
	for _, s := range []string{`"inherit"`, `{"allow":[]}`, `{"allow":["user:a"],"deny":["group:b"]}`, `{"allow":null}`, `{"ALLOW":[]}`, `{"allow":[],"allow":null}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var p access.Policy
		if p.UnmarshalJSON(raw) != nil {
			return
		}
		again, err := json.Marshal(p)
		var back access.Policy
		if err != nil || json.Unmarshal(again, &back) != nil || !back.Equal(p) || back.Restricted != p.Restricted {
			t.Fatalf("%q became %+v, then %s", raw, p, again)
		}
	})
}
