package wire_test

import (
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/run"
)

func TestEveryKindOfRecordingHasItsWordOnTheWire(t *testing.T) {
	for word, r := range map[string]run.Recording{
		"resumed": {Resumed: &run.Resumed{Lost: []string{"S1"}}},
		"began":   {Began: &run.Began{}},
		"model":   {Turn: &run.Turn{}},
		"tool":    {Tool: &run.ToolCall{}},
		"judged":  {Judged: &run.Judged{Lost: []string{"S1"}}},
		"erased":  {},
	} {
		got := wire.Exchange(1, run.Recorded{Recording: r})
		lost := word == "resumed" || word == "judged"
		if got.Kind != word || lost != (strings.Join(got.Lost, " ") == "S1") {
			t.Errorf("%s is told as %+v", word, got)
		}
	}
}
