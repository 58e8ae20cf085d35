package stored

import (
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite/row"
	"github.com/kaoju/kaoju/internal/tool"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file under testdata, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Fatalf("%s differs (go test -update writes it anew): %s", path, d)
	}
}

func ptr[T any](v T) *T { return &v }

var (
	noon   = time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC)
	place  = corpus.TextLocator{Format: "md", Heading: []string{"差旅", "Hotel"}, Line: 3, LineEnd: 4, Char: [2]int{10, 20}}
	pieces = []corpus.Segment{{Span: corpus.Span{Start: 1, End: 5}, Locator: place}, {Span: corpus.Span{Start: 5, End: 9}, Locator: corpus.CSVLocator{Row: 2, Col: 1, Line: 2, Char: [2]int{0, 4}}}}
)

// sampleRun has every field set.
func sampleRun() *run.Run {
	return &run.Run{
		ID: "run_1", Tenant: "acme", Actor: "rita", Kind: run.ForDraft, Goal: "上海住宿标准?", Conversation: "conv_1",
		Scope: run.Scope{Bases: []access.KnowledgeBaseID{"kb"}, DocKey: "travel", UpdatedFrom: noon, UpdatedTo: noon.Add(time.Hour)},
		Route: run.AgenticRAG, Tools: []string{"search_knowledge", "read_document"},
		Model: llm.Info{Engine: llm.Model, Name: "m-1", Host: "models.example", Remote: true}, RulesFallback: true,
		State: run.AwaitingReview, Reason: run.DraftReady, Attempt: 2, Step: 3, Limits: run.DefaultLimits(),
		Use: run.Use{Steps: 1, Repairs: 2, ToolCalls: 3, SearchPages: 4, Documents: 5, Text: 6, Tokens: 7, Elapsed: 8 * time.Second},
		Usage: run.Usage{
			Calls: 4, CallsWithUsage: 3, Prompt: ptr(10), Completion: ptr(0), Total: ptr(10), Estimated: ptr(5), Messages: 9, Characters: 99, Cost: ptr(0.25),
		},
		Hits:     []tool.Hit{{Document: "doc-1", Version: 2, Title: "差旅", Chunk: "c_1", Span: corpus.Span{Start: 1, End: 9}}},
		Searches: []tool.Search{{Query: "住宿", Page: 1, Hits: 5, More: true}},
		Windows:  []tool.Window{{Document: "doc-1", Version: 2, Span: corpus.Span{Start: 0, End: 90}, Units: 91}},
		Calls:    []run.Call{{ID: "call_1", Tool: "search_knowledge", ArgsHash: "cc", ResultHash: "dd", Code: "ok"}},
		Answer: citation.Answer{
			Text: "650 元 [S1]", Sections: citation.Sections{Conclusion: "c", Basis: "b", ToConfirm: "t", NextSteps: "n"},
			Refs: []string{"S1"}, Insufficient: true, Missing: []string{"date"},
		},
		Checks:  []citation.Check{{Sentence: "650", Labels: []string{"S1"}, Verdict: citation.Partly, DecidedBy: "numbers", Quote: "650 元"}},
		Notices: []string{"source_truncated"}, NeedsConfirm: true, PromptHash: "aa", TapeHash: "ee", CreatedAt: noon, StartedAt: noon.Add(time.Second), EndedAt: noon.Add(time.Minute),
	}
}

func sampleEvidence() citation.Evidence {
	return citation.Evidence{
		Ref: "S1", Document: "doc-1", KnowledgeBase: "kb", Key: "travel", Version: 2, Status: access.StatusPublished, Title: "差旅",
		SourceURI: "https://example.org", Chunk: "c_1", Chunks: []corpus.ChunkID{"c_1", "c_2"}, Locator: place, Span: corpus.Span{Start: 1, End: 9},
		Excerpt: "每晚 650 元", Segments: pieces, Context: "| a |\n", Hash: "bb", TruncatedBefore: true, TruncatedAfter: true, ReadAt: noon,
	}
}

func sampleChunk() corpus.Chunk {
	return corpus.Chunk{HeadingPath: []string{"差旅"}, Context: "| a |\n", Span: corpus.Span{Start: 1, End: 9}, Locator: place, Segments: pieces}
}

func sampleBlocks() []corpus.Block {
	return []corpus.Block{
		{Kind: corpus.Heading, Span: corpus.Span{Start: 0, End: 1}, Level: 1, HeadingPath: []string{"差旅"}, Head: -1},
		{Kind: corpus.TableRow, Span: corpus.Span{Start: 1, End: 9}, Head: 0, Segments: pieces},
	}
}

// kinds of record: how the present version is written, and how any version reads.
var kinds = []struct {
	name string
	pack func() string
	read func(string) (any, error)
	want any
}{
	{"run", func() string { return Run(sampleRun()).Text }, func(s string) (any, error) { return ReadRun(s) }, sampleRun()},
	{"evidence", func() string { return Evidence(sampleEvidence()).Text }, func(s string) (any, error) { return ReadEvidence(s) }, sampleEvidence()},
	{"text", func() string { return Blocks(sampleBlocks()).Text }, func(s string) (any, error) { return ReadBlocks(s) }, sampleBlocks()},
	{"chunk", func() string { return Chunk(sampleChunk()).Text }, func(s string) (any, error) {
		var c corpus.Chunk
		err := ReadChunk(s, &c)
		return c, err
	}, sampleChunk()},
	{"draft", func() string { return Draft(sampleDraft()).Text }, func(s string) (any, error) {
		var v draft.Version
		err := ReadDraft(s, &v)
		return v, err
	}, sampleDraft()},
}

func sampleDraft() draft.Version {
	return draft.Version{
		Cited: []draft.Cited{{Ref: "S1", Document: "doc-1", Version: 2, Hash: "bb"}}, Checks: sampleRun().Checks,
	}
}

func TestRecordsAreWrittenAsTheirGoldenFiles(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) { golden(t, k.name+".v1.json", k.pack()+"\n") })
	}
}

func TestEveryVersionOfARecordCanBeRead(t *testing.T) {
	for _, k := range kinds {
		files, err := filepath.Glob(filepath.Join("testdata", k.name+".v*.json"))
		if err != nil || len(files) < recordVersion {
			t.Fatalf("%s: %d golden files for %d versions, %v", k.name, len(files), recordVersion, err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			got, err := k.read(string(b))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(k.want, got); d != "" {
				t.Errorf("%s: %s", f, d)
			}
		}
	}
}

func TestRecordsThatAreNotUnderstoodAreErrors(t *testing.T) {
	for _, k := range kinds {
		for name, column := range map[string]string{
			"later version": strings.Replace(k.pack(), `"v":1`, `"v":2`, 1), "no version": `{}`, "not JSON": `{`, "wrong type": `{"v":1,"span":"x","blocks":7,"step":"y","cited":3}`,
		} {
			if _, err := k.read(column); !problem.Is(err, problem.Internal) || problem.CodeOf(err) != "record" {
				t.Errorf("%s, %s: %v", k.name, name, err)
			}
		}
	}
	for _, column := range []string{
		strings.Replace(Chunk(sampleChunk()).Text, `"kind":"md"`, `"kind":"tape"`, 1),
		strings.Replace(Chunk(sampleChunk()).Text, `"kind":"csv"`, `"kind":"tape"`, 1),
	} {
		var c corpus.Chunk
		if err := ReadChunk(column, &c); problem.CodeOf(err) != "invalid_locator" {
			t.Errorf("an unknown locator: %v", err)
		}
	}
}

func TestEmptyRunsAndTimesComeBackEmpty(t *testing.T) {
	got, err := ReadRun(Run(&run.Run{}).Text)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&run.Run{}, got); d != "" {
		t.Fatal(d)
	}
	all, none := run.Scope{}, run.Scope{Bases: []access.KnowledgeBaseID{}}
	for _, s := range []run.Scope{all, none} {
		got, err := ReadRun(Run(&run.Run{Scope: s}).Text)
		if err != nil || (got.Scope.Bases == nil) != (s.Bases == nil) {
			t.Fatalf("bases %#v came back as %#v, %v: all and none must stay apart", s.Bases, got.Scope.Bases, err)
		}
	}
}

func TestWhatCannotBeWrittenIsAnErrorOfItsColumn(t *testing.T) {
	late := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, w := range map[string]row.Written{
		"run":      Run(&run.Run{CreatedAt: late}),
		"evidence": Evidence(citation.Evidence{ReadAt: late}),
		"blocks":   Blocks([]corpus.Block{{Segments: []corpus.Segment{{Locator: unwritable}}}}),
		"chunk":    Chunk(corpus.Chunk{Locator: unwritable}),
		"body":     row.Marshal(map[string]any{"cost": math.NaN()}),
	} {
		if _, err := w.Value(); w.Err == nil || w.Text != "" || problem.CodeOf(err) != "record" {
			t.Errorf("%s was written as %q, %v", name, w.Text, err)
		}
	}
}

// unwritable is a place that can't be written as JSON.
var unwritable = brokenPlace{place}

type brokenPlace struct{ corpus.TextLocator }

func (brokenPlace) MarshalJSON() ([]byte, error) { return nil, errors.New("broken") }
