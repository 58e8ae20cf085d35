package parse_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
)

// officeRules are the checks in words of the cases of office documents, as code, by case number.
func officeRules() map[string]func(*testing.T, read) {
	return map[string]func(*testing.T, read){
		"23": func(t *testing.T, r read) {
			items := 0
			for _, b := range r.result.Parsed.Blocks {
				text := string([]rune(r.result.Parsed.Text)[b.Span.Start:b.Span.End])
				if !strings.Contains(text, "普通列表") {
					continue
				}
				if items++; b.Kind != corpus.ListItem {
					t.Errorf("%q is a %s", text, b.Kind)
				}
			}
			if items == 0 {
				t.Error("the items of the list are missing")
			}
		},
		"25": nil,
		"27": func(t *testing.T, r read) {
			inOrder(t, r, "电机参数如下", "5.5kW", "以上为电机参数", "32m")
		},
		"29": func(t *testing.T, r read) {
			for _, name := range []string{"蝶阀", "闸阀"} {
				if row := lineWith(r, name); !strings.Contains(row, "阀门") {
					t.Errorf("the row of %s is %q", name, row)
				}
			}
			onePlace(t, r, "阀门")
		},
		"31": nil,
		"33": func(t *testing.T, r read) {
			times := 0
			for _, c := range r.chunks {
				if strings.Contains(c.Text, "QMS-017") {
					times++
					if strings.Contains(c.Text, "正文内容") {
						t.Errorf("chunk %d mixes header and body: %q", c.No, c.Text)
					}
				}
			}
			if times != 1 {
				t.Errorf("the header is in %d chunks", times)
			}
		},
		"35": nil, "37": nil,
		"39": func(t *testing.T, r read) {
			if row := lineWith(r, "226"); !strings.Contains(row, "阀门") {
				t.Errorf("the row of B4 is %q", row)
			}
			headed := map[string]string{"B4": "价格/含税", "C5": "价格/不含税"}
			for _, s := range segmentsOf(r) {
				l := s.Locator.(corpus.XLSXLocator)
				if want := headed[l.Cell]; want != "" && l.Header != want {
					t.Errorf("%s is under %q, want %q", l.Cell, l.Header, want)
				}
				delete(headed, l.Cell)
			}
			if len(headed) > 0 {
				t.Errorf("cells are missing: %v", headed)
			}
			if l := onePlace(t, r, "阀门").(corpus.XLSXLocator); l.Range != "A3:A4" {
				t.Errorf("阀门 is cited as %s", l.Range)
			}
		},
		"41": func(t *testing.T, r read) {
			pieces, whole := 0, 0
			for _, c := range r.chunks {
				if strings.Contains(c.Text, "条意见") {
					pieces++
					if !strings.Contains(c.Full(), "Y-07") {
						t.Errorf("chunk %d of row 2 does not tell its key: %q", c.No, c.Full())
					}
				}
				if strings.Contains(c.Text, "再断电") {
					whole++
				}
			}
			if pieces < 2 || whole != 1 {
				t.Errorf("row 2 is in %d chunks, row 3 in %d", pieces, whole)
			}
		},
		"43": func(t *testing.T, r read) {
			for _, s := range segmentsOf(r) {
				if l := s.Locator.(corpus.XLSXLocator); l.Cell == "B4" {
					t.Errorf("B4 has no stored value, and stands in the text")
				}
			}
		},
		"45": nil,
		"47": func(t *testing.T, r read) { inOrder(t, r, "流程", "第一步", "第二步", "第三步") },
		"52": func(t *testing.T, r read) {
			inOrder(t, r, "开头一章", "中间一章", "最后一章")
			for _, c := range r.chunks {
				if l := c.Locator.(corpus.EPUBLocator); l.SpineEnd != 0 {
					t.Errorf("chunk %d holds text of the pages %d to %d", c.No, l.Spine, l.SpineEnd)
				}
			}
		},
	}
}

func segmentsOf(r read) []corpus.Segment {
	var out []corpus.Segment
	for _, b := range r.result.Parsed.Blocks {
		out = append(out, b.Segments...)
	}
	return out
}

func lineWith(r read, word string) string {
	for line := range strings.Lines(r.result.Parsed.Text) {
		if strings.Contains(line, word) {
			return line
		}
	}
	return ""
}

// onePlace checks that a value that is written more than once is one cell, and returns its place.
func onePlace(t *testing.T, r read, value string) corpus.Locator {
	t.Helper()
	text := []rune(r.result.Parsed.Text)
	seen := map[string]corpus.Locator{}
	var last corpus.Locator
	for _, s := range segmentsOf(r) {
		if string(text[s.Span.Start:s.Span.End]) == value {
			raw, _ := json.Marshal(s.Locator)
			seen[string(raw)], last = s.Locator, s.Locator
		}
	}
	if len(seen) != 1 {
		t.Fatalf("%s stands at %d places: %v", value, len(seen), seen)
	}
	return last
}

func inOrder(t *testing.T, r read, words ...string) {
	t.Helper()
	at := -1
	for _, w := range words {
		i := strings.Index(r.result.Parsed.Text, w)
		if i <= at {
			t.Errorf("%s stands at %d, not after what comes before it", w, i)
		}
		at = i
	}
}

func TestFaultsOfOtherOfficeReadersDoNotOccur(t *testing.T) {
	eachCase(t, officeRules(), checkOfficeCase)
}

func checkOfficeCase(t *testing.T, c bugcase[officeExpectation], r read) {
	t.Helper()
	for _, e := range c.Expect {
		if text, place := met(r.chunks, e); !place {
			t.Errorf("%q is not at its place %v (text found: %v)", e.Text, e.Locator, text)
		}
	}
	for _, e := range c.Absent {
		if contains(r.chunks, e.Text) {
			t.Errorf("%q turned up in a chunk", e.Text)
		}
	}
}
