package sharedtest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/sharedtest"
)

// outcome is what became of a test: its name in the record is what ended it.
type outcome struct {
	testing.TB
	ended string
}

func (o *outcome) Helper() {}

func (o *outcome) Fatal(...any) { o.end("failed") }

func (o *outcome) Fatalf(string, ...any) { o.end("failed") }

func (o *outcome) Skipf(string, ...any) { o.end("skipped") }

func (o *outcome) end(how string) {
	o.ended = how
	panic(o)
}

// ends runs a part of a test and tells how it ended; "" if it went through.
func ends(t *testing.T, part func(testing.TB)) string {
	t.Helper()
	o := &outcome{TB: t}
	func() {
		defer func() {
			if r := recover(); r != nil && r != any(o) {
				panic(r)
			}
		}()
		part(o)
	}()
	return o.ended
}

func data(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("KAOJU_TEST_DATA", dir)
	t.Setenv("KAOJU_TEST_REQUIRE", "")
	return dir
}

func TestWhatIsNotThereSkipsUnlessItIsDemanded(t *testing.T) {
	data(t, map[string]string{"a": "x"})
	for require, want := range map[string]string{"": "skipped", "quality": "skipped", "unshared": "skipped", "shared": "failed", "quality, shared": "failed"} {
		t.Setenv("KAOJU_TEST_REQUIRE", require)
		if got := ends(t, func(t testing.TB) { sharedtest.Path(t, "none") }); got != want {
			t.Errorf("%q: %s, want %s", require, got, want)
		}
		if got := ends(t, func(t testing.TB) { sharedtest.Path(t, "a") }); got != "" {
			t.Errorf("%q: what is there %s", require, got)
		}
	}
}

func TestPartsAreDemandedByTheirWholeName(t *testing.T) {
	t.Setenv("KAOJU_TEST_REQUIRE", "shared, quality")
	for part, want := range map[string]bool{"shared": true, "quality": true, "sabotage": false, "share": false, "shared, quality": false} {
		if got := sharedtest.Demands(part); got != want {
			t.Errorf("%q: %v", part, got)
		}
	}
}

func TestRecordsAreReadToTheLastLine(t *testing.T) {
	long := strings.Repeat("长", 1<<20)
	data(t, map[string]string{"a.jsonl": "{\"id\":1}\n\n{\"id\":2,\"text\":\"" + long + "\"}\n{\"id\":3}"})
	type record struct {
		ID   int
		Text string
	}
	if diff := cmp.Diff([]record{{1, ""}, {2, long}, {3, ""}}, sharedtest.Records[record](t, "a.jsonl")); diff != "" {
		t.Error(diff)
	}
}

func TestDataThatCannotBeReadFailsTheTest(t *testing.T) {
	data(t, map[string]string{"broken": "{\"id\":1}\n{\"id\":", "other": "[1]\n", "empty": "", "blank": "\n\n", "endless": `{"text":"` + strings.Repeat("x", 1<<26) + `"}`})
	for _, name := range []string{"broken", "other", "empty", "blank", "endless"} {
		if got := ends(t, func(t testing.TB) { sharedtest.Records[struct{ ID int }](t, name) }); got != "failed" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestARelativeFolderIsNamedFromTheRepository(t *testing.T) {
	data(t, nil)
	t.Setenv("KAOJU_TEST_DATA", "internal/sharedtest")
	if got := sharedtest.Path(t, "sharedtest.go"); filepath.Base(filepath.Dir(got)) != "sharedtest" || !filepath.IsAbs(got) {
		t.Errorf("found %s", got)
	}
	t.Setenv("KAOJU_TEST_DATA", "")
	t.Chdir(t.TempDir())
	if got := ends(t, func(t testing.TB) { sharedtest.Path(t, "go.mod") }); got != "failed" {
		t.Errorf("outside of the repository: %q", got)
	}
}
