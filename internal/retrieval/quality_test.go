package retrieval_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/sharedtest"
)

var (
	update = flag.Bool("update", false, "write the measured quality into the golden file")
	full   = flag.Bool("quality.full", false, "measure every query of every collection")
)

// collection is a folder of the test data: corpus.jsonl, a file of queries, qrels.tsv. Each
// document is one version of one chunk.
type collection struct {
	dir, queries, qrels string
	// every is the step between the queries of the small run; 0 leaves the collection out of it.
	every int
	// floor is what BM25 with k1 0.9 and b 0.4 reaches, with averages of the corpus as pivots; the
	// full run must not be below it. For simplified queries it has no folding of scripts.
	floor float64
	// order is the step between the queries whose whole search is measured in the full run, which looks
	// at fifty passages a query. It is 0 for Chinese, where the order of the leg stays.
	order int
}

var collections = []collection{
	{"scifact", "queries.jsonl", "qrels.tsv", 3, 0.676, 1},
	{"cranfield", "queries.jsonl", "qrels.tsv", 1, 0.491, 1},
	{"stard-lite", "queries.jsonl", "qrels.tsv", 10, 0.4132, 0},
	{"drcd", "queries.jsonl", "qrels.tsv", 0, 0.9546, 0},
	{"drcd", "queries_simplified.jsonl", "qrels.tsv", 20, 0.8278, 0},
	{"law-versions", "queries.jsonl", "qrels.tsv", 0, 0.9385, 0},
	{"scifact", "queries_train.jsonl", "qrels_train.tsv", 0, 0, 4},
	{"cisi", "queries.jsonl", "qrels.tsv", 0, 0.3608, 1},
	{"cmrc2018", "queries.jsonl", "qrels.tsv", 0, 0.9836, 0},
	{"clapnq-dev", "queries.jsonl", "qrels.tsv", 0, 0.9441, 1},
	{"gitlab-handbook", "queries.jsonl", "qrels.tsv", 0, 0.6406, 1},
}

// record is a line of a corpus or of a file of queries.
type record struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

func TestQualityHolds(t *testing.T) {
	root := dataFolder(t)
	run := "small"
	if *full || requires("quality") {
		run = "full"
	}
	golden := readGolden(t)
	houses := map[string]*house{}
	for _, c := range collections {
		if run == "small" && c.every == 0 {
			continue
		}
		name := c.dir + "/" + strings.TrimSuffix(c.queries, ".jsonl")
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(root, "data", "eval", c.dir)
			if _, err := os.Stat(filepath.Join(dir, c.queries)); err != nil {
				if requires("shared") {
					t.Fatalf("the collection is required and not there: %v", err)
				}
				t.Skipf("the collection %s is not in the test data", name)
			}
			if houses[c.dir] == nil {
				thin := 1
				if run == "small" {
					thin = 5
				}
				houses[c.dir] = archive(t, dir, c, thin)
			}
			step := 1
			if run == "small" {
				step = c.every
			}
			h, whole := houses[c.dir], step
			if run == "full" {
				whole = c.order
			}
			type named struct {
				name string
				gained
			}
			list := []named{{name, measure(t, dir, c, step, h.leg(t))}}
			if c.order > 0 {
				list = append(list, named{name + "+order", measure(t, dir, c, whole, h.pages(t, searcher(h)))})
			}
			for _, m := range list {
				t.Logf("%s %s: nDCG@10 %.4f over %d queries", run, m.name, m.mean, m.queries)
				if run == "full" && math.Round(m.mean*1e4) < math.Round(c.floor*1e4) {
					t.Errorf("%s: nDCG@10 is %.4f, below the floor %.4f", m.name, m.mean, c.floor)
				}
				key, line := run+" "+m.name, fmt.Sprintf("%d %.4f", m.queries, m.mean)
				if *update {
					golden[key] = line
				} else if golden[key] != line {
					t.Errorf("%s: measured %s, the golden file has %q; look at the change, then run with -update", m.name, line, golden[key])
				}
			}
		})
	}
	if *update {
		writeGolden(t, golden)
	}
}

// requires reports whether the environment says that a part of the tests must not be skipped.
func requires(part string) bool { return sharedtest.Demands(part) }

// dataFolder returns the folder of the test data, and skips the test where there is none.
func dataFolder(t *testing.T) string {
	return filepath.Dir(filepath.Dir(sharedtest.Path(t, "data", "eval")))
}

func records(t *testing.T, path string) []record {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []record
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		out = append(out, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return out
}

// archive publishes the documents of a corpus: those that the collection judges, and of the
// others one in so many.
func archive(t *testing.T, dir string, c collection, thin int) *house {
	t.Helper()
	judged := map[string]bool{}
	for _, docs := range judgements(t, filepath.Join(dir, c.qrels)) {
		for id := range docs {
			judged[id] = true
		}
	}
	h := newHouse()
	for i, r := range records(t, filepath.Join(dir, "corpus.jsonl")) {
		if i%thin != 0 && !judged[r.ID] {
			continue
		}
		id := corpus.DocumentID(r.ID)
		h.add(t, corpus.Document{ID: id, Title: r.Title}, []corpus.Chunk{{ID: corpus.ChunkID(r.ID), Document: id, No: 1, Text: r.Text}})
	}
	return h
}

func judgements(t *testing.T, path string) map[string]map[string]int {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]int{}
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) < 3 {
			continue
		}
		grade, err := strconv.Atoi(f[2])
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if out[f[0]] == nil {
			out[f[0]] = map[string]int{}
		}
		out[f[0]][f[1]] = grade
	}
	return out
}

// gained is a mean nDCG@10 over queries that have something to be found.
type gained struct {
	queries int
	mean    float64
}

// finder gives the ten best documents for a query.
type finder func(text string) []corpus.DocumentID

// leg is the keyword leg alone.
func (h *house) leg(t *testing.T) finder {
	local := retrieval.NewLocal(h)
	scope := h.scope(t, "u", access.Request{})
	return func(text string) []corpus.DocumentID {
		t.Helper()
		found, err := local.Keyword(context.Background(), scope, text, 10)
		if err != nil {
			t.Fatalf("query %q: %v", text, err)
		}
		var out []corpus.DocumentID
		for _, m := range found.Matches {
			out = append(out, m.Document)
		}
		return out
	}
}

// pages is the first page of a whole search.
func (h *house) pages(t *testing.T, s *retrieval.Searcher) finder {
	return func(text string) []corpus.DocumentID {
		t.Helper()
		var out []corpus.DocumentID
		for _, hit := range look(t, h, s, "u", access.Request{}, retrieval.Query{Text: text, Limit: 10}).Hits {
			out = append(out, hit.Document.ID)
		}
		return out
	}
}

// measure returns the mean over every so many queries of a collection.
func measure(t *testing.T, dir string, c collection, step int, find finder) gained {
	t.Helper()
	judged := judgements(t, filepath.Join(dir, c.qrels))
	n, sum := 0, 0.0
	for i, q := range records(t, filepath.Join(dir, c.queries)) {
		best := ideal(judged[q.ID])
		if i%step != 0 || best == 0 {
			continue
		}
		gain := 0.0
		for rank, id := range find(q.Text) {
			gain += discounted(judged[q.ID][string(id)], rank)
		}
		sum += gain / best
		n++
	}
	if n == 0 {
		t.Fatalf("%s has no judged query", dir)
	}
	return gained{n, sum / float64(n)}
}

// discounted is the gain of a grade at a rank from 0, linear in the grade as trec_eval has it.
func discounted(grade, rank int) float64 { return float64(max(grade, 0)) / math.Log2(float64(rank+2)) }

// ideal is the gain of the ten best judged documents in the best order.
func ideal(judged map[string]int) float64 {
	var grades []int
	for _, g := range judged {
		grades = append(grades, g)
	}
	sort.Sort(sort.Reverse(sort.IntSlice(grades)))
	sum := 0.0
	for rank, g := range grades[:min(10, len(grades))] {
		sum += discounted(g, rank)
	}
	return sum
}

func TestQualityMetricAgreesWithHandWork(t *testing.T) {
	judged := map[string]int{"a": 3, "b": 1, "c": 0, "d": -1}
	if got, want := ideal(judged), 3+1/math.Log2(3); math.Abs(got-want) > 1e-12 {
		t.Errorf("the ideal gain is %v, want %v", got, want)
	}
	if got, want := discounted(judged["b"], 2), 0.5; got != want {
		t.Errorf("grade 1 at the third place gains %v, want %v", got, want)
	}
	if got := discounted(judged["d"], 0); got != 0 {
		t.Errorf("a negative grade gains %v", got)
	}
}

const goldenPath = "testdata/quality.golden"

// readGolden reads lines of run, collection, number of queries and nDCG@10.
func readGolden(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	b, err := os.ReadFile(goldenPath)
	if err != nil && !*update {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 4 && f[0] != "#" {
			out[f[0]+" "+f[1]] = f[2] + " " + f[3]
		}
	}
	return out
}

func writeGolden(t *testing.T, golden map[string]string) {
	t.Helper()
	var b strings.Builder
	b.WriteString("# run, collection, queries, nDCG@10\n")
	for _, key := range slices.Sorted(maps.Keys(golden)) {
		f := strings.Fields(key + " " + golden[key])
		fmt.Fprintf(&b, "%-5s %-34s %5s %s\n", f[0], f[1], f[2], f[3])
	}
	if err := os.MkdirAll(filepath.Dir(goldenPath), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(goldenPath, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
