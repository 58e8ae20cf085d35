package draft_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/draft"
)

func TestATitleIsTheFirstLineOfTheGoal(t *testing.T) {
	for goal, want := range map[string]string{
		"写一份住宿说明":                         "写一份住宿说明",
		"  Write  a\tnote \nwith details": "Write a note",
		"a\x1b[31m\u0085b":                "a[31mb",
		"":                                "",
		strings.Repeat("字", 101):          strings.Repeat("字", 99) + "…",
		strings.Repeat("字", 100):          strings.Repeat("字", 100),
	} {
		if got := draft.TitleOf(goal); got != want {
			t.Errorf("%q: %q, want %q", goal, got, want)
		}
	}
}

func TestEveryTitleMadeOfAGoalIsOneThatMayBeGiven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		title := draft.TitleOf(rapid.String().Draw(t, "goal"))
		if wrong := draft.WrongTitle(title); wrong != "" && title != "" {
			t.Fatalf("%q %s", title, wrong)
		}
	})
}

func TestBodiesHaveALimitAndNoControlCharacters(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		ok   bool
	}{
		"plain":              {"结论：650 元 [S1]\n\tindented", true},
		"the longest":        {strings.Repeat("字", draft.MaxBody), true},
		"too long":           {strings.Repeat("字", draft.MaxBody+1), false},
		"empty":              {"", false},
		"blank":              {" \n\t", false},
		"an escape":          {"a\x1b[2Jb", false},
		"null":               {"a\x00b", false},
		"turned around":      {"a\u202eb", false},
		"no UTF-8":           {"a\xffb", false},
		"a line separator":   {"a\u2028b", true},
		"an emoji with ZWJs": {"👩\u200d💻", true},
	} {
		if wrong := draft.WrongBody(c.body); (wrong == "") != c.ok {
			t.Errorf("%s: %q", name, wrong)
		}
	}
	for title, ok := range map[string]bool{"标题": true, "": false, " ": false, "a\nb": false, "a\tb": false, strings.Repeat("字", draft.MaxTitle): true, strings.Repeat("a", draft.MaxTitle+1): false} {
		if wrong := draft.WrongTitle(title); (wrong == "") != ok {
			t.Errorf("%q: %q", title, wrong)
		}
	}
}

func TestLineEndsAreAlike(t *testing.T) {
	if got := draft.Text("a\r\nb\rc\n\n \t\n"); got != "a\nb\nc" {
		t.Errorf("%q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		once := draft.Text(rapid.String().Draw(t, "body"))
		if draft.Text(once) != once || strings.Contains(once, "\r") || !utf8.ValidString(once) {
			t.Fatalf("%q", once)
		}
	})
}
