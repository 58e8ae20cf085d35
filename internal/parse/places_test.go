package parse_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/sharedtest"
)

// sharedData returns the folder of test documents. Without it the test is skipped, unless the
// environment demands it.
func sharedData(t *testing.T) string { return sharedtest.Path(t, "data", "docs") }

// expectation is a text and the place where it must be found.
type expectation struct {
	Text     string   `json:"text"`
	Match    string   `json:"match"`
	TextAny  []string `json:"text_any"`
	Optional bool     `json:"optional"`
	Locator  struct {
		Heading []string  `json:"heading"`
		Line    int       `json:"line"`
		Char    []int     `json:"char"`
		InCode  *bool     `json:"in_code"`
		Row     int       `json:"row"`
		Col     int       `json:"col"`
		Header  any       `json:"header"`
		Page    int       `json:"page"`
		Label   string    `json:"page_label"`
		Box     []float32 `json:"bbox"`
		Size    []float32 `json:"page_size"`
	} `json:"locator"`
}

type record struct {
	File      string        `json:"file"`
	Format    string        `json:"format"`
	Expect    []expectation `json:"expect"`
	Absent    []expectation `json:"absent"`
	MustFail  bool          `json:"must_fail_cleanly"`
	FailKind  string        `json:"fail_kind"`
	NoText    bool          `json:"no_text"`
	Encoding  string        `json:"encoding"`
	Delimiter string        `json:"delimiter"`
}

func records(t *testing.T, dir string) []record {
	t.Helper()
	return recordsOf(t, dir, "md", "txt", "html", "csv")
}

// recordsOf returns the records of the manifest for files of some formats.
func recordsOf(t *testing.T, dir string, formats ...string) []record {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "manifest.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []record
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var r record
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			t.Fatalf("a line of the manifest: %v", err)
		}
		if slices.Contains(formats, r.Format) {
			out = append(out, r)
		}
	}
	if in.Err() != nil || len(out) == 0 {
		t.Fatalf("the manifest gave %d records: %v", len(out), in.Err())
	}
	return out
}

// compared brings text into the form in which it is compared, and tells for each code point of it
// which one of the original it came from.
func compared(s, match string) (string, []int) {
	var b strings.Builder
	var from []int
	n := 0
	for _, r := range s {
		switch {
		case match == "exact" || match == "exact-substring":
			b.WriteRune(r)
			from = append(from, n)
		case unicode.IsSpace(r):
			if match != "nospace" && !strings.HasSuffix(b.String(), " ") {
				b.WriteByte(' ')
				from = append(from, n)
			}
		default:
			for _, x := range norm.NFKC.String(string(r)) {
				b.WriteRune(x)
				from = append(from, n)
			}
		}
		n++
	}
	return b.String(), from
}

// found returns the segments that hold the text, for each time it occurs in the chunk.
func found(c corpus.Chunk, text, match string) [][]corpus.Segment {
	hay, from := compared(c.Text, match)
	needle, _ := compared(text, match)
	if match == "" {
		needle = strings.TrimSpace(needle)
	}
	var out [][]corpus.Segment
	for at := 0; ; {
		i := strings.Index(hay[at:], needle)
		if i < 0 {
			return out
		}
		at += i
		first := len([]rune(hay[:at]))
		last := first + len([]rune(needle)) - 1
		span := corpus.Span{Start: c.Span.Start + from[first], End: c.Span.Start + from[last] + 1}
		out = append(out, corpus.Within(c.Segments, span))
		at++
	}
}

// agrees reports whether the place of the segments is the expected one.
func agrees(segments []corpus.Segment, e expectation, context string) bool {
	want := e.Locator
	squeeze := func(path []string) []string {
		out := make([]string, len(path))
		for i, s := range path {
			out[i] = strings.Join(strings.Fields(norm.NFKC.String(s)), "")
		}
		return out
	}
	switch l := corpus.Cover(segments).(type) {
	case corpus.TextLocator:
		got, suffix := squeeze(l.Heading), squeeze(want.Heading)
		if len(got) < len(suffix) || !slices.Equal(got[len(got)-len(suffix):], suffix) {
			return false
		}
		if want.Line > 0 && (l.Line > want.Line || max(l.Line, l.LineEnd) < want.Line) {
			return false
		}
		if len(want.Char) == 2 && (l.Char[0] > want.Char[0] || l.Char[1] < want.Char[1]) {
			return false
		}
		if names, ok := want.Header.([]any); ok {
			for _, name := range names {
				if !strings.Contains(context, name.(string)) {
					return false
				}
			}
		}
		return want.InCode == nil || *want.InCode == l.InCode
	case corpus.CSVLocator:
		return l.Row == want.Row && (want.Col == 0 || l.Col == want.Col) &&
			(want.Header == nil || want.Header == l.Header) &&
			(want.Line == 0 || l.Line <= want.Line && max(l.Line, l.LineEnd) >= want.Line)
	}
	return false
}

func holds(chunks []corpus.Chunk, e expectation) bool {
	texts := append([]string{e.Text}, e.TextAny...)
	for _, c := range chunks {
		for _, text := range texts {
			for _, segments := range found(c, text, e.Match) {
				if agrees(segments, e, c.Full()) {
					return true
				}
			}
		}
	}
	return false
}

func contains(chunks []corpus.Chunk, text string) bool {
	return slices.ContainsFunc(chunks, func(c corpus.Chunk) bool { return strings.Contains(c.Full(), text) })
}

func parseFile(t *testing.T, dir, name string) (parse.File, parse.Result, error) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	f := parse.File{Name: filepath.Base(name), Data: data}
	r, err := parse.Parse(context.Background(), f)
	return f, r, err
}

// known lists expectations that are not met on purpose, by file and text.
func known(file, text string) string {
	reasons := map[string]string{
		"html/wikipedia-sinthgunt.html: In other projects": "the words stand in a <nav>, which is left out",
		"html/iframe-srcdoc.html: outside":                 "line 16 is expected, but the word stands on line 19",
	}
	return reasons[file+": "+text]
}

func TestRealDocumentsAreFoundAtTheirPlaces(t *testing.T) {
	dir := sharedData(t)
	met, all := map[string]int{}, map[string]int{}
	for _, r := range records(t, dir) {
		t.Run(r.File, func(t *testing.T) {
			f, result, err := parseFile(t, dir, r.File)
			if r.MustFail {
				if err == nil {
					t.Errorf("the file was read, as %s with %d blocks, but has to fail", result.Encoding, len(result.Parsed.Blocks))
				}
				return
			}
			if err != nil {
				t.Fatalf("the file was refused: %v", err)
			}
			checkParsed(t, f, result)
			chunks := chunk.Split(result.Parsed, chunk.Options{})
			checkChunks(t, result.Parsed, chunks, 900)
			if r.NoText && len(chunks) != 0 {
				t.Errorf("there are %d chunks in a file without text", len(chunks))
			}
			if !sameEncoding(result.Encoding, r.Encoding) {
				t.Errorf("the encoding is %s, want %s", result.Encoding, r.Encoding)
			}
			for _, e := range r.Expect {
				all[r.Format]++
				switch ok := holds(chunks, e); {
				case ok:
					met[r.Format]++
				case known(r.File, e.Text) != "":
					t.Logf("not found, as %s: %q", known(r.File, e.Text), e.Text)
				case !e.Optional:
					t.Errorf("%q is not at its place %+v", e.Text, e.Locator)
				}
			}
			for _, e := range r.Absent {
				if contains(chunks, e.Text) {
					t.Errorf("%q turned up in a chunk", e.Text)
				}
			}
		})
	}
	for _, format := range []string{"md", "txt", "html", "csv"} {
		share := float64(met[format]) / float64(max(1, all[format]))
		t.Logf("%s: %d of %d expectations at their place (%.1f %%)", format, met[format], all[format], 100*share)
		if all[format] == 0 {
			t.Errorf("%s: there are no expectations", format)
		}
	}
}

func sameEncoding(got, want string) bool {
	switch want {
	case "":
		return true
	case "utf-16":
		return strings.HasPrefix(got, "utf-16-")
	case "cp1252":
		return got == "windows-1252"
	}
	return got == want
}

// fataler is what tests, fuzz targets and property tests have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// checkParsed holds what every parse promises: blocks in order that leave out white space alone,
// and segments whose locators open to their text in the original.
func checkParsed(t fataler, f parse.File, r parse.Result) {
	t.Helper()
	checkBlocks(t, r)
	text := []rune(r.Parsed.Text)
	opened := 0
	for _, b := range r.Parsed.Blocks {
		for _, s := range b.Segments {
			if opened++; !looked(opened, 12, 499) || opened > 6000 {
				continue
			}
			got, err := parse.Resolve(context.Background(), f, s.Locator)
			if want := string(text[s.Span.Start:s.Span.End]); err != nil || got != want {
				t.Fatalf("the locator %+v opens to %q (%v), want %q", s.Locator, got, err, want)
			}
		}
	}
}

// looked reports whether the place of this number in a file is opened: the first ones, and one in so many after. Opening
// one of HTML or of an office document reads the whole of it again. Where the race detector looks on, at what one
// goroutine does, it is two: the run without it opens them all.
func looked(n, first, step int) bool {
	if detecting {
		return n <= 2
	}
	return n <= first || n%step == 0
}

// checkBlocks holds that the blocks are in order and hold all of the text.
func checkBlocks(t fataler, r parse.Result) {
	t.Helper()
	text := []rune(r.Parsed.Text)
	end := 0
	for i, b := range r.Parsed.Blocks {
		if b.Span.Start < end || b.Span.End <= b.Span.Start || b.Span.End > len(text) {
			t.Fatalf("block %d has the span %v after %d", i, b.Span, end)
		}
		if strings.TrimSpace(string(text[end:b.Span.Start])) != "" {
			t.Fatalf("before block %d, text is in no block: %q", i, string(text[end:b.Span.Start]))
		}
		if b.Kind == corpus.TableRow && (b.Head >= i || b.Head >= 0 && r.Parsed.Blocks[b.Head].Kind != corpus.TableHead) {
			t.Fatalf("block %d is a row whose head is block %d", i, b.Head)
		}
		end = b.Span.End
		at := b.Span.Start
		for _, s := range b.Segments {
			if s.Span.Start < at || s.Span.Len() <= 0 || !b.Span.Contains(s.Span) {
				t.Fatalf("a segment of block %d has the span %v in %v", i, s.Span, b.Span)
			}
			at = s.Span.End
		}
	}
	if strings.TrimSpace(string(text[end:])) != "" {
		t.Fatalf("after the last block, text is in no block: %.80q", string(text[end:]))
	}
}

// checkChunks holds what every split promises.
func checkChunks(t fataler, p corpus.Parsed, chunks []corpus.Chunk, limit int) {
	t.Helper()
	text := []rune(p.Text)
	at := 0
	for i, c := range chunks {
		if c.No != i+1 || c.Span.Start != at || string(text[c.Span.Start:c.Span.End]) != c.Text {
			t.Fatalf("chunk %d (no. %d) has the span %v after %d, or other text", i+1, c.No, c.Span, at)
		}
		at = c.Span.End
		if n := len([]rune(strings.TrimSpace(c.Text))) + len([]rune(c.Context)); n > limit {
			t.Errorf("chunk %d holds %d characters, more than %d", c.No, n, limit)
		}
		if c.Locator == nil || len(c.Segments) == 0 && limit >= 100 || c.HeadingPath == nil {
			t.Errorf("chunk %d has no place: %q", c.No, c.Text)
		}
		for _, s := range c.Segments {
			if !c.Span.Contains(s.Span) {
				t.Errorf("chunk %d %v has a segment outside: %v", c.No, c.Span, s.Span)
			}
		}
	}
	if len(chunks) > 0 && at != len(text) {
		t.Errorf("the chunks end at %d of %d", at, len(text))
	}
}
