package export_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/export"
)

// attacks are the shared cases of Markdown that must not become active.
func attacks(t *testing.T) (out []struct{ ID, Markdown string }) {
	t.Helper()
	root := os.Getenv("KAOJU_TEST_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	} else if !filepath.IsAbs(root) {
		root = filepath.Join("..", "..", root)
	}
	f, err := os.Open(filepath.Join(root, "security", "markdown_xss.jsonl"))
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("KAOJU_TEST_REQUIRE"), ","), "shared") {
			t.Fatalf("the shared cases are required, but not there: %v", err)
		}
		t.Skipf("there are no shared cases in %s; KAOJU_TEST_DATA names their folder", root)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c struct{ ID, Markdown string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	if err := lines.Err(); err != nil || len(out) == 0 {
		t.Fatalf("%d cases, %v", len(out), err)
	}
	return out
}

func TestTheSharedCasesComeOutAsText(t *testing.T) {
	cases := attacks(t)
	live := 0
	for _, c := range cases {
		if len(active([]byte(c.Markdown))) > 0 {
			live++
		}
		inert(t, c.ID, c.Markdown)
		opened(t, write(t, everywhere(c.Markdown), export.AsWord))
	}
	if live < len(cases)/2 {
		t.Errorf("only %d of %d cases are active before they are exported: the judge is blind", live, len(cases))
	}
	t.Logf("%d cases, %d of them active as they are, none in the exports", len(cases), live)
}
