package leaktest

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/sharedtest"
)

const root = "../.."

// apply returns the file of an overlay with the edits of a fault, or says which of them no longer
// finds what it replaces.
func (f fault) apply(dir string) (string, error) {
	texts := map[string]string{}
	for _, e := range f.edits {
		path, err := filepath.Abs(filepath.Join(root, e.file))
		if err != nil {
			return "", err
		}
		text, ok := texts[path]
		if !ok {
			b, err := os.ReadFile(path)
			if err != nil {
				return "", err
			}
			text = string(b)
		}
		if strings.Count(text, e.old) != 1 {
			return "", fmt.Errorf("%s holds %d times, not once: %q", e.file, strings.Count(text, e.old), e.old)
		}
		texts[path] = strings.Replace(text, e.old, e.new, 1)
	}
	replace := map[string]string{}
	for path, text := range texts {
		to := filepath.Join(dir, fmt.Sprintf("%d-%s", len(replace), filepath.Base(path)))
		if err := os.WriteFile(to, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[path] = to
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, b, 0o600)
}

func TestEveryFaultStillFindsItsPlace(t *testing.T) {
	names := map[string]bool{}
	for _, f := range faults {
		if _, err := f.apply(t.TempDir()); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
		if names[f.name] || len(f.edits) == 0 {
			t.Errorf("%s is there twice, or changes nothing", f.name)
		}
		names[f.name] = true
	}
	if len(faults) < 15 {
		t.Errorf("there are %d faults", len(faults))
	}
}

var (
	failed = regexp.MustCompile(`--- FAIL: (\S+)`)
	reason = regexp.MustCompile(`_test\.go:\d+: ([^\[\n][^\n]{0,70})`)
	only   = flag.String("leaktest.fault", "", "try only the faults whose names hold this")
)

// TestEveryFaultIsCaught builds the product with each fault in turn and demands that a test fails.
// The tree is not touched: the compiler is given other files in the place of these.
func TestEveryFaultIsCaught(t *testing.T) {
	if !sharedtest.Demands("sabotage") {
		t.Skip("every fault needs a build of its own, which takes minutes: set KAOJU_TEST_REQUIRE=sabotage or call make sabotage")
	}
	// Without any fault the net must hold, or it proves nothing with one.
	if by, err := (fault{name: "none"}).caughtBy(t); by != "" || err != nil {
		t.Fatalf("the product as it is fails: %s %v", by, err)
	}
	var table strings.Builder
	caught, tried := 0, 0
	for _, f := range faults {
		if !strings.Contains(f.name, *only) {
			continue
		}
		tried++
		begun := time.Now()
		by, err := f.caughtBy(t)
		switch {
		case err != nil:
			t.Errorf("%s: %v", f.name, err)
			by = "not tried"
		case by == "":
			t.Errorf("%s: no test fails", f.name)
			by = "MISSED"
		default:
			caught++
		}
		line := fmt.Sprintf("%-46s %3.0f s  %s", f.name, time.Since(begun).Seconds(), by)
		fmt.Println("sabotage:", line)
		table.WriteString(line + "\n")
	}
	t.Logf("%d of %d faults are caught:\n%s", caught, tried, &table)
}

// caughtBy returns the test that fails with the fault; "" if none does.
func (f fault) caughtBy(t *testing.T) (string, error) {
	overlay, err := f.apply(t.TempDir())
	if err != nil {
		return "", err
	}
	leak := []string{"internal/leaktest", "-run", "TestNothingReaches", "-leaktest.sequences=80", "-leaktest.shrink=1ms"}
	nets := [][]string{leak}
	for _, pkg := range f.nets {
		nets = append(nets, []string{pkg})
	}
	for _, net := range nets {
		args := append([]string{"test", "-count=1", "-failfast", "-timeout=10m", "-overlay=" + overlay, "./" + net[0]}, net[1:]...)
		ctx, release := context.WithTimeout(t.Context(), 11*time.Minute)
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		release()
		if err == nil {
			continue
		}
		m := failed.FindSubmatch(out)
		if m == nil {
			return "", fmt.Errorf("it does not build or run: %v\n%s", err, tail(out))
		}
		by := net[0] + " " + string(m[1])
		if why := reason.FindAllSubmatch(out, -1); len(why) > 0 {
			by += ": " + string(why[len(why)-1][1])
		}
		return by, nil
	}
	return "", nil
}

func tail(b []byte) []byte { return b[max(0, len(b)-2000):] }
