package index_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
)

// Building keeps memory and words from one version to the next, and none of it may be seen in a segment.
func TestASegmentDoesNotDependOnWhatWasBuiltBefore(t *testing.T) {
	built := func(title string, texts ...string) []byte {
		var chunks []corpus.Chunk
		for i, text := range texts {
			chunks = append(chunks, corpus.Chunk{ID: corpus.ChunkID(fmt.Sprint("c", i)), No: i + 1, HeadingPath: []string{"Heading"}, Text: text})
		}
		b, err := index.Build(title, chunks)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	texts := []string{"Running approvals, 差旅报销 ERR-1042", "approval of the running expenses"}
	want := built("Policy", texts...)
	var many strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&many, "word%d runs approved %d ", i, i)
	}
	for range 20 {
		built("Other 制度", many.String(), "approve", "审批流程")
		if got := built("Policy", texts...); !bytes.Equal(got, want) {
			t.Fatal("the same version has another segment after another one")
		}
	}
}
