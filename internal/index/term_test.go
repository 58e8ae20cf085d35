package index_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
)

func TestTheFormThatWasAskedForComesBeforeOthersOfItsStem(t *testing.T) {
	for _, c := range []struct{ query, other, exact string }{
		{"policies", "A policy matters here.", "The policies matter here."},
		{"generally", "In general nothing changed.", "It is generally unchanged."},
		{"organization", "Organs of the body are many.", "Parts of the organization are many."},
	} {
		got := found(texts(t, c.other, c.exact), c.query)
		if !slices.Equal(got, []string{"1", "0"}) {
			t.Errorf("%q found %q; the exact one is 1, the other 0", c.query, got)
		}
	}
}

func TestAChineseWordComesBeforeItsCharactersByChance(t *testing.T) {
	for _, c := range []struct{ query, chance, word string }{
		{"研究生", "他研究生命的起源问题。", "他是研究生来自北京市。"},
		{"和服", "产品和服务都有改进。", "她买的和服非常漂亮。"},
		{"和服", "產品和服務都有改進。", "她買的和服非常漂亮。"},
	} {
		got := found(texts(t, c.chance, c.word), c.query)
		if len(got) == 0 || got[0] != "1" {
			t.Errorf("%q found %q; the word is in 1", c.query, got)
		}
	}
}

func TestANumberIsFoundInAnyWriting(t *testing.T) {
	f := texts(t, "每人补贴三千元。", "Each gets 3,000 yuan.", "第四百六十五条 合同", "The rate is 5 percent.", "比例为百分之五。", "自二〇二三年五月一日起施行", "Effective May 1, 2023")
	for query, want := range map[string][]string{
		"3000": {"0", "1"}, "三千": {"0", "1"}, "3千": {"0", "1"}, "第465条": {"2"}, "5%": {"3", "4"}, "2023-05-01": {"5", "6"}, "2023年5月1日": {"5", "6"},
	} {
		got := found(f, query)
		for _, id := range want {
			if !slices.Contains(got, id) {
				t.Errorf("%q found %q, which lacks %s", query, got, id)
			}
		}
	}
	if got := found(f, "三千元")[0]; got != "0" {
		t.Errorf("the number as it was asked for is not first: %s is", got)
	}
}

func TestATitleInItsMarksWeighsMore(t *testing.T) {
	f := texts(t, "统计数据的要求。", "情节严重的罚款。情节严重的罚款。", "统计法的要求。")
	if got := found(f, "《统计法》中情节严重的罚款")[0]; got != "1" {
		t.Errorf("%s is first", got)
	}
	plain, marked := index.Terms("统计法罚款"), index.Terms("《统计法》罚款")
	weight := func(terms []index.Term, text string) float64 {
		for _, k := range terms {
			if k.Text == text {
				return k.Weight
			}
		}
		return 0
	}
	if a, b := weight(plain, "统计"), weight(marked, "统计"); b <= a {
		t.Errorf("a term of a title weighs %v, without its marks %v", b, a)
	}
	if a, b := weight(plain, "罚款"), weight(marked, "罚款"); a != b {
		t.Errorf("a term beside a title weighs %v, without one %v", b, a)
	}
}

func TestSynonymsFindWhatTheQueryDoesNotSay(t *testing.T) {
	l, err := analysis.NewLexicon(nil, [][]string{{"VPN", "virtual private network", "虚拟专网"}})
	if err != nil {
		t.Fatal(err)
	}
	f := texts(t, "The virtual private network is slow.", "虚拟专网很慢。", "The VPN is slow.", "Nothing of the kind.")
	var got []string
	for _, m := range f.Search(index.TermsWith(l, "vpn"), 10) {
		got = append(got, string(m.Document))
	}
	if len(got) != 3 || got[0] != "2" {
		t.Errorf("found %q; what says it as it was asked is 2, the others 0 and 1", got)
	}
	if got := found(f, "vpn"); !slices.Equal(got, []string{"2"}) {
		t.Errorf("without a lexicon it found %q", got)
	}
}

func TestAWordAloneFindsNothing(t *testing.T) {
	for _, k := range index.Terms("研究生 policies") {
		if marked := strings.HasPrefix(k.Text, "|") || strings.HasPrefix(k.Text, "="); marked != k.Weak && len([]rune(k.Text)) > 1 {
			t.Errorf("%q is weak: %v", k.Text, k.Weak)
		}
	}
}

func TestChineseIsMeasuredInWords(t *testing.T) {
	// Of equally many characters the text of fewer words is the shorter one.
	f := texts(t, "合同一二三四五六七八九", "合同中华人民共和国公民")
	if got := found(f, "合同"); !slices.Equal(got, []string{"1", "0"}) {
		t.Errorf("found %q", got)
	}
}

func TestASegmentIsBuiltWithTheWordsOfATenant(t *testing.T) {
	l, err := analysis.NewLexicon([]string{"范廷颂"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	chunks := []corpus.Chunk{{ID: "c", No: 1, HeadingPath: []string{"主教"}, Text: "范廷颂是主教。"}}
	for _, c := range []struct {
		lexicon *analysis.Lexicon
		hits    int
	}{{l, 1}, {nil, 0}} {
		b, err := index.BuildWith(c.lexicon, "范廷颂", chunks)
		if err != nil {
			t.Fatal(err)
		}
		seg, err := index.Open(b)
		if err != nil {
			t.Fatal(err)
		}
		f := index.NewSet(index.Entry{Document: "d", Segment: seg}).Filter(func(corpus.DocumentID) bool { return true })
		var words []index.Term
		for _, k := range index.TermsWith(l, "范廷颂") {
			if strings.Contains(k.Text, "范廷颂") {
				k.Weak = false
				words = append(words, k)
			}
		}
		if got := f.Search(words, 5); len(got) != c.hits || len(words) != 1 {
			t.Errorf("%d of the words %v are found, want %d", len(got), words, c.hits)
		}
	}
}

// weights returns what the terms of a query weigh.
func weights(query string) map[string]float64 {
	out := map[string]float64{}
	for _, k := range index.Terms(query) {
		out[k.Text] = k.Weight
	}
	return out
}

func TestAWordThatAQueryRepeatsCountsHalfEachFurtherTime(t *testing.T) {
	for _, c := range []struct {
		query, term string
		times       float64
	}{{"pump", "pump", 1}, {"pump pump", "pump", 1.5}, {"pump, pump and pumps", "pump", 2}, {"合同，合同", "合同", 1.5}, {"合同，合同", "|合同", 1.5}} {
		once := weights(strings.FieldsFunc(c.query, func(r rune) bool { return r == ' ' || r == ',' || r == '，' })[0])
		if got, want := weights(c.query)[c.term], once[c.term]*c.times; got != want || got == 0 {
			t.Errorf("%q weighs %v in %q, want %v", c.term, got, c.query, want)
		}
	}
}

func TestWordsAndFormsWeighLessThanWhatTheyAreMadeOf(t *testing.T) {
	got := weights("劳动合同 policies")
	if w := got["|劳动合同"]; w <= 0 || w >= got["劳动"] {
		t.Errorf("the word weighs %v, a pair %v", w, got["劳动"])
	}
	if w := got["=policies"]; w <= 0 || w >= got["polici"] {
		t.Errorf("the form weighs %v, the stem %v", w, got["polici"])
	}
}

func TestRankSaysWhatTheTermsWeighAmongTheVisibleChunks(t *testing.T) {
	f := texts(t, "pump seal", "pump", "pump valve")
	terms := index.Terms("pump seal zeppelin")
	found, weights := f.Rank(terms, 10)
	if len(weights) != len(terms) || len(found) != 3 {
		t.Fatalf("%d weights of %d terms, %d chunks", len(weights), len(terms), len(found))
	}
	weight := map[string]float64{}
	for i, term := range terms {
		weight[term.Text] = weights[i]
	}
	if !(weight["seal"] > weight["pump"] && weight["pump"] > 0) || weight["zeppelin"] != 0 {
		t.Errorf("the weights are %v", weight)
	}
	if found, weights := f.Rank(terms, 0); len(found) != 0 || len(weights) != len(terms) {
		t.Errorf("none of the best: %v, %v", found, weights)
	}
}
