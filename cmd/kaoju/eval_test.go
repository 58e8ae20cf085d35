package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// written writes a file into a folder of its own and returns its path.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSlipsOfAnEvaluationAreUsageErrors(t *testing.T) {
	good := written(t, "q.yaml", "cases: [{id: a, question: q}]\n")
	note := written(t, "a.md", "# A\n\nThe pump runs at 50 Hz.\n")
	for name, line := range map[string][]string{
		"no file":                    {},
		"a file that is not there":   {"nowhere.yaml"},
		"a file of another kind":     {note},
		"a broken file":              {written(t, "b.yaml", "cases: [{id: a}]\n")},
		"two corpora":                {good, "--demo", "--in", note},
		"a folder beside files":      {good, "--in", note, "--data", t.TempDir()},
		"a folder beside the demo":   {good, "--demo", "--data", t.TempDir()},
		"files with a reader":        {good, "--in", note, "--as", "alice"},
		"files with a tenant":        {good, "--in", note, "--tenant", "acme"},
		"no tries":                   {good, "--in", note, "--repeat", "0"},
		"too many at once":           {good, "--in", note, "--parallel", "17"},
		"no time":                    {good, "--in", note, "--time", "0s"},
		"a minimum that is none":     {good, "--in", note, "--min", "retrieval"},
		"a case that is not there":   {good, "--in", note, "--case", "b"},
		"a baseline that is missing": {good, "--in", note, "--baseline", "nowhere.json"},
		"a baseline of another kind": {good, "--in", note, "--baseline", written(t, "x.json", `{"format": 1}`)},
		"a limit of none":            {"list", "--limit", "0"},
		"show without id":            {"show"},
	} {
		if status, out, errs := kaoju(t, append([]string{"eval"}, line...)...); status != exitUsage || errs == "" {
			t.Errorf("%s: status %d\n%s%s", name, status, out, errs)
		}
	}
}

func TestACorpusThatIsNotThereIsNotFound(t *testing.T) {
	good := written(t, "q.yaml", "cases: [{id: a, question: q}]\n")
	for _, line := range [][]string{
		{"eval", good, "--data", "nowhere"}, {"eval", "list", "--data", "nowhere"}, {"eval", "show", "eval_x", "--data", "nowhere"}, {"eval", good, "--in", "nowhere"},
	} {
		if status, _, errs := kaoju(t, line...); status != exitRefused {
			t.Errorf("%v: status %d, %s", line, status, errs)
		}
	}
}

func TestAReportThatCannotBeWrittenFails(t *testing.T) {
	good := written(t, "q.yaml", "cases: [{id: a, question: How fast does the pump run?}]\n")
	note := written(t, "a.md", "# A\n\nThe pump runs at 50 Hz.\n")
	for _, flag := range []string{"--junit", "--html"} {
		path := filepath.Join(t.TempDir(), "no", "folder")
		if status, _, errs := kaoju(t, "eval", good, "--in", note, flag, path); status != exitFailed || !strings.Contains(errs, path) {
			t.Errorf("%s: status %d, %s", flag, status, errs)
		}
	}
}

// TestTheDemonstrationIsAskedAsAliceUnlessSomebodyElseIsNamed looks for the research handbook.
func TestTheDemonstrationIsAskedAsAliceUnlessSomebodyElseIsNamed(t *testing.T) {
	hidden := written(t, "q.yaml", "cases: [{id: a, question: CANARY-RD-7f3a91, groups: retrieval, forbid: {documents: doc-rd-handbook-v1}}]\n")
	for _, c := range []struct {
		flags []string
		want  int
	}{{nil, exitDone}, {[]string{"--as", "dave"}, exitDone}, {[]string{"--as", "bob"}, exitFailed}, {[]string{"--as", "erin", "--tenant", "globex"}, exitDone}, {[]string{"--as", "erin"}, exitFailed}} {
		status, out, errs := kaoju(t, append([]string{"eval", hidden, "--demo", "--json"}, c.flags...)...)
		if status != c.want {
			t.Errorf("%v: status %d\n%s%s", c.flags, status, out, errs)
		}
	}
}

// TestAnInterruptedEvaluationPrintsAndKeepsWhatIsDone interrupts while the model is asked the
// second question; what it answered to the first was an error.
func TestAnInterruptedEvaluationPrintsAndKeepsWhatIsDone(t *testing.T) {
	data, docs := filepath.Join(t.TempDir(), "data"), written(t, "pump.md", "# Pump\n\nThe pump runs at 50 Hz.\n")
	questions := "cases:\n"
	for _, id := range []string{"first", "second", "third"} {
		questions += "- {id: " + id + ", question: How fast does the pump run the " + id + " time?, route: fixed_rag, contains: [50 Hz]}\n"
	}
	for _, line := range [][]string{{"kb", "create", "kb", "--data", data}, {"add", docs, "--kb", "kb", "--publish", "--data", data}} {
		if status, _, errs := kaoju(t, line...); status != exitDone {
			t.Fatalf("%v: %s", line, errs)
		}
	}
	ctx, interrupt := context.WithCancel(t.Context())
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if body, err := io.ReadAll(r.Body); err != nil || strings.Contains(string(body), "second time") {
			interrupt()
		}
		http.Error(w, `{"error": {"message": "no"}}`, http.StatusBadRequest)
	}))
	defer model.Close()
	var out, errs strings.Builder
	status := execute(ctx, []string{
		"eval", written(t, "q.yaml", questions), "--data", data, "--parallel", "1", "--json", "--model-url", model.URL + "/v1", "--model", "m",
	}, map[string]string{}, strings.NewReader(""), &out, &errs)
	var r eval.Report
	if err := json.Unmarshal([]byte(out.String()), &r); err != nil {
		t.Fatalf("%v: %s%s", err, out.String(), errs.String())
	}
	if status != exitFailed || len(r.Cases) != 1 || r.Unfinished != 2 || r.Cases[0].ID != "first" {
		t.Fatalf("status %d, %d cases, %d unfinished", status, len(r.Cases), r.Unfinished)
	}
	if r.Engine != "model" || r.Model != "m" {
		t.Errorf("answered by %s %s", r.Engine, r.Model)
	}
	if status, shown, errs := kaoju(t, "eval", "list", "--data", data); status != exitDone || !strings.Contains(shown, r.ID) {
		t.Errorf("the result was not kept: %s%s", shown, errs)
	}
}

// TestEachTenantKeepsItsOwnPartOfAResult evaluates a folder with two companies.
func TestEachTenantKeepsItsOwnPartOfAResult(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	s, err := wiring.Open(t.Context(), settingsOf(t, nil), data, sqlite.Options{Ephemeral: true}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Demo(t.Context(), data)
	s.Close()
	if err != nil {
		t.Fatal(err)
	}
	questions := written(t, "q.yaml", "cases:\n- {id: ours, as: alice, question: 上海住宿上限是多少, contains: [650]}\n"+
		"- {id: theirs, as: erin, tenant: globex, question: What is the lodging limit in Shanghai?, contains: [880]}\n"+
		"- {id: nobodys, as: eve, tenant: initech, question: q}\n")
	if status, out, errs := kaoju(t, "eval", questions, "--data", data, "--tenant", "acme", "--as", "alice", "--min", "citation=0.5", "--min", "traceability=0.5"); status != exitDone {
		t.Fatalf("status %d\n%s%s", status, out, errs)
	}
	for tenant, c := range map[string]struct{ user, has, lacks string }{"acme": {"alice", "ours", "theirs"}, "globex": {"erin", "theirs", "ours"}} {
		_, list, errs := kaoju(t, "eval", "list", "--data", data, "--tenant", tenant, "--as", c.user, "--json")
		var kept struct{ Items []eval.Result }
		if err := json.Unmarshal([]byte(list), &kept); err != nil || len(kept.Items) != 1 {
			t.Fatalf("%s: %v %s%s", tenant, err, list, errs)
		}
		_, shown, _ := kaoju(t, "eval", "show", kept.Items[0].ID, "--data", data, "--tenant", tenant, "--as", c.user, "--json")
		if !strings.Contains(shown, `"id": "`+c.has+`"`) || strings.Contains(shown, `"id": "`+c.lacks+`"`) || strings.Contains(shown, "nobodys") {
			t.Errorf("%s keeps\n%s", tenant, shown)
		}
	}
	s, err = wiring.Open(t.Context(), settingsOf(t, nil), data, sqlite.Options{Ephemeral: true}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, tenant := range []string{"acme", "globex"} {
		page, err := s.DB.Ledger().Entries(t.Context(), tenant, 0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		var by []string
		for _, e := range page {
			if e.Kind == ledger.EvaluationEnded {
				by = append(by, e.Actor)
			}
		}
		if !slices.Equal(by, []string{ledger.Operator}) {
			t.Errorf("the ledger of %s says that %v evaluated", tenant, by)
		}
	}
}

// settingsOf returns the settings of a command without flags under an environment.
func settingsOf(t *testing.T, env map[string]string) *setting.Config {
	t.Helper()
	root := command(&console.CLI{})
	if err := root.ParseFlags(nil); err != nil {
		t.Fatal(err)
	}
	conf, err := setting.Load(root, env)
	if err != nil {
		t.Fatal(err)
	}
	return conf
}
