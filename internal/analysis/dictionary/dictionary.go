// Package dictionary holds the Chinese words that are known without any setting, with how common
// each is, as a tree that is walked character by character.
//
// The words and their counts are those of jieba (see LICENSE.jieba). The command in generate makes
// the embedded file from jieba's dict.txt.
package dictionary

import (
	"bytes"
	"compress/flate"
	_ "embed" // for the words
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"sync"
)

// Longest is the length in characters of the longest word.
const Longest = 8

// Unknown is the cost of a character that is no word; no word costs more.
const Unknown = math.MaxUint8

// The characters that words are made of: those that 16 bits hold.
const (
	lowest  = 0x3400
	highest = 0x9FFF
)

// limit bounds what a damaged file can make the reader allocate.
const limit = 1 << 21

//go:embed words.bin
var embedded []byte

// Node is a place in the tree: a beginning of words. The zero Node is the empty beginning.
type Node uint32

// Tree is a set of words. It is immutable.
type Tree struct {
	roots [highest - lowest + 1]Node
	char  []uint16 // of each node, ascending among siblings
	first []uint32 // of each node, and one more: its children are those from here to the next one's
	cost  []uint8  // of each node: 0 if it is no word
}

// Chinese returns the embedded words. They are read when they are first asked for.
var Chinese = sync.OnceValue(func() *Tree {
	t, err := Read(embedded)
	if err != nil {
		panic(fmt.Sprintf("the embedded dictionary is damaged: %v", err)) // it is part of the program
	}
	return t
})

// Next returns the beginning that is one character longer; 0 if no word begins so.
func (t *Tree) Next(n Node, r rune) Node {
	if r < lowest || r > highest {
		return 0
	}
	if n == 0 {
		return t.roots[r-lowest]
	}
	lo, hi := int(t.first[n]), int(t.first[n+1])
	k := lo + sort.Search(hi-lo, func(i int) bool { return t.char[lo+i] >= uint16(r) })
	if k < hi && t.char[k] == uint16(r) {
		return Node(k)
	}
	return 0
}

// Cost returns what the word that ends here costs: the rarer the more, the sum over a text being
// least for its likeliest words. It is 0 if no word ends here.
func (t *Tree) Cost(n Node) int { return int(t.cost[n]) }

// Words returns the number of words.
func (t *Tree) Words() int {
	n := 0
	for _, c := range t.cost {
		if c > 0 {
			n++
		}
	}
	return n
}

var errTorn = errors.New("its tables are torn")

// Read reads what Write wrote.
func Read(packed []byte) (*Tree, error) {
	const most = 8 * limit // of the unpacked bytes
	data, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), most))
	if err != nil {
		return nil, err
	}
	n, k := binary.Uvarint(data)
	if k <= 0 || n == 0 || n > limit {
		return nil, errTorn
	}
	r := &reader{data: data[k:]}
	t := &Tree{char: make([]uint16, n), first: make([]uint32, n+1), cost: make([]uint8, n)}
	next := uint64(1)
	for i := range t.first[:n] {
		t.first[i] = uint32(next)
		if next += r.number(); next > n {
			return nil, errTorn
		}
	}
	t.first[n] = uint32(next)
	if next != n {
		return nil, errTorn
	}
	for i := range t.first[:n] {
		at := uint64(lowest)
		for c := t.first[i]; c < t.first[i+1]; c++ {
			if at += r.number(); at > highest {
				return nil, errTorn
			}
			t.char[c] = uint16(at)
			at++
		}
	}
	if r.bad || len(r.data) != int(n) {
		return nil, errTorn
	}
	copy(t.cost, r.data)
	for c := t.first[0]; c < t.first[1]; c++ {
		t.roots[t.char[c]-lowest] = Node(c)
	}
	return t, nil
}

// reader takes numbers from the front of the data; zeros after the first fault.
type reader struct {
	data []byte
	bad  bool
}

func (r *reader) number() uint64 {
	v, n := binary.Uvarint(r.data)
	if n <= 0 || v > limit {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return v
}
