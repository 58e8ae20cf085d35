package index_test

import (
	"encoding/hex"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/problem"
)

// former is the segment of sample as the first format had it.
const former = "" +
	"4b4a530107033462010202633101020208026332020200051300043130343201010005616c70686102020004626574610102" +
	"0003657272010103052d313034320101000567616d6d610101000468656164010100036f6e6501040003726f770101000474" +
	"69746c02050003e5818701010303e6b58101010003e6a08702050303e9a29802050102b58101010303e7a88b01010003e7a8" +
	"8b01010006e8afb7e5818701010003e9a2980205040404060204040808070001000805070100010404070101000507010100" +
	"05040404040701010005"

// second is the same segment as the second format has it.
const second = "" +
	"4b4a530250fe24960302026331010202080263320202000513000431303432010101379a0005616c706861020201569c0004" +
	"626574610101037bc00003657272010101379a03052d31303432010101379a000567616d6d61010201569c00046865616401" +
	"0201569c00036f6e65010107beb80003726f77010201569c00047469746c0202085bd80003e58187010101379a0303e6b581" +
	"010101379a0003e6a087020208c8dd0303e9a298020208c8dd0102b581010101379a0303e7a88b010101379a0003e7a88b01" +
	"0101379a0006e8afb7e58187010101379a0003e9a298020208c8dd0000400002000000006000000001000000600001000001" +
	"00020000600001010001000060000101000100000000000060000101000100000000000000000000"

// stored returns the bytes of a segment, as if this version of the analysis had made them.
func stored(t fataler, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatalf("a stored segment: %v", err)
	}
	b[8] = analysis.Version
	return sealed(b)
}

func TestSegmentsOfEveryFormatAreRead(t *testing.T) {
	for name, text := range map[string]string{"first": former, "second": second} {
		t.Run(name, func(t *testing.T) {
			segment, err := index.Open(stored(t, text))
			if err != nil {
				t.Fatalf("Open: %v", err)
			}
			f := index.NewSet(index.Entry{Document: "x", Key: "x", Segment: segment}).Filter(everything)
			for term, want := range map[string][]corpus.ChunkID{
				"alpha": {"c2", "c1"}, "beta": {"c1"}, "titl": {"c2", "c1"}, "请假": {"c1"}, "err-1042": {"c1"}, "标题": {"c1", "c2"},
				"head": {"c2"}, "one": {"c1"}, "nothing": nil, "c1": nil,
			} {
				var got []corpus.ChunkID
				for _, m := range f.Search([]index.Term{{Text: term, Weight: 1, Of: -1}}, 9) {
					got = append(got, m.Chunk)
				}
				if diff := gocmp.Diff(want, got); diff != "" {
					t.Errorf("%q:\n%s", term, diff)
				}
			}
		})
	}
}

func TestDamageOfTheFormerFormatIsNoticed(t *testing.T) {
	whole := stored(t, former)
	for i := range whole {
		b := slices.Clone(whole)
		b[i] ^= 0x41
		if _, err := index.Open(b); problem.CodeOf(err) != "segment_damaged" {
			t.Fatalf("byte %d changed: %v", i, err)
		}
		if _, err := index.Open(sealed(slices.Clone(whole[:i]))); problem.CodeOf(err) != "segment_damaged" {
			t.Fatalf("cut at %d: %v", i, err)
		}
		for _, x := range []byte{0x01, 0x80, 0xff, 0x10} {
			b := slices.Clone(whole)
			b[i] ^= x
			if seg, err := index.Open(sealed(b)); err == nil {
				use(seg)
			}
		}
	}
	if _, err := index.Open(sealed(append(slices.Clone(whole), 0))); problem.CodeOf(err) != "segment_damaged" {
		t.Error("a byte too many was accepted")
	}
}
