package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// collection is a folder of judged queries over documents of one chunk each.
type collection struct {
	name      string
	documents []record
	questions []question
}

// record is a line of a corpus or of a file of queries.
type record struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// question is a query with the grades of the documents that answer it.
type question struct {
	record
	grades map[string]int
	ideal  float64
}

// fitted reports whether the weights may be fitted on a question: on every other one, by its name.
func (q question) fitted() bool {
	h := fnv.New32a()
	h.Write([]byte(q.ID))
	return h.Sum32()>>3&1 == 0
}

// read reads a collection of the folder; a name with a slash has another file of queries.
func read(folder, name string) (collection, error) {
	dir, kind, _ := strings.Cut(name, "/")
	c := collection{name: name}
	var err error
	if c.documents, err = records(filepath.Join(folder, dir, "corpus.jsonl")); err != nil {
		return c, err
	}
	queries, qrels := "queries.jsonl", "qrels.tsv"
	if kind != "" {
		queries, qrels = "queries_"+kind+".jsonl", "qrels_"+kind+".tsv"
	}
	list, err := records(filepath.Join(folder, dir, queries))
	if err != nil {
		return c, err
	}
	grades, err := judgements(filepath.Join(folder, dir, qrels))
	if err != nil {
		return c, err
	}
	for _, r := range list {
		q := question{record: r, grades: grades[r.ID]}
		if q.ideal = ideal(q.grades); q.ideal > 0 {
			c.questions = append(c.questions, q)
		}
	}
	return c, nil
}

func records(path string) (out []record, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out = append(out, r)
	}
	return out, lines.Err()
}

func judgements(path string) (map[string]map[string]int, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out := map[string]map[string]int{}
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) < 3 {
			continue
		}
		grade, err := strconv.Atoi(f[2])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if out[f[0]] == nil {
			out[f[0]] = map[string]int{}
		}
		out[f[0]][f[1]] = grade
	}
	return out, nil
}

// ideal is the gain of the ten best judged documents in the best order.
func ideal(grades map[string]int) float64 {
	var list []int
	for _, g := range grades {
		list = append(list, g)
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Compare(b, a) })
	sum := 0.0
	for rank, g := range list[:min(10, len(list))] {
		sum += discounted(g, rank)
	}
	return sum
}

// discounted is the gain of a grade at a rank from 0, linear in the grade.
func discounted(grade, rank int) float64 { return float64(max(grade, 0)) / math.Log2(float64(rank+2)) }
