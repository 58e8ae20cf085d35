package examples

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// question is a line of questions.jsonl.
type question struct {
	ID       string   `json:"id"`
	Question string   `json:"question"`
	Answer   []string `json:"answer"`
	DocKeys  []string `json:"doc_keys"`
}

// reply is the part of an answer that the questions speak of.
type reply struct {
	State     string `json:"state"`
	Answer    string `json:"answer"`
	Citations []struct {
		DocKey  string `json:"doc_key"`
		Excerpt string `json:"excerpt"`
	} `json:"citations"`
}

// sources looks at every source file of the program, so that the go command knows that a result of
// this test is out of date when one has changed.
func sources(t *testing.T) {
	t.Helper()
	for _, dir := range []string{"../api", "../cmd", "../internal"} {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				_, err = os.Stat(path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// program builds the binary as a user does, without cgo.
func program(t *testing.T) string {
	t.Helper()
	sources(t)
	path := filepath.Join(t.TempDir(), "kaoju")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path, "../cmd/kaoju")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// TestBuiltProgram runs the program over the example folder with no model and no settings.
func TestBuiltProgram(t *testing.T) {
	kaoju := program(t)
	t.Run("answers the example questions", func(t *testing.T) { known(t, kaoju) })
	t.Run("does not answer what no document speaks of", func(t *testing.T) { unknown(t, kaoju) })
}

// known expects every answer to say what it must, from a document that says so, quoting it.
func known(t *testing.T, kaoju string) {
	raw, err := os.ReadFile("questions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		t.Run(q.ID, func(t *testing.T) {
			t.Parallel()
			ask := exec.CommandContext(t.Context(), kaoju, "ask", "--in", "acme", "--json", q.Question)
			ask.Env = []string{"TMPDIR=" + t.TempDir()}
			var complaint strings.Builder
			ask.Stderr = &complaint
			out, err := ask.Output()
			if err != nil {
				t.Fatalf("%v\n%s%s", err, out, complaint.String())
			}
			var got reply
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			check(t, q, got)
		})
	}
}

func check(t *testing.T, q question, got reply) {
	t.Helper()
	if got.State != "completed" {
		t.Errorf("the run ended as %s", got.State)
	}
	for _, want := range q.Answer {
		if !strings.Contains(got.Answer, want) {
			t.Errorf("the answer does not say %q:\n%s", want, got.Answer)
		}
		quoted := false
		for _, c := range got.Citations {
			quoted = quoted || slices.Contains(q.DocKeys, c.DocKey) && strings.Contains(c.Excerpt, want)
		}
		if !quoted {
			t.Errorf("no citation of %v holds %q", q.DocKeys, want)
		}
	}
}

// unknown asks for matters that are in no document, in both languages.
func unknown(t *testing.T, kaoju string) {
	for _, q := range []string{"火星基地的氧气配额是多少", "Who won the regatta of 1887?"} {
		ask := exec.CommandContext(t.Context(), kaoju, "ask", "--in", "acme", "--json", q)
		ask.Env = []string{"TMPDIR=" + t.TempDir()}
		out, err := ask.Output()
		var got reply
		if jsonErr := json.Unmarshal(out, &got); jsonErr != nil {
			t.Fatalf("%s: %v, %v", q, err, jsonErr)
		}
		if got.State != "insufficient_evidence" || ask.ProcessState.ExitCode() != 3 || len(got.Citations) != 0 {
			t.Errorf("%s: ended as %s with status %d and %d citations", q, got.State, ask.ProcessState.ExitCode(), len(got.Citations))
		}
	}
}
