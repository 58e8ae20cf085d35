package dictionary

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// scale is how many steps of cost a factor of e makes. The rarest of sixty million words must cost
// less than an unknown character.
const scale = 14

// Holds says whether the tree can hold a word: one of 1 to Longest of the characters that 16 bits hold.
func Holds(word string) bool {
	n := utf8.RuneCountInString(word)
	return n > 0 && n <= Longest && !strings.ContainsFunc(word, func(r rune) bool { return r < lowest || r > highest })
}

// Write packs words with how often each was seen. It refuses words that the tree can't hold.
func Write(words map[string]int) ([]byte, error) {
	total := 0.0
	for _, n := range words {
		total += float64(max(n, 1))
	}
	root := &branch{}
	for w, n := range words {
		if !Holds(w) {
			return nil, fmt.Errorf("%q is not 1 to %d Chinese characters", w, Longest)
		}
		at := root
		for _, r := range w {
			at = at.child(r)
		}
		at.cost = uint8(min(Unknown-1, 1+math.Round(-scale*math.Log(float64(max(n, 1))/total))))
	}
	return pack(root)
}

// branch is a node while the tree is made.
type branch struct {
	children map[rune]*branch
	cost     uint8
}

func (b *branch) child(r rune) *branch {
	if b.children == nil {
		b.children = map[rune]*branch{}
	}
	if b.children[r] == nil {
		b.children[r] = &branch{}
	}
	return b.children[r]
}

// sorted returns the characters that follow, in order.
func (b *branch) sorted() []rune {
	out := make([]rune, 0, len(b.children))
	for r := range b.children {
		out = append(out, r)
	}
	slices.Sort(out)
	return out
}

// pack writes the nodes breadth first, so that the children of each stand together: how many each
// has, their characters as gaps, and the costs.
func pack(root *branch) ([]byte, error) {
	nodes := []*branch{root}
	var counts, chars, costs []byte
	for i := 0; i < len(nodes); i++ {
		b := nodes[i]
		counts = binary.AppendUvarint(counts, uint64(len(b.children)))
		costs = append(costs, b.cost)
		at := rune(lowest)
		for _, r := range b.sorted() {
			chars = binary.AppendUvarint(chars, uint64(r-at))
			at = r + 1
			nodes = append(nodes, b.children[r])
		}
	}
	if len(nodes) > limit {
		return nil, fmt.Errorf("%d beginnings of words are too many", len(nodes))
	}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	head := binary.AppendUvarint(nil, uint64(len(nodes)))
	for _, b := range [][]byte{head, counts, chars, costs} {
		if _, err := w.Write(b); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
