package terminal

import (
	"fmt"
	"io"
	"strings"

	"github.com/kaoju/kaoju/api"
)

// Why prints how a run came to what it says, in the order in which it happened.
func Why(out io.Writer, w api.Why) {
	say := func(format string, a ...any) { fmt.Fprintf(out, format+"\n", a...) }
	say("%s · %s · %s (%s) · %s %s · %s", w.RunID, w.Route, w.State, w.FinishReason, w.Engine, Clean(w.Model.Name), Clean(w.Actor))
	say("prompt_hash %s\nrecording_hash %s (%s)", w.PromptHash, w.RecordingHash, yes(w.RecordingsHold, "the recordings are those of it", "the recordings are NOT those of it"))
	if w.Withheld {
		say("%s", WordsFor(w.Goal).Withheld)
	}
	for _, s := range w.States {
		say("%s  %s", s.Time.Format("15:04:05.000"), s.Type)
	}
	for _, x := range w.Exchanges {
		say("\n#%d %s %s", x.No, x.Kind, Clean(x.Tool+" "+x.Code+x.Failure+x.Finish))
		for _, m := range x.Prompt {
			say("  %s:\n%s", m.Role, indented(m.Text))
		}
		if x.Call != nil {
			say("%s", indented(x.Call.Arguments))
		}
		if x.Response != nil {
			say("  %s:\n%s", x.Response.Role, indented(x.Response.Text))
			for _, call := range x.Response.Calls {
				say("%s", indented(call.Name+" "+call.Arguments))
			}
		}
		if len(x.Result) > 0 {
			say("%s", indented(string(x.Result)))
		}
	}
	for _, e := range w.Evidence {
		say("[%s] %s", e.Label, yes(e.Withheld, WordsFor(w.Goal).Withheld, Clean(e.DocKey)+" · "+e.ExcerptHash))
	}
	for _, x := range w.Checks {
		say("%s: %s", x.Verdict, Clean(x.Sentence))
	}
	for _, d := range w.Decisions {
		say("%s %s %s", d.Kind, d.Time.Format("2006-01-02 15:04:05"), d.ID)
	}
	if w.Proof != nil {
		say("\nentry %s, hash %s", w.Proof.Entry.ID, w.Proof.Entry.Hash)
	}
}

// yes picks one of two texts.
func yes(b bool, then, otherwise string) string {
	if b {
		return then
	}
	return otherwise
}

func indented(text string) string {
	return "    │ " + strings.ReplaceAll(Clean(strings.TrimSpace(text)), "\n", "\n    │ ")
}
