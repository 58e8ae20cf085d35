package toolkit

import (
	"context"
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
		got, ok, _ := find(t.Context(), text, c.words, c.position)
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
		got, ok, _ := find(context.Background(), text, piece, i)
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
		span, ok, _ := find(t.Context(), runes, words, position)
		if ok && (span.Start < 0 || span.Start >= span.End || span.End > len(runes)) {
			t.Fatalf("find(%q, %q) = %v", text, words, span)
		}
	})
}

// counting is a context that counts how often it is looked at, which the search does after a
// bounded number of steps.
type counting struct {
	context.Context
	looks int
	end   int // the look at which it ends; 0 never
}

func (c *counting) Err() error {
	if c.looks++; c.end > 0 && c.looks >= c.end {
		return context.Canceled
	}
	return nil
}

// crowd is a text in which every character begins a term of the words, which never stand together
// as written.
func crowd(characters int) (text []rune, words string) {
	words = strings.Repeat("ab ", 66)
	for i := range 26 {
		words = string(rune('a'+i)) + " " + words
	}
	return []rune(strings.Repeat("abcdefghijklmnopqrstuvwxyz", characters/26)), words
}

func TestWorkOnALargeDocumentIsBounded(t *testing.T) {
	looks := map[int]int{}
	for _, size := range []int{400_000, 4_000_000} {
		text, words := crowd(size)
		ctx := &counting{Context: t.Context()}
		if _, ok, err := find(ctx, text, words, size/2); !ok || err != nil {
			t.Fatalf("%d characters: found %v, %v", size, ok, err)
		}
		looks[size] = ctx.looks
	}
	if most := mostTerms*stretch/checkEvery + mostTerms + 2; looks[4_000_000] > most || looks[4_000_000] != looks[400_000] {
		t.Errorf("%v looks at the context for texts of so many characters, at most %d expected", looks, most)
	}
	_, words := crowd(0)
	if n := len(terms([]rune(words + strings.Repeat("中文很多不同的字词", 20)))); n != mostTerms {
		t.Errorf("%d terms are looked for", n)
	}
}

func TestSearchForWordsEndsWithTheContext(t *testing.T) {
	text, words := crowd(400_000)
	for _, end := range []int{1, 2, 16} {
		if _, ok, err := find(&counting{Context: t.Context(), end: end}, text, words, 0); ok || err != context.Canceled {
			t.Errorf("ended at look %d: %v, %v", end, ok, err)
		}
	}
}

// TestWordsAsWrittenAreFoundAnywhere holds that the bound is on scattered words alone.
func TestWordsAsWrittenAreFoundAnywhere(t *testing.T) {
	far := strings.Repeat("空", 2*stretch)
	text := []rune("alpha beta gamma." + far + "alpha beta gamma." + far + "中间")
	last := 17 + 2*stretch
	for _, c := range []struct {
		words          string
		position, want int // -1: not found
	}{
		{"alpha beta gamma", last - 5, last}, {"alpha beta gamma", stretch, 0}, {"alpha beta gamma", stretch + 10, last},
		{"gamma alpha", last - 10, last}, {"gamma alpha", stretch, -1}, {"gamma alpha", 0, 0}, {"alpha beta gamma", len(text), last},
	} {
		got, ok, err := find(t.Context(), text, c.words, c.position)
		if err != nil || ok != (c.want >= 0) || ok && got.Start != c.want {
			t.Errorf("%q from %d: %v, %v, %v, want %d", c.words, c.position, got, ok, err, c.want)
		}
	}
}

// slowly finds the span of together by trying all stretches of a text.
func slowly(text []rune, wanted [][]rune) (most, length int) {
	for i := range text {
		distinct, end := 0, i
		first := false
		for _, w := range wanted {
			at := strings.Index(string(text[i:]), string(w))
			if at < 0 {
				continue
			}
			if at = i + len([]rune(string(text[i:])[:at])); at < i+near {
				distinct++
				end = max(end, at+len(w))
				first = first || at == i
			}
		}
		if first && (distinct > most || distinct == most && end-i < length) {
			most, length = distinct, end-i
		}
	}
	return most, length
}

func TestTheMostWordsInTheShortestSpanAreFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []rune(rapid.StringMatching(`[abcx ]{0,60}`).Draw(t, "text"))
		text = append(text, []rune(strings.Repeat("-", rapid.SampledFrom([]int{0, 195, 205}).Draw(t, "gap")))...)
		text = append(text, []rune(rapid.StringMatching(`[abcx ]{0,60}`).Draw(t, "more"))...)
		wanted := terms([]rune(rapid.SampledFrom([]string{"a b c", "aa b", "cab x", "a bc cb x"}).Draw(t, "words")))
		span, ok, err := together(context.Background(), text, wanted, rapid.IntRange(0, len(text)).Draw(t, "position"))
		most, length := slowly(text, wanted)
		if err != nil || ok != (most > 0 && 2*most >= len(wanted)) || ok && span.Len() != length {
			t.Fatalf("%q: %v %v, want %d terms in %d characters", string(text), span, ok, most, length)
		}
	})
}
