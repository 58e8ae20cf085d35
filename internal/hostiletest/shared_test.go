package hostiletest

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// records reads a file of JSON lines of the shared test data, or skips.
func records[T any](t *testing.T, path ...string) []T {
	t.Helper()
	root := os.Getenv("KAOJU_TEST_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	f, err := os.Open(filepath.Join(append([]string{root}, path...)...))
	if err != nil {
		for word := range strings.SplitSeq(os.Getenv("KAOJU_TEST_REQUIRE"), ",") {
			if strings.TrimSpace(word) == "shared" {
				t.Fatalf("The shared test data are demanded but not there: %v", err)
			}
		}
		t.Skipf("The shared test data are not there: %v", err)
	}
	defer f.Close()
	var out []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r T
		check(t, json.Unmarshal(lines.Bytes(), &r))
		out = append(out, r)
	}
	check(t, lines.Err())
	return out
}
