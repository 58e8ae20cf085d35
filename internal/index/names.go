package index

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"slices"
)

// names numbers the different terms of several parts, in the order in which they are met. It is
// a hash table with the terms themselves left where they are.
type names struct {
	parts []*part
	seed  maphash.Seed
	table []uint32  // number + 1 by hash
	hash  []uint32  // by number
	list  []listing // by number: where the term was met first
}

func newNames(parts []*part) *names {
	most := 0
	for _, p := range parts {
		most = max(most, len(p.segment.dict))
	}
	size := 1 << 10
	for size < 4*most {
		size *= 2
	}
	return &names{parts: parts, seed: maphash.MakeSeed(), table: make([]uint32, size)}
}

func (n *names) term(number uint32) []byte {
	l := n.list[number]
	return n.parts[l.part].segment.term(int(l.term))
}

// number returns the number of a part's term.
func (n *names) number(part, term uint32) uint32 {
	t := n.parts[part].segment.term(int(term))
	h := uint32(maphash.Bytes(n.seed, t))
	mask := uint32(len(n.table) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		k := n.table[i]
		if k == 0 {
			n.table[i] = uint32(len(n.list) + 1)
			n.list = append(n.list, listing{part, term})
			n.hash = append(n.hash, h)
			if 2*len(n.list) > len(n.table) {
				n.table = rehashed(n.hash, 2*len(n.table))
			}
			return uint32(len(n.list) - 1)
		}
		if n.hash[k-1] == h && bytes.Equal(n.term(k-1), t) {
			return k - 1
		}
	}
}

// sorted returns the numbers in the order of their terms.
func (n *names) sorted() []uint32 { return ordered(len(n.list), n.term) }

// ordered returns the numbers of many different terms in the order of the terms.
func ordered[T []byte | string](terms int, term func(uint32) T) []uint32 {
	if terms < 1<<numberBits {
		return orderedFew(terms, term)
	}
	type key struct {
		head   uint64 // most terms are told apart by it
		number uint32
	}
	keys := make([]key, terms)
	for i := range keys {
		keys[i] = key{head(term(uint32(i))), uint32(i)}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		if string(term(a.number)) < string(term(b.number)) {
			return -1
		}
		return 1
	})
	out := make([]uint32, len(keys))
	for i, k := range keys {
		out[i] = k.number
	}
	return out
}

const numberBits = 16

// orderedFew is ordered for so few terms that a number and what tells most of them apart fit into one word.
func orderedFew[T []byte | string](terms int, term func(uint32) T) []uint32 {
	keys := make([]uint64, terms)
	for i := range keys {
		keys[i] = head(term(uint32(i)))>>numberBits<<numberBits | uint64(i)
	}
	slices.Sort(keys)
	out := make([]uint32, terms)
	for i, k := range keys {
		out[i] = uint32(k & (1<<numberBits - 1))
	}
	for i := 0; i < terms; {
		j := i + 1
		for j < terms && keys[j]>>numberBits == keys[i]>>numberBits {
			j++
		}
		if j > i+1 {
			slices.SortFunc(out[i:j], func(a, b uint32) int {
				if string(term(a)) < string(term(b)) {
					return -1
				}
				return 1
			})
		}
		i = j
	}
	return out
}
