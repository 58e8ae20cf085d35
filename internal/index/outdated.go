package index

import (
	"encoding/binary"

	"github.com/kaoju/kaoju/internal/analysis"
)

// HeadSize is how many bytes from the beginning of a segment Outdated needs.
const HeadSize = len(magic) + 4 + binary.MaxVarintLen32

// Outdated reports whether a segment, of which the beginning is given, holds terms of another
// analysis than this one. What is no segment is not outdated: that is damage, and Open names it.
func Outdated(head []byte) bool {
	const name = len(magic) - 1 // the last byte of the mark is the version of the format
	if len(head) <= len(magic)+4 || string(head[:name]) != magic[:name] {
		return false
	}
	v, n := binary.Uvarint(head[len(magic)+4:])
	return n > 0 && v != analysis.Version
}
