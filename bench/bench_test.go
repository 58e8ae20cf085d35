package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// invented makes a small world of invented texts, so that no data is needed.
func invented(versions int) *world {
	rnd := rand.New(rand.NewPCG(1, 2))
	zh, en := language{chinese: true}, language{}
	runes := []rune("请假流程报销差旅审批系统部门经理合同采购设备维护安全检查")
	for i := range 40 {
		p, q := passage{title: fmt.Sprintf("制度%d", i)}, passage{title: fmt.Sprintf("policy %d", i)}
		for range 6 {
			text := make([]rune, 20)
			for k := range text {
				text[k] = runes[min(rnd.IntN(len(runes)), rnd.IntN(len(runes)))]
			}
			p.sentences = append(p.sentences, string(text))
			words := make([]string, 12)
			for k := range words {
				words[k] = fmt.Sprintf("bon%ck", 'a'+min(rnd.IntN(26), rnd.IntN(26)))
			}
			q.words = append(q.words, words)
			q.sentences = append(q.sentences, strings.Join(words, " "))
		}
		zh.passages, en.passages = append(zh.passages, p), append(en.passages, q)
		zh.questions, en.questions = append(zh.questions, p.sentences[0]), append(en.questions, q.sentences[0])
	}
	return &world{languages: [2]language{zh, en}, versions: versions}
}

func TestDocumentsAreTheSameEveryTime(t *testing.T) {
	a, b := invented(40).document(7), invented(40).document(7)
	if fmt.Sprint(a) != fmt.Sprint(b) {
		t.Error("two worlds differ in a document")
	}
	if len(a.chunks) != chunksEach {
		t.Errorf("a version has %d chunks", len(a.chunks))
	}
}

func TestRightsLeaveAboutTheShareThatTheyAreFor(t *testing.T) {
	w := invented(2000)
	for i, low := range []float64{0.005, 0.08, 0.5, 1} {
		r := w.rights()[i]
		if high := 1.25 * low * 1.5; r.share < low || r.share > max(high, 0.02) {
			t.Errorf("%s leaves %.3f visible", r.name, r.share)
		}
		if r.all {
			continue
		}
		scope, err := r.scope()
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for v := range w.versions {
			if scope.Admits(w.resource(v)) {
				seen++
			}
		}
		if got := float64(seen) / float64(w.versions); got != r.share {
			t.Errorf("%s: the scope admits %.4f, the right says %.4f", r.name, got, r.share)
		}
	}
}

// The engines are only comparable if they search the same chunks for the same terms.
func TestEnginesFindAsManyChunks(t *testing.T) {
	w := invented(60)
	b := &bench{w: w, rights: w.rights()}
	k, _, _, err := build(w)
	if err != nil {
		t.Fatal(err)
	}
	bl, err := newBleve(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer bl.Close()
	fts, err := newFTS(t.TempDir(), b.rights)
	if err != nil {
		t.Fatal(err)
	}
	defer fts.Close()
	for _, e := range []rival{bl, fts} {
		if _, err := b.fill("engine", e, func() error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	rare := []query{{text: "bonzk"}, {text: "查"}, {text: "检查 bonyk"}, {text: "查安全", words: true}, {text: "nothing here"}}
	for _, r := range b.rights {
		if k.scope[r.name], err = r.scope(); err != nil {
			t.Fatal(err)
		}
		for _, q := range append(w.queries(20), rare...) {
			var hits [3]int
			for i, e := range []engine{k, bl, fts} {
				if hits[i], err = e.Search(q.text, r); err != nil {
					t.Fatalf("%q: %v", q.text, err)
				}
			}
			if hits[0] != hits[1] || hits[0] != hits[2] {
				t.Errorf("%q with %s visible finds %v chunks", q.text, r.name, hits)
			}
		}
	}
}

func TestTermsForOtherEnginesAreNotCutByThem(t *testing.T) {
	for _, text := range []string{"ERR-1042 v2.3.1", "foo_bar() GB/T 19001-2016", "请假 流程"} {
		terms := strong(text)
		if len(terms) == 0 {
			t.Errorf("%q has no terms", text)
		}
		for _, term := range terms {
			if strings.ContainsAny(term, ` -_./"()`) {
				t.Errorf("%q gives %q", text, term)
			}
		}
	}
}

func TestTheReportTellsEveryEngineThatWasMeasured(t *testing.T) {
	row := func(x float64) *engRow {
		e := &engRow{Search: map[string][2]float64{}, Hits: map[string]int{}, IndexSeconds: 2 * x, Bytes: 1 << 20, Load: 1}
		for _, f := range filters {
			for _, kind := range kinds {
				e.Search[f+kind] = [2]float64{x, 2 * x}
			}
		}
		return e
	}
	path := filepath.Join(t.TempDir(), "results.json")
	for _, r := range []*result{
		{Chunks: 100000, Engines: map[string]*engRow{"kaoju": row(1)}, Shares: map[string]float64{}},
		{Chunks: 10000, Engines: map[string]*engRow{"kaoju": row(1), "bleve": row(50)}, Shares: map[string]float64{"1 %": 0.01}},
		{Chunks: 100000, Engines: map[string]*engRow{"fts5": row(700)}, Shares: map[string]float64{}},
	} {
		if err := save(path, r); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("where an engine was asked fewer queries", func(t *testing.T) {
		slow := row(9)
		slow.Asked = map[string]int{"1 %": 200, "60 %": 12}
		text := markdown([]*result{{Chunks: 50, Queries: 200, Processors: 2, Load: 3.25, Engines: map[string]*engRow{"kaoju": row(1), "fts5": slow}}})
		for _, want := range []string{"Of the 200 queries it was asked the first 12 at 60 %.", "2 processors, a load of up to 3.2"} {
			if !strings.Contains(text, want) {
				t.Errorf("the page does not say %q", want)
			}
		}
	})
	t.Run("what is to be known of the numbers, until they are measured again", func(t *testing.T) {
		noted, path := row(1), filepath.Join(t.TempDir(), "results.json")
		noted.Note = "Of a program before this one."
		for _, want := range []bool{true, false} {
			if err := save(path, &result{Chunks: 50, Engines: map[string]*engRow{"kaoju": noted}}); err != nil {
				t.Fatal(err)
			}
			all, err := read(path)
			if got := err == nil && strings.Contains(markdown(all), "## 50 chunks\n\nOf a program before this one.\n\n| words"); err != nil || got != want {
				t.Errorf("the page says it: %v, want %v, %v", got, want, err)
			}
			noted = row(2)
		}
	})
	t.Run("what was measured over a data folder", func(t *testing.T) {
		text := markdown([]*result{{Chunks: 50, Engines: map[string]*engRow{"kaoju": row(1)}, Start: &startRow{
			Seconds: []float64{1.24, 2}, CPU: []float64{0.96, 1.1}, Publish: [2]float64{40, 90.4}, PublishCPU: [2]float64{30, 50}, Load: 7,
		}}})
		for _, want := range []string{"first search 1.2, 2.0 s of wall time after opening it (1.0, 1.1 s of processor)", "median 40 ms, slowest of twenty 90 ms", "up to 7.0"} {
			if !strings.Contains(text, want) {
				t.Errorf("the page does not say %q", want)
			}
		}
	})
	all, err := read(path)
	if err != nil || len(all) != 2 || all[0].Chunks != 10000 || len(all[1].Engines) != 2 {
		t.Fatalf("the file holds %v, %v", all, err)
	}
	text := markdown(all)
	for _, want := range []string{"## 10,000 chunks", "## 100,000 chunks", "| 1.0 % | 1.000 | 2.000 | 50.00 | 100.00 | 50 | 50 |", "700.00", "× 50.0"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	picture := plot(all)
	if strings.Count(picture, "<polyline") != 6 || !strings.HasSuffix(picture, "</svg>\n") {
		t.Errorf("the plot is\n%s", picture)
	}
}

func TestARunThatIsCutShortLeavesAGapInsteadOfOldTimes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.json")
	old := &result{Chunks: 50, Engines: map[string]*engRow{"kaoju": {Bytes: 1}, "bleve": {Bytes: 2}, "fts5": {Bytes: 3}}}
	if err := save(path, old); err != nil {
		t.Fatal(err)
	}
	if err := save(path, &result{Chunks: 100, Engines: map[string]*engRow{"bleve": {Bytes: 4}}}); err != nil {
		t.Fatal(err)
	}
	if err := forget(path, 50, []string{"kaoju", "bleve"}); err != nil {
		t.Fatal(err)
	}
	all, err := read(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(all[0].Engines) != 1 || all[0].Engines["fts5"] == nil || all[1].Engines["bleve"] == nil {
		t.Errorf("what was not measured again is %v and %v", all[0].Engines, all[1].Engines)
	}
	if page := markdown(all); !strings.Contains(page, "cut short") {
		t.Errorf("the page does not tell the gap:\n%s", page)
	}
}

func TestAQueryThatIsTooSlowEndsTheRoundWithItsCount(t *testing.T) {
	list := []query{{text: "a"}, {text: "b", words: true}, {text: "c"}}
	for limit, want := range map[time.Duration]int{0: 1, time.Hour: 3} {
		got, err := measure(one{}, list, right{}, options{rounds: 1, limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		if got[""].queries != want || got[""].hits != want {
			t.Errorf("with a limit of %v %d queries and %d hits count, want %d", limit, got[""].queries, got[""].hits, want)
		}
	}
}

// one is an engine that finds one chunk, after some work.
type one struct{}

func (one) Search(string, right) (int, error) {
	for start := threadTime(); threadTime() == start; {
	}
	return 1, nil
}

func TestStartsAreKeptBesideWhatWasMeasuredAndGoWithIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.json")
	for _, r := range []*result{
		{Chunks: 50, Queries: 7, Engines: map[string]*engRow{"kaoju": {Bytes: 1}}},
		{Chunks: 50, Engines: map[string]*engRow{}, Start: &startRow{Load: 2}},
	} {
		if err := save(path, r); err != nil {
			t.Fatal(err)
		}
	}
	all, err := read(path)
	if err != nil || len(all) != 1 || all[0].Queries != 7 || all[0].Engines["kaoju"] == nil || all[0].Start == nil {
		t.Fatalf("the file holds %+v, %v", all, err)
	}
	if err := forget(path, 50, []string{"kaoju"}); err != nil {
		t.Fatal(err)
	}
	if all, err = read(path); err != nil || all[0].Start != nil {
		t.Errorf("starts of another program are left: %+v, %v", all[0], err)
	}
}
