package rules_test

import (
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/run"
)

// TestTheProductNamesThePartThatIsMissing asks the demonstration: what is found is answered and supported,
// what is not found is named and to be confirmed, in both languages.
func TestTheProductNamesThePartThatIsMissing(t *testing.T) {
	c := openCompany(t)
	for question, missing := range map[string]string{
		"北京和火星的住宿上限":                                         "火星",
		"上海的住宿和洗衣上限是多少":                                      "洗衣",
		"What is the lodging limit in Shanghai and on Mars?": "Mars",
	} {
		r := c.ask(t, "alice", question)
		if r.State != run.Completed || !strings.Contains(r.Answer.Sections.Conclusion, "650") {
			t.Errorf("%s: %s, %s", question, r.State, r.Answer.Text)
			continue
		}
		if !strings.Contains(r.Answer.Sections.ToConfirm, missing) {
			t.Errorf("%s: %q is not to be confirmed: %v", question, missing, r.Answer.Sections.ToConfirm)
		}
		for _, check := range r.Checks {
			if check.Verdict != citation.Supported {
				t.Errorf("%s: %+v", question, check)
			}
		}
	}
	for question, missing := range map[string]string{"上海的洗衣上限是多少": "洗衣", "火星的住宿上限是多少": "火星", "What is the lodging limit on Mars?": "Mars", "火星和月球的住宿上限是多少": "月球"} {
		r := c.ask(t, "alice", question)
		if r.State != run.InsufficientEvidence || !strings.Contains(r.Answer.Text, missing) {
			t.Errorf("%s: %s, %s", question, r.State, r.Answer.Text)
		}
	}
}
