//go:build race

package agent_test

import (
	"flag"
	"testing"
)

// fewer lets a property each case of which is a run over the whole store draw 25 of them where the race detector watches: a
// race shows in any. The run without it draws as many as usual. The command line still decides (-rapid.checks=1000).
func fewer(t *testing.T) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	was := checks.Value.String()
	if was != checks.DefValue {
		return
	}
	if err := checks.Value.Set("25"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := checks.Value.Set(was); err != nil {
			t.Error(err)
		}
	})
}
