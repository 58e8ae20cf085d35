package sqlite

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/sqlite/image"
	"github.com/kaoju/kaoju/internal/sqlite/intake"
	"github.com/kaoju/kaoju/internal/sqlite/pending"
	"github.com/kaoju/kaoju/internal/sqlite/proof"
	"github.com/kaoju/kaoju/internal/sqlite/recuts"
	"github.com/kaoju/kaoju/internal/sqlite/renewal"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/sqlite/vectors"
)

// planned returns the steps of a query.
func planned(t *testing.T, db *DB, query string, args ...any) []string {
	t.Helper()
	rows, err := db.reader.Query(`EXPLAIN QUERY PLAN `+query, args...)
	plan, err := row.Collect(rows, err, func(r row.Scanner) (string, error) {
		var id, parent, unused int
		var detail string
		err := r.Scan(&id, &parent, &unused, &detail)
		return detail, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// A server that starts looks at the beginning of every segment. Taken from the segments themselves,
// that reads all of them.
func TestTheBeginningsOfSegmentsAreReadWithoutTheSegments(t *testing.T) {
	plan := planned(t, opened(t, t.TempDir()), renewal.Heads)
	if plan[0] != "SCAN segments USING COVERING INDEX segments_heads" {
		t.Errorf("plan %q", plan)
	}
}

// What a server follows is read by what changed, however many versions there are.
func TestWhatChangedIsReadWithoutWhatDidNot(t *testing.T) {
	plan := planned(t, opened(t, t.TempDir()), image.Changed, "acme", 7, 9)
	for _, step := range []string{"SEARCH documents USING INDEX documents_moved (tenant=? AND moved>?)", "SEARCH documents USING INDEX documents_cut (tenant=? AND cut>?)"} {
		if !slices.Contains(plan, step) {
			t.Errorf("plan %q", plan)
		}
	}
}

// What a server tells of itself is asked for often: it reads no version that neither waits nor was refused.
func TestWhatWaitsIsCountedWithoutWhatDoesNot(t *testing.T) {
	db := opened(t, t.TempDir())
	for query, first := range map[string]string{
		pending.Groups(recuts.Waits, false):  "SEARCH d USING INDEX documents_chunker (tenant=? AND chunker<?)",
		pending.Groups(vectors.Waits, false): "SEARCH e USING COVERING INDEX embeddings_open (tenant=?)",
		vectors.Refusals:                     "SCAN v USING INDEX vectors_refused",
	} {
		if plan := planned(t, db, query, slices.Repeat([]any{"acme"}, strings.Count(query, "?"))...); plan[0] != first {
			t.Errorf("plan %q", plan)
		}
	}
}

// Each text that is held against the ledger asks for its entry, and whether it was cut anew.
func TestWhatTellsOfATextIsFoundByTheVersion(t *testing.T) {
	for index, query := range map[string]string{"entries_of_added": proof.AddedOf, "entries_of_recut": proof.RecutOf} {
		plan := planned(t, opened(t, t.TempDir()), `SELECT body FROM entries `+query, "acme", "d")
		if len(plan) != 1 || !strings.HasPrefix(plan[0], "SEARCH entries USING INDEX "+index+" (tenant=? AND <expr>=?)") {
			t.Errorf("plan %q", plan)
		}
	}
}

// Each run that is held against the ledger asks for erasures: by the version, however many entries there are.
func TestErasuresAreFoundByTheVersion(t *testing.T) {
	plan := planned(t, opened(t, t.TempDir()), proof.Erased, "acme", "[]")
	if !slices.ContainsFunc(plan, func(step string) bool {
		return strings.HasPrefix(step, "SEARCH entries USING INDEX entries_of_erased (tenant=? AND <expr>=?)")
	}) {
		t.Errorf("plan %q", plan)
	}
}

// Each run and draft that is held asks for its entries: by the run, however many entries there are.
func TestEntriesOfARunAreFoundByTheRun(t *testing.T) {
	plan := planned(t, opened(t, t.TempDir()), proof.Belonging, "run_1", "acme")
	if plan[0] != "SEARCH entries USING INDEX entries_by_run (run=? AND tenant=?)" {
		t.Errorf("plan %q", plan)
	}
}

// However many jobs have ended, a claim looks at those that wait.
func TestClaimsReadNoJobsThatHaveEnded(t *testing.T) {
	db := opened(t, t.TempDir())
	plan := planned(t, db, intake.NextDue, 0)
	searches := 0
	for _, step := range plan {
		if strings.HasPrefix(step, "SEARCH ") || strings.HasPrefix(step, "SCAN jobs") {
			searches++
			if !strings.Contains(step, "INDEX jobs_due") && !strings.Contains(step, "INDEX jobs_open") {
				t.Errorf("%s", step)
			}
		}
	}
	if searches != 4 {
		t.Errorf("plan %q", plan)
	}
}

// A guard that looks through a table makes every new row cost what the table has.
func TestGuardsOfNewRowsFindWhatTheyLookFor(t *testing.T) {
	db := opened(t, t.TempDir())
	guards := 0
	for _, trigger := range column(t, db, `SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND sql LIKE '% BEFORE INSERT ON %WHEN EXISTS (%'`) {
		_, condition, _ := strings.Cut(trigger, "WHEN ")
		condition, _, _ = strings.Cut(condition, "\nBEGIN")
		guards++
		for _, step := range planned(t, db, "SELECT 1 WHERE "+regexp.MustCompile(`NEW\.\w+`).ReplaceAllString(condition, "'x'")) {
			// Of heads there is one for a tenant.
			if strings.HasPrefix(step, "SCAN ") && step != "SCAN CONSTANT ROW" || strings.HasSuffix(step, "(tenant=?)") && !strings.Contains(step, " heads ") {
				t.Errorf("%s: %s", condition, step)
			}
		}
	}
	if guards < 10 {
		t.Errorf("%d guards were looked at", guards)
	}
}
