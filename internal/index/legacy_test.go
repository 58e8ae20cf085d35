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

// formerSample returns those bytes, as if this version of the analysis had made them.
func formerSample(t fataler) []byte {
	t.Helper()
	b, err := hex.DecodeString(former)
	if err != nil {
		t.Fatalf("the former segment: %v", err)
	}
	b[8] = analysis.Version
	return sealed(b)
}

func TestSegmentsOfTheFormerFormatAreRead(t *testing.T) {
	old, err := index.Open(formerSample(t))
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	now, err := index.Open(sample(t))
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	if old.Chunks() != now.Chunks() {
		t.Fatalf("%d chunks, want %d", old.Chunks(), now.Chunks())
	}
	all := func(s *index.Segment) *index.Filter {
		return index.NewSet(index.Entry{Document: "x", Key: "x", Segment: s}).Filter(func(corpus.DocumentID) bool { return true })
	}
	for _, q := range []string{"alpha", "beta", "请假", "流程", "标题", "err-1042", "title gamma", "head row", "nothing"} {
		want := all(now).Search(index.Terms(q), 9)
		if diff := gocmp.Diff(want, all(old).Search(index.Terms(q), 9)); diff != "" {
			t.Errorf("%q:\n%s", q, diff)
		}
		if (len(want) == 0) != (q == "nothing") {
			t.Errorf("%q found %d chunks", q, len(want))
		}
	}
}

func TestDamageOfTheFormerFormatIsNoticed(t *testing.T) {
	whole := formerSample(t)
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
