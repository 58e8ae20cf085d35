package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/tool"
)

var alice = access.Actor{Tenant: "acme", User: "alice"}

// directory answers with one identity, or an error.
type directory struct {
	identity access.Identity
	err      error
	asked    atomic.Int32
}

func (d *directory) Snapshot(context.Context, access.TenantID, access.UserID) (access.Snapshot, error) {
	d.asked.Add(1)
	return access.Snapshot{Epoch: 1, Identity: d.identity}, d.err
}

func member() *directory { return &directory{identity: access.Identity{User: "alice"}} }

// fake is a tool that does what a test wants and remembers its calls.
type fake struct {
	spec  tool.Spec
	do    func(ctx context.Context, call tool.Call) (tool.Result, error)
	calls []tool.Call
}

func (f *fake) Spec() tool.Spec { return f.spec }

func (f *fake) Call(ctx context.Context, call tool.Call) (tool.Result, error) {
	f.calls = append(f.calls, call)
	if f.do == nil {
		return tool.Result{Content: json.RawMessage(`{"ok":true}`)}, nil
	}
	return f.do(ctx, call)
}

const resizeSchema = `{"type": "object", "required": ["path", "width"], "properties": {
	"path": {"type": "string"}, "width": {"type": "integer", "minimum": 10, "maximum": 4096}}}`

func resize() *fake {
	return &fake{spec: tool.Spec{Name: "resize", Schema: json.RawMessage(resizeSchema), Sensitivity: tool.Read}}
}

func executor(t *testing.T, dir access.Directory, o tool.Options, tools ...tool.Tool) *tool.Executor {
	t.Helper()
	e, err := tool.NewExecutor(dir, tools, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func run(e *tool.Executor, name, args string) tool.Outcome {
	return e.Run(context.Background(), alice, []string{name}, tool.Session{}, llm.ToolCall{ID: "call-1", Name: name, Arguments: args})
}

func code(o tool.Outcome) tool.Code {
	if o.Failure == nil {
		return ""
	}
	return o.Failure.Code
}

func TestArgumentsAreHeldAgainstTheSchema(t *testing.T) {
	for _, c := range []struct {
		name, args string
		want       tool.Code
		says       []string
	}{
		{"lower bound", `{"path": "a.png", "width": 10}`, "", nil},
		{"upper bound", `{"path": "a.png", "width": 4096}`, "", nil},
		{"below", `{"path": "a.png", "width": 9}`, tool.InvalidArguments, []string{`"width"`, "minimum", "10"}},
		{"above", `{"path": "a.png", "width": 4097}`, tool.InvalidArguments, []string{`"width"`, "maximum", "4096"}},
		{"text for a number", `{"path": "a.png", "width": "128"}`, tool.InvalidArguments, []string{`"width"`, "type", "integer"}},
		{"whole with a fraction of zero", `{"path": "a.png", "width": 128.0}`, "", nil},
		{"whole with an exponent", `{"path": "a.png", "width": 1.28e2}`, "", nil},
		{"fraction", `{"path": "a.png", "width": 128.5}`, tool.InvalidArguments, []string{`"width"`, "type"}},
		{"null", `{"path": null, "width": 128}`, tool.InvalidArguments, []string{`"path"`, "type", "string"}},
		{"missing field", `{"width": 128}`, tool.InvalidArguments, []string{`"path"`, "required"}},
		{"two wrong fields name the first", `{"width": 1, "path": 5}`, tool.InvalidArguments, []string{`"path"`, "type"}},
		{"empty path passes this schema", `{"path": "", "width": 128}`, "", nil},
		{"extra field passes this schema", `{"path": "a.png", "width": 128, "colour": "red"}`, "", nil},
		{"a field in another case", `{"path": "a.png", "width": 128, "Path": "b"}`, tool.InvalidJSON, nil},
		{"only in another case", `{"Path": "a.png", "width": 128}`, tool.InvalidArguments, []string{`"/Path"`, `"path"`}},
		{"broken", `{"path": `, tool.InvalidJSON, nil},
		{"two values", `{"path": "a", "width": 10} {"path": "b", "width": 10}`, tool.InvalidJSON, nil},
		{"array", `[]`, tool.InvalidArguments, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := resize()
			o := run(executor(t, member(), tool.Options{}, f), "resize", c.args)
			if code(o) != c.want {
				t.Fatalf("failure = %v, want code %q", o.Failure, c.want)
			}
			if called := len(f.calls) == 1; called != (c.want == "") {
				t.Errorf("tool called: %v", called)
			}
			for _, s := range c.says {
				if !strings.Contains(o.Failure.Detail, s) {
					t.Errorf("detail %q does not name %s", o.Failure.Detail, s)
				}
			}
		})
	}
}

func TestWholeNumbersReachTheToolAsIntegers(t *testing.T) {
	f := resize()
	run(executor(t, member(), tool.Options{}, f), "resize", `{"path": "a", "width": 12.80e1}`)
	var args struct{ Width int }
	if err := json.Unmarshal(f.calls[0].Args, &args); err != nil || args.Width != 128 {
		t.Errorf("args %s: width %d, %v", f.calls[0].Args, args.Width, err)
	}
}

func TestMessagesRepeatNoValueOfTheArguments(t *testing.T) {
	o := run(executor(t, member(), tool.Options{}, resize()), "resize", `{"path": "a", "width": "CANARY"}`)
	if strings.Contains(o.Failure.Detail, "CANARY") {
		t.Errorf("detail repeats the value: %s", o.Failure.Detail)
	}
}

func TestIdentityFieldsAreStrippedAndRecorded(t *testing.T) {
	schema := `{"type": "object", "properties": {"query": {"type": "string"}, "scope": {"type": "string"},
		"filter": {"type": "object", "properties": {"role": {"type": "string"}}},
		"list": {"type": "array", "items": {"$ref": "#/$defs/entry"}}},
		"$defs": {"entry": {"type": "object", "properties": {"groups": {"type": "integer"}}}}}`
	f := &fake{spec: tool.Spec{Name: "find", Schema: json.RawMessage(schema), Sensitivity: tool.Read}}
	args := `{"query": "x", "user_id": "bob", "TenantID": "globex", "Actor": {"roles": ["a"]}, "owner-id": 1, "ROLES": [], "acl": null,
		"scope": "mine", "filter": {"role": "kept", "tenant_id": "y", "deep": [{"permissions": 1, "ok": 2}]},
		"list": [{"groups": 1, "role": "gone"}], "ｕｓｅｒ＿ｉｄ": "wide", "a/b": {"group~x": 1, "actor_id": 2}}`
	o := run(executor(t, member(), tool.Options{}, f), "find", args)
	if o.Failure != nil {
		t.Fatal(o.Failure)
	}
	want := []string{"/Actor", "/ROLES", "/TenantID", "/a~1b/actor_id", "/acl", "/filter/deep/0/permissions", "/filter/tenant_id",
		"/list/0/role", "/owner-id", "/user_id", "/ｕｓｅｒ＿ｉｄ"}
	if diff := cmp.Diff(want, o.Stripped); diff != "" {
		t.Errorf("stripped (-want +got):\n%s", diff)
	}
	var got, left any
	if err := json.Unmarshal(f.calls[0].Args, &got); err != nil {
		t.Fatal(err)
	}
	_ = json.Unmarshal([]byte(`{"query": "x", "scope": "mine", "filter": {"role": "kept", "deep": [{"ok": 2}]}, "list": [{"groups": 1}], "a/b": {"group~x": 1}}`), &left)
	if diff := cmp.Diff(left, got); diff != "" {
		t.Errorf("arguments that reached the tool (-want +got):\n%s", diff)
	}
}

func TestStrippedFieldsDoNotBreakAClosedSchema(t *testing.T) {
	type args struct {
		Query string `json:"query"`
	}
	f := &fake{spec: tool.Spec{Name: "find", Schema: tool.SchemaFor[args](), Sensitivity: tool.Read}}
	e := executor(t, member(), tool.Options{}, f)
	if o := run(e, "find", `{"query": "x", "tenantId": "globex"}`); o.Failure != nil || !slices.Equal(o.Stripped, []string{"/tenantId"}) {
		t.Errorf("outcome %+v", o)
	}
	if o := run(e, "find", `{"query": "x", "limit": 3}`); code(o) != tool.InvalidArguments || !strings.Contains(o.Failure.Detail, `"limit"`) {
		t.Errorf("an extra field: %v", o.Failure)
	}
}

func TestStrippedFieldsAreRecordedWhenTheCallFailsToo(t *testing.T) {
	o := run(executor(t, member(), tool.Options{}, resize()), "resize", `{"width": 1, "user_id": "bob"}`)
	if code(o) != tool.InvalidArguments || !slices.Equal(o.Stripped, []string{"/user_id"}) {
		t.Errorf("failure %v, stripped %v", o.Failure, o.Stripped)
	}
}

func TestAnyNameOutsideTheRouteIsNotAllowed(t *testing.T) {
	f, dir := resize(), member()
	e := executor(t, dir, tool.Options{}, f)
	var outcomes []tool.Outcome
	for _, name := range []string{"resize", "no_such_tool", "Resize", ""} {
		outcomes = append(outcomes, e.Run(context.Background(), alice, []string{"search"}, tool.Session{},
			llm.ToolCall{Name: name, Arguments: `{"path": "a", "width": 10}`}))
	}
	for _, o := range outcomes {
		if diff := cmp.Diff(outcomes[0], o); diff != "" || code(o) != tool.NotAllowed {
			t.Errorf("an existing and an unknown name differ, or were let through: %v\n%s", o.Failure, diff)
		}
	}
	if len(f.calls) != 0 || dir.asked.Load() != 0 {
		t.Error("a refused name reached tool or directory")
	}
}

func TestAWriteToolNeedsADecision(t *testing.T) {
	f := resize()
	f.spec.Sensitivity = tool.Write
	e := executor(t, member(), tool.Options{}, f)
	if o := run(e, "resize", `{"path": "a", "width": 10}`); code(o) != tool.NotAllowed {
		t.Errorf("a write ran without a decision: %+v", o)
	}
	if specs := e.Specs([]string{"resize"}); specs != nil {
		t.Errorf("a write tool was described: %v", specs)
	}
	if o := run(executor(t, member(), tool.Options{Writes: true}, f), "resize", `{"path": "a", "width": 10}`); o.Failure != nil {
		t.Errorf("a decided write failed: %v", o.Failure)
	}
}

func TestRightsAreThoseOfNow(t *testing.T) {
	f := resize()
	f.spec.Role = access.KnowledgeAdmin
	dir := member()
	e := executor(t, dir, tool.Options{}, f)
	ok := `{"path": "a", "width": 10}`
	if o := run(e, "resize", ok); code(o) != tool.PermissionDenied || o.Tries != 1 {
		t.Errorf("without the role: %v after %d tries", o.Failure, o.Tries)
	}
	dir.identity.Roles = []access.Role{access.KnowledgeAdmin}
	if o := run(e, "resize", ok); o.Failure != nil {
		t.Errorf("with the role: %v", o.Failure)
	}
	dir.identity.Suspended = true
	if o := run(e, "resize", ok); code(o) != tool.PermissionDenied {
		t.Errorf("suspended: %v", o.Failure)
	}
	dir.identity, dir.err = access.Identity{}, problem.Missing()
	if o := run(e, "resize", ok); code(o) != tool.PermissionDenied {
		t.Errorf("unknown user: %v", o.Failure)
	}
	if len(f.calls) != 1 {
		t.Errorf("the tool was called %d times, want once", len(f.calls))
	}
}

func TestADirectoryThatFailsClosesTheTool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, dir := resize(), member()
		dir.err = errors.New("connection refused to db-7.internal")
		o := run(executor(t, dir, tool.Options{}, f), "resize", `{"path": "a", "width": 10}`)
		if code(o) != tool.Dependency || o.Tries != 3 || len(f.calls) != 0 {
			t.Errorf("failure %v after %d tries, %d calls", o.Failure, o.Tries, len(f.calls))
		}
		if strings.Contains(o.Failure.Detail, "db-7") {
			t.Errorf("the cause shows: %s", o.Failure.Detail)
		}
	})
}

func TestFailedDependenciesAreRetriedWithGrowingPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := resize()
		var at []time.Duration
		start := time.Now()
		f.do = func(context.Context, tool.Call) (tool.Result, error) {
			at = append(at, time.Since(start))
			if len(at) < 4 {
				return tool.Result{}, errors.New("503")
			}
			return tool.Result{Content: json.RawMessage(`{}`)}, nil
		}
		o := run(executor(t, member(), tool.Options{Tries: 4, Backoff: time.Second}, f), "resize", `{"path": "a", "width": 10}`)
		if o.Failure != nil || o.Tries != 4 {
			t.Errorf("failure %v after %d tries", o.Failure, o.Tries)
		}
		if diff := cmp.Diff([]time.Duration{0, time.Second, 3 * time.Second, 7 * time.Second}, at); diff != "" {
			t.Errorf("times of the tries (-want +got):\n%s", diff)
		}
	})
}

func TestFailuresOfTheRequestAreNotRetried(t *testing.T) {
	for _, want := range []tool.Code{tool.NotFound, tool.OutOfScope, tool.NoProgress, tool.LimitText, tool.InvalidArguments, tool.PermissionDenied} {
		f := resize()
		f.do = func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, &tool.Failure{Code: want} }
		o := run(executor(t, member(), tool.Options{}, f), "resize", `{"path": "a", "width": 10}`)
		if code(o) != want || len(f.calls) != 1 {
			t.Errorf("%s: got %v after %d calls", want, o.Failure, len(f.calls))
		}
	}
}

func TestACallThatHangsTimesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := resize()
		f.do = func(ctx context.Context, _ tool.Call) (tool.Result, error) {
			<-ctx.Done()
			return tool.Result{}, ctx.Err()
		}
		start := time.Now()
		o := run(executor(t, member(), tool.Options{Timeout: time.Minute, Tries: 2, Backoff: time.Second}, f), "resize", `{"path": "a", "width": 10}`)
		if code(o) != tool.Timeout || o.Tries != 2 || time.Since(start) != 2*time.Minute+time.Second {
			t.Errorf("failure %v after %d tries and %v", o.Failure, o.Tries, time.Since(start))
		}
	})
}

func TestAToolThatIgnoresItsDeadlineIsAbandonedAndNotRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := resize()
		f.do = func(context.Context, tool.Call) (tool.Result, error) {
			time.Sleep(time.Hour)
			return tool.Result{Content: json.RawMessage(`{}`)}, nil
		}
		start := time.Now()
		o := run(executor(t, member(), tool.Options{Timeout: time.Minute, Grace: time.Second}, f), "resize", `{"path": "a", "width": 10}`)
		if code(o) != tool.Timeout || o.Tries != 1 || time.Since(start) != time.Minute+time.Second {
			t.Errorf("failure %v after %d tries and %v", o.Failure, o.Tries, time.Since(start))
		}
		time.Sleep(2 * time.Hour) // lets the tool end inside the bubble
	})
}

func TestACancelledRunIsNotRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := resize()
		ctx, cancel := context.WithCancel(context.Background())
		f.do = func(ctx context.Context, _ tool.Call) (tool.Result, error) {
			cancel()
			<-ctx.Done()
			return tool.Result{}, errors.New("503")
		}
		e := executor(t, member(), tool.Options{}, f)
		call := llm.ToolCall{Name: "resize", Arguments: `{"path": "a", "width": 10}`}
		o := e.Run(ctx, alice, []string{"resize"}, tool.Session{}, call)
		if !errors.Is(o.Failure, context.Canceled) || o.Tries != 1 {
			t.Errorf("failure %v after %d tries", o.Failure, o.Tries)
		}
		if o = e.Run(ctx, alice, []string{"resize"}, tool.Session{}, call); !errors.Is(o.Failure, context.Canceled) || o.Tries != 0 {
			t.Errorf("already cancelled: %v after %d tries", o.Failure, o.Tries)
		}
		if len(f.calls) != 1 {
			t.Errorf("%d calls, want 1", len(f.calls))
		}
	})
}

func TestCancellingEndsThePauseBetweenTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := resize()
		f.do = func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, errors.New("503") }
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		o := executor(t, member(), tool.Options{Backoff: time.Hour}, f).Run(ctx, alice, []string{"resize"}, tool.Session{},
			llm.ToolCall{Name: "resize", Arguments: `{"path": "a", "width": 10}`})
		if !errors.Is(o.Failure, context.DeadlineExceeded) || code(o) != tool.Timeout || len(f.calls) != 1 {
			t.Errorf("failure %v after %d calls", o.Failure, len(f.calls))
		}
	})
}

func TestPanicsAndLostGoroutinesAreFailedDependencies(t *testing.T) {
	for name, do := range map[string]func(context.Context, tool.Call) (tool.Result, error){
		"panic": func(context.Context, tool.Call) (tool.Result, error) { panic("CANARY") },
		"nil panic": func(context.Context, tool.Call) (tool.Result, error) {
			var m map[string]int
			m["a"] = 1
			return tool.Result{}, nil
		},
		"goexit":     func(context.Context, tool.Call) (tool.Result, error) { runtime.Goexit(); return tool.Result{}, nil },
		"no content": func(context.Context, tool.Call) (tool.Result, error) { return tool.Result{}, nil },
		"not object": func(context.Context, tool.Call) (tool.Result, error) {
			return tool.Result{Content: json.RawMessage(`[1]`)}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := resize()
			f.do = do
			o := run(executor(t, member(), tool.Options{Tries: 1}, f), "resize", `{"path": "a", "width": 10}`)
			if code(o) != tool.Dependency || strings.Contains(o.Failure.Detail, "CANARY") || o.Failure.Err == nil {
				t.Errorf("failure %v", o.Failure)
			}
		})
	}
}

func TestTheToolSeesTheActorAndTheSession(t *testing.T) {
	f := resize()
	e := executor(t, member(), tool.Options{}, f)
	session := tool.Session{SearchPages: 2, Request: access.Request{DocKey: "k"}}
	e.Run(context.Background(), alice, []string{"resize"}, session, llm.ToolCall{ID: "c", Name: "resize", Arguments: `{"path": "a", "width": 10, "actor": "bob"}`})
	want := tool.Call{ID: "c", Actor: alice, Args: json.RawMessage(`{"path":"a","width":10}`), Session: session}
	if diff := cmp.Diff(want, f.calls[0]); diff != "" {
		t.Errorf("call (-want +got):\n%s", diff)
	}
}

func TestSpecsDescribeTheNamedToolsInOrder(t *testing.T) {
	a, b := resize(), resize()
	a.spec.Name, b.spec.Name = "alpha", "beta"
	e := executor(t, member(), tool.Options{}, a, b)
	var names []string
	for _, s := range e.Specs([]string{"beta", "gamma", "alpha", "beta"}) {
		names = append(names, s.Name)
	}
	if diff := cmp.Diff([]string{"beta", "alpha"}, names); diff != "" {
		t.Errorf("specs (-want +got):\n%s", diff)
	}
}

func TestRegistrationRefusesToolsThatCannotBeJudged(t *testing.T) {
	with := func(change func(*tool.Spec)) tool.Tool {
		f := resize()
		change(&f.spec)
		return f
	}
	for name, tools := range map[string][]tool.Tool{
		"empty name":          {with(func(s *tool.Spec) { s.Name = "" })},
		"name with a dot":     {with(func(s *tool.Spec) { s.Name = "a.b" })},
		"same name":           {resize(), resize()},
		"names alike":         {resize(), with(func(s *tool.Spec) { s.Name = "Re_size" })},
		"no sensitivity":      {with(func(s *tool.Spec) { s.Sensitivity = "" })},
		"no schema":           {with(func(s *tool.Spec) { s.Schema = nil })},
		"schema of an array":  {with(func(s *tool.Spec) { s.Schema = json.RawMessage(`{"type": "array"}`) })},
		"schema without type": {with(func(s *tool.Spec) { s.Schema = json.RawMessage(`{}`) })},
		"broken reference":    {with(func(s *tool.Spec) { s.Schema = json.RawMessage(`{"type": "object", "$ref": "#/$defs/none"}`) })},
		"bad pattern": {with(func(s *tool.Spec) {
			s.Schema = json.RawMessage(`{"type": "object", "properties": {"a": {"pattern": "("}}}`)
		})},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := tool.NewExecutor(member(), tools, tool.Options{}); problem.CodeOf(err) != "invalid_tool" {
				t.Errorf("err = %v, want invalid_tool", err)
			}
		})
	}
	if _, err := tool.NewExecutor(nil, nil, tool.Options{}); err == nil {
		t.Error("an executor without a directory was made")
	}
}

// TestRefusedArgumentsLeaveNoCause holds that a failure about the arguments carries none of their
// values, neither in its words nor in a cause that somebody might log.
func TestRefusedArgumentsLeaveNoCause(t *testing.T) {
	f := &fake{spec: tool.Spec{Name: "pick", Sensitivity: tool.Read, Schema: json.RawMessage(`{"type": "object", "additionalProperties": false, "properties": {
		"kind": {"enum": ["a", "b"]}, "name": {"type": "string", "pattern": "^x", "maxLength": 4}, "count": {"type": "integer", "maximum": 9},
		"fixed": {"const": 1}, "any": {"anyOf": [{"type": "integer"}, {"type": "boolean"}]}, "list": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}}}`)}}
	f.do = func(_ context.Context, call tool.Call) (tool.Result, error) {
		return tool.Result{}, &tool.Failure{Code: tool.InvalidArguments, Detail: "It does not fit.", Err: errors.New("bad " + string(call.Args))}
	}
	e := executor(t, member(), tool.Options{}, f)
	for _, args := range []string{
		`{"kind": "CANARY"}`, `{"name": "CANARY"}`, `{"name": ["CANARY"]}`, `{"count": "CANARY"}`, `{"count": 77031}`, `{"fixed": "CANARY"}`, `{"any": "CANARY"}`,
		`{"list": ["CANARY", "CANARY"]}`, `{"list": "CANARY"}`, `{"other": "CANARY"}`, `{"name": "CANARY`, `"CANARY"`, `["CANARY"]`, `{"name": "xCAN"}`,
	} {
		o := run(e, "pick", args)
		if c := code(o); c != tool.InvalidArguments && c != tool.InvalidJSON {
			t.Errorf("%s: %v", args, o.Failure)
			continue
		}
		if o.Failure.Err != nil || strings.Contains(o.Failure.Error(), "CAN") || strings.Contains(o.Failure.Error(), "77031") {
			t.Errorf("%s: %v, caused by %v", args, o.Failure, o.Failure.Err)
		}
	}
}
