package preview_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/preview"
)

// BenchmarkPage renders the last page of a Markdown document of 20 MB, and of one of a page.
func BenchmarkPage(b *testing.B) {
	for _, lines := range []int{400, 180_000} {
		var s strings.Builder
		for i := range lines {
			fmt.Fprintf(&s, "- **%d** the limit of [`lodging`](x) is 650 yuan a night, 每晚上限六百五十元；%s\n", i, strings.Repeat("差旅标准 ", 3))
		}
		doc := read(b, "a.md", []byte(s.String()))
		b.Run(fmt.Sprintf("%dkB", s.Len()>>10), func(b *testing.B) { last(b, doc) })
	}
}

func last(b *testing.B, doc corpus.Stretch) {
	total := len([]rune(doc.Text))
	b.ReportAllocs()
	for b.Loop() {
		f, err := preview.Render(doc, preview.Window{From: max(0, total-15_000)})
		if err != nil || len(f.HTML) < 20_000 {
			b.Fatalf("%d bytes: %v", len(f.HTML), err)
		}
	}
}
