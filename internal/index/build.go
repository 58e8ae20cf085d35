package index

import (
	"encoding/binary"
	"hash/crc32"
	"slices"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// The limits of a segment; they bound what opening one can cost.
const (
	maxChunks = 1 << 20
	maxTerm   = 1 << 10
	maxCount  = 1 << 24 // of a term in a field, and of a field's length
)

// magic opens every encoded segment; its last byte is the version of the format.
const magic = "KJS\x01"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// posting is one chunk in the list of a term that is being built.
type posting struct {
	ord uint32
	tf  [fields]uint32
}

// Build makes the encoded segment of one version: its title, which counts for every chunk, and
// the chunks in order. A version without chunks has no segment: the result is nil.
func Build(title string, chunks []corpus.Chunk) ([]byte, error) {
	return BuildWith(nil, title, chunks)
}

// BuildWith does what Build does, with the words of a lexicon.
func BuildWith(l *analysis.Lexicon, title string, chunks []corpus.Chunk) ([]byte, error) {
	if len(chunks) == 0 {
		return nil, nil
	}
	if len(chunks) > maxChunks {
		return nil, problem.New(problem.Invalid, "too_large", "A document can have %d chunks; this one has %d.", maxChunks, len(chunks))
	}
	b := builder{lexicon: l, lists: map[string][]posting{}}
	head := l.Tokens(title)
	for i, c := range chunks {
		if c.ID == "" || len(c.ID) > maxTerm || c.No < 1 || i > 0 && c.No <= chunks[i-1].No {
			return nil, problem.New(problem.Internal, "segment_input", "Chunk %d of the version has no id or is out of order.", c.No)
		}
		b.add(c, head)
	}
	return b.encode(chunks), nil
}

type builder struct {
	lexicon *analysis.Lexicon
	lists   map[string][]posting
	lengths [][fields]uint32
}

func (b *builder) add(c corpus.Chunk, head []analysis.Token) {
	ord := uint32(len(b.lengths))
	b.lengths = append(b.lengths, [fields]uint32{})
	b.count(ord, title, head)
	for _, h := range c.HeadingPath {
		b.count(ord, heading, b.lexicon.Tokens(h))
	}
	b.count(ord, body, b.lexicon.Tokens(c.Full()))
}

// count adds the tokens of one field of a chunk.
func (b *builder) count(ord uint32, field int, tokens []analysis.Token) {
	for _, t := range tokens {
		if t.Stop {
			continue
		}
		list := b.lists[t.Term]
		if n := len(list); n == 0 || list[n-1].ord != ord {
			list = append(list, posting{ord: ord})
			b.lists[t.Term] = list
		}
		last := &list[len(list)-1]
		last.tf[field] = min(last.tf[field]+1, maxCount)
		if t.Kind.Measures() {
			b.lengths[ord][field] = min(b.lengths[ord][field]+1, maxCount)
		}
	}
}

func (b *builder) encode(chunks []corpus.Chunk) []byte {
	out := append([]byte(magic), 0, 0, 0, 0)
	out = binary.AppendUvarint(out, analysis.Version)
	out = binary.AppendUvarint(out, uint64(len(chunks)))
	no := 0
	for i, c := range chunks {
		out = binary.AppendUvarint(out, uint64(len(c.ID)))
		out = append(out, c.ID...)
		out = binary.AppendUvarint(out, uint64(c.No-no))
		no = c.No
		for _, n := range b.lengths[i] {
			out = binary.AppendUvarint(out, uint64(n))
		}
	}
	terms := make([]string, 0, len(b.lists))
	for t := range b.lists {
		terms = append(terms, t)
	}
	slices.Sort(terms)
	out = binary.AppendUvarint(out, uint64(len(terms)))
	var data []byte
	former := ""
	for _, t := range terms {
		list := b.lists[t]
		start := len(data)
		data = appendPostings(data, list)
		shared := common(former, t)
		out = binary.AppendUvarint(out, uint64(shared))
		out = binary.AppendUvarint(out, uint64(len(t)-shared))
		out = append(out, t[shared:]...)
		out = binary.AppendUvarint(out, uint64(len(list)))
		out = binary.AppendUvarint(out, uint64(len(data)-start))
		former = t
	}
	out = append(out, data...)
	binary.LittleEndian.PutUint32(out[len(magic):], crc32.Checksum(out[len(magic)+4:], castagnoli))
	return out
}

func appendPostings(data []byte, list []posting) []byte {
	former := int64(-1)
	for _, p := range list {
		data = appendPosting(data, uint64(int64(p.ord)-former), p.tf)
		former = int64(p.ord)
	}
	return data
}

func appendPosting(data []byte, gap uint64, tf [fields]uint32) []byte {
	switch {
	case tf == [fields]uint32{body: 1}:
		return binary.AppendUvarint(data, gap<<2|onceInBody)
	case tf == [fields]uint32{title: 1}:
		return binary.AppendUvarint(data, gap<<2|onceInTitle)
	case tf[title] == 0 && tf[heading] == 0:
		data = binary.AppendUvarint(data, gap<<2|bodyOnly)
		return binary.AppendUvarint(data, uint64(tf[body]))
	}
	data = binary.AppendUvarint(data, gap<<2|everywhere)
	for _, n := range tf {
		data = binary.AppendUvarint(data, uint64(n))
	}
	return data
}

// common returns the length of the longest common beginning.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
