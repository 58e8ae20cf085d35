package parse_test

import (
	"bufio"
	"context"
	"encoding/json"
	"math"
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
	"github.com/kaoju/kaoju/internal/problem"
)

// officeExpectation is a text of an office document and the place where it must be found, with the
// keys of the locator as they are written.
type officeExpectation struct {
	Text     string         `json:"text"`
	Match    string         `json:"match"`
	TextAny  []string       `json:"text_any"`
	Optional bool           `json:"optional"`
	Locator  map[string]any `json:"locator"`
}

type officeRecord struct {
	File     string              `json:"file"`
	Format   string              `json:"format"`
	Expect   []officeExpectation `json:"expect"`
	Absent   []officeExpectation `json:"absent"`
	MustFail bool                `json:"must_fail_cleanly"`
	FailKind string              `json:"fail_kind"`
	NoText   bool                `json:"no_text"`
}

// officeFormats are the formats that are archives of parts, books among them.
func officeFormats() []string { return []string{"docx", "xlsx", "pptx", "epub"} }

// officeRecordsOf returns the records of the manifest for files of some formats.
func officeRecordsOf(t *testing.T, dir string, formats ...string) []officeRecord {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "manifest.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []officeRecord
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var head struct {
			Format string `json:"format"`
		}
		if err := json.Unmarshal(in.Bytes(), &head); err != nil {
			t.Fatalf("a line of the manifest: %v", err)
		}
		if !slices.Contains(formats, head.Format) {
			continue
		}
		var r officeRecord
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			t.Fatalf("a line of the manifest: %v", err)
		}
		out = append(out, r)
	}
	if in.Err() != nil || len(out) == 0 {
		t.Fatalf("the manifest gave %d records: %v", len(out), in.Err())
	}
	return out
}

// places returns the places of a text in a chunk: of all that it covers, and of each piece of it.
func places(c corpus.Chunk, text, match string) []corpus.Locator {
	var out []corpus.Locator
	for _, segments := range found(c, text, match) {
		if len(segments) > 0 && bounded(c.Text, text, match) {
			out = append(out, corpus.Cover(segments))
		}
	}
	return out
}

// bounded reports, for the match "word", that the text stands somewhere with no letter beside it.
func bounded(hay, needle, match string) bool {
	if match != "word" {
		return true
	}
	return slices.Contains(strings.FieldsFunc(hay, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }), needle)
}

// agreesWith reports whether a place has the values that are expected; keys that are not named are
// free. Numbers of a drawing agree to a thousandth.
func agreesWith(l corpus.Locator, want map[string]any) bool {
	raw, err := json.Marshal(l)
	if err != nil {
		return false
	}
	var got map[string]any
	if json.Unmarshal(raw, &got) != nil {
		return false
	}
	for key, value := range want {
		if key != "heading" {
			if !sameValue(got[key], value) {
				return false
			}
			continue
		}
		have, _ := got[key].([]any)
		suffix := value.([]any)
		if len(have) < len(suffix) {
			return false
		}
		for i, h := range have[len(have)-len(suffix):] {
			if dense(h) != dense(suffix[i]) {
				return false
			}
		}
	}
	return true
}

func sameValue(got, want any) bool {
	list, is := want.([]any)
	if !is {
		return got == want
	}
	have, is := got.([]any)
	if !is || len(have) != len(list) {
		return false
	}
	for i := range list {
		a, aok := have[i].(float64)
		b, bok := list[i].(float64)
		if !aok || !bok || math.Abs(a-b) > 0.001001 {
			return false
		}
	}
	return true
}

func dense(v any) string {
	s, _ := v.(string)
	return strings.Join(strings.Fields(norm.NFKC.String(s)), "")
}

// met says whether an expectation's text was found, and whether at its place.
func met(chunks []corpus.Chunk, e officeExpectation) (text, place bool) {
	for _, c := range chunks {
		for _, wanted := range append([]string{e.Text}, e.TextAny...) {
			for _, l := range places(c, wanted, e.Match) {
				text = true
				place = place || agreesWith(l, e.Locator)
			}
		}
	}
	return text, place
}

func TestOfficeDocumentsAreFoundAtTheirPlaces(t *testing.T) { foundAtTheirPlaces(t, officeFormats()) }

// foundAtTheirPlaces reads the files of some formats that the manifest names, and holds what it says of each.
func foundAtTheirPlaces(t *testing.T, formats []string) {
	t.Helper()
	dir := sharedData(t)
	type tally struct{ all, text, place int }
	sum := map[string]*tally{}
	for _, r := range officeRecordsOf(t, dir, formats...) {
		if sum[r.Format] == nil {
			sum[r.Format] = &tally{}
		}
		s := sum[r.Format]
		t.Run(r.File, func(t *testing.T) {
			f, result, err := parseFile(t, dir, r.File)
			if r.MustFail {
				failsCleanly(t, r, result, err)
				return
			}
			if err != nil {
				t.Fatalf("the file was refused: %v", err)
			}
			checkParsed(t, f, result)
			chunks := chunk.Split(result.Parsed, chunk.Options{})
			checkChunks(t, result.Parsed, chunks, 900)
			checkCovers(t, f, chunks)
			if noText := slices.Contains(result.Parsed.Notices, parse.NoTextLayer); r.NoText != noText || r.NoText && len(chunks) > 0 {
				t.Errorf("no text: %v, notices %v, %d chunks", r.NoText, result.Parsed.Notices, len(chunks))
			}
			for _, e := range r.Expect {
				text, place := met(chunks, e)
				if e.Optional {
					if _, part := e.Locator["part"]; part && text && !place {
						t.Errorf("%q is optional, but its place is not %v", e.Text, e.Locator)
					}
					continue
				}
				s.all++
				if text {
					s.text++
				}
				if place {
					s.place++
				} else if why := knownOffice(r.File, e.Text); why == "" {
					t.Errorf("%q is not at its place %v (text found: %v)", e.Text, e.Locator, text)
				} else {
					t.Logf("%q is not at its place %v, as %s", e.Text, e.Locator, why)
				}
			}
			for _, e := range r.Absent {
				if contains(chunks, e.Text) {
					t.Errorf("%q turned up in a chunk", e.Text)
				}
			}
		})
	}
	for format, s := range sum {
		t.Logf("%s: of %d expectations, %d texts found (%.1f %%), %d at their place (%.1f %%)", format, s.all,
			s.text, 100*float64(s.text)/float64(s.all), s.place, 100*float64(s.place)/float64(s.all))
		if s.all == 0 || 100*s.place < 97*s.all {
			t.Errorf("%s: %d of %d expectations are at their place, fewer than 97 %%", format, s.place, s.all)
		}
	}
}

// knownOffice says why an expectation is not met on purpose, by file and text.
func knownOffice(file, text string) string {
	return map[string]string{
		"docx/chinese-construction-form.docx: 工程名称": "row 1 is expected, but the inner table stands in row 2 of the outer one",
		"docx/chinese-construction-form.docx: 申请单位": "row 1 is expected, but the inner table stands in row 2 of the outer one",
	}[file+": "+text]
}

// failsCleanly holds a file that can't be read to its refusal. One that may give some of its text
// may also be read, as long as it breaks no promise.
func failsCleanly(t *testing.T, r officeRecord, result parse.Result, err error) {
	t.Helper()
	if err == nil {
		if r.FailKind == "hard" {
			t.Errorf("the file was read, with %d blocks, but has to fail", len(result.Parsed.Blocks))
		}
		for _, e := range r.Absent {
			if strings.Contains(result.Parsed.Text, e.Text) {
				t.Errorf("%q turned up in the text", e.Text)
			}
		}
		return
	}
	if !problem.Is(err, problem.Invalid) || !strings.Contains(err.Error(), filepath.Base(r.File)) {
		t.Errorf("the refusal is %v", err)
	}
	t.Logf("%v", err)
}

// checkCovers holds what a chunk's own locator promises: it opens to a stretch that holds the chunk.
func checkCovers(t *testing.T, f parse.File, chunks []corpus.Chunk) {
	t.Helper()
	for i, c := range chunks {
		if !looked(i, 8, 97) {
			continue
		}
		got, err := parse.Resolve(context.Background(), f, c.Locator)
		if err != nil || !strings.Contains(dense(got), dense(c.Text)) {
			t.Errorf("chunk %d at %+v opens to %.200q (%v), which does not hold %.200q", c.No, c.Locator, got, err, c.Text)
		}
	}
}
