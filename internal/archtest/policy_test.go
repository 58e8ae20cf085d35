package archtest

import (
	"strings"
	"testing"
	"testing/fstest"
)

// source makes a tree of files from their text.
func source(t *testing.T, files map[string]string) *Tree {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	tree, err := Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// everything runs all checks of the real policy over a made tree.
func everything(tree *Tree) []Violation {
	p := Kaoju()
	out := append(p.CheckImports(tree), p.CheckCalls(tree)...)
	return append(out, p.CheckForm(tree)...)
}

// TestRulesCanFail feeds the real policy one breach at a time. Each must be found, with words
// that name it, and nothing else may be.
func TestRulesCanFail(t *testing.T) {
	const module = `"github.com/kaoju/kaoju/`
	tests := []struct {
		name, file, text, want string
	}{
		{"an import the row does not list", "internal/chunk/a.go", "// Package chunk.\npackage chunk\nimport _ " + module + "internal/access\"", "does not list"},
		{"a driver imports the other", "internal/sqlite/a.go", "// Package sqlite.\npackage sqlite\nimport _ " + module + "internal/postgres\"", "never import each other"},
		{"a driver's test imports the other", "internal/sqlite/a_test.go", "package sqlite\nimport _ " + module + "internal/postgres\"", "never import each other"},
		{"a noun imports a driver", "internal/corpus/a.go", "// Package corpus.\npackage corpus\nimport _ " + module + "internal/sqlite\"", "Seams belong"},
		{"a door imports a driver", "internal/httpapi/a.go", "// Package httpapi.\npackage httpapi\nimport _ " + module + "internal/sqlite\"", "Seams belong"},
		{"the agent imports retrieval", "internal/agent/a.go", "// Package agent.\npackage agent\nimport _ " + module + "internal/retrieval\"", "through a tool"},
		{"a tool reads without a scope", "internal/toolkit/a.go", "// Package toolkit.\npackage toolkit\nimport _ " + module + "internal/access/unscoped\"", "no person's behalf"},
		{"something imports the command", "internal/run/a_test.go", "package run\nimport _ " + module + "cmd/kaoju\"", "imports the command"},
		{"a package without a row", "internal/novelty/a.go", "// Package novelty.\npackage novelty", "no row"},
		{"a nested package without a row", "internal/parse/odd/a.go", "// Package odd.\npackage odd", "no row"},
		{"a package at the root without a row", "tools/a.go", "// Package tools.\npackage tools", "no row"},
		{"a name that says nothing", "internal/problem/a.go", "// Package util.\npackage util", "is named util"},
		{"testing in production", "internal/queue/a.go", "// Package queue.\npackage queue\nimport _ \"testing\"", "must not reach the binary"},
		{"fstest in production", "internal/queue/a.go", "// Package queue.\npackage queue\nimport _ \"testing/fstest\"", "must not reach the binary"},
		{"the scripted model in production", "cmd/kaoju/a.go", "// Command kaoju.\npackage main\nimport _ " + module + "internal/llm/llmtest\"", "must not reach the binary"},
		{"a library outside its fence", "internal/corpus/a.go", "// Package corpus.\npackage corpus\nimport _ \"modernc.org/sqlite\"", "lives in its driver"},
		{"a library's subpackage outside its fence", "internal/corpus/a.go", "// Package corpus.\npackage corpus\nimport _ \"golang.org/x/net/html/atom\"", "HTML is understood"},
		{"a library for tests in production", "internal/corpus/a.go", "// Package corpus.\npackage corpus\nimport _ \"pgregory.net/rapid\"", "for tests"},
		{"a library that no fence places", "internal/corpus/a.go", "// Package corpus.\npackage corpus\nimport _ \"example.com/clever\"", "no fence places"},
		{"the environment", "internal/run/a.go", "// Package run.\npackage run\nimport \"os\"\nvar _ = os.Getenv(\"X\")", "os.Getenv"},
		{"the environment under another name", "internal/run/a.go", "// Package run.\npackage run\nimport sys \"os\"\nvar _ = sys.Environ()", "os.Environ"},
		{"the environment as a value", "internal/run/a.go", "// Package run.\npackage run\nimport \"os\"\nvar look = os.LookupEnv", "os.LookupEnv"},
		{"a dot import", "internal/run/a.go", "// Package run.\npackage run\nimport . \"os\"\nvar _ = Getenv(\"X\")", "into its own names"},
		{"another HTTP client", "internal/ingest/a.go", "// Package ingest.\npackage ingest\nimport \"net/http\"\nvar c = &http.Client{}", "net/http.Client"},
		{"an HTTP client by new", "internal/ingest/a.go", "// Package ingest.\npackage ingest\nimport \"net/http\"\nvar c = new(http.Client)", "net/http.Client"},
		{"the default HTTP client", "cmd/kaoju/a.go", "// Command kaoju.\npackage main\nimport \"net/http\"\nvar get = http.Get", "net/http.Get"},
		{"a raw connection", "internal/ingest/a.go", "// Package ingest.\npackage ingest\nimport \"net\"\nvar d net.Dialer", "net.Dialer"},
		{"ending the process", "internal/ingest/a.go", "// Package ingest.\npackage ingest\nimport \"os\"\nfunc stop() { os.Exit(1) }", "os.Exit"},
		{"an init function", "internal/event/a.go", "// Package event.\npackage event\nfunc init() {}", "declares init"},
		{"no package comment", "internal/event/a.go", "package event", "no package comment"},
		{"an exported function without a comment", "internal/event/a.go", "// Package event.\npackage event\nfunc Wait() {}", "exported Wait"},
		{"an exported method without a comment", "internal/event/a.go", "// Package event.\npackage event\n// T is it.\ntype T[V any] struct{}\nfunc (t *T[V]) Wait() {}", "exported Wait"},
		{"an exported constant without a comment", "internal/event/a.go", "// Package event.\npackage event\nconst Now = 1", "exported Now"},
		{"a bare skip", "internal/event/a_test.go", "package event\nimport \"testing\"\nfunc TestX(t *testing.T) { t.SkipNow() }", "skips without a reason"},
		{"a skip with one word", "internal/event/a_test.go", "package event\nimport \"testing\"\nfunc TestX(t *testing.T) { t.Skip(\"later\") }", "skips without a reason"},
		{"a sleep", "internal/event/a_test.go", "package event\nimport (\"testing\"; \"time\")\nfunc TestX(t *testing.T) { time.Sleep(1) }", "sleeps on the real clock"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := everything(source(t, map[string]string{tt.file: tt.text}))
			if len(got) != 1 || !strings.Contains(got[0].String(), tt.want) {
				t.Fatalf("got %v, want one violation with %q", got, tt.want)
			}
			if got[0].Reason == "" || !strings.Contains(got[0].Where, "/") && got[0].Where != "tools" {
				t.Errorf("the violation does not say where and why: %+v", got[0])
			}
		})
	}
}

func TestRulesLetGoodCodePass(t *testing.T) {
	const module = `"github.com/kaoju/kaoju/`
	got := everything(source(t, map[string]string{
		"internal/chunk/a.go":       "// Package chunk cuts.\npackage chunk\nimport _ " + module + "internal/corpus\"",
		"internal/chunk/a_test.go":  "package chunk_test\nimport (\n_ \"testing\"\n_ \"pgregory.net/rapid\"\n_ " + module + "internal/parse\")",
		"internal/llm/llmtest/a.go": "// Package llmtest scripts.\npackage llmtest\nimport (\n_ \"testing\"\n_ \"net/http\"\n_ \"github.com/google/go-cmp/cmp\")",
		"internal/outbound/a.go":    "// Package outbound goes out.\npackage outbound\nimport \"net/http\"\nvar c http.Client",
		"internal/httpapi/a.go":     "// Package httpapi serves.\npackage httpapi\nimport (\n\"net/http\"\n_ " + module + "api\"\n_ " + module + "internal/agent\")\nvar h http.Handler",
		"internal/llm/openai/a.go":  "// Package openai adapts.\npackage openai\nimport \"net/http\"\n// Config is it.\ntype Config struct{ Client *http.Client }",
		"internal/event/a.go":       "// Package event tells.\npackage event\n// The words.\nconst (\nA = 1\nB = 2\n)\ntype quiet int\nfunc (quiet) String() string { return \"\" }",
		"internal/queue/a_test.go":  "package queue\nimport (_ \"testing\"; \"time\")\nfunc wait() {\n\ttime.Sleep(1) // the moment of a crash, not a wait\n}",
		"internal/event/a_test.go":  "package event\nimport (\"testing\"; \"testing/synctest\"; \"time\")\nfunc TestX(t *testing.T) { synctest.Test(t, func(*testing.T) { time.Sleep(1) }); t.Skip(\"the data is not here\") }",
		"cmd/kaoju/main.go":         "// Command kaoju.\npackage main\nimport (\n\"os\"\n_ \"github.com/spf13/cobra\"\n_ " + module + "cmd/kaoju/console\")\nvar home = os.Getenv(\"HOME\")",
		"cmd/kaoju/wiring/open.go":  "// Package wiring.\npackage wiring\nimport _ " + module + "internal/sqlite\"",
		"testdata/broken.go":        "this is no Go",
	}))
	for _, v := range got {
		t.Error(v)
	}
}

func TestContradictionsOfAPolicyAreFound(t *testing.T) {
	p := Policy{
		Rows: []Row{
			{Package: "internal/a", Imports: []string{"internal/b/..."}, Reason: "It may."},
			{Package: "internal/a", Reason: "It stands twice."},
			{Package: "internal/c"},
		},
		Bans:   []Ban{{From: []string{"internal/..."}, To: []string{"internal/b/..."}}},
		Fences: []Fence{{Library: "example.com/x"}},
	}
	var got []string
	for _, v := range p.Contradictions() {
		got = append(got, v.What)
	}
	for _, want := range []string{"has two rows", "its row has no reason", "its row grants internal/b/...", "a ban has no reason", "a fence has no reason"} {
		if !strings.Contains(strings.Join(got, "\n"), want) {
			t.Errorf("%q was not found in %q", want, got)
		}
	}
}

func TestAModuleOfItsOwnIsLeftOut(t *testing.T) {
	tree, err := Load(fstest.MapFS{
		"go.mod": {Data: []byte("module m")}, "a/b.go": {Data: []byte("package a")},
		"other/go.mod": {Data: []byte("module m/other")}, "other/c/d.go": {Data: []byte("package c")},
	})
	if err != nil || len(tree.Packages) != 1 || tree.Packages[0].Dir != "a" {
		t.Errorf("Load found %v, %v", tree, err)
	}
}

func TestFileThatDoesNotParseIsAnError(t *testing.T) {
	_, err := Load(fstest.MapFS{"a/b.go": {Data: []byte("package")}})
	if err == nil || !strings.Contains(err.Error(), "a/b.go") {
		t.Fatalf("got %v, want an error that names the file", err)
	}
}
