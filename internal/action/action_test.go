package action_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/action"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/tool"
)

const schema = `{"type":"object","required":["object_id","version"],"properties":{"object_id":{"type":"string"},"version":{"type":"string"}}}`

// remote is a tool that does what a test asks it to.
type remote struct {
	spec tool.Spec
	act  func(context.Context) (tool.Result, error)
}

func (r remote) Spec() tool.Spec { return r.spec }

func (r remote) Call(ctx context.Context, _ tool.Call) (tool.Result, error) { return r.act(ctx) }

func spec(name, schema string) tool.Spec {
	return tool.Spec{Name: name, Sensitivity: tool.Write, Schema: json.RawMessage(schema)}
}

// office is a directory and a book of one task, in memory.
type office struct {
	mu     sync.Mutex
	task   approval.Task
	fail   error // of the directory
	claims int
}

func (o *office) Snapshot(context.Context, access.TenantID, access.UserID) (access.Snapshot, error) {
	return access.Snapshot{Epoch: 1, Identity: access.Identity{User: "ann"}}, o.fail
}

func (o *office) Task(context.Context, access.TenantID, access.UserID, approval.TaskID) (approval.Task, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.task, nil
}

func (o *office) Due(context.Context, time.Time) ([]approval.Task, error) {
	k, _ := o.Task(nil, "", "", "") //nolint:staticcheck // the fake asks nothing of it
	return []approval.Task{k}, nil
}

func (o *office) Claim(_ context.Context, _ access.Scope, _ approval.TaskID, token int64, _ time.Duration) (approval.Task, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.task.Token != token || o.task.Status.Final() {
		return approval.Task{}, approval.TaskLost()
	}
	o.claims++
	o.task.Token, o.task.Status = token+1, approval.Running
	return o.task, nil
}

func (o *office) Finish(_ context.Context, _ approval.TaskID, token int64, r approval.Result) (approval.Task, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.task.Token != token || o.task.Status.Final() {
		return approval.Task{}, approval.TaskLost()
	}
	o.task.Status, o.task.Code, o.task.Result = r.Status, r.Code, r.Answer
	return o.task, nil
}

// engineOf makes an engine of one tool, and the task of an approved call of it.
func engineOf(t *testing.T, o *office, d action.Declaration) *action.Engine {
	t.Helper()
	e, err := action.New(action.Deps{Directory: o, Tasks: o, Clock: time.Now}, []action.Declaration{d})
	if err != nil {
		t.Fatal(err)
	}
	listed, err := e.Tools(t.Context(), access.Actor{User: "ann"})
	if err != nil || len(listed) != 1 {
		t.Fatalf("%+v, %v", listed, err)
	}
	o.task = approval.Task{ID: "task_1", Status: approval.Queued, CreatedAt: time.Now(), Proposal: approval.Proposal{
		ID: "prop_1", Proposer: "ann", Call: &approval.Call{Tool: d.Tool.Spec().Name, Args: json.RawMessage(`{"object_id":"d","version":"1"}`), SpecHash: action.Pin(d)},
	}}
	return e
}

func TestADeclarationMustSayOnWhatItActs(t *testing.T) {
	for name, d := range map[string]action.Declaration{
		"no schema":     {Tool: remote{spec: spec("t", `{`)}, Effect: approval.Outside},
		"no object":     {Tool: remote{spec: spec("t", `{"type":"object","required":["version"],"properties":{"version":{"type":"string"}}}`)}, Effect: approval.Outside},
		"not required":  {Tool: remote{spec: spec("t", strings.Replace(schema, `"object_id","version"`, `"object_id"`, 1))}, Effect: approval.Outside},
		"a number":      {Tool: remote{spec: spec("t", strings.Replace(schema, `"version":{"type":"string"}`, `"version":{"type":"integer"}`, 1))}, Effect: approval.Outside},
		"the run":       {Tool: remote{spec: spec("t", strings.Replace(schema, `"properties":{`, `"properties":{"run_id":{"type":"string"},`, 1))}, Effect: approval.Outside},
		"the arguments": {Tool: remote{spec: spec("t", strings.Replace(schema, `"properties":{`, `"properties":{"arguments":{},`, 1))}, Effect: approval.Outside},
		"no effect":     {Tool: remote{spec: spec("t", schema)}},
		"a bad name":    {Tool: remote{spec: spec("9", schema)}, Effect: approval.Outside},
	} {
		if _, err := action.New(action.Deps{Directory: &office{}}, []action.Declaration{d}); problem.CodeOf(err) != "invalid_tool" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWishesAreTakenApart(t *testing.T) {
	for body, want := range map[string]action.Wish{
		`{"a":1,"run_id":"r"}`:                     {Run: "r", Args: json.RawMessage(`{"a":1}`)},
		`{"a":1}`:                                  {Args: json.RawMessage(`{"a":1}`)},
		`{"run_id":"r","arguments":{"a":1}}`:       {Run: "r", Args: json.RawMessage(`{"a":1}`)},
		`{"arguments":{"a":1,"run_id":"in"}}`:      {Args: json.RawMessage(`{"a":1,"run_id":"in"}`)},
		`{"arguments":{"a":1},"a":2,"run_id":"r"}`: {Run: "r", Args: json.RawMessage(`{"a":2,"arguments":{"a":1}}`)},
		`{"arguments":[1]}`:                        {Args: json.RawMessage(`[1]`)},
		`{"run_id":7,"a":1}`:                       {Args: json.RawMessage(`{"a":1,"run_id":7}`)},
		`{"run_id":"r","run_id":"s"}`:              {Args: json.RawMessage(`{"run_id":"r","run_id":"s"}`)},
		`[{"run_id":"r"}]`:                         {Args: json.RawMessage(`[{"run_id":"r"}]`)},
		`{`:                                        {Args: json.RawMessage(`{`)},
		`{"n":1.10,"run_id":"r"}`:                  {Run: "r", Args: json.RawMessage(`{"n":1.10}`)},
		`{"RUN_ID":"r","a":1}`:                     {Args: json.RawMessage(`{"RUN_ID":"r","a":1}`)},
		`{"arguments":"approve","run_id":"我确认发布"}`: {Run: "我确认发布", Args: json.RawMessage(`"approve"`)},
	} {
		got := action.ReadWish("t", []byte(body))
		want.Tool = "t"
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", body, diff)
		}
	}
}

func TestArgumentsLoseNothingOnTheWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		args := map[string]any{}
		for _, k := range rapid.SliceOfDistinct(rapid.StringMatching(`[a-z]{1,6}`), strings.ToLower).Draw(t, "names") {
			args[k] = rapid.OneOf(rapid.Just(any(nil)), rapid.Map(rapid.String(), func(s string) any { return strings.ReplaceAll(s, "\x00", "") }), rapid.Map(rapid.Bool(), func(b bool) any { return b })).Draw(t, "value")
		}
		delete(args, "arguments")
		plain, _ := json.Marshal(args)
		nested, _ := json.Marshal(map[string]any{"run_id": "r", "arguments": args})
		for _, w := range []action.Wish{action.ReadWish("t", plain), action.ReadWish("t", nested)} {
			var got map[string]any
			if err := json.Unmarshal(w.Args, &got); err != nil || cmp.Diff(args, got) != "" {
				t.Fatalf("%s: %s, %v", plain, w.Args, err)
			}
		}
	})
}

func TestClosingBreaksOffACallAndSaysThatNobodyKnows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &office{}
		began := make(chan struct{})
		e := engineOf(t, o, action.Declaration{Effect: approval.Outside, Repeatable: true, Tool: remote{spec("t", schema), func(ctx context.Context) (tool.Result, error) {
			close(began)
			<-ctx.Done()
			return tool.Result{}, ctx.Err()
		}}})
		ctx, giveUp := context.WithCancel(t.Context())
		done := make(chan approval.Task, 1)
		go func() {
			k, _ := e.Carry(ctx, o.task)
			done <- k
		}()
		<-began
		giveUp() // The request is given up; the call goes on.
		synctest.Wait()
		if k, _ := o.Task(ctx, "", "", ""); k.Status != approval.Running {
			t.Errorf("%+v", k)
		}
		e.Close()
		if k := <-done; k.Status != approval.Unknown || k.Code != "outcome_unknown" || o.claims != 1 {
			t.Errorf("%+v after %d claims", k, o.claims)
		}
	})
}

func TestAClosedEngineBeginsNoCall(t *testing.T) {
	o := &office{}
	e := engineOf(t, o, action.Declaration{Effect: approval.Outside, Tool: remote{spec("t", schema), nil}})
	e.Close()
	e.Close()
	if k, err := e.Carry(t.Context(), o.task); err == nil || k.Status != approval.Queued || o.claims != 0 {
		t.Errorf("%+v, %v after %d claims", k, err, o.claims)
	}
}

func TestACallThatHangsEndsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &office{}
		e := engineOf(t, o, action.Declaration{Effect: approval.Outside, Tool: remote{spec("t", schema), func(ctx context.Context) (tool.Result, error) {
			<-ctx.Done()
			return tool.Result{}, ctx.Err()
		}}})
		defer e.Close()
		if k, err := e.Carry(t.Context(), o.task); err != nil || k.Status != approval.Unknown {
			t.Errorf("%+v, %v", k, err)
		}
	})
}

func TestAJustApprovedCallIsLeftToItsRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := &office{}
		e := engineOf(t, o, action.Declaration{Effect: approval.Outside, Tool: remote{spec("t", schema), nil}})
		defer e.Close()
		made := o.task.CreatedAt
		for after, want := range map[time.Duration]int{0: 0, 9 * time.Second: 0, 10 * time.Second: 1, 24 * time.Hour: 1} {
			due, err := e.Due(t.Context(), made.Add(after))
			if err != nil || len(due) != want {
				t.Errorf("after %s: %d due, %v", after, len(due), err)
			}
		}
	})
}

func TestWhatFailsBeforeTheCallLeavesTheTaskForLater(t *testing.T) {
	o := &office{}
	e := engineOf(t, o, action.Declaration{Effect: approval.Outside, Tool: remote{spec("t", schema), nil}})
	defer e.Close()
	o.fail = errors.New("the directory is down")
	if n := e.Recover(t.Context(), []approval.Task{o.task}); n != 0 || o.task.Status != approval.Queued || o.claims != 0 {
		t.Errorf("%d ended, %+v", n, o.task)
	}
	o.fail = problem.Missing()
	if n := e.Recover(t.Context(), []approval.Task{o.task}); n != 1 || o.task.Status != approval.Failed || o.task.Code != "permission_denied" {
		t.Errorf("%d ended, %+v", n, o.task)
	}
}

func TestAnythingOfADeclarationThatChangedIsAnotherTool(t *testing.T) {
	base := action.Declaration{Tool: remote{spec: spec("t", schema)}, Level: access.Reader, Effect: approval.Outside, Host: "a:1"}
	pins := map[string]bool{action.Pin(base): true}
	for _, change := range []func(*action.Declaration){
		func(d *action.Declaration) { d.Host = "b:1" }, func(d *action.Declaration) { d.Level = access.Editor }, func(d *action.Declaration) { d.Evidence = true },
		func(d *action.Declaration) { d.Address = "https://a:1/tickets" }, func(d *action.Declaration) { d.Address = "https://a:1/tickets?urgent=1" },
		func(d *action.Declaration) { d.Repeatable = true }, func(d *action.Declaration) { d.Effect = approval.Recorded }, func(d *action.Declaration) { d.Tool = remote{spec: spec("u", schema)} },
	} {
		d := base
		change(&d)
		if pins[action.Pin(d)] {
			t.Errorf("%+v is pinned as another", d)
		}
		pins[action.Pin(d)] = true
	}
	if d := base; action.Pin(d) != action.Pin(base) {
		t.Error("a pin changes by itself")
	}
}
