package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/reading"
	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/failpoint/failpointtest"
)

// The exit statuses, as the tests of commands name them.
const (
	exitDone         = outcome.Done
	exitFailed       = outcome.Failed
	exitUsage        = outcome.Usage
	exitInsufficient = outcome.Insufficient
	exitRefused      = outcome.Refused
)

// TestMain lets the test binary stand in for the product: as the command kaoju of the scripts, as
// the process that reads files for it, and as the child that the crash test kills, or that kills itself.
func TestMain(m *testing.M) {
	if point, ok := os.LookupEnv(dieAt); ok {
		ctx := failpointtest.Dying(context.Background(), failpoint.Point(point), 1)
		os.Exit(execute(ctx, os.Args[1:], environment(), os.Stdin, os.Stdout, os.Stderr))
	}
	if len(os.Args) > 1 && os.Args[1] == reading.Command {
		main()
		return
	}
	// A program that the race detector watches waits a second before it ends, unless told not to.
	if err := os.Setenv("GORACE", "atexit_sleep_ms=0"); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){"kaoju": main})
}

func TestCommandsBehaveAsTheirTranscriptsSay(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			acme, err := filepath.Abs("../../examples/acme")
			env.Setenv("ACME", acme)
			env.Setenv("GORACE", os.Getenv("GORACE"))
			if cache, err := os.UserCacheDir(); err == nil {
				env.Setenv("XDG_CACHE_HOME", cache) // so that no script compiles what the one before did
			}
			return err
		},
		Condition: func(name string) (bool, error) {
			if name != "race" {
				return false, fmt.Errorf("there is no condition %q", name)
			}
			return raced, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			// bytes FILE TEXT writes TEXT into FILE, with \xNN standing for a byte.
			"bytes": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(unescape(args[1])), 0o600))
			},
			// repeat FILE N TEXT writes TEXT N times into FILE.
			"repeat": func(ts *testscript.TestScript, _ bool, args []string) {
				n, err := strconv.Atoi(args[1])
				ts.Check(err)
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), bytes.Repeat([]byte(unescape(args[2])), n), 0o600))
			},
		},
	})
}

func TestUsageErrorsHaveAStatusOfTheirOwn(t *testing.T) {
	note := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(note, []byte("# A\n\nThe pump runs at 50 Hz.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(t.TempDir(), "empty.md")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, lines := range map[int][][]string{
		exitUsage: {{"nope"}, {"ledger", "nope"}, {"ask", "--in", note, ""}, {"ask", "--in", note, "--route", "zzz", "x"}, {"ask"},
			{"kb", "create", "bad id", "--data", t.TempDir()}, {"kb", "create", "x", "--publishing", "zzz"}, {"serve", "--workers", "abc"}},
		exitRefused:      {{"search", "x", "--data", "nowhere"}, {"ask", "--in", note, "--route", "refuse", "x"}, {"ask", "--in", "no-such-folder", "x"}},
		exitInsufficient: {{"ask", "--in", note, "Who founded the city of Rome?"}},
		exitFailed:       {{"ask", "--in", empty, "x"}},
		exitDone:         {{"version"}, {"ask", "--in", note, "How fast does the pump run?"}, {"ask", "--in", note, note, "How fast does the pump run?"}, {}},
	} {
		for _, line := range lines {
			if status, out, errs := kaoju(t, line...); status != want {
				t.Errorf("kaoju %q: status %d, want %d\n%s%s", line, status, want, out, errs)
			}
		}
	}
}

// unescape turns \xNN into bytes.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.HasPrefix(s[i:], `\x`) && i+4 <= len(s) {
			var v byte
			for _, c := range s[i+2 : i+4] {
				v = v<<4 | byte(strings.IndexRune("0123456789abcdef", c))
			}
			b.WriteByte(v)
			i += 3
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// kaoju runs a command line inside the test and returns its status and output.
func kaoju(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	status = execute(context.Background(), args, map[string]string{}, strings.NewReader(""), &out, &errs)
	return status, out.String(), errs.String()
}
