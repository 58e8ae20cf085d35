package index_test

import (
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestASegmentOfAnotherAnalysisIsOutdatedByItsBeginning(t *testing.T) {
	good, err := index.Build("title", []corpus.Chunk{{ID: "c", No: 1, Text: "合同 text"}})
	if err != nil {
		t.Fatal(err)
	}
	if index.Outdated(good) || index.Outdated(good[:index.HeadSize]) {
		t.Error("a new segment is outdated")
	}
	old := append([]byte(nil), good...)
	old[8] = 1
	if !index.Outdated(old) || !index.Outdated(old[:index.HeadSize]) {
		t.Error("a segment of the first analysis is not outdated")
	}
	if _, err := index.Open(sealed(old)); problem.CodeOf(err) != "segment_outdated" {
		t.Errorf("Open says %v of what Outdated says is outdated", err)
	}
	for name, bytes := range map[string][]byte{"nothing": nil, "a mark alone": good[:8], "another file": []byte("PNG\x01abcdefghijkl")} {
		if index.Outdated(bytes) {
			t.Errorf("%s is outdated, not damaged", name)
		}
	}
}
