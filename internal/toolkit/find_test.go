package toolkit

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWordsAreFoundWhereTheyStand(t *testing.T) {
	text := []rune("上限为650元。\n交通 费用按\n实报销。The Limit applies to hotels; limits do not apply to meals. 上限为800元。")
	for _, c := range []struct {
		words    string
		position int
		want     string
	}{
		{"上限为", 0, "上限为650"},
		{"上限为", 70, "上限为800"},
		{"交通 费用按 实报销", 0, "交通"},
		{"the LIMIT", 0, "The Limit"},
		{"６５０元", 0, "650元"},
		{"meals limits apply", 0, "limits do not apply"},
		{"hotels 火星 meals", 0, "hotels; limits"},
		{"报销上限", 0, "上限为650元"},
		{"火星基地", 0, ""},
		{"Mars base hotels", 0, ""},
		{" 。 ", 0, "。"},
		{"", 0, ""},
		{"，！", 0, ""},
	} {
		got, ok := find(text, c.words, c.position)
		if ok != (c.want != "") {
			t.Errorf("%q: found %v at %v", c.words, ok, got)
			continue
		}
		if ok && !strings.HasPrefix(string(text[got.Start:]), c.want) {
			t.Errorf("%q: found %q", c.words, string(text[got.Start:got.End]))
		}
	}
}

func TestAPieceOfTheTextIsAlwaysFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []rune(rapid.StringMatching(`[a-zA-Z 一二三四五，。\n]{1,80}`).Draw(t, "text"))
		i := rapid.IntRange(0, len(text)-1).Draw(t, "from")
		j := rapid.IntRange(i+1, len(text)).Draw(t, "to")
		piece := strings.TrimSpace(string(text[i:j]))
		if piece == "" {
			return
		}
		got, ok := find(text, piece, i)
		if !ok {
			t.Fatalf("%q is not found in %q", piece, string(text))
		}
		if fold := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "\n", " ")) }; fold(string(text[got.Start:got.End])) != fold(piece) {
			t.Fatalf("%q is found as %q", piece, string(text[got.Start:got.End]))
		}
	})
}

func FuzzFind(f *testing.F) {
	f.Add("上限为650元", "上限", 3)
	f.Add("the limit", "LIMIT the", 0)
	f.Fuzz(func(t *testing.T, text, words string, position int) {
		runes := []rune(text)
		span, ok := find(runes, words, position)
		if ok && (span.Start < 0 || span.Start >= span.End || span.End > len(runes)) {
			t.Fatalf("find(%q, %q) = %v", text, words, span)
		}
	})
}
