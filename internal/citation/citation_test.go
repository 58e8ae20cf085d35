package citation_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/seal"
)

func passage(l corpus.Locator) corpus.Passage {
	return corpus.Passage{
		Document: "doc-1", KnowledgeBase: "kb", Key: "k", Version: 2, Status: access.StatusPublished, Title: "差旅", SourceURI: "file:///a",
		Chunk: "c1", Chunks: []corpus.ChunkID{"c1", "c2"}, Locator: l, Span: corpus.Span{Start: 3, End: 9}, Text: "上限650元", TruncatedAfter: true,
	}
}

func TestEvidenceIsThePassageAsItWasRead(t *testing.T) {
	shanghai := time.FixedZone("CST", 8*3600)
	at := time.Date(2026, 10, 1, 8, 0, 0, 0, shanghai)
	got := citation.New("S1", "n1", passage(corpus.TextLocator{Format: "md", Line: 3}), at)
	want := citation.Evidence{
		Ref: "S1", Document: "doc-1", KnowledgeBase: "kb", Key: "k", Version: 2, Status: access.StatusPublished, Title: "差旅", SourceURI: "file:///a",
		Chunk: "c1", Chunks: []corpus.ChunkID{"c1", "c2"}, Locator: corpus.TextLocator{Format: "md", Line: 3}, Span: corpus.Span{Start: 3, End: 9},
		Excerpt: "上限650元", Nonce: "n1", Hash: seal.Hash("n1", "上限650元"), TruncatedAfter: true, ReadAt: time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC),
	}
	if diff := cmp.Diff(want, got); diff != "" || !got.Truncated() {
		t.Errorf("evidence (-want +got):\n%s", diff)
	}
}

func TestHashesAreThoseOfTheBytes(t *testing.T) {
	// The SHA-256 of the empty string and of "abc" are printed in FIPS 180-2.
	for text, want := range map[string]string{
		"":    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	} {
		if got := seal.Hash("", text); got != want {
			t.Errorf("HashText(%q) = %s", text, got)
		}
	}
}

func TestEvidenceSurvivesItsStoredFormWhateverItsPlace(t *testing.T) {
	for _, l := range []corpus.Locator{
		corpus.TextLocator{Format: "md", Heading: []string{"a"}, Line: 3, LineEnd: 4, Char: [2]int{1, 2}},
		corpus.CSVLocator{Row: 2, Range: "A2:C2", Line: 2, Char: [2]int{1, 2}},
		nil,
	} {
		e := citation.New("C1", "n1", passage(l), time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC))
		raw, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var back citation.Evidence
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if diff := cmp.Diff(e, back); diff != "" {
			t.Errorf("evidence (-stored +read):\n%s", diff)
		}
	}
	var e citation.Evidence
	if err := json.Unmarshal([]byte(`{"Ref": "S1", "Locator": {"kind": "moon"}}`), &e); err == nil {
		t.Error("a place of an unknown kind was read")
	}
}

func TestNormalFormsAreEqualForTheSameSearch(t *testing.T) {
	for _, same := range [][]string{
		{"travel policy", " Travel\tPOLICY ", "ｔｒａｖｅｌ　policy", "travel\npolicy"},
		{"差旅制度 650", "差旅制度　６５０", "差旅制度  650"},
		{"", " ", "　\n"},
	} {
		for _, s := range same {
			if got := citation.Normal(s); got != same[0] {
				t.Errorf("Normal(%q) = %q, want %q", s, got, same[0])
			}
		}
	}
	if citation.Normal("a b") == citation.Normal("ab") {
		t.Error("words were joined")
	}
}
