package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/eval"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		must(t, os.WriteFile(path, got, 0o600))
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s differs (go test -update writes it anew): %s", path, d)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var noon = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

// sample is a report with everything that a report can hold.
func sample(language string) eval.Report {
	yes := true
	r := eval.Result{
		Format: 1, ID: "eval_sample", Name: "员工手册 & handbook", Language: language, File: "q.yaml", Source: "data", Engine: "model", Model: "a-model",
		K: 5, Repeat: 2, StartedAt: noon, EndedAt: noon.Add(90 * time.Second), Unfinished: 1,
		Cases: []eval.CaseResult{
			{
				ID: "good", Groups: []eval.Group{eval.Retrieval, eval.Citation, eval.Traceability}, Question: "上海住宿上限是多少", Passed: true, Tries: 2, Passes: 2, Millis: 1500,
				Ranking: &eval.Ranking{First: 1, Hit: true, Recall: 1, RR: 1, NDCG: 1}, Version: &yes, Runs: []string{"run_1", "run_2"},
				Checks: &eval.CheckCount{Answers: 2, Sentences: 8, Cited: 8, Supported: 6, Partly: 1, NotFound: 1},
			},
			{
				ID: "bad", Groups: []eval.Group{eval.Retrieval, eval.Citation}, Question: "<script>alert(1)</script> & \"q\"", Tries: 2, Passes: 1, Millis: 20, Runs: []string{"run_3", "run_4"},
				Ranking: &eval.Ranking{}, Leaks: 1,
				Findings: []eval.Finding{
					{Group: eval.Retrieval, Code: "not_found", Detail: "none of a, b is among the first 5 documents of 3", Try: 1, Run: "run_3"},
					{Group: eval.Citation, Code: "outcome", Detail: "the run ended as failed (model_error), not answered", Try: 1, Run: "run_3"},
					{Group: eval.Retrieval, Code: "forbidden_text", Detail: `the run shows the forbidden "<img src=x>"`, Try: 1, Run: "run_3"},
					{Group: eval.Citation, Code: "forbidden_text", Detail: `the run shows the forbidden "<img src=x>"`, Try: 1, Run: "run_3"},
					{Group: eval.Retrieval, Code: "forbidden_text", Detail: `the run shows the forbidden "<img src=x>"`, Try: 2, Run: "run_4"},
				},
			},
			{ID: "tool", Groups: []eval.Group{eval.Tools}, Passed: true, Tries: 2, Passes: 2},
		},
	}
	r.Sum()
	return eval.Report{
		Result: r, Short: r.Short(nil), Baseline: "eval_before",
		Regressions: []eval.Regression{{Case: "bad", Group: eval.Retrieval, Before: 1, Now: 0}, {Group: eval.Retrieval, Figure: "mrr", Before: 0.9, Now: 0.5}},
	}
}

func TestTheTableIsInBothLanguages(t *testing.T) {
	for _, language := range []string{"en", "zh"} {
		var b bytes.Buffer
		must(t, Table(&b, sample(language)))
		golden(t, "table."+language+".golden", b.Bytes())
	}
}

func TestTheTableOfAGoodResultSaysSo(t *testing.T) {
	r := sample("en").Result
	r.Cases, r.Unfinished, r.Engine = r.Cases[:1], 0, "rules"
	r.Sum()
	var b bytes.Buffer
	must(t, Table(&b, eval.Report{Result: r}))
	for _, want := range []string{"Everything is as it has to be.", "answered by rules", "cases: 1"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "Fell short") || strings.Contains(b.String(), "Stopped") {
		t.Errorf("it complains:\n%s", b.String())
	}
}

func TestColumnsLineUpWhateverTheScript(t *testing.T) {
	var b bytes.Buffer
	must(t, Table(&b, sample("zh")))
	lines := strings.Split(b.String(), "\n")
	at := -1
	for _, l := range lines[2:7] {
		// The second column begins at the same place of the screen in every row.
		first := strings.IndexByte(l, ' ')
		start := len(l[:first]) + len(l[first:]) - len(strings.TrimLeft(l[first:], " "))
		if w := width(l[:start]); at >= 0 && w != at {
			t.Errorf("%q begins its second column at %d, not %d", l, w, at)
		} else {
			at = w
		}
	}
}

func TestJUnitIsWhatBuildServersRead(t *testing.T) {
	var b bytes.Buffer
	must(t, JUnit(&b, sample("en")))
	golden(t, "junit.golden", b.Bytes())
	var read testSuites
	must(t, xml.Unmarshal(b.Bytes(), &read))
	if read.Tests != 11 || read.Failures != 7 || len(read.Suites) != 5 {
		t.Errorf("%d tests, %d failures, %d suites", read.Tests, read.Failures, len(read.Suites))
	}
	n := 0
	for _, s := range read.Suites {
		if len(s.Cases) != s.Tests {
			t.Errorf("%s counts %d of %d", s.Name, s.Tests, len(s.Cases))
		}
		n += s.Tests
	}
	if n != read.Tests {
		t.Errorf("the suites hold %d of %d", n, read.Tests)
	}
}

func TestThePageHoldsEverythingAndItsOwnPolicy(t *testing.T) {
	for _, language := range []string{"en", "zh"} {
		r := sample(language)
		earlier := r.Result
		earlier.StartedAt, earlier.ID = noon.Add(-24*time.Hour), "eval_earlier"
		var b bytes.Buffer
		must(t, Page(&b, r, []eval.Result{earlier}))
		golden(t, "page."+language+".golden.html", b.Bytes())
		inert(t, b.String())
		_, rest, _ := strings.Cut(b.String(), "<style>")
		shown, _, _ := strings.Cut(rest, "</style>")
		sum := sha256.Sum256([]byte(shown))
		if hash := "sha256-" + base64.StdEncoding.EncodeToString(sum[:]); !strings.Contains(html.UnescapeString(b.String()), "style-src '"+hash+"'") {
			t.Errorf("%s: the policy does not admit the style of the page, %s", language, hash)
		}
		if strings.Count(b.String(), "<svg") != 3 || !strings.Contains(b.String(), "<polyline") {
			t.Errorf("%s: %d charts", language, strings.Count(b.String(), "<svg"))
		}
	}
}

// inert holds what keeps a page from doing anything: no script, no handler, nothing loaded, no
// style but the one that the policy admits by its hash.
func inert(t interface{ Errorf(string, ...any) }, page string) {
	for _, never := range []string{"<script", "javascript:", "<img", "<link", "<iframe", "<object", "@import", "url(", "style=", "unsafe-inline", "http://", "https://"} {
		if strings.Contains(strings.ToLower(page), never) {
			t.Errorf("the page holds %q", never)
		}
	}
	if handler.MatchString(page) {
		t.Errorf("the page holds a handler: %q", handler.FindString(page))
	}
	if !strings.Contains(page, `content="default-src &#39;none&#39;; style-src &#39;sha256-`) {
		t.Errorf("the page has no policy")
	}
	if n := strings.Count(page, "<style>"); n != 1 {
		t.Errorf("the page has %d styles", n)
	}
}

var handler = regexp.MustCompile(`<[^>]*\son[a-z]+\s*=`)

func TestNothingThatAPersonWroteIsMarkup(t *testing.T) {
	nasty := rapid.SampledFrom([]string{
		"<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "</style><style>*{}", "{{.R}}", "</title>", "javascript:x", "\x1b[31m", "\u202e", "]]>", "&amp;", "'", "上海", "\x00",
	})
	rapid.Check(t, func(t *rapid.T) {
		r := sample(rapid.SampledFrom([]string{"en", "zh", "xx"}).Draw(t, "language"))
		text := strings.Join(rapid.SliceOfN(nasty, 1, 4).Draw(t, "text"), "")
		r.Name, r.File, r.ID, r.Model, r.Baseline = text, text, text, text, text
		for i := range r.Cases {
			r.Cases[i].ID, r.Cases[i].Question, r.Cases[i].Runs = text, text, []string{text}
			for j := range r.Cases[i].Findings {
				r.Cases[i].Findings[j].Detail, r.Cases[i].Findings[j].Code = text, text
			}
		}
		r.Regressions[0].Case, r.Short = text, []string{text}
		var page, junit, table bytes.Buffer
		if Page(&page, r, nil) != nil || JUnit(&junit, r) != nil || Table(&table, r) != nil {
			t.Fatal("it can't be written")
		}
		markup := tag.FindAllString(page.String(), -1)
		inert(t, strings.Join(markup, "\n"))
		if err := xml.Unmarshal(junit.Bytes(), new(testSuites)); err != nil {
			t.Fatalf("%v", err)
		}
		if strings.ContainsAny(table.String(), "\x1b\x00\u202e") {
			t.Fatal("the table drives the terminal")
		}
	})
}

// tag finds the markup of a page, with the policy and the opening of the style.
var tag = regexp.MustCompile(`<[a-zA-Z!/][^>]*>`)

func TestOneResultAloneHasNoLine(t *testing.T) {
	r := sample("en")
	var b bytes.Buffer
	must(t, Page(&b, r, nil))
	if strings.Contains(b.String(), "<polyline") {
		t.Error("a line is drawn through one point")
	}
}

func TestTheLineRunsFromTheOldestToTheNewest(t *testing.T) {
	result := func(day, passed int) eval.Result {
		return eval.Result{StartedAt: noon.AddDate(0, 0, day), Groups: []eval.GroupResult{{Group: eval.Tools, Share: float64(passed) / 4}}}
	}
	got := trendOf(english, []eval.Result{result(2, 4), result(0, 0), result(1, 2)})
	want := &trend{
		From: "2026-11-29", To: "2026-12-01",
		Lines: []line{{Name: "Tools", Class: "tools", Points: "40,170 295,90 550,10", Dots: [][2]int{{40, 170}, {295, 90}, {550, 10}}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAShareIsNeverRoundedToWhatItIsNot(t *testing.T) {
	for share, want := range map[float64]string{0: "0 %", 1: "100 %", 0.5: "50 %", 0.9999: "99.9 %", 0.0001: "0.1 %", 2.0 / 3: "66.7 %", 0.955: "95.5 %"} {
		if got := percent(share); got != want {
			t.Errorf("%v: %s, want %s", share, got, want)
		}
	}
}

func TestStoredResultsAreListedWithTheirGroups(t *testing.T) {
	r := sample("zh").Result
	other := eval.Result{ID: "eval_2", File: "only.jsonl", StartedAt: noon}
	for _, language := range []string{"en", "zh"} {
		var b bytes.Buffer
		must(t, List(&b, []eval.Result{r, other}, language))
		golden(t, "list."+language+".golden", b.Bytes())
	}
}

// TestEveryFindingHasWordsInChinese looks for the codes of findings in the source of what makes
// them, so that a new one can't be forgotten here.
func TestEveryFindingHasWordsInChinese(t *testing.T) {
	files, err := filepath.Glob("../trial/*.go")
	must(t, err)
	makers := map[string]int{"fault": 1, "everywhere": 0, "wrong": 0, "leak": 0}
	seen := 0
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		must(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := ""
			switch fn := call.Fun.(type) {
			case *ast.Ident:
				name = fn.Name
			case *ast.SelectorExpr:
				name = fn.Sel.Name
			}
			at, ok := makers[name]
			if !ok || at >= len(call.Args) {
				return true
			}
			lit, ok := call.Args[at].(*ast.BasicLit)
			if !ok {
				return true
			}
			code, _ := strconv.Unquote(lit.Value)
			if !regexp.MustCompile(`^[a-z_]+$`).MatchString(code) {
				return true
			}
			seen++
			if chinese.codes[code] == "" {
				t.Errorf("%s: the finding %q has no words in Chinese", path, code)
			}
			return true
		})
	}
	if seen < 50 {
		t.Fatalf("only %d findings were looked at", seen)
	}
}

func TestBothLanguagesHaveAllTheirWords(t *testing.T) {
	for _, w := range []words{english, chinese} {
		for name, s := range map[string]string{
			"Lang": w.Lang, "GroupTitle": w.GroupTitle, "total": w.total, "PassedTitle": w.PassedTitle, "share": w.share, "interval": w.interval, "when": w.when,
			"name": w.name, "cases": w.cases, "tries": w.tries, "rules": w.rules, "failed": w.failed, "regressions": w.regressions, "unfinished": w.unfinished,
			"allGood": w.allGood, "notGood": w.notGood, "rightVersion": w.rightVersion, "forbidden": w.forbidden, "cited": w.cited, "supported": w.supported,
			"partly": w.partly, "notFound": w.notFound, "contradicted": w.contradicted, "oldVersions": w.oldVersions, "Title": w.Title, "SharesTitle": w.SharesTitle,
			"RankingTitle": w.RankingTitle, "VerdictTitle": w.VerdictTitle, "TrendTitle": w.TrendTitle, "CasesTitle": w.CasesTitle, "Reason": w.Reason,
		} {
			if s == "" {
				t.Errorf("%s has no word for %s", w.Lang, name)
			}
		}
		if len(w.Groups) != len(eval.Groups()) {
			t.Errorf("%s names %d groups", w.Lang, len(w.Groups))
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestAReportThatCannotBeWrittenIsAnError(t *testing.T) {
	for name, write := range map[string]func(io.Writer) error{
		"table": func(w io.Writer) error { return Table(w, sample("en")) },
		"junit": func(w io.Writer) error { return JUnit(w, sample("en")) },
		"page":  func(w io.Writer) error { return Page(w, sample("en"), nil) },
		"list":  func(w io.Writer) error { return List(w, []eval.Result{sample("en").Result}, "en") },
	} {
		if write(full{}) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
