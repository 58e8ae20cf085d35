// Package sharedtest finds the public data sets that tests compare with. They are third parties' and not
// in the repository: they stand in the folder that KAOJU_TEST_DATA names, by default ../shared beside the
// repository. Where they are not there a test is skipped with a sentence, unless KAOJU_TEST_REQUIRE, a
// list with commas, demands them.
package sharedtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// longest bounds a line of JSON.
const longest = 1 << 26

// Demands reports whether a part of the tests must not be skipped: "shared", "quality", "sabotage", "poppler", "ocr".
func Demands(part string) bool {
	parts := strings.Split(os.Getenv("KAOJU_TEST_REQUIRE"), ",")
	return slices.ContainsFunc(parts, func(p string) bool { return strings.TrimSpace(p) == part })
}

// Path returns a file or folder of the data, or skips the test.
func Path(t testing.TB, path ...string) string {
	t.Helper()
	file := filepath.Join(append([]string{root(t)}, path...)...)
	if _, err := os.Stat(file); err != nil {
		if Demands("shared") {
			t.Fatalf("the shared test data are demanded, but not there: %v", err)
		}
		t.Skipf("the shared test data are not there; KAOJU_TEST_DATA names their folder: %v", err)
	}
	return file
}

// Records reads a file of JSON lines; one without any is no data to test with.
func Records[T any](t testing.TB, path ...string) []T {
	t.Helper()
	f, err := os.Open(Path(t, path...))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var out []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, longest)
	for lines.Scan() {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s, record %d: %v", f.Name(), len(out)+1, err)
		}
		out = append(out, v)
	}
	if err := lines.Err(); err != nil || len(out) == 0 {
		t.Fatalf("%s: %d records, %v", f.Name(), len(out), err)
	}
	return out
}

// root is the folder of the data. A test runs in the folder of its package, so that a relative name is
// taken from the repository's own folder instead.
func root(t testing.TB) string {
	t.Helper()
	named := os.Getenv("KAOJU_TEST_DATA")
	if filepath.IsAbs(named) {
		return named
	}
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			if named == "" {
				named = filepath.Join("..", "shared")
			}
			return filepath.Join(dir, named)
		}
		if filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	t.Fatalf("this test does not run in the repository: %v", err)
	return ""
}
