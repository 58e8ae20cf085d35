package stored

import (
	"context"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// EvidenceOf reads what a run read, in order of registration.
func EvidenceOf(ctx context.Context, q row.Queries, id run.ID) ([]citation.Evidence, error) {
	rows, err := q.QueryContext(ctx, `SELECT ref, document, record FROM evidence WHERE run = ? ORDER BY no`, id)
	return row.Collect(rows, err, ScanEvidence)
}

// ScanEvidence reads reference, document and record of a piece of evidence. What its row is found by is in the record
// too, and the row wins: a record that was made another's is then not the one of its hash.
func ScanEvidence(r row.Scanner) (e citation.Evidence, err error) {
	var ref, document, column string
	if err := r.Scan(&ref, &document, &column); err != nil {
		return e, err
	}
	e, err = ReadEvidence(column)
	e.Ref, e.Document = ref, corpus.DocumentID(document)
	return e, err
}
