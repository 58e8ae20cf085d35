package parse_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
)

type bugcase[E any] struct {
	ID       string `json:"id"`
	Format   string `json:"format"`
	Input    string `json:"input"`
	Expect   []E    `json:"expect"`
	Absent   []E    `json:"expect_absent"`
	Settings struct {
		MaxChars int `json:"max_chars"`
	} `json:"settings"`
}

// read is a bug case after parsing and cutting.
type read struct {
	file   parse.File
	result parse.Result
	chunks []corpus.Chunk
}

// rules are the checks in words of the cases, as code, by case number.
func rules() map[string]func(*testing.T, read) {
	return map[string]func(*testing.T, read){
		"02": func(t *testing.T, r read) {
			for _, c := range r.chunks {
				if text := strings.TrimSpace(c.Text); strings.HasPrefix(text, "```") && !strings.Contains(text, "\n") {
					t.Errorf("chunk %d is a fence line alone: %q", c.No, text)
				}
				code := strings.Contains(c.Text, "compute(step_")
				if code && !strings.Contains(c.Full(), "```") {
					t.Errorf("chunk %d holds code without its fence", c.No)
				}
				if code && !strings.HasSuffix(strings.TrimRight(c.Text, " "), "\n") {
					t.Errorf("chunk %d ends inside a line of code: %q", c.No, c.Text[max(0, len(c.Text)-40):])
				}
			}
		},
		"04": nil, "12": startsRise, "14": nil,
		"06": func(t *testing.T, r read) {
			for _, c := range r.chunks {
				for _, h := range c.HeadingPath {
					if strings.ContainsAny(h, "[]()*`") {
						t.Errorf("the heading %q keeps markup", h)
					}
				}
			}
		},
		"08": func(t *testing.T, r read) {
			const head = "| 编号 | 名称 | 数量 |"
			for _, c := range r.chunks {
				if !strings.Contains(c.Text, "| P-") {
					continue
				}
				if n := strings.Count(c.Full(), "编号"); n != 1 {
					t.Errorf("chunk %d has the header row %d times", c.No, n)
				}
				if n := strings.Count(c.Full(), "---"); n < 1 || strings.Count(c.Full(), "\n|---") > 1 {
					t.Errorf("chunk %d has the delimiter row %d times", c.No, n)
				}
				for row := range strings.SplitSeq(strings.TrimSpace(c.Text), "\n") {
					if strings.HasPrefix(row, "|") != strings.HasSuffix(strings.TrimSpace(row), "|") {
						t.Errorf("chunk %d cuts the row %q (header %q)", c.No, row, head)
					}
				}
			}
			lines := map[int]bool{}
			for _, c := range r.chunks {
				for _, segments := range found(c, "P-041", "") {
					l := corpus.Cover(segments).(corpus.TextLocator)
					lines[l.Line] = l.LineEnd == 0
				}
			}
			if !lines[45] || len(lines) != 1 {
				t.Errorf("P-041 is placed on the lines %v, want 45 alone", lines)
			}
		},
		"10": nil,
		"15": func(t *testing.T, r read) {
			startsRise(t, r)
			for _, c := range r.chunks {
				first, _ := utf8.DecodeRuneInString(c.Text)
				if !utf8.ValidString(c.Text) || unicode.In(first, unicode.Mn, unicode.Me, unicode.Mc) || first == 0x200d {
					t.Errorf("chunk %d begins inside a character: %q", c.No, c.Text)
				}
			}
		},
		"17": func(t *testing.T, r read) {
			if r.result.Encoding != "gb18030" && r.result.Encoding != "gbk" {
				t.Errorf("the encoding is %s", r.result.Encoding)
			}
		},
		"18": nil, "44": nil, "48": nil,
		"50": func(t *testing.T, r read) {
			for _, word := range []string{"首页", "产品", "版权"} {
				if strings.Contains(r.result.Parsed.Text, word) {
					t.Errorf("%q of the page's frame is in the text", word)
				}
			}
		},
	}
}

func startsRise(t *testing.T, r read) {
	for i := 1; i < len(r.chunks); i++ {
		if r.chunks[i].Span.Start <= r.chunks[i-1].Span.Start {
			t.Errorf("chunk %d begins at %d, not after the one before it", i+1, r.chunks[i].Span.Start)
		}
	}
}

func TestFaultsOfOtherReadersDoNotOccur(t *testing.T) { eachCase(t, rules(), checkCase) }

// eachCase reads the cases that there are rules for, and checks each by what it says itself and by its
// rule.
func eachCase[E any](t *testing.T, rules map[string]func(*testing.T, read), check func(*testing.T, bugcase[E], read)) {
	t.Helper()
	dir := filepath.Join(sharedData(t), "bugcases")
	for number, rule := range rules {
		matches, _ := filepath.Glob(filepath.Join(dir, number+"-*"))
		if len(matches) != 1 {
			t.Fatalf("case %s is there %d times", number, len(matches))
		}
		t.Run(filepath.Base(matches[0]), func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join(matches[0], "case.json"))
			if err != nil {
				t.Fatal(err)
			}
			var c bugcase[E]
			if err := json.Unmarshal(b, &c); err != nil {
				t.Fatal(err)
			}
			var r read
			r.file, r.result, err = parseFile(t, matches[0], c.Input)
			if err != nil {
				t.Fatal(err)
			}
			limit := c.Settings.MaxChars
			r.chunks = chunk.Split(r.result.Parsed, chunk.Options{MaxChars: limit})
			if limit == 0 {
				limit = 900
			}
			checkParsed(t, r.file, r.result)
			checkChunks(t, r.result.Parsed, r.chunks, limit)
			check(t, c, r)
			if rule != nil {
				rule(t, r)
			}
		})
	}
}

func checkCase(t *testing.T, c bugcase[expectation], r read) {
	t.Helper()
	for _, e := range c.Expect {
		if !holds(r.chunks, e) {
			t.Errorf("%q is not at its place %+v", e.Text, e.Locator)
		}
	}
	for _, e := range c.Absent {
		if contains(r.chunks, e.Text) {
			t.Errorf("%q turned up in a chunk", e.Text)
		}
	}
	if r.result.Format == "md" || r.result.Format == "txt" {
		var joined strings.Builder
		for _, c := range r.chunks {
			joined.WriteString(c.Text)
		}
		data := strings.TrimPrefix(string(r.file.Data), "\ufeff")
		if slices.Contains([]string{"utf-8"}, r.result.Encoding) && joined.String() != data {
			t.Errorf("the joined chunks are not the source")
		}
	}
}
