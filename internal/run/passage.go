package run

import (
	"slices"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/seal"
)

// Of is what the integrity of a run says of one passage that is readable: whether it has the hash that it was
// read with, and whether the ledger's entry tells of it so. An entry of the older form names the
// passages that were cited all together.
func (i Integrity) Of(e citation.Evidence, cited bool) (out Integrity) {
	older := slices.Contains(i.Unproved, OlderForm)
	own := "evidence/" + e.Ref
	for _, p := range i.Problems {
		if p == own || p == EntryGone || p == EntryOther || p == "citations" && older && cited {
			out.Problems = append(out.Problems, p)
		}
	}
	if seal.Hash(e.Nonce, e.Excerpt) != e.Hash && !slices.Contains(out.Problems, own) {
		out.Problems = append(out.Problems, own)
	}
	for _, u := range i.Unproved {
		if u == NotEnded || u == OlderForm {
			out.Unproved = append(out.Unproved, u)
		}
	}
	return out
}
