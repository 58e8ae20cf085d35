package dictionary_test

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/analysis/dictionary"
)

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
	if n := tree.Words(); n != 346_689 {
		t.Errorf("there are %d words, not those of jieba 0.42.1", n)
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
		if _, err := dictionary.Write(map[string]int{w: 1}); err == nil || dictionary.Holds(w) {
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
