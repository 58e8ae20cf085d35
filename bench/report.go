package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// filters are the rights in the order in which they are told.
var filters = []string{"1 %", "10 %", "60 %", "100 %"}

// publish writes the table and the plot from a file of results.
func publish(results, dir string) error {
	all, err := read(results)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("%s holds no results", results)
	}
	if err := os.WriteFile(filepath.Join(dir, "search.md"), []byte(markdown(all)), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "search.svg"), []byte(plot(all)), 0o644)
}

const preface = `# Search under permissions, measured

` + "`make bench-search`" + ` made this page. It compares, in one process and on one corpus, this product's keyword index,
bleve v2 with tenant, status and groups as a filter inside the query, and SQLite FTS5 (modernc, pure Go) with the
permission in the SQL: an ` + "`IN`" + ` over the readable versions where fewer than 30 % are visible, an ` + "`EXISTS`" + ` where more are.

The corpus is half Chinese and half English: sentences of public collections, put together anew with one word in eight
from elsewhere, in chunks of about 120 terms, fifty chunks a version. Fifty tenants share it; the first has nine tenths.
Seven of ten versions are published. Each is for one to twenty of 500 groups. The filters leave about 1, 10 and 60 % of
all chunks visible; 100 % is a search without one. Half of the queries are real questions of the collections, half are
two to six words picked from the texts. The others are given the terms of this product's analysis, without those that
only add to scores.

Times are milliseconds of processor time of the searching thread for the best 20, the least of three runs of each query
(one, where it takes longer than 20 ms). This product's time includes judging the scope against every version, making the
filter and analysing the query. Under a size stand the engines that were measured at it, and the load of the machine
meanwhile: where that is more than one or two, every time is longer than on a quiet one, and wall time much longer.

Search by words and meaning together is measured with vectors of 384 dimensions for half of the chunks, which is what the built-in
model reads of this corpus, and for all. They are drawn around clusters, one for a thousand chunks. The query's vector is at
hand; the rest counts: both filters, the keyword leg, the scan of the signs, the comparison of what that chose with the vectors
on disk, and the fusion. Exact is a plain loop over the visible vectors in single precision, in memory, one after the
other; recall is how much of its best twenty the leg by meaning has among its own.

![Median time by size of the corpus](search.svg)
`

func markdown(all []*result) string {
	var b strings.Builder
	b.WriteString(preface)
	for _, r := range all {
		fmt.Fprintf(&b, "\n## %s chunks\n\n", thousands(r.Chunks))
		names := engines(r)
		if len(names) == 0 || names[0] != "kaoju" {
			b.WriteString("A run at this size was cut short.\n")
			continue
		}
		if note := r.Engines["kaoju"].Note; note != "" {
			fmt.Fprintf(&b, "%s\n\n", note)
		}
		for _, kind := range kinds[1:] {
			times(&b, r, names, kind)
		}
		legs(&b, r)
		costs(&b, r, names)
		starts(&b, r.Start)
		if r.Processors > 0 {
			fmt.Fprintf(&b, "- the machine: %d processors, a load of up to %.1f when an engine was done.\n", r.Processors, r.Load)
		}
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}

// times writes the table of one kind of query.
func times(b *strings.Builder, r *result, names []string, kind string) {
	fmt.Fprintf(b, "|%s, visible | ", kind)
	for _, n := range names {
		fmt.Fprintf(b, "%s median | p95 | ", n)
		if n != "kaoju" {
			b.WriteString("× median | × p95 | ")
		}
	}
	fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---:|", 4*len(names)-2))
	for _, f := range filters {
		fmt.Fprintf(b, "| %.1f %% | ", 100*r.Shares[f])
		own := r.Engines["kaoju"].Search[f+kind]
		for _, n := range names {
			t, ok := r.Engines[n].Search[f+kind]
			switch {
			case n == "kaoju":
				fmt.Fprintf(b, "%.3f | %.3f | ", t[0], t[1])
			case !ok:
				b.WriteString("– | – | – | – | ")
			default:
				fmt.Fprintf(b, "%.2f | %.2f | %.0f | %.0f | ", t[0], t[1], t[0]/own[0], t[1]/own[1])
			}
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
}

// asked tells where an engine was so slow that it was not asked everything.
func asked(b *strings.Builder, r *result, name string) {
	var few []string
	for _, f := range filters {
		if n := r.Engines[name].Asked[f]; n > 0 && n < r.Queries {
			few = append(few, fmt.Sprintf("%d at %s", n, f))
		}
	}
	if few != nil {
		fmt.Fprintf(b, "  Of the %d queries it was asked the first %s.\n", r.Queries, strings.Join(few, ", "))
	}
}

// engines returns the names of a result's engines, this product's first.
func engines(r *result) []string {
	var out []string
	for _, n := range []string{"kaoju", "bleve", "fts5"} {
		if r.Engines[n] != nil {
			out = append(out, n)
		}
	}
	return out
}

// costs tells what indexing and memory cost.
func costs(b *strings.Builder, r *result, names []string) {
	own := r.Engines["kaoju"]
	speed := func(e *engRow) float64 { return float64(r.Chunks) / e.IndexSeconds }
	for _, n := range names {
		e := r.Engines[n]
		per := float64(e.Bytes) / float64(r.Chunks) // bytes a chunk are megabytes a million
		if n == "kaoju" {
			fmt.Fprintf(b, "- kaoju: %.0f chunks indexed a second of processor, analysis and merging included; %.0f MB resident and %.0f MB stored a million chunks.\n",
				speed(e), per, float64(e.Stored)/float64(r.Chunks))
			fmt.Fprintf(b, "  Following one new version of fifty chunks: median %.1f ms, slowest of forty %.1f ms of processor. First search of a server that holds nothing: %.1f s of wall time, %.1f s of processor.\n",
				e.Publish[0], e.Publish[1], e.Load, e.LoadCPU)
			continue
		}
		fmt.Fprintf(b, "- %s: %.0f chunks a second, this product × %.1f; %.0f MB on disk a million chunks.\n", n, speed(e), speed(own)/speed(e), per)
		asked(b, r, n)
	}
}

// starts tells what was measured over a data folder of the size.
func starts(b *strings.Builder, r *startRow) {
	if r == nil {
		return
	}
	list := func(all []float64) string {
		var out []string
		for _, x := range all {
			out = append(out, fmt.Sprintf("%.1f", x))
		}
		return strings.Join(out, ", ")
	}
	fmt.Fprintf(b, "- kaoju over a data folder: first search %s s of wall time after opening it (%s s of processor), with what the server before kept.\n", list(r.Seconds), list(r.CPU))
	fmt.Fprintf(b, "  A version of fifty chunks, from its text to the search that finds it: median %.0f ms, slowest of twenty %.0f ms of wall time (%.0f and %.0f ms of processor). The load was up to %.1f.\n",
		r.Publish[0], r.Publish[1], r.PublishCPU[0], r.PublishCPU[1], r.Load)
}

func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
