package ledger_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/ledger"
)

func TestNobodyIsBlamedForWhatTheOperatorDid(t *testing.T) {
	by := ledger.ByOperator(context.Background())
	entry := func(actor, run, body string) ledger.Entry {
		return ledger.Entry{Kind: ledger.DirectoryChanged, Actor: actor, RunID: run, Body: json.RawMessage(body)}
	}
	for name, c := range map[string]struct {
		ctx      context.Context
		in, want ledger.Entry
	}{
		"in somebody's name":         {by, entry("alice", "", `{"user":"mallory"}`), entry("operator", "", `{"as":"alice","user":"mallory"}`)},
		"without a body":             {by, entry("alice", "", ""), entry("operator", "", `{"as":"alice"}`)},
		"under no name":              {by, entry("operator", "", `{"a":1}`), entry("operator", "", `{"a":1}`)},
		"of a run":                   {by, entry("alice", "run_1", `{"a":1}`), entry("alice", "run_1", `{"a":1}`)},
		"over HTTP":                  {context.Background(), entry("alice", "", `{"a":1}`), entry("alice", "", `{"a":1}`)},
		"with a body that is a list": {by, entry("alice", "", `[1]`), entry("operator", "", `{"as":"alice","body":[1]}`)},
		"with a body that is null":   {by, entry("alice", "", `null`), entry("operator", "", `{"as":"alice","body":null}`)},
		"a name that is text alone":  {by, entry(`a"b`, "", `{}`), entry("operator", "", `{"as":"a\"b"}`)},
	} {
		if d := cmp.Diff(c.want, ledger.Attribute(c.ctx, c.in)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
