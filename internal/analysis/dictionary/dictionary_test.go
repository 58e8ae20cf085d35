package dictionary_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/analysis/dictionary"
)

var (
	source = flag.String("dict", "", "the dict.txt of jieba 0.42.1, to make the embedded words from")
	update = flag.Bool("update", false, "write the embedded words")
)

// sourceSum is the SHA-256 of the dict.txt that the embedded words were made from.
const sourceSum = "7197c3211ddd98962b036cdf40324d1ea2bfaa12bd028e68faa70111a88e12a8"

// sourceWords reads jieba's lines: a word, how often it was seen, its part of speech. Words are
// folded as texts are, so that traditional and simplified spellings are one; words with anything
// but Chinese characters, and those that are too long, are left out.
func sourceWords(t *testing.T, data []byte) map[string]int {
	t.Helper()
	words := map[string]int{}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) != 3 {
			t.Fatalf("the line %q has no three fields", lines.Text())
		}
		n, err := strconv.Atoi(f[1])
		if err != nil {
			t.Fatal(err)
		}
		word := analysis.Fold(f[0])
		if len([]rune(word)) > dictionary.Longest || strings.ContainsFunc(word, func(r rune) bool { return r < 0x3400 || r > 0x9FFF }) {
			continue
		}
		words[word] += n
	}
	return words
}

// TestEmbeddedWordsAreThoseOfTheirSource makes the embedded file again:
//
//	go test ./internal/analysis/dictionary -run Source -dict dict.txt -update
func TestEmbeddedWordsAreThoseOfTheirSource(t *testing.T) {
	if *source == "" {
		t.Skip("-dict names no dict.txt to compare with")
	}
	data, err := os.ReadFile(*source)
	if err != nil {
		t.Fatal(err)
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(data)); sum != sourceSum {
		t.Fatalf("the source has the SHA-256 %s, not %s", sum, sourceSum)
	}
	made, err := dictionary.Write(sourceWords(t, data))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("words.bin", made, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	held, err := os.ReadFile("words.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(made, held) {
		t.Errorf("the source makes %d other bytes than the %d that are embedded; look why, then run with -update", len(made), len(held))
	}
}

// cost walks down the tree and returns what the word costs.
func cost(t *dictionary.Tree, word string) int {
	var n dictionary.Node
	for _, r := range word {
		if n = t.Next(n, r); n == 0 {
			return 0
		}
	}
	return t.Cost(n)
}

func TestTheEmbeddedWordsAreChineseOnesByHowCommonTheyAre(t *testing.T) {
	tree := dictionary.Chinese()
	if n := tree.Words(); n < 340_000 {
		t.Errorf("there are %d words; some are missing", n)
	}
	for _, w := range []string{"合同", "劳动", "财产", "劳动合同", "中华人民共和国", "台湾", "的", "他"} {
		if cost(tree, w) == 0 {
			t.Errorf("%s is no word", w)
		}
	}
	for _, w := range []string{"同财", "合同劳", "臺灣", "x", "テスト", "中华人民共和国公民"} {
		if cost(tree, w) != 0 {
			t.Errorf("%s is a word", w)
		}
	}
	if a, b := cost(tree, "的"), cost(tree, "混同"); a >= b {
		t.Errorf("的 costs %d, the rare 混同 %d", a, b)
	}
}

func TestEveryWordThatIsWrittenIsReadWithItsCost(t *testing.T) {
	word := rapid.StringOfN(rapid.RuneFrom([]rune("一二三合同㐀鿿")), 1, dictionary.Longest, -1)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.MapOfN(word, rapid.IntRange(0, 1000), 1, 30).Draw(t, "words")
		packed, err := dictionary.Write(words)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := dictionary.Read(packed)
		if err != nil {
			t.Fatal(err)
		}
		if tree.Words() != len(words) {
			t.Fatalf("%d words were written, %d read", len(words), tree.Words())
		}
		list := slices.SortedFunc(maps.Keys(words), func(a, b string) int { return words[b] - words[a] })
		for i, w := range list {
			c := cost(tree, w)
			if c <= 0 || c >= dictionary.Unknown {
				t.Fatalf("%q costs %d", w, c)
			}
			if i > 0 && c < cost(tree, list[i-1]) {
				t.Fatalf("%q is rarer than %q and costs less", w, list[i-1])
			}
		}
		again, err := dictionary.Write(words)
		if err != nil || !bytes.Equal(packed, again) {
			t.Fatal("the same words make different bytes")
		}
	})
}

func TestWhatTheTreeCannotHoldIsRefused(t *testing.T) {
	for _, w := range []string{"", "abc", "一二三四五六七八九", "テスト", "𠀀"} {
		if _, err := dictionary.Write(map[string]int{w: 1}); err == nil {
			t.Errorf("%q was taken", w)
		}
	}
}

func TestADamagedFileIsAnError(t *testing.T) {
	good, err := dictionary.Write(map[string]int{"合同": 3, "合": 2, "同": 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, len(good) / 2, len(good) - 1} {
		if _, err := dictionary.Read(good[:n]); err == nil {
			t.Errorf("a file cut after %d bytes was read", n)
		}
	}
}

func FuzzRead(f *testing.F) {
	good, err := dictionary.Write(map[string]int{"合同": 3, "合": 2, "同": 1})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(good[:4])
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, err := dictionary.Read(data)
		if err != nil {
			return
		}
		var n dictionary.Node
		for range 20 {
			n = tree.Next(n, '合')
			tree.Cost(n)
		}
	})
}

func TestNoCharacterOutsideTheTreeIsLookedFor(t *testing.T) {
	tree := dictionary.Chinese()
	var got []dictionary.Node
	for _, r := range []rune{'a', 0, -1, 0x33FF, 0xA000, 0x20000} {
		got = append(got, tree.Next(0, r))
	}
	if diff := cmp.Diff(make([]dictionary.Node, 6), got); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkLoad(b *testing.B) {
	data, err := os.ReadFile("words.bin")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := dictionary.Read(data); err != nil {
			b.Fatal(err)
		}
	}
}
