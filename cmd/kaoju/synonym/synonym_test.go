package synonym_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/synonym"
	"github.com/kaoju/kaoju/internal/lexicon"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestLinesAreThoseOfTheFile(t *testing.T) {
	for text, want := range map[string][]string{
		"": {}, "\n": {}, "a, b": {"a, b"}, "a, b\n": {"a, b"}, "\ufeffOA, 办公\r\n\r\n# x\r\n": {"OA, 办公", "", "# x"}, "\n\na": {"", "", "a"},
	} {
		path := filepath.Join(t.TempDir(), "list.txt")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := synonym.Read(path, nil)
		stdin, also := synonym.Read("-", strings.NewReader(text))
		if err != nil || also != nil {
			t.Fatal(err, also)
		}
		if d := cmp.Diff(want, file); d != "" || !cmp.Equal(file, stdin) {
			t.Errorf("%q: %s, and %q from the standard input", text, d, stdin)
		}
	}
}

func TestAFileThatCannotBeReadOrIsTooLongIsNoList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.txt")
	if _, err := synonym.Read(path, nil); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("%v", err)
	}
	lines, err := synonym.Read("-", strings.NewReader(strings.Repeat("# remark\n", lexicon.MaxSize)))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := lexicon.Check(lines); problem.CodeOf(err) != "invalid_lexicon" {
		t.Errorf("%d lines: %v", len(lines), err)
	}
}

func TestRefusedLinesAreNamedWhoeverRefusedThem(t *testing.T) {
	here := &problem.Error{Fields: []problem.Field{{Pointer: "/lines/1", Detail: "no"}, {Pointer: "/lines/4", Detail: "nor this"}}}
	there := &api.Problem{Errors: []api.FieldError{{Pointer: "/lines/2", Detail: "no"}}}
	for _, c := range []struct {
		err  error
		want []string
	}{{fmt.Errorf("set: %w", here), []string{"/lines/1: no", "/lines/4: nor this"}}, {there, []string{"/lines/2: no"}}, {errors.New("x"), nil}, {nil, nil}} {
		if d := cmp.Diff(c.want, synonym.Wrong(c.err)); d != "" {
			t.Error(d)
		}
	}
}
