package citation_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/kaoju/kaoju/internal/citation"
	"pgregory.net/rapid"
)

func TestReferencesAreFoundInAllTheirForms(t *testing.T) {
	for text, want := range map[string][]string{
		"上限为650元[S1]。":                         {"S1"},
		"上限为650元 [S1][C2]。再看 [S1]。":            {"S1", "C2"},
		"[S2, S1] [S3,S4] [S5、S6；S7]":          {"S2", "S1", "S3", "S4", "S5", "S6", "S7"},
		"[S1 S2]":                              {"S1", "S2"},
		"【S1】【S2，S3】":                          {"S1", "S2", "S3"},
		"［Ｓ１２］":                                {"S12"},
		"[s1] and [c2]":                        {"S1", "C2"},
		"[ S1 ]":                               {"S1"},
		"[S2-S4] [C1–C2]":                      {"S2", "S3", "S4", "C1", "C2"},
		"[S01]":                                {"S01"},
		"[S1](https://example.invalid)":        {"S1"},
		"a list\n- one [S1]\n    - two [S2]":   {"S1", "S2"},
		"an open ` tick [S1]":                  {"S1"},
		"``` not a fence ``` [S1]":             {"S1"},
		"text\n~~~\ncode\n~~~\n[S1]":           {"S1"},
		"\\\\[S1]":                             {"S1"},
		"":                                     nil,
		"no reference [1] [a] [S] [SX1] [S1a]": nil,
		"[] [,] [S1, see]":                     nil,
		"[S1-C2] [S3-S1] [S1-S900]":            nil,
		"[S1\n]":                               nil,
		"[S123456]":                            nil,
		"\\[S1]":                               nil,
		"`[S1]` and ``a ` [S2]``":              nil,
		"```\n[S1]\n```":                       nil,
		"```go\n[S1]\n~~~\n[S2]":               nil,
		"~~~\n[S1]\n```\n[S2]\n~~~~":           nil,
		"S1 (S1) {S1} <S1>":                    nil,
	} {
		if diff := cmp.Diff(want, citation.Refs(text)); diff != "" {
			t.Errorf("Refs(%q) (-want +got):\n%s", text, diff)
		}
	}
}

func TestReferencesAreThoseThatWereWritten(t *testing.T) {
	word := rapid.StringMatching(`[a-z一二三。， ]{0,12}`)
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		var want []string
		for range rapid.IntRange(0, 6).Draw(t, "mentions") {
			b.WriteString(word.Draw(t, "word"))
			ref := fmt.Sprintf("%s%d", rapid.SampledFrom([]string{"S", "C"}).Draw(t, "series"), rapid.IntRange(1, 20).Draw(t, "number"))
			form := rapid.SampledFrom([]string{"[%s]", "【%s】", "［%s］", "[ %s ]"}).Draw(t, "form")
			fmt.Fprintf(&b, form, ref)
			if !slices.Contains(want, ref) {
				want = append(want, ref)
			}
		}
		b.WriteString(word.Draw(t, "word"))
		if diff := cmp.Diff(want, citation.Refs(b.String())); diff != "" {
			t.Fatalf("Refs(%q) (-want +got):\n%s", b.String(), diff)
		}
	})
}

func FuzzRefs(f *testing.F) {
	for _, s := range []string{"[S1]", "【S1，C2】", "`[S1]`", "```\n[S1]", "[S1-S3]", "\\[S1]", "［Ｓ１］", "[[S1]]", "`` ` [S1] ``"} {
		f.Add(s)
	}
	form := regexp.MustCompile(`^[SC][0-9]{1,5}$`)
	f.Fuzz(func(t *testing.T, text string) {
		refs := citation.Refs(text)
		seen := map[string]bool{}
		for _, r := range refs {
			if !form.MatchString(r) || seen[r] {
				t.Fatalf("Refs(%q) = %q", text, refs)
			}
			seen[r] = true
		}
		if !strings.ContainsAny(text, "[【［") && len(refs) > 0 {
			t.Fatalf("Refs(%q) = %q without a bracket", text, refs)
		}
		if !utf8.ValidString(text) {
			return
		}
		for _, s := range citation.Sentences(text) {
			if s.Start < 0 || s.End > len(text) || s.Start >= s.End || !utf8.ValidString(text[s.Start:s.End]) {
				t.Fatalf("sentence %+v of %q", s, text)
			}
		}
	})
}

// TestLongHostileTextsAreReadInOnePass has no clock: a reader that looks at the rest of the text
// for each mark would take minutes here, and the test run's own limit would end it.
func TestLongHostileTextsAreReadInOnePass(t *testing.T) {
	const n = 1 << 18
	for _, unit := range []string{"[", "`", "`a` ", "`a`\n", "[S1", "[S1]", "\\", "```\n", "- `", "【", "[S1-"} {
		text := strings.Repeat(unit, n/len(unit))
		if got := len(citation.Refs(text)); got > 1 {
			t.Errorf("%q repeated: %d references", unit, got)
		}
		citation.Sentences(text[:n/8])
	}
}
