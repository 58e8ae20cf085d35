package main

import (
	"encoding/json"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// TestSynonymsLeaveTheDemonstrationsEvaluationAsItIs evaluates two demonstrations: one without a list,
// and one whose list puts other names beside words of the questions.
func TestSynonymsLeaveTheDemonstrationsEvaluationAsItIs(t *testing.T) {
	if raced {
		t.Skip("figures are compared without the race detector; the example set runs under it in a transcript")
	}
	list := written(t, "list.txt", "住宿, 酒店, lodging, hotel\n差补 => 出差补助, 每天补助\n远程办公, 在家办公, remote work, WFH\nDR => 回退, rollback\n备用金, 借支\n公开招标, tender\n")
	measured := map[string]map[string]any{}
	for _, name := range []string{"without", "with"} {
		data := filepath.Join(t.TempDir(), name)
		s, err := wiring.Open(t.Context(), settingsOf(t, nil), data, sqlite.Options{Ephemeral: true}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Demo(t.Context(), data)
		s.Close()
		if err != nil {
			t.Fatal(err)
		}
		where := []string{"--data", data, "--tenant", "acme", "--as", "alice"}
		if name == "with" {
			if status, _, errs := kaoju(t, append([]string{"synonyms", "set", list}, where...)...); status != exitDone {
				t.Fatal(errs)
			}
		}
		status, out, errs := kaoju(t, append([]string{"eval", "../../examples/eval/acme.yaml", "--json"}, where...)...)
		var r eval.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Cases) == 0 {
			t.Fatalf("%s: status %d, %v\n%s", name, status, err, errs)
		}
		passed := map[string]any{"status": status}
		for _, c := range r.Cases {
			passed[c.ID] = c.Passed
		}
		measured[name] = passed
	}
	if d := cmp.Diff(measured["without"], measured["with"]); d != "" {
		t.Errorf("-without +with: %s", d)
	}
}

// TestAListHoldsForARunningServerWhoeverSetsIt sets lists over the server, and on the folder under it.
func TestAListHoldsForARunningServerWhoeverSetsIt(t *testing.T) {
	dir := t.TempDir()
	s := serveDemo(t, dir)
	folder := []string{"--data", dir, "--tenant", "acme", "--as", "alice"}
	for _, line := range [][]string{{"user", "add", "tess", "--role", "tenant_admin"}, {"token", "create", "--user", "tess", "--json"}} {
		status, out, errs := kaoju(t, append(line, folder...)...)
		if status != exitDone {
			t.Fatal(out, errs)
		}
		if line[0] == "token" {
			var made api.IssuedToken
			if err := json.Unmarshal([]byte(out), &made); err != nil {
				t.Fatal(err)
			}
			s.tokens["TESS"] = made.Token
		}
	}
	over := []string{"--server", s.url, "--token", s.tokens["TESS"]}
	finds := func(query string, want bool) {
		t.Helper()
		got, _ := searched(t, query, "--server", s.url, "--token", s.tokens["ALICE"])
		if found := len(got.Items) > 0 && got.Items[0].DocKey == "travel-policy"; found != want {
			t.Errorf("%q finds the travel policy first: %v, want %v", query, found, want)
		}
	}
	set := func(where []string, want int, text string, more ...string) string {
		t.Helper()
		status, out, errs := kaoju(t, with(append([]string{"synonyms", "set", written(t, "list.txt", text)}, more...), where...)...)
		if status != want {
			t.Fatalf("status %d, want %d: %s%s", status, want, out, errs)
		}
		return out + errs
	}
	finds("QZX", false)
	set(over, exitDone, "QZX => 上海住宿上限\n")
	finds("QZX", true)
	set(folder, exitDone, "QZY => 上海住宿上限\n")
	finds("QZX", false)
	finds("QZY", true)
	if _, out, errs := kaoju(t, with([]string{"synonyms", "list"}, over...)...); out != "QZY => 上海住宿上限\n" {
		t.Errorf("the server lists %q %s", out, errs)
	}
	if said := set(over, exitFailed, "QZY, 住宿\nB超\n"); !strings.Contains(said, `/lines/1: The word "B超"`) {
		t.Error(said)
	}
	if said := set(over, exitFailed, "QZZ, 住宿\n", "--if-version", "2"); !strings.Contains(said, "changed meanwhile") {
		t.Error(said)
	}
	set(over, exitDone, "", "--if-version", "3")
	finds("QZY", false)
	for _, who := range []string{"ALICE", "CAROL", "DAVE"} {
		at := []string{"--server", s.url, "--token", s.tokens[who]}
		if said := set(at, exitRefused, "QZX, 住宿\n"); !strings.Contains(said, "no such thing that you can see") && !strings.Contains(said, "nothing here that you can see") {
			t.Errorf("%s is told %s", who, said)
		}
		if status, out, _ := kaoju(t, with([]string{"synonyms", "list"}, at...)...); status != exitRefused || out != "" {
			t.Errorf("%s lists %d %q", who, status, out)
		}
	}
}
