package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/cmd/kaoju/declaration"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/action"
	"github.com/kaoju/kaoju/internal/toolkit"
)

// wholeTool is a declaration with every field.
const wholeTool = `tools:
  - name: open_ticket
    description: Opens a ticket about a document.
    sensitivity: write
    role: knowledge_admin
    level: editor
    evidence: true
    endpoint: https://tickets.example.com/api/tickets
    key_env: KAOJU_TOOL_KEY
    secret_env: KAOJU_TOOL_SECRET
    timeout: 5s
    repeatable: true
    schema:
      type: object
      required: [object_id, version]
      properties:
        object_id: {type: string}
        version: {type: string}
`

// declare reads a tools file with two keys in the environment.
func declare(t *testing.T, text string) ([]action.Declaration, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tools.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return declaration.Read(path, map[string]string{"KAOJU_TOOL_KEY": "k", "KAOJU_TOOL_SECRET": "s"})
}

func TestADeclaredToolIsWhatItsFileSays(t *testing.T) {
	all, err := declare(t, wholeTool)
	if err != nil || len(all) != len(declaration.BuiltIn())+1 {
		t.Fatalf("%+v, %v", all, err)
	}
	d := all[len(all)-1]
	e := d.Tool.(*toolkit.Endpoint)
	spec := e.Spec()
	if spec.Name != "open_ticket" || spec.Role != access.KnowledgeAdmin || d.Level != access.Editor || !d.Evidence || !d.Repeatable || d.Host != "tickets.example.com:443" || d.Address != e.URL ||
		e.Key != "k" || e.Secret != "s" || e.Timeout.String() != "5s" || e.URL != "https://tickets.example.com/api/tickets" || !strings.Contains(string(spec.Schema), `"object_id":{"type":"string"}`) {
		t.Errorf("%+v %+v", d, e)
	}
	if _, err := action.New(action.Deps{Directory: nobody{}}, all); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"", "tools: []\n", "tools:\n"} {
		if all, err := declare(t, text); err != nil || len(all) != len(declaration.BuiltIn()) {
			t.Errorf("%q: %d tools, %v", text, len(all), err)
		}
	}
}

func TestADeclarationThatCannotBeUsedSaysWhy(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"no name":                       {"name: open_ticket", "name: ''", "tool number 1: name is missing"},
		"no description":                {"description: Opens a ticket about a document.", "description: ' '", "description must be"},
		"another sensitivity":           {"sensitivity: write", "sensitivity: none", "sensitivity must be read, sensitive_read or write"},
		"another role":                  {"role: knowledge_admin", "role: king", "role must be"},
		"another level":                 {"level: editor", "level: owner", "level must be"},
		"no address":                    {"https://tickets.example.com/api/tickets", "tickets.example.com", "endpoint must be an address"},
		"another scheme":                {"https://", "file://", "endpoint must be an address"},
		"a password in the address":     {"https://", "https://user:pass@", "endpoint must be an address"},
		"a key outside the prefix":      {"KAOJU_TOOL_KEY", "KAOJU_MODEL_KEY", "key_env must name a variable that begins with KAOJU_TOOL_"},
		"a key of the system":           {"KAOJU_TOOL_SECRET", "PATH", "secret_env must name"},
		"a key that is not set":         {"KAOJU_TOOL_KEY", "KAOJU_TOOL_OTHER", "KAOJU_TOOL_OTHER, which is not set"},
		"no time":                       {"timeout: 5s", "timeout: soon", "timeout must be"},
		"a long time":                   {"timeout: 5s", "timeout: 31s", "of at most 30s"},
		"a negative time":               {"timeout: 5s", "timeout: -5s", "timeout must be"},
		"a field that is not known":     {"repeatable: true", "repeatble: true", "unknown field"},
		"a wrong type":                  {"repeatable: true", "repeatable: perhaps", "[12:17]"},
		"no YAML":                       {"tools:", "tools: [", "tools file"},
		"no schema":                     {"schema:", "schema: {}\n    x-rest:", "unknown field"},
		"a schema of no object":         {"type: object", "type: array", "no usable schema"},
		"a schema that is none":         {"type: object", "type: object\n      minProperties: -x", "no usable schema"},
		"no object_id":                  {"required: [object_id, version]", "required: [version]", `must require the string "object_id"`},
		"a version that is a number":    {"version: {type: string}", "version: {type: integer}", `must require the string "version"`},
		"an argument of the request":    {"version: {type: string}", "version: {type: string}\n        run_id: {type: string}", `must not have the field "run_id"`},
		"the name of a built-in tool":   {"name: open_ticket", "name: create_task", "can be confused"},
		"nearly the name of a built-in": {"name: open_ticket", "name: Create-Task", "can be confused"},
		"a name with a space":           {"name: open_ticket", "name: open ticket", "is not a tool name"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(wholeTool, c.old, c.new, 1)
			if text == wholeTool {
				t.Fatal("nothing was changed")
			}
			all, err := declare(t, text)
			if err == nil {
				_, err = action.New(action.Deps{Directory: nobody{}}, all)
			}
			said := ""
			if err != nil {
				_, said = outcome.Of(err)
				if said == "" {
					said = err.Error()
				}
				said += err.Error()
			}
			if !strings.Contains(said, c.want) {
				t.Errorf("said %q, want %q", said, c.want)
			}
			if strings.Contains(said, "pass@") {
				t.Errorf("a password is told: %s", said)
			}
		})
	}
}

// nobody is a directory without anybody.
type nobody struct{}

func (nobody) Snapshot(context.Context, access.TenantID, access.UserID) (access.Snapshot, error) {
	return access.Snapshot{}, nil
}

func TestOnlyVariablesOfToolsAreTakenFromTheEnvironment(t *testing.T) {
	t.Setenv("KAOJU_TOOL_X", "1")
	t.Setenv("KAOJU_RUNS", "3")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "no")
	env := environment()
	if env["KAOJU_TOOL_X"] != "1" || env["KAOJU_RUNS"] != "3" {
		t.Errorf("%v", env)
	}
	for name := range env {
		if !strings.HasPrefix(name, "KAOJU_") {
			t.Errorf("%s was taken", name)
		}
	}
}
