package record

import (
	"strings"
	"testing"

	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/internal/bundle"
)

// TestWhatABundleWithholdsIsNotCountedAsShown holds bundles of which nothing, something and
// everything is withheld against what is said of them.
func TestWhatABundleWithholdsIsNotCountedAsShown(t *testing.T) {
	for _, c := range []struct {
		goal     string
		evidence []bundle.Evidence
		says     []string
		not      string
	}{
		{"What is the limit?", []bundle.Evidence{{Label: "S1"}, {Label: "S2"}}, []string{"; 2 passages are as they were read"}, "withheld"},
		{"What is the limit?", []bundle.Evidence{{Label: "S1"}, {Label: "S2", Withheld: true}}, []string{"; 1 passages are as they were read", "1 more passages are withheld"}, "2 passages"},
		{"上限是多少？", []bundle.Evidence{{Label: "S1", Withheld: true}}, []string{"；0 段原文与当时读到的一致", "另有 1 段原文未提供"}, "；1 段"},
	} {
		var out strings.Builder
		(commands{&console.CLI{Out: &out}}).tellBundle(bundle.Report{Bundle: bundle.Bundle{Run: bundle.Run{Goal: c.goal}, Evidence: c.evidence}, KeyFromFile: true})
		for _, says := range c.says {
			if !strings.Contains(out.String(), says) || strings.Contains(out.String(), c.not) {
				t.Errorf("of %+v it says %q, want %q and not %q", c.evidence, out.String(), says, c.not)
			}
		}
	}
}
