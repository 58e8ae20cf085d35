package endpoint

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// think feeds a text piece by piece.
func think(pieces ...string) (thought, answer string) {
	var h Thought
	for _, p := range pieces {
		a, b := h.Add(p)
		thought, answer = thought+a, answer+b
	}
	a, b := h.End()
	return thought + a, answer + b
}

func TestThoughtAtTheBeginningIsNoAnswer(t *testing.T) {
	for text, want := range map[string][2]string{
		"<think>想一想</think>\n\n650 元":       {"想一想", "650 元"},
		" \n<think>a</think>b":              {"a", "b"},
		"<thinking>a</thinking>b":           {"a", "b"},
		"<think>a</think><think>b</think>c": {"ab", "c"},
		"<think>a</think> \n ":              {"a", ""},
		"<think></think>b":                  {"", "b"},
		"<think>cut off":                    {"cut off", ""},
		"<think>a </thi b</think>c":         {"a </thi b", "c"},
		"<think>a</thin":                    {"a</thin", ""},
		"":                                  {"", ""},
		"  x":                               {"", "  x"},
		"<thi":                              {"", "<thi"},
		"<thinker>a</thinker>":              {"", "<thinker>a</thinker>"},
		"The tag <think>x</think> opens a thought.":   {"", "The tag <think>x</think> opens a thought."},
		"650 元 [S1]\n<think>late</think>":             {"", "650 元 [S1]\n<think>late</think>"},
		"<think>a</think>see <think>b</think> quoted": {"a", "see <think>b</think> quoted"},
	} {
		if thought, answer := think(text); thought != want[0] || answer != want[1] {
			t.Errorf("%q: thought %q, answer %q", text, thought, answer)
		}
	}
}

func TestThoughtDoesNotDependOnWhereATextIsCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := []string{"<think>", "</think>", "<thinking>", "</thinking>", "<", "th", " ", "\n", "a", "考", ">"}
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "text"), "")
		thought, answer := think(text)
		again, same := think(strings.Split(text, "")...)
		if thought != again || answer != same {
			t.Fatalf("%q whole: %q, %q; cut: %q, %q", text, thought, answer, again, same)
		}
		if len(thought)+len(answer) > len(text) || !strings.HasSuffix(text, answer) && answer != "" {
			t.Fatalf("%q: %q, %q", text, thought, answer)
		}
	})
}

func TestThoughtWhoseBeginningTheTemplateWroteEndsOnALineOfItsOwn(t *testing.T) {
	for text, want := range map[string][2]string{
		"let me see\n</think>\n\n650 元":       {"let me see\n", "650 元"},
		"a\n</thinking>\nb":                   {"a\n", "b"},
		"the mark </think> ends it":           {"", "the mark </think> ends it"},
		"a\n</think> and so on":               {"", "a\n</think> and so on"},
		"</think>\nb":                         {"", "</think>\nb"},
		"nothing":                             {"", "nothing"},
		"```\n<x>\n```\nthe end is </think>.": {"", "```\n<x>\n```\nthe end is </think>."},
	} {
		if thought, answer := Unopened(text); thought != want[0] || answer != want[1] {
			t.Errorf("%q: thought %q, answer %q", text, thought, answer)
		}
	}
}
