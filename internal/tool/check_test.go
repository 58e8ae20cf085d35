package tool_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/tool"
)

func TestCheckLooksAtNameThenRightThenArgumentsAndRunsNothing(t *testing.T) {
	for name, c := range map[string]struct {
		dir        *directory
		tool, args string
		want       tool.Code
	}{
		"all is well":         {member(), "resize", `{"path":"a","width":10}`, ""},
		"another tool":        {member(), "other", `{`, tool.NotAllowed},
		"not listed":          {member(), "hidden", `{"path":"a","width":10}`, tool.NotAllowed},
		"no such user":        {&directory{err: problem.Missing()}, "resize", `{`, tool.PermissionDenied},
		"suspended":           {&directory{identity: access.Identity{User: "alice", Suspended: true}}, "resize", `{`, tool.PermissionDenied},
		"another user":        {&directory{identity: access.Identity{User: "bob"}}, "resize", `{`, tool.PermissionDenied},
		"directory that fell": {&directory{err: errors.New("down")}, "resize", `{`, tool.Dependency},
		"no JSON":             {member(), "resize", `{`, tool.InvalidJSON},
		"a list":              {member(), "resize", `[]`, tool.InvalidArguments},
		"against the schema":  {member(), "resize", `{"path":"a","width":9}`, tool.InvalidArguments},
	} {
		t.Run(name, func(t *testing.T) {
			f, hidden := resize(), resize()
			hidden.spec.Name = "hidden"
			e, err := tool.NewExecutor(c.dir, []tool.Tool{f, hidden}, tool.Options{})
			if err != nil {
				t.Fatal(err)
			}
			o := e.Check(t.Context(), alice, []string{"resize"}, c.tool, []byte(c.args))
			if got := codeOf(o); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if len(f.calls)+len(hidden.calls) != 0 {
				t.Error("the tool ran")
			}
			if c.want == "" && string(o.Args) != `{"path":"a","width":10}` {
				t.Errorf("%s", o.Args)
			}
		})
	}
}

func codeOf(o tool.Outcome) tool.Code {
	if o.Failure == nil {
		return ""
	}
	return o.Failure.Code
}

// What Check passes, Run passes, with the same arguments; and the other way round.
func TestCheckAndRunAgree(t *testing.T) {
	f := resize()
	e, err := tool.NewExecutor(member(), []tool.Tool{f}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		args := rapid.OneOf(
			rapid.SampledFrom([]string{`{"path":"a","width":128.0}`, `{"path":"a","width":1e2,"user":"x"}`, `{"path":"","width":10,"x":{"role":1}}`, `{}`, `[]`, `{"width":1}`}),
			rapid.StringMatching(`\{"path":"[a-z]{0,3}","width":[0-9]{1,5}(\.[05])?\}`),
		).Draw(t, "args")
		checked := e.Check(t.Context(), alice, []string{"resize"}, "resize", []byte(args))
		ran := e.Run(t.Context(), alice, []string{"resize"}, tool.Session{}, llm.ToolCall{Name: "resize", Arguments: args})
		if codeOf(checked) != codeOf(ran) || string(checked.Args) != string(ran.Args) || strings.Join(checked.Stripped, " ") != strings.Join(ran.Stripped, " ") {
			t.Fatalf("%s: %+v and %+v", args, checked, ran)
		}
	})
}

func TestAWriteIsCheckedOnlyWhereWritesRun(t *testing.T) {
	f := resize()
	f.spec.Sensitivity = tool.Write
	for writes, want := range map[bool]tool.Code{true: "", false: tool.NotAllowed} {
		e, err := tool.NewExecutor(member(), []tool.Tool{f}, tool.Options{Writes: writes})
		if err != nil {
			t.Fatal(err)
		}
		if got := codeOf(e.Check(t.Context(), alice, []string{"resize"}, "resize", []byte(`{"path":"a","width":10}`))); got != want {
			t.Errorf("writes %v: %s", writes, got)
		}
	}
}

func TestAFailureOfArgumentsNamesItsPlace(t *testing.T) {
	f := &fake{spec: tool.Spec{Name: "t", Sensitivity: tool.Read, Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["a"],
"properties":{"a":{"type":"string","maxLength":3},"b":{"type":"object","required":["c"],"properties":{"c":{"type":"integer"}}},"d/e":{"type":"boolean"}}}`)}}
	e, err := tool.NewExecutor(member(), []tool.Tool{f}, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		`{}`: "/a", `{"a":7}`: "/a", `{"a":"long"}`: "/a", `{"a":"x","b":{}}`: "/b/c", `{"a":"x","b":{"c":"1"}}`: "/b/c", `{"a":"x","z":1}`: "/z", `{"a":"x","A":1}`: "", `{"B":{},"a":"x"}`: "/B",
		`{"a":"x","d/e":1}`: "/d~1e", `[]`: "", `{`: "",
	} {
		o := e.Run(t.Context(), alice, []string{"t"}, tool.Session{}, llm.ToolCall{Name: "t", Arguments: args})
		if o.Failure == nil || o.Failure.Pointer != want {
			t.Errorf("%s: %+v, want %s", args, o.Failure, want)
		}
	}
}

func TestEveryPartOfADeclarationIsInItsHash(t *testing.T) {
	base := tool.Spec{Name: "n", Description: "d", Schema: json.RawMessage(`{}`), Sensitivity: tool.Write, Role: access.Member}
	seen := map[string]bool{base.Hash(): true}
	for _, change := range []func(*tool.Spec){
		func(s *tool.Spec) { s.Name = "m" }, func(s *tool.Spec) { s.Description = "d " }, func(s *tool.Spec) { s.Schema = json.RawMessage(`{ }`) },
		func(s *tool.Spec) { s.Sensitivity = tool.Read }, func(s *tool.Spec) { s.Role = "" }, func(s *tool.Spec) { s.Name, s.Description = "nd", "" },
	} {
		s := base
		change(&s)
		if seen[s.Hash()] {
			t.Errorf("%+v has the hash of another", s)
		}
		seen[s.Hash()] = true
	}
	if again := base.Hash(); !seen[again] || len(again) != 64 {
		t.Error(again)
	}
}

func TestOnlySomeFailuresSayThatNothingWasDone(t *testing.T) {
	for code, want := range map[tool.Code]bool{
		tool.InvalidJSON: true, tool.InvalidArguments: true, tool.NotAllowed: true, tool.PermissionDenied: true, tool.NotFound: true, tool.Unreached: true, tool.Refused: true,
		tool.OutsideRoot: true, tool.NotImage: true, tool.Timeout: false, tool.Dependency: false, "": false, "unheard_of": false,
	} {
		if code.Harmless() != want {
			t.Errorf("%q is harmless: %v", code, !want)
		}
	}
}
