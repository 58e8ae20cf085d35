package evaluation

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/internal/eval"
)

func TestAResultThatCannotBeKeptIsReportedAllTheSame(t *testing.T) {
	for _, source := range []string{"data", "demo"} {
		var out strings.Builder
		cmd := Command(&console.CLI{})
		page := filepath.Join(t.TempDir(), "page.html")
		if err := cmd.ParseFlags([]string{"--json", "--html", page}); err != nil {
			t.Fatal(err)
		}
		full := errors.New("the disk is full")
		r := eval.Report{Result: eval.Result{Format: 1, ID: "eval_1", Source: source}}
		err := (commands{&console.CLI{Out: &out}}).conclude(cmd, r, func() ([]eval.Result, error) { return nil, full })
		if wants := source == "data"; errors.Is(err, full) != wants || (err != nil) != wants {
			t.Errorf("%s: %v", source, err)
		}
		if _, err := os.Stat(page); err != nil || !strings.Contains(out.String(), `"eval_1"`) {
			t.Errorf("%s: nothing was reported: %v %s", source, err, out.String())
		}
	}
}
