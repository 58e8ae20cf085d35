package main

import (
	"encoding/json"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// TestSynonymsLeaveTheDemonstrationsEvaluationAsItIs evaluates two demonstrations: one without a list,
// and one whose list puts other names beside words of the questions.
func TestSynonymsLeaveTheDemonstrationsEvaluationAsItIs(t *testing.T) {
	list := written(t, "list.txt", "住宿, 酒店, lodging, hotel\n差补 => 出差补助, 每天补助\n远程办公, 在家办公, remote work, WFH\nDR => 回退, rollback\n备用金, 借支\n公开招标, tender\n")
	measured := map[string]map[string]any{}
	for _, name := range []string{"without", "with"} {
		data := filepath.Join(t.TempDir(), name)
		s, err := open(t.Context(), settingsOf(t), data, sqlite.Options{Ephemeral: true}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.demo(t.Context(), data)
		s.close()
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
