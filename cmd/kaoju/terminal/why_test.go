package terminal

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/kaoju/kaoju/api"
)

func TestWhyPrintsAllThatHappenedAndNothingThatDrivesTheTerminal(t *testing.T) {
	const evil = "上限\x1b[2J\x1b]0;owned\x07\u202e\x00end"
	raw, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	said := api.Message{Role: "assistant", Text: evil, Calls: []api.RequestedCall{{Name: evil, Arguments: evil}}}
	var out strings.Builder
	Why(&out, api.Why{
		RunID: "run_1", State: "completed", Goal: "上限？", RecordingsHold: true, Model: api.Model{Name: evil}, Actor: evil,
		States: []api.Event{{Type: "run.completed"}},
		Exchanges: []api.Exchange{
			{No: 1, Kind: "resumed"},
			{No: 2, Kind: "model", Prompt: []api.Message{said}, Response: &said, Finish: "stop"},
			{No: 3, Kind: "tool", Tool: "search_knowledge", Call: &api.RequestedCall{Name: "search_knowledge", Arguments: evil}, Result: raw},
		},
		Evidence:  []api.Evidence{{Label: "S1", DocKey: evil, ExcerptHash: "h"}, {Label: "S2", Withheld: true}},
		Checks:    []api.Check{{Verdict: "supported", Sentence: evil}},
		Decisions: []api.Entry{{Kind: "proposal.ended", ID: "led_1"}},
		Proof:     &api.Proof{Entry: api.Entry{ID: "led_2", Hash: "hh"}},
	})
	if n := strings.Count(out.String(), "end"); n < 10 {
		t.Errorf("only %d of the texts were printed:\n%q", n, out.String())
	}
	for _, want := range []string{"run_1", "the recordings are those of it", "run.completed", "#1 resumed", "#3 tool search_knowledge", "[S2] " + WordsFor("上限？").Withheld, "supported", "led_1", "entry led_2, hash hh"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not told:\n%s", want, out.String())
		}
	}
	for _, r := range out.String() {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			t.Fatalf("%U reaches the terminal in %q", r, out.String())
		}
	}
	out.Reset()
	if Why(&out, api.Why{Withheld: true, Goal: "limit?"}); !strings.Contains(out.String(), "NOT those") || !strings.Contains(out.String(), WordsFor("limit?").Withheld) {
		t.Errorf("what does not hold, or is withheld, is told as %s", out.String())
	}
}
