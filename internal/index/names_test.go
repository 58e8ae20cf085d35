package index

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Terms that begin alike, in letters and characters, and those that end where others go on.
func TestTermsAreOrderedAsTheirBytesAre(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", "ab", "index", "indexes", "\x00", "差旅", "差", "住宿", "|", "x"})
	rapid.Check(t, func(t *rapid.T) {
		sorted(t, rapid.SliceOfDistinct(rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(part, 1, 6).Draw(t, "parts"), "")
		}), rapid.ID).Draw(t, "terms"))
	})
	var many []string // more than have a number in one word with their beginning
	for i := range 1<<numberBits + 1 {
		many = append(many, fmt.Sprintf("term%d", i*7919%100_003))
	}
	sorted(t, many)
}

func sorted(t interface{ Fatalf(string, ...any) }, terms []string) {
	want := slices.Sorted(slices.Values(terms))
	for i, n := range ordered(len(terms), func(n uint32) string { return terms[n] }) {
		if terms[n] != want[i] {
			t.Fatalf("%q comes at %d, want %q", terms[n], i, want[i])
		}
	}
	for i, n := range ordered(len(terms), func(n uint32) []byte { return []byte(terms[n]) }) {
		if terms[n] != want[i] {
			t.Fatalf("the bytes of %q come at %d, want %q", terms[n], i, want[i])
		}
	}
}
