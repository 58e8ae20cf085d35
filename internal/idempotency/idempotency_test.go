package idempotency_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestAKeyIsAtMostSoLong(t *testing.T) {
	for name, ok := range map[string]bool{"": true, "k": true, strings.Repeat("k", idempotency.Length): true, strings.Repeat("k", idempotency.Length+1): false, strings.Repeat("字", 67): false} {
		err := idempotency.Key{Name: name}.Valid()
		if (err == nil) != ok || err != nil && problem.CodeOf(err) != "invalid_idempotency_key" {
			t.Errorf("%d bytes: %v", len(name), err)
		}
	}
}

func TestAHashTellsNamesApartAndHoldsNoneOfThem(t *testing.T) {
	seen := map[string]string{}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringN(4, 40, -1).Draw(t, "name")
		hash := idempotency.Key{Name: name}.Hash()
		if len(hash) != 64 || strings.Contains(hash, name) || seen[hash] != "" && seen[hash] != name {
			t.Fatalf("%q has the hash %s, and so has %q", name, hash, seen[hash])
		}
		seen[hash] = name
	})
}

func TestADigestIsOfWhatWasUnderstood(t *testing.T) {
	type body struct {
		A string `json:"a"`
		B int    `json:"b,omitempty"`
	}
	digest := func(text string) string {
		t.Helper()
		var b body
		if err := json.Unmarshal([]byte(text), &b); err != nil {
			t.Fatal(err)
		}
		d, err := idempotency.Digest(b)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if digest(`{"a":"x","b":1}`) != digest(` { "b" : 1, "a" : "\u0078" } `) {
		t.Error("spacing and order make another request")
	}
	for _, other := range []string{`{"a":"x"}`, `{"a":"y","b":1}`, `{"a":"x","b":2}`} {
		if digest(`{"a":"x","b":1}`) == digest(other) {
			t.Errorf("%s is taken for another request", other)
		}
	}
	if _, err := idempotency.Digest(func() {}); err == nil {
		t.Error("what can't be written has a digest")
	}
}

func TestAReceiptIsWrittenWithoutItsSecret(t *testing.T) {
	b, err := json.Marshal(idempotency.Receipt{ID: "tok_1", Secret: "hidden"})
	if err != nil || string(b) != `{"id":"tok_1"}` {
		t.Errorf("%s %v", b, err)
	}
}

func TestAContextCarriesAClaim(t *testing.T) {
	ctx := context.Background()
	if _, ok := idempotency.From(ctx); ok {
		t.Error("a context without a claim has one")
	}
	want := idempotency.Claim{Key: idempotency.Key{Tenant: "acme", Actor: "alice", Operation: "op", Name: "k"}, Token: 7}
	ctx = idempotency.With(ctx, want)
	if got, ok := idempotency.From(context.WithoutCancel(ctx)); !ok || got != want {
		t.Errorf("%+v %v", got, ok)
	}
	other := want
	other.Token = 8
	if got, _ := idempotency.From(idempotency.With(ctx, other)); got != other {
		t.Errorf("the inner claim is %+v", got)
	}
}

func TestRefusalsHaveTheirKinds(t *testing.T) {
	for want, err := range map[problem.Kind]error{
		problem.Conflict: idempotency.Lost(), problem.Invalid: idempotency.Reused(), problem.Exhausted: idempotency.TooMany(),
	} {
		if problem.KindOf(err) != want {
			t.Errorf("%v is %v", err, problem.KindOf(err))
		}
	}
	if problem.CodeOf(idempotency.Lost()) != problem.CodeOf(idempotency.UnderWay()) {
		t.Error("a client has to tell apart what it can't do anything about")
	}
}
