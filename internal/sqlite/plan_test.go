package sqlite

import (
	"strings"
	"testing"
)

// However many jobs have ended, a claim looks at those that wait.
func TestClaimsReadNoJobsThatHaveEnded(t *testing.T) {
	db := opened(t, t.TempDir())
	rows, err := db.reader.Query(`EXPLAIN QUERY PLAN `+selectJob+nextDue, 0)
	plan, err := collect(rows, err, func(r scanner) (string, error) {
		var id, parent, unused int
		var detail string
		err := r.Scan(&id, &parent, &unused, &detail)
		return detail, err
	})
	if err != nil {
		t.Fatal(err)
	}
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
