package terminal

import (
	"strings"
	"testing"

	"github.com/kaoju/kaoju/api"
)

func TestWhoIsSentSomethingIsNamedAndNobodyElse(t *testing.T) {
	all := Reach{Model: "m.example", Verifier: "v.example", Embedding: "e.example", Reranker: "r.example\x1b[2J"}
	for name, c := range map[string]struct {
		to    Reach
		hosts string
	}{
		"asking": {all.Asking("Who?"), "m.example v.example e.example r.example"}, "searching": {all.Searching("cap"), "e.example r.example"}, "nobody": {Reach{}, ""},
	} {
		lines := c.to.Lines()
		hosts := strings.Fields(c.hosts)
		if len(lines) != len(hosts) {
			t.Fatalf("%s: %q", name, lines)
		}
		for i, host := range hosts {
			if !strings.Contains(lines[i], " to "+host) || strings.Contains(lines[i], "\x1b") {
				t.Errorf("%s: %q does not name %s", name, lines[i], host)
			}
		}
	}
	for _, to := range []Reach{all.Asking("上海住宿上限是多少"), all.Searching("上海 cap")} {
		for _, line := range to.Lines() {
			if !strings.Contains(line, "将发送至 ") || !strings.Contains(line, ".example") || strings.Contains(line, "\x1b") {
				t.Errorf("under a Chinese question: %q", line)
			}
		}
	}
	far := api.System{Model: api.Model{Host: "m", Remote: true}, Verifier: api.Model{Host: "v"}, Embedding: api.Embedding{Host: "e", Remote: true}, Reranker: api.Model{Host: "r", Remote: true}}
	if got := ReachOf(far); got != (Reach{Model: "m", Embedding: "e", Reranker: "r"}) {
		t.Errorf("a server says that it reaches %+v", got)
	}
	if Elsewhere("h", true) != "h" || Elsewhere("h", false) != "" {
		t.Error("a host that counts as local is elsewhere, or one elsewhere is not")
	}
}
