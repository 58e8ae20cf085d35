package tool_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/tool"
	"pgregory.net/rapid"
)

// identity lists the names of the rule, written out apart from the code.
var identity = []string{"user_id", "tenant_id", "actor", "actor_id", "roles", "role", "groups", "scope", "permissions", "owner_id", "acl",
	"user", "tenant", "group", "owner", "identity", "sub", "on_behalf_of", "principal"}

// spelling draws one of the ways to write a name.
func spelling(t *rapid.T, name string) string {
	switch rapid.IntRange(0, 5).Draw(t, "spelling") {
	case 1:
		return strings.ToUpper(name)
	case 2:
		return strings.ReplaceAll(name, "_", "")
	case 3:
		return strings.ReplaceAll(name, "_", "-")
	case 4:
		parts := strings.Split(name, "_")
		for i, p := range parts {
			parts[i] = strings.ToUpper(p[:1]) + p[1:]
		}
		return strings.Join(parts, "")
	case 5:
		return "_" + name + " "
	}
	return name
}

// planted draws a value, and the same value with identity fields planted in its objects.
func planted(t *rapid.T, depth int) (clean, dirty any) {
	switch kind := rapid.IntRange(0, 3).Draw(t, "kind"); {
	case kind == 0 || depth == 0:
		s := rapid.StringMatching(`[a-z_]{0,8}`).Draw(t, "text") // names of identity as values stay
		return s, s
	case kind == 1:
		a, b := []any{}, []any{}
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			c, d := planted(t, depth-1)
			a, b = append(a, c), append(b, d)
		}
		return a, b
	}
	a, b := map[string]any{}, map[string]any{}
	for _, name := range rapid.SliceOfNDistinct(rapid.StringMatching(`x[a-z]{1,4}`), 0, 3, rapid.ID).Draw(t, "fields") {
		a[name], b[name] = planted(t, depth-1)
	}
	if rapid.Bool().Draw(t, "plant") {
		_, inside := planted(t, depth-1)
		b[spelling(t, rapid.SampledFrom(identity).Draw(t, "identity"))] = inside
	}
	return a, b
}

func TestNoIdentityFieldReachesAToolAtAnyDepth(t *testing.T) {
	f := &fake{spec: tool.Spec{Name: "open", Schema: json.RawMessage(`{"type": "object"}`), Sensitivity: tool.Read}}
	e := executor(t, member(), tool.Options{}, f)
	rapid.Check(t, func(t *rapid.T) {
		clean, dirty := planted(t, 4)
		args, err := json.Marshal(map[string]any{"x": dirty})
		if err != nil {
			t.Fatal(err)
		}
		o := run(e, "open", string(args))
		if o.Failure != nil {
			t.Fatalf("%s: %v", args, o.Failure)
		}
		var got any
		if err := json.Unmarshal(f.calls[len(f.calls)-1].Args, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(any(map[string]any{"x": clean}), got); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", args, diff)
		}
		if same := cmp.Equal(clean, dirty); same != (len(o.Stripped) == 0) {
			t.Fatalf("%s: stripped %v", args, o.Stripped)
		}
	})
}

// TestChecksComeInTheirOrder makes calls that break several rules at once: the first of the order
// decides, and no later one is looked at.
func TestChecksComeInTheirOrder(t *testing.T) {
	denied := member()
	denied.identity.Suspended = true
	for _, c := range []struct {
		name    string
		allowed []string
		args    string
		dir     *directory
		want    tool.Code
		asked   int32
	}{
		{"not in the route, broken, denied", nil, `{`, denied, tool.NotAllowed, 0},
		{"broken, denied", []string{"resize"}, `{`, denied, tool.InvalidJSON, 0},
		{"against the schema, denied", []string{"resize"}, `{}`, denied, tool.InvalidArguments, 0},
		{"denied", []string{"resize"}, `{"path": "a", "width": 10}`, denied, tool.PermissionDenied, 1},
	} {
		c.dir.asked.Store(0)
		f := resize()
		o := executor(t, c.dir, tool.Options{}, f).Run(context.Background(), alice, c.allowed, tool.Session{},
			llm.ToolCall{Name: "resize", Arguments: c.args})
		if code(o) != c.want || len(f.calls) != 0 || c.dir.asked.Load() != c.asked {
			t.Errorf("%s: %v, %d calls, directory asked %d times", c.name, o.Failure, len(f.calls), c.dir.asked.Load())
		}
	}
}

// TestARightTakenAwayBetweenTriesStopsTheNext holds the rule that each try asks anew.
func TestARightTakenAwayBetweenTriesStopsTheNext(t *testing.T) {
	dir := member()
	dir.identity.Roles = []access.Role{access.KnowledgeAdmin}
	f := resize()
	f.spec.Role = access.KnowledgeAdmin
	f.do = func(context.Context, tool.Call) (tool.Result, error) {
		dir.identity.Roles = nil
		return tool.Result{}, context.DeadlineExceeded
	}
	e := executor(t, dir, tool.Options{Sleep: func(context.Context, time.Duration) error { return nil }}, f)
	if o := run(e, "resize", `{"path": "a", "width": 10}`); code(o) != tool.PermissionDenied || len(f.calls) != 1 || o.Tries != 2 {
		t.Errorf("%v after %d calls and %d tries", o.Failure, len(f.calls), o.Tries)
	}
}

func TestFieldsThatAToolDeclaresAreItsOwn(t *testing.T) {
	f := &fake{spec: tool.Spec{Name: "assign", Sensitivity: tool.Read, Schema: json.RawMessage(`{"type": "object", "properties": {
		"owner": {"type": "string"}, "group": {"type": "object", "properties": {"sub": {"type": "string"}}}}}`)}}
	o := run(executor(t, member(), tool.Options{}, f), "assign", `{"owner": "o", "group": {"sub": "s", "user": "u"}, "sub": "root"}`)
	if o.Failure != nil || string(o.Args) != `{"group":{"sub":"s"},"owner":"o"}` || strings.Join(o.Stripped, " ") != "/group/user /sub" {
		t.Errorf("%s without %v, %v", o.Args, o.Stripped, o.Failure)
	}
}
