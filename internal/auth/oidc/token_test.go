package oidc

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
)

func TestMembersOfAnObjectAllDiffer(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`: true, `{"a":1,"b":{"a":1,"a":2}}`: true, ` { "a" : [1,2] } `: true, `{"a":1,"a":1}`: false, `{"a":1,"A":1}`: false, `{"sub":1,"\u0073ub":1}`: false,
		`{"s":1,"ſ":1}`: false, `{"k":1,"K":2}`: false, `[]`: false, `null`: false, ``: false, `{"a":1} {}`: false, `{"a":1`: false, `{"a"}`: false, `"x"`: false, `{"a":1}x`: false,
	} {
		if _, ok := members([]byte(text)); ok != want {
			t.Errorf("%s: %v", text, ok)
		}
	}
}

func TestTheKindOfATokenStandsInItsHeader(t *testing.T) {
	token := func(header string) string { return base64.RawURLEncoding.EncodeToString([]byte(header)) + ".e30.x" }
	for header, want := range map[string]bool{
		`{"typ":"JWT"}`: true, `{"typ":"jwt"}`: true, `{}`: true, `{"typ":"logout+jwt"}`: false, `{"typ":"at+jwt"}`: false, `{"typ":"JWT","TYP":"at+jwt"}`: false, `x`: false,
	} {
		if typed(token(header), "", "JWT") != want {
			t.Errorf("%s", header)
		}
	}
	if typed("***.e30.x", "") {
		t.Error("no base64")
	}
}

// FuzzMembers holds what is read against the standard decoder, which lets more pass.
func FuzzMembers(f *testing.F) {
	for _, seed := range []string{`{"a":1}`, `{"a":1,"A":2}`, `{"a":{"b":[]}}`, `{`, `{"\u0061":1,"a":2}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := members([]byte(text))
		var want map[string]json.RawMessage
		err := json.Unmarshal([]byte(text), &want)
		if !ok {
			return
		}
		if err != nil || len(got) != len(want) {
			t.Fatalf("%q: read %d members, the decoder %d, %v", text, len(got), len(want), err)
		}
		for a := range want {
			for b := range want {
				if a != b && strings.EqualFold(a, b) {
					t.Fatalf("%q holds %q and %q", text, a, b)
				}
			}
		}
	})
}
