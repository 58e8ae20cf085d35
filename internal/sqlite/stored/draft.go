package stored

import (
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// draftRecord is what a version of a draft has beside its columns.
type draftRecord struct {
	V      int           `json:"v"`
	Nonce  string        `json:"nonce,omitempty"`
	Cited  []citedRecord `json:"cited,omitempty"`
	Checks []checkRecord `json:"checks,omitempty"`
}

type citedRecord struct {
	Ref      string            `json:"ref"`
	Document corpus.DocumentID `json:"document"`
	Version  int               `json:"version"`
	Hash     string            `json:"hash"`
}

// Draft writes what a version of a draft leans on, and its checks.
func Draft(v draft.Version) row.Written {
	w := draftRecord{V: recordVersion, Nonce: v.Nonce}
	for _, c := range v.Cited {
		w.Cited = append(w.Cited, citedRecord(c))
	}
	for _, c := range v.Checks {
		w.Checks = append(w.Checks, checkRecord(c))
	}
	return row.Marshal(w)
}

// ReadDraft reads what Draft wrote, in any version, into v.
func ReadDraft(column string, v *draft.Version) error {
	var w draftRecord
	if err := unpack(column, "version of a draft", &w); err != nil {
		return err
	}
	v.Nonce, v.Cited, v.Checks = w.Nonce, nil, nil
	for _, c := range w.Cited {
		v.Cited = append(v.Cited, draft.Cited(c))
	}
	for _, c := range w.Checks {
		v.Checks = append(v.Checks, citation.Check(c))
	}
	return nil
}
