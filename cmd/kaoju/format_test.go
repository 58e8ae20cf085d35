package main

import (
	"strings"
	"testing"
	"unicode"

	"github.com/kaoju/kaoju/api"
)

// TestPrintedTextCannotDriveTheTerminal prints an answer whose every text, from model and
// documents, tries to clear the screen, set a title, ring, and turn the direction of writing.
func TestPrintedTextCannotDriveTheTerminal(t *testing.T) {
	const evil = "上限\x1b[2J\x1b]0;owned\x07\x9b31m\u202e 056 \u2066\r\x00end"
	var out strings.Builder
	writeAnswer(&out, "q", api.Answer{
		State: "completed", Answer: evil,
		Citations: []api.Citation{{Label: "S1", Title: evil, DocKey: evil, Version: 1, Excerpt: evil}},
	})
	if n := strings.Count(out.String(), "end"); n < 4 {
		t.Errorf("only %d of the texts were printed:\n%q", n, out.String())
	}
	for _, r := range out.String() {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			t.Fatalf("%U reaches the terminal in %q", r, out.String())
		}
	}
}
