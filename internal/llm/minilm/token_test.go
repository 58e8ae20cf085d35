package minilm

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// words is the model's vocabulary.
func words(t testing.TB) *vocabulary {
	t.Helper()
	v, err := readVocabulary(vocabularyFile)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// written returns tokens as the vocabulary file writes them.
func written(ids []int32) string {
	lines := strings.Split(strings.TrimSuffix(vocabularyFile, "\n"), "\n")
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = lines[id]
	}
	return strings.Join(out, " ")
}

func TestTextsBecomeTokens(t *testing.T) {
	v := words(t)
	tests := []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"white space", " \t\r\n\u3000\u00a0", ""},
		{"a word", "Pump", "pump"},
		{"a word in pieces", "unaffable", "una ##ffa ##ble"},
		{"a sentence", "Hello, World! Don't stop.", "hello , world ! don ' t stop ."},
		{"signs that are symbols", "a+b=c $5 ~x `y` ^z |w <u>", "a + b = c $ 5 ~ x ` y ` ^ z | w < u >"},
		{"accents", "Résumé naïve Ångström", "resume naive ang ##strom"},
		{"accents apart", "re\u0301sume\u0301", "resume"},
		{"an accent after the last letter of a plain word", "cafe\u0301 x", "cafe x"},
		{"an accent after a space", "a \u0301b", "a b"},
		{"the dotted I", "İstanbul", "istanbul"},
		{"Chinese characters", "水变器", "水 [UNK] [UNK]"},
		{"Chinese beside Latin", "关水pump的", "[UNK] 水 pump 的"},
		{"compatibility ideographs", "\uf9a0\u2f81a", "[UNK] [UNK]"},
		{"Chinese punctuation", "好。“好”", "[UNK] 。 “ [UNK] ”"},
		{"kana stays together", "ここで", "こ ##こ ##て"},
		{"Hangul is taken apart", "한국", "ᄒ ##ᅡ ##ᆫ ##ᄀ ##ᅮ ##ᆨ"},
		{"control characters", "pu\u0000m\u200bp\ufeff\u00ad", "pump"},
		{"broken bytes", "pu\xffmp\xc3 \xe4\xb8", "pump"},
		{"a character that Unicode does not have", "pu\u0cc9mp", "pump"},
		{"the replacement character", "pu\ufffdmp", "pump"},
		{"line and paragraph separators", "a\u2028b\u2029c", "a b c"},
		{"an identifier", "ERR-1042_x", "er ##r - 104 ##2 _ x"},
		{"a word of a hundred characters", strings.Repeat("a", 100), written(pieces(v, strings.Repeat("a", 100)))},
		{"a word of more", strings.Repeat("a", 101) + " b", "[UNK] b"},
		{"a hundred characters of more bytes", strings.Repeat("я", 101) + " b", "[UNK] b"},
		{"a word with an unknown rest", "pump\U00010400", "[UNK]"},
		{"signs of the file are no tokens", "##ing [CLS]", "# # ing [ cl ##s ]"},
		{"emoji", "ok 👍", "ok [UNK]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ids, cut := v.tokens(tt.text, MaxTokens)
			want := strings.Join(strings.Fields("[CLS] "+tt.want+" [SEP]"), " ")
			if got := written(ids); got != want || cut {
				t.Errorf("got %s (cut %v), want %s", got, cut, want)
			}
		})
	}
}

// TestTokensAreThoseOfAnotherReading compares with a reading that goes over the text in passes.
func TestTokensAreThoseOfAnotherReading(t *testing.T) {
	v := words(t)
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("abcdexyzABC 019-_.,'\"$+é\u0301\u0308İß\t\n\u3000\u200b\u2028的一变器。“ここでか\u3099한글яЯ\U0001f44d\ufffd\u0000"),
			unicode.Latin, unicode.Mn, unicode.Han, unicode.P, unicode.Hangul), -1, 400, -1).Draw(rt, "text")
		compare(rt, v, text, rapid.IntRange(2, 60).Draw(rt, "limit"))
	})
}

func FuzzTokensAreThoseOfAnotherReading(f *testing.F) {
	for _, text := range []string{"", "Hello, World!", "Résumé 变频器 한국", "\xff\xfe\xc3(", "a\u0301\u0301 \u0301", strings.Repeat("ab", 60), " é x é", "e\u0344\u0f73"} {
		f.Add(text)
	}
	v := words(f)
	f.Fuzz(func(t *testing.T, text string) { compare(t, v, text, 40) })
}

// fataler is a test of either kind.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

func compare(t fataler, v *vocabulary, text string, limit int) {
	t.Helper()
	got, cut := v.tokens(text, limit)
	all := pieces(v, text)
	want := append(append([]int32{v.begin}, all[:min(len(all), limit-2)]...), v.end)
	if !slices.Equal(got, want) || cut != (len(all) > limit-2) {
		t.Fatalf("%q became %s, cut %v; want %s of %d", text, written(got), cut, written(want), len(all)+2)
	}
}

// pieces is the naive reading: normalise everything, split everything, look everything up.
func pieces(v *vocabulary, text string) []int32 {
	text = norm.NFD.String(strings.ToValidUTF8(text, ""))
	var spaced strings.Builder
	for _, r := range text {
		lower := string(unicode.ToLower(r))
		punctuation := unicode.IsPunct(r) || r < 128 && (r > ' ' && r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z' && r < 127)
		switch {
		case strings.ContainsRune("\t\n\r", r) || unicode.In(r, unicode.Zs, unicode.Zl, unicode.Zp):
			spaced.WriteByte(' ')
		case r == '\ufffd' || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cn, unicode.Co, unicode.Cs, unicode.Mn):
		case punctuation || ideographs(r):
			spaced.WriteString(" " + lower + " ")
		default:
			spaced.WriteString(lower)
		}
	}
	var out []int32
	for word := range strings.FieldsSeq(spaced.String()) {
		out = append(out, lookUp(v, word)...)
	}
	return out
}

func ideographs(r rune) bool {
	for _, block := range [][2]rune{{0x4e00, 0x9fff}, {0x3400, 0x4dbf}, {0x20000, 0x2a6df}, {0x2a700, 0x2ceaf}, {0xf900, 0xfaff}, {0x2f800, 0x2fa1f}} {
		if block[0] <= r && r <= block[1] {
			return true
		}
	}
	return false
}

// lookUp tries every end of every rest of a word.
func lookUp(v *vocabulary, word string) []int32 {
	var out []int32
	if utf8.RuneCountInString(word) > 100 {
		return []int32{v.unknown}
	}
	runes := []rune(word)
next:
	for start := 0; start < len(runes); {
		for end := len(runes); end > start; end-- {
			known := v.starts
			if start > 0 {
				known = v.continuations
			}
			if id, ok := known[string(runes[start:end])]; ok {
				out, start = append(out, id), end
				continue next
			}
		}
		return []int32{v.unknown}
	}
	return out
}

func TestLongTextsAreCutAfterTheLimit(t *testing.T) {
	v := words(t)
	for _, n := range []int{253, 254, 255, 1000} {
		ids, cut := v.tokens(strings.Repeat("pump ", n), MaxTokens)
		if len(ids) != min(n+2, MaxTokens) || cut != (n > MaxTokens-2) || ids[len(ids)-1] != v.end {
			t.Errorf("%d words became %d tokens, cut %v", n, len(ids), cut)
		}
	}
}

func TestLettersWithoutEndAreOneUnknownWord(t *testing.T) {
	v := words(t)
	for _, letter := range []string{"a", "é", "\u0301", "한"} {
		ids, _ := v.tokens(strings.Repeat(letter, 1<<18), MaxTokens)
		if len(ids) > 3 {
			t.Errorf("%q became %s", letter, written(ids))
		}
	}
}

func TestVocabulariesThatLackTheirFrameAreRefused(t *testing.T) {
	for _, file := range []string{"", "[UNK]\n[CLS]\npump\n", "pump\n"} {
		if _, err := readVocabulary(file); err == nil || !strings.Contains(err.Error(), "has no [") {
			t.Errorf("%q gave %v", file, err)
		}
	}
}

func BenchmarkTokenizer(b *testing.B) {
	v, text := words(b), passage(MaxTokens)
	n := 0
	for b.Loop() {
		ids, _ := v.tokens(text, MaxTokens)
		n += len(ids)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "tokens/s")
}
