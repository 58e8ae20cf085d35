package docket

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/problem"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sample is a call with every field set.
func sample() approval.Call {
	return approval.Call{
		Tool: "create_task", Sensitivity: "write", Args: json.RawMessage(`{"title":"复核"}`), SpecHash: "aa", Evidence: "run_1", Role: access.KnowledgeAdmin,
		Level: access.Editor, Effect: approval.Outside, Automatic: true, Owner: "ed",
	}
}

func TestACallIsWrittenAsItsGoldenFile(t *testing.T) {
	got, err := packCall(sample())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "call.v1.json")
	if *update {
		if err := os.WriteFile(path, []byte(got+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got+"\n"); diff != "" {
		t.Errorf("%s differs (go test -update writes it anew): %s", path, diff)
	}
}

func TestEveryVersionOfACallCanBeRead(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "call.v*.json"))
	if err != nil || len(files) != recordVersion {
		t.Fatalf("%d golden files for %d versions, %v", len(files), recordVersion, err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := unpackCall(string(b))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sample(), *got); diff != "" {
			t.Errorf("%s: %s", f, diff)
		}
	}
}

func TestACallWhoseArgumentsWereErasedKeepsTheirHash(t *testing.T) {
	c := sample()
	hash := c.ArgsHash()
	c.Args, c.Erased = nil, hash
	text, err := packCall(c)
	if err != nil {
		t.Fatal(err)
	}
	got, err := unpackCall(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(c, *got); diff != "" || got.ArgsHash() != hash {
		t.Errorf("%s %s", got.ArgsHash(), diff)
	}
}

func TestCallsThatAreNotUnderstoodAreErrors(t *testing.T) {
	text, err := packCall(sample())
	if err != nil {
		t.Fatal(err)
	}
	for name, column := range map[string]string{
		"later version": strings.Replace(text, `"v":1`, `"v":2`, 1), "no version": `{}`, "not JSON": `{`, "wrong type": `{"v":1,"tool":7}`,
	} {
		if _, err := unpackCall(column); !problem.Is(err, problem.Internal) || problem.CodeOf(err) != "record" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := unpackCall(strings.Replace(text, `"editor"`, `"owner"`, 1)); problem.CodeOf(err) != "invalid_level" {
		t.Errorf("an unknown level: %v", err)
	}
	if _, err := packCall(approval.Call{Args: json.RawMessage(`{`)}); problem.CodeOf(err) != "record" {
		t.Errorf("arguments that are no JSON: %v", err)
	}
	if c, err := unpackCall(`{"v":1}`); err != nil || c.Level != access.NoLevel {
		t.Errorf("%+v, %v", c, err)
	}
}

// What is told of a call holds its arguments and its answer by their hashes alone.
func TestWhatIsToldHoldsNoWordOfACall(t *testing.T) {
	c := sample()
	c.Args = json.RawMessage(`{"title":"WISH"}`)
	p := approval.Proposal{ID: "p", Kind: approval.CallTool, DocKey: "KEYWORD", Document: "d", Version: 2, Call: &c, Summary: json.RawMessage(`{"v":1}`)}
	raw, err := json.Marshal([]any{Waiting(p, c.Tool), Body(p), TaskBody(approval.Task{ID: "t", Proposal: p, Result: json.RawMessage(`{"a":"ANSWER"}`)})})
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"WISH", "ANSWER", "KEYWORD", "from_version\":0,\"to"} {
		if strings.Contains(string(raw), word) {
			t.Errorf("%s is told: %s", word, raw)
		}
	}
	if strings.Count(string(raw), c.ArgsHash()) != 3 {
		t.Errorf("the arguments' hash is not told each time: %s", raw)
	}
}
