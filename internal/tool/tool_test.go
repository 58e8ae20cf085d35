package tool_test

import (
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/tool"
	"pgregory.net/rapid"
)

func TestUnitsAreThoseOfUTF16(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		if got, want := tool.Units(s), len(utf16.Encode([]rune(s))); got != want {
			t.Fatalf("Units(%q) = %d, want %d", s, got, want)
		}
	})
	if got := tool.Units("差旅😀"); got != 4 {
		t.Errorf("Units = %d, want 4", got)
	}
}

func TestSessionCountsDocumentsAndTextOverAllWindows(t *testing.T) {
	s := tool.Session{TextUnits: 100, Windows: []tool.Window{
		{Document: "b", Units: 30}, {Document: "a", Units: 20}, {Document: "b", Units: 90},
	}}
	if diff := cmp.Diff([]corpus.DocumentID{"b", "a"}, s.DocumentsRead()); diff != "" {
		t.Errorf("documents (-want +got):\n%s", diff)
	}
	for id, want := range map[corpus.DocumentID]int{"a": 80, "b": 0, "c": 100} {
		if got := s.UnitsLeft(id); got != want {
			t.Errorf("UnitsLeft(%s) = %d, want %d", id, got, want)
		}
	}
}

func TestCodesSayWhatTheRunMayDo(t *testing.T) {
	ends := []tool.Code{tool.NotAllowed, tool.PermissionDenied, tool.OutOfScope, tool.NoProgress, tool.LimitSearchPages, tool.LimitDocuments, tool.LimitText, tool.TextChanged}
	goesOn := []tool.Code{tool.InvalidJSON, tool.InvalidArguments, tool.NotFound, tool.Timeout, tool.Dependency}
	for _, c := range ends {
		if !c.Ends() || c.Retryable() {
			t.Errorf("%s: Ends %v, Retryable %v", c, c.Ends(), c.Retryable())
		}
	}
	for _, c := range goesOn {
		if c.Ends() || c.Retryable() != (c == tool.Timeout || c == tool.Dependency) {
			t.Errorf("%s: Ends %v, Retryable %v", c, c.Ends(), c.Retryable())
		}
	}
}
