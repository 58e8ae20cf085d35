package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// kills is how often a test kills a process at a random moment: so often, and twice under the race detector, which makes each start of a
// process several times as long.
func kills(n int) int {
	if raced {
		return 2
	}
	return n
}

// TestKillAtAnyMomentLeavesOldStateOrNewState kills `kaoju add` at random moments while it
// publishes new versions. Afterwards rows, index, originals and ledger agree, every document is
// whole in exactly one published version, and adding again ends the work.
func TestKillAtAnyMomentLeavesOldStateOrNewState(t *testing.T) {
	data, docs := t.TempDir(), t.TempDir()
	command := func(args ...string) *exec.Cmd {
		return exec.Command("kaoju", append(args, "--data", data)...)
	}
	output := func(args ...string) string {
		t.Helper()
		out, err := command(args...).CombinedOutput()
		if err != nil {
			t.Fatalf("kaoju %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	const files = 12
	rounds := kills(8)
	write := func(version int) {
		t.Helper()
		for i := range files {
			text := fmt.Sprintf("# Record %d\n\nThe value of record%d is v%dx.\n\n%s", i, i, version, strings.Repeat("Some more text to read.\n\n", 50))
			if err := os.WriteFile(filepath.Join(docs, fmt.Sprintf("r%02d.md", i)), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	output("kb", "create", "k", "--publishing", "direct")
	write(0)
	output("add", docs, "--kb", "k", "--publish")
	for round := 1; round <= rounds; round++ {
		write(round)
		add := command("add", docs, "--kb", "k", "--publish")
		if err := add.Start(); err != nil {
			t.Fatal(err)
		}
		// The moment of the kill is random: nothing waits for anything here.
		kill := time.AfterFunc(time.Duration(rand.IntN(120))*time.Millisecond, func() { add.Process.Kill() })
		add.Wait()
		kill.Stop()
		if out := output("doctor"); strings.Contains(out, "FAIL") {
			t.Fatalf("round %d:\n%s", round, out)
		}
		for i := range files {
			out := output("search", fmt.Sprintf("the value of record%d", i), "--doc-key", fmt.Sprintf("r%02d.md", i), "--json", "--limit", "50")
			old, new := strings.Contains(out, fmt.Sprintf(" is v%dx.", round-1)), strings.Contains(out, fmt.Sprintf(" is v%dx.", round))
			if old == new {
				t.Fatalf("round %d, record %d: old version found: %v, new version found: %v\n%s", round, i, old, new, out)
			}
		}
		output("add", docs, "--kb", "k", "--publish")
		if out := output("search", "the value of record3", "--doc-key", "r03.md", "--json"); !strings.Contains(out, fmt.Sprintf(" is v%dx.", round)) {
			t.Fatalf("round %d: adding again did not end the work:\n%s", round, out)
		}
	}
}
