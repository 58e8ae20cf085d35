package export_test

import (
	"testing"

	"github.com/kaoju/kaoju/internal/export"
	"github.com/kaoju/kaoju/internal/sharedtest"
)

// attacks are the shared cases of Markdown that must not become active.
func attacks(t *testing.T) []struct{ ID, Markdown string } {
	return sharedtest.Records[struct{ ID, Markdown string }](t, "security", "markdown_xss.jsonl")
}

func TestTheSharedCasesComeOutAsText(t *testing.T) {
	cases := attacks(t)
	live := 0
	for _, c := range cases {
		if len(active([]byte(c.Markdown))) > 0 {
			live++
		}
		inert(t, c.ID, c.Markdown)
		opened(t, write(t, everywhere(c.Markdown), export.AsWord))
		if found := activeInPDF(write(t, everywhere(c.Markdown), export.AsPDF)); len(found) > 0 {
			t.Errorf("%s: %q in the PDF document", c.ID, found)
		}
	}
	if live < len(cases)/2 {
		t.Errorf("only %d of %d cases are active before they are exported: the judge is blind", live, len(cases))
	}
	t.Logf("%d cases, %d of them active as they are, none in the exports", len(cases), live)
}
