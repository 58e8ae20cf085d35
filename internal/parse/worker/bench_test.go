package worker_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/worker"
)

// BenchmarkParse reads files in this process and in a warm child, one after the other, and gives the
// child's time as a multiple.
func BenchmarkParse(b *testing.B) {
	for _, size := range []int{4 << 10, 256 << 10, 4 << 20} {
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			p, _ := pool(b, worker.Options{Memory: 2 << 30})
			text := "# 规定\n\n" + strings.Repeat("住宿标准为每晚 650 元，超出部分由本人承担。The limit is 650 yuan a night.\n\n", size/100)
			f := parse.File{Name: "a.md", Data: []byte(text)}
			run := func(r parse.Reader) float64 {
				began := b.Elapsed()
				if _, err := r.Parse(b.Context(), f); err != nil {
					b.Fatal(err)
				}
				return float64(b.Elapsed() - began)
			}
			run(p)
			var here, there float64
			for b.Loop() {
				here += run(parse.Limits{})
				there += run(p)
			}
			b.ReportMetric(there/here, "x-in-process")
		})
	}
}
