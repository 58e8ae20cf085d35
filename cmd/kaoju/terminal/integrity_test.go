package terminal

import (
	"strings"
	"testing"

	"github.com/kaoju/kaoju/api"
)

func integrityOf(goal string, i *api.Integrity) string {
	var b strings.Builder
	Integrity(&b, goal, i)
	return b.String()
}

func TestAChangedRecordIsSaidToBeChangedInTheLanguageOfTheQuestion(t *testing.T) {
	changed := &api.Integrity{Problems: []string{"answer_hash", "evidence/S1", "use\x1b[31m"}, Unproved: []string{"withheld"}}
	for goal, wants := range map[string][]string{
		"What is the limit?": {"Warning", "answer", "evidence S1", "can't be believed"}, "上限是多少？": {"警告", "回答", "证据 S1", "不可采信"},
	} {
		got := integrityOf(goal, changed)
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%q is missing in %q", want, got)
			}
		}
		if strings.Contains(got, "\x1b") || strings.Count(got, "\n") != 1 {
			t.Errorf("got %q", got)
		}
	}
	// Of a question that was changed itself the language says nothing.
	if got := integrityOf("上限是多少？", &api.Integrity{Problems: []string{"goal_hash"}}); !strings.Contains(got, "Warning") || !strings.Contains(got, "警告") {
		t.Errorf("got %q", got)
	}
}

func TestAChangedDraftIsToldFromAChangeOfItsRun(t *testing.T) {
	changed := &api.Integrity{Problems: []string{"run/answer_hash", "body_hash", "title_hash"}}
	for goal, want := range map[string]string{"q": ": run answer, text, title.", "问": "：运行 回答、正文、标题。"} {
		if got := integrityOf(goal, changed); !strings.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
	if got := integrityOf("问", &api.Integrity{Problems: []string{"run/goal_hash"}}); !strings.Contains(got, "Warning") || !strings.Contains(got, "警告") {
		t.Errorf("got %q", got)
	}
}

func TestWhatTheLedgerCannotTellIsSaidWithoutAlarm(t *testing.T) {
	for word, says := range map[string]string{"withheld": "not available any more", "older_form": "earlier form"} {
		if got := integrityOf("q", &api.Integrity{Unproved: []string{word}}); !strings.Contains(got, says) || strings.Contains(got, "Warning") {
			t.Errorf("%s: %q", word, got)
		}
	}
	if got := integrityOf("问", &api.Integrity{Unproved: []string{"withheld"}}); !strings.Contains(got, "不可用") {
		t.Errorf("got %q", got)
	}
	for _, quiet := range []*api.Integrity{nil, {Verified: true}, {Unproved: []string{"not_ended"}}} {
		if got := integrityOf("q", quiet); got != "" {
			t.Errorf("%+v: %q", quiet, got)
		}
	}
}
