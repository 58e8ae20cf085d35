package citation_test

import (
	"testing"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
)

// drawn is a passage of a drawing: lines, each a text with its layer and its handle.
func drawn(lines ...[3]string) citation.Evidence {
	e := citation.Evidence{Ref: "S1"}
	at := 0
	for i, l := range lines {
		switch {
		case i == 0:
		case lines[i-1][1] != l[1]: // the next layer
			e.Excerpt, at = e.Excerpt+"\n\n", at+2
		default:
			e.Excerpt, at = e.Excerpt+"\n", at+1
		}
		n := len([]rune(l[0]))
		y := float64(-10 * i)
		e.Segments = append(e.Segments, corpus.Segment{Span: corpus.Span{Start: at, End: at + n}, Locator: corpus.DXFLocator{
			Layer: l[1], Entity: "TEXT", Handle: l[2], No: i + 1, Insert: &[2]float64{0, y}, Space: "model", Shown: "model", Region: corpus.Region{0, y, float64(n), y + 1},
		}})
		e.Excerpt, at = e.Excerpt+l[0], at+n
	}
	e.Span = corpus.Span{End: at}
	e.Locator = corpus.Cover(e.Segments)
	return e
}

// TestSentencesAboutADrawingAreHeldAgainstTheirOwnText holds sentences against one passage of several
// texts, and where each of them is cited.
func TestSentencesAboutADrawingAreHeldAgainstTheirOwnText(t *testing.T) {
	e := drawn(
		[3]string{"图号: SC-A-101", "图框", "A1"}, [3]string{"比例: 1:100", "图框", "A2"},
		[3]string{"备件库的楼面允许荷载为 7.5 kN/m²。", "说明", "B1"}, [3]string{"校准实验室的室温保持在 23°±1°。", "说明", "B2"},
		[3]string{"The emergency exit is at the east end of the laboratory.", "说明", "B3"},
	)
	for sentence, want := range map[string]struct {
		verdict citation.Verdict
		handle  string
	}{
		"备件库的楼面允许荷载为 7.5 kN/m²。":                                       {citation.Supported, "B1"},
		"备件库的楼面允许荷载为 9.5 kN/m²。":                                       {citation.Contradicted, "B1"},
		"校准实验室的室温保持在 23°±1°。":                                          {citation.Supported, "B2"},
		"The emergency exit is at the east end of the laboratory.":     {citation.Supported, "B3"},
		"The laboratory has a swimming pool for two hundred visitors.": {citation.NotSupported, ""},
	} {
		check := citation.Verify(citation.Answer{Text: sentence + "[S1]"}, []citation.Evidence{e})[0]
		if check.Verdict != want.verdict {
			t.Errorf("%s is %s, want %s", sentence, check.Verdict, want.verdict)
		}
		if want.handle == "" || check.Quote == "" {
			continue
		}
		q, ok := e.Place(check.Quote)
		if l, is := q.Locator.(corpus.DXFLocator); !ok || !is || l.Handle != want.handle {
			t.Errorf("%s is quoted as %q at %+v", sentence, check.Quote, q.Locator)
		}
	}
}

// TestAQuoteOverSeveralTextsOfADrawingIsCitedAsTheirRegion holds the place of a quote that no single text
// has.
func TestAQuoteOverSeveralTextsOfADrawingIsCitedAsTheirRegion(t *testing.T) {
	e := drawn([3]string{"图号: SC-A-101", "图框", "A1"}, [3]string{"比例: 1:100", "图框", "A2"}, [3]string{"维修间", "房间", "C1"})
	for quote, want := range map[string]corpus.DXFLocator{
		"图号: SC-A-101\n比例: 1:100": {Layer: "图框", Shown: "model", Region: corpus.Region{0, -10, 12, 1}},
		"比例: 1:100\n\n维修间":        {Shown: "model", Region: corpus.Region{0, -20, 9, -9}},
	} {
		q, ok := e.Place(quote)
		if l, is := q.Locator.(corpus.DXFLocator); !ok || !is || l != want {
			t.Errorf("%q is at %+v (%v), want %+v", quote, q.Locator, ok, want)
		}
	}
	if q, ok := e.Place("SC-A-101"); !ok || q.Locator.(corpus.DXFLocator).Handle != "A1" {
		t.Errorf("a part of a text is at %+v", q.Locator)
	}
}
