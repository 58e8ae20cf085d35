package parse_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
)

// crowded returns files that consist of little but places, by name.
func crowded(places int) map[string]string {
	return map[string]string{
		"lines.txt":      strings.Repeat("x\n", places),
		"paragraphs.txt": strings.Repeat("x\n\n", places),
		"items.md":       "# T\n\n" + strings.Repeat("- x\n", places-1),
		"headings.md":    strings.Repeat("# x\n", places),
		"cells.csv":      strings.Repeat("1,2,3,4,5,6,7,8,9,10\n", places/10),
		"rows.csv":       strings.Repeat("a,b\n", places/2),
		"paragraphs.htm": "<html><body>" + strings.Repeat("<p>x", places),
		"cells.htm":      "<html><body><table>" + strings.Repeat("<tr><td>a<td>b", places/2),
	}
}

// held returns the bytes of heap that a parsed file holds on to.
func held(t testing.TB, name, data string) uint64 {
	t.Helper()
	file := parse.File{Name: name, Data: []byte(data)}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	r, err := parse.Parse(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(r)
	runtime.KeepAlive(file)
	return max(after.HeapAlloc, before.HeapAlloc) - before.HeapAlloc
}

// TestPlaceCostsFewBytes holds what the default limit on places is chosen by.
func TestPlaceCostsFewBytes(t *testing.T) {
	const places = 50_000
	for name, data := range crowded(places) {
		if n := held(t, name, data); n > 280*places {
			t.Errorf("%s: a place costs %d bytes", name, n/places)
		}
	}
}

func TestFileOfMoreThanTheDefaultPlacesIsRefused(t *testing.T) {
	for _, c := range []struct {
		name, data string
		refused    bool
	}{
		{"many.txt", strings.Repeat("a\n", parse.MaxPlaces), false},
		{"more.txt", strings.Repeat("a\n", parse.MaxPlaces+1), true},
		{"more.csv", strings.Repeat("a,b\n", parse.MaxPlaces/2+1), true},
	} {
		_, err := parse.Parse(context.Background(), parse.File{Name: c.name, Data: []byte(c.data)})
		if refused := problem.CodeOf(err) == "too_large"; err != nil && !refused || refused != c.refused {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func BenchmarkPlace(b *testing.B) {
	const places = 100_000
	for name, data := range crowded(places) {
		b.Run(name, func(b *testing.B) {
			var n uint64
			for b.Loop() {
				n = held(b, name, data)
			}
			b.ReportMetric(float64(n)/places, "B/place")
		})
	}
}
