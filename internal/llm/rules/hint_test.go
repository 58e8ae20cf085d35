package rules

import (
	"cmp"
	"maps"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestNoHintShutsOutAFormItStandsFor walks each form along all that it may match: every way holds one of the hints.
func TestNoHintShutsOutAFormItStandsFor(t *testing.T) {
	for _, m := range slices.Concat(machineForms, addressForms, answerForms) {
		if text := unhinted(t, m); text != nil {
			t.Errorf("none of the hints %q is in %q", m.hints, text)
		}
	}
}

func TestTheWalkFindsWhatAHintShutsOut(t *testing.T) {
	for form, want := range map[string][]string{
		`(?i)\bdear (?:AI|chat[ -]?bot|model)s?\b`: {"dear model"},
		`(?i)robots? answer`:                       {"robot answer"}, // "bot" begins no word
		`(?:你|您)(?:现在)?是机器人`:                       {"您是机器人"},
		`(?:您|你们)现在是`:                              {"您现在是"},
		`(?i)all bots(?: and [a-z]+){1,2}`:         nil,
		`[^a]{0,9}(?:x?y*|ai)+`:                    {""},
		`all\b(?:ow|ai|[.])`:                       {"all."},
		`B(?:OT|ot)[.!]`:                           nil,
	} {
		if got := unhinted(t, formed("ai bot 你", form)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", form, got, want)
		}
	}
}

// unhinted returns a short text that a form matches and that holds none of its hints, if there is one.
func unhinted(t *testing.T, m machineForm) []string {
	t.Helper()
	re, err := syntax.Parse(m.form.String(), syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	texts := slices.Collect(maps.Values(walk{m.hints}.along(re, ways{"": ""})))
	slices.SortFunc(texts, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	if len(texts) == 0 {
		return nil
	}
	return []string{strings.TrimSuffix(texts[0], wordEdge)}
}

// walk goes along an expression.
type walk struct{ hints []string }

// ways are texts without a hint, by that of their end with which a hint may begin.
type ways map[string]string

// anyRune stands for a character of which there are many.
const anyRune = "□"

// manyRunes is how many characters a class has that is written as any.
const manyRunes = 6

// along returns the ways that go on from others as an expression does.
func (w walk) along(re *syntax.Regexp, from ways) ways {
	switch re.Op {
	case syntax.OpLiteral:
		return w.add(from, strings.ToLower(string(re.Rune)))
	case syntax.OpCharClass:
		return w.add(from, runesOf(re)...)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return w.add(from, anyRune)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			from = w.along(sub, from)
		}
		return from
	case syntax.OpAlternate:
		var out []ways
		for _, sub := range re.Sub {
			out = append(out, w.along(sub, from))
		}
		return join(out...)
	case syntax.OpCapture:
		return w.along(re.Sub[0], from)
	case syntax.OpStar, syntax.OpQuest:
		return join(from, w.along(re.Sub[0], from))
	case syntax.OpPlus:
		from = w.along(re.Sub[0], from)
		return join(from, w.along(re.Sub[0], from))
	case syntax.OpRepeat:
		for range re.Min {
			from = w.along(re.Sub[0], from)
		}
		return join(from, w.along(re.Sub[0], from))
	case syntax.OpWordBoundary:
		return w.bound(from)
	}
	return from // the beginning and the end of a text or a line
}

// bound marks where a word begins or ends.
func (w walk) bound(from ways) ways {
	out := ways{}
	for end, text := range from {
		out[end+wordEdge] = strings.TrimSuffix(text, wordEdge) + wordEdge
	}
	return out
}

const wordEdge = "\b"

func inner(b byte) bool { return lowerLatin(b) || b >= '0' && b <= '9' || b == '_' }

// fits reports whether a piece may follow a text: where a word begins or ends, one of letters does not follow letters.
func fits(text, piece string) bool {
	plain, bounded := strings.CutSuffix(text, wordEdge)
	if !bounded || strings.HasSuffix(plain, anyRune) || piece == anyRune || piece == "" {
		return true
	}
	return (plain != "" && inner(plain[len(plain)-1])) != inner(piece[0])
}

func (w walk) add(from ways, pieces ...string) ways {
	var out []ways
	for _, text := range from {
		for _, piece := range pieces {
			longer := strings.TrimSuffix(text, wordEdge) + piece
			if fits(text, piece) && !slices.ContainsFunc(w.hints, func(hint string) bool { return hinted(longer, hint) }) {
				out = append(out, ways{w.end(longer): longer})
			}
		}
	}
	return join(out...)
}

// end is the longest end of a text with which a hint begins, with the letter before it, which tells where a word begins.
func (w walk) end(text string) string {
	for i := range text {
		if slices.ContainsFunc(w.hints, func(hint string) bool { return strings.HasPrefix(hint, text[i:]) }) {
			if i > 0 && lowerLatin(text[i-1]) {
				i--
			}
			return text[i:]
		}
	}
	if text != "" && inner(text[len(text)-1]) {
		return text[len(text)-1:]
	}
	return ""
}

func join(list ...ways) ways {
	out := ways{}
	for _, l := range list {
		for end, text := range l {
			if kept, ok := out[end]; !ok || len(text) < len(kept) {
				out[end] = text
			}
		}
	}
	return out
}

// runesOf returns the characters of a class, in lower case, or one for any.
func runesOf(re *syntax.Regexp) []string {
	seen := map[rune]bool{}
	for i := 0; i < len(re.Rune); i += 2 {
		for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
			if seen[unicode.ToLower(r)] = true; len(seen) > manyRunes {
				return []string{anyRune}
			}
		}
	}
	var out []string
	for r := range seen {
		out = append(out, string(r))
	}
	return out
}
