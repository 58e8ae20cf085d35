package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/problem"
)

// everyone is the lexicon of a tenant that has none of its own.
var everyone *Lexicon

func lexiconOf(t *testing.T, words []string, groups ...[]string) *Lexicon {
	t.Helper()
	l, err := NewLexicon(words, groups)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// ofKind returns the terms of one kind, without the mark of the kind and without stop words.
func ofKind(tokens []Token, kind Kind) []string {
	var out []string
	for _, t := range tokens {
		if t.Kind == kind && !t.Stop {
			out = append(out, strings.TrimLeft(t.Term, segmentMark+exactMark))
		}
	}
	return out
}

func TestChineseIsCutIntoItsLikeliestWords(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"plain", "经营者的个人财产", []string{"经营者", "个人财产"}},
		{"traditional", "經營者的個人財產", []string{"经营者", "个人财产"}},
		{"not the longest first", "研究生命的起源", []string{"研究", "生命", "起源"}},
		{"ambiguous", "南京市长江大桥", []string{"南京市", "长江大桥"}},
		{"unknown names are characters", "范廷颂", []string{"范", "廷", "颂"}},
		{"mixed", "用docker部署服务", []string{"用", "部署", "服务"}},
		{"marks part words", "合同，法律", []string{"合同", "法律"}},
		{"stop words are marked", "公司为什么是这样的", []string{"公司", "这样"}},
		{"one character", "税", []string{"税"}},
		{"japanese", "テスト東京", []string{"テスト", "东京"}},
		{"korean", "한국어 문서", []string{"한국어", "문서"}},
		{"rare characters", "𠀀合同", []string{"𠀀", "合同"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, ofKind(everyone.Tokens(c.text), Segment)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.want, ofKind(everyone.Query(c.text), Segment)); diff != "" {
				t.Error("Query:", diff)
			}
		})
	}
}

func TestEnglishWordsKeepTheFormInWhichTheyWereWritten(t *testing.T) {
	got := everyone.Tokens("Generally, organizations are in general policies")
	if diff := cmp.Diff([]string{"generally", "organizations", "policies"}, ofKind(got, Exact)); diff != "" {
		t.Error(diff)
	}
	for _, k := range got {
		if k.Kind == Exact && (k.Of < 0 || got[k.Of].Kind != Word || got[k.Of].Span != k.Span) {
			t.Errorf("%+v is not the form of the word at its place", k)
		}
	}
}

func TestALexiconGivesWhatTokensGivesAndMore(t *testing.T) {
	plain := func(tokens []Token) []Token {
		var out []Token
		for _, t := range tokens {
			if t.Kind < Segment {
				t.Of, t.Title = 0, false
				out = append(out, t)
			}
		}
		return out
	}
	rapid.Check(t, func(t *rapid.T) {
		text := searchText().Draw(t, "text")
		if diff := cmp.Diff(plain(Tokens(text)), plain(everyone.Tokens(text))); diff != "" {
			t.Fatal("Tokens:", diff)
		}
		if diff := cmp.Diff(plain(Query(text)), plain(everyone.Query(text))); diff != "" {
			t.Fatal("Query:", diff)
		}
	})
}

// searchText draws texts with numbers, dates, titles and both languages in them.
func searchText() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{"三", "千", "元", "第", "十", "条", "百分之", "点", "亿", "万", "年", "月", "日", "2023", "-", "/", "05", "1", "May", " ", ",",
		"《", "》", "合同", "劳动", "policies", "的", "什么", "%", ".", "st", "of", "テスト", "한국", "〇", "零", "两"})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 14).Draw(t, "pieces"), "")
	})
}

func TestSegmentsCoverEachRunOnceInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("合同劳动法的是一税南京市长江大桥研究生命")), 1, 60, -1).Draw(t, "text")
		at := 0
		for _, k := range everyone.Tokens(text) {
			if k.Kind != Segment {
				continue
			}
			if k.Span[0] != at {
				t.Fatalf("%q: a word begins at %d, the one before ends at %d", text, k.Span[0], at)
			}
			at = k.Span[1]
		}
		if at != len([]rune(text)) {
			t.Fatalf("%q: the words end at %d", text, at)
		}
	})
}

func TestADocumentHoldsEveryTermOfItselfAsAQuery(t *testing.T) {
	own := lexiconOf(t, []string{"南京市长", "合同法"})
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(searchText(), anyText()).Draw(t, "text")
		held := map[string]bool{}
		for _, k := range own.Tokens(text) {
			held[k.Term] = true
		}
		for _, k := range own.Query(text) {
			joined := k.Kind == Identifier && len(strings.Fields(string([]rune(text)[k.Span[0]:k.Span[1]]))) > 1
			if !held[k.Term] && !joined {
				t.Fatalf("%q as a query has %q, as a document not", text, k.Term)
			}
		}
	})
}

func TestALongRunIsCutInBoundedPieces(t *testing.T) {
	text := strings.Repeat("劳动合同法", 2*maxRun)
	longest := 0
	for _, k := range everyone.Tokens(text) {
		if k.Kind == Segment {
			longest = max(longest, k.Span[1]-k.Span[0])
		}
	}
	if longest != 5 && longest != 4 && longest != 3 {
		t.Errorf("the longest word has %d characters", longest)
	}
	for _, k := range everyone.Tokens(strings.Repeat("テ", 100)) {
		if k.Kind == Segment && k.Span[1]-k.Span[0] > maxLoan {
			t.Errorf("a word of kana has %d characters", k.Span[1]-k.Span[0])
		}
	}
}

func TestWordsOfATenantAreNotTornApart(t *testing.T) {
	l := lexiconOf(t, []string{"范廷颂", "市長江", " 個體工商戶 "})
	for text, want := range map[string][]string{
		"范廷颂主教":   {"范廷颂", "主教"},
		"南京市长江大桥": {"南京", "市长江", "大桥"},
		"个体工商户注销": {"个体工商户", "注销"},
		"無關的話":    {"无关"},
	} {
		if diff := cmp.Diff(want, ofKind(l.Tokens(text), Segment)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// synonymsOf returns the stems and pairs that synonyms added to a query, with the text that they
// stand for.
func synonymsOf(l *Lexicon, query string) []string {
	var out []string
	for _, k := range l.Query(query) {
		if k.Synonym > 0 && (k.Kind == Word || k.Kind == Pair) {
			out = append(out, k.Term+" for "+string([]rune(query)[k.Span[0]:k.Span[1]]))
		}
	}
	return out
}

func TestSynonymsAreAddedToQueriesAtTheirPlace(t *testing.T) {
	l := lexiconOf(t, nil, []string{"VPN", "virtual private network", "虚拟专网"}, []string{"年假", "休假"}, []string{"年", "岁"})
	for query, want := range map[string][]string{
		"vpn down":                 {"virtual for vpn", "privat for vpn", "network for vpn", "虚拟 for vpn", "拟专 for vpn", "专网 for vpn"},
		"Virtual  Private network": {"vpn for Virtual  Private network", "虚拟 for Virtual  Private network", "拟专 for Virtual  Private network", "专网 for Virtual  Private network"},
		"ＶＰＮ":                      {"virtual for ＶＰＮ", "privat for ＶＰＮ", "network for ＶＰＮ", "虚拟 for ＶＰＮ", "拟专 for ＶＰＮ", "专网 for ＶＰＮ"},
		"vpns":                     nil,
		"myvpn":                    nil,
		"怎么请年假":                    {"休假 for 年假"},
		"nothing of it":            nil,
	} {
		if diff := cmp.Diff(want, synonymsOf(l, query)); diff != "" {
			t.Errorf("%q: %s", query, diff)
		}
	}
	for _, k := range l.Tokens("vpn 年假") {
		if k.Synonym > 0 {
			t.Errorf("a document got the synonym %q", k.Term)
		}
	}
}

func TestSynonymsOfAQueryAreBounded(t *testing.T) {
	var group []string
	for i := range MaxGroup {
		group = append(group, fmt.Sprintf("name%c of a thing with many words", 'a'+i))
	}
	l := lexiconOf(t, nil, group)
	n := 0
	for _, k := range l.Query(strings.Repeat(group[0]+" ", 20)) {
		if k.Synonym > 0 {
			n++
		}
	}
	if n != maxExpansion {
		t.Errorf("%d terms were added, %d are allowed", n, maxExpansion)
	}
}

func TestALexiconIsRefusedWithTheEntryThatIsWrong(t *testing.T) {
	many := make([]string, 2*MaxWords) // of which folding makes some the same
	for i := range many {
		many[i] = "字" + string(rune('一'+i))
	}
	for _, c := range []struct {
		name, names string
		words       []string
		groups      [][]string
	}{
		{"a word of one character", "税", []string{"税"}, nil},
		{"a word of letters", "B超", []string{"B超"}, nil},
		{"an empty word", `" "`, []string{" "}, nil},
		{"a long word", "字字", []string{strings.Repeat("字", MaxWord+1)}, nil},
		{"too many words", "one more than the 10000", many, nil},
		{"a group of one", "甲方", nil, [][]string{{"甲方", "甲方"}}},
		{"a group of the same", "ＶＰＮ", nil, [][]string{{"ＶＰＮ", "vpn"}}},
		{"a synonym of marks", "…", nil, [][]string{{"…", "甲方"}}},
		{"a long synonym", "xxx", nil, [][]string{{strings.Repeat("x", MaxSynonym+1), "甲方"}}},
		{"a large group", "not 2 to 16", nil, [][]string{strings.Fields("a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1 l1 m1 n1 o1 p1 q1")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := NewLexicon(c.words, c.groups)
			if problem.CodeOf(err) != "invalid_lexicon" || !problem.Is(err, problem.Invalid) {
				t.Fatalf("the error is %v", err)
			}
			if !strings.Contains(err.Error(), c.names) {
				t.Errorf("%q does not name %q", err, c.names)
			}
		})
	}
}

func TestAOneWayRuleFindsInItsDirectionAlone(t *testing.T) {
	b := NewBuilder()
	for _, err := range []error{b.OneWay([]string{"ＮＢ", "本子"}, []string{"筆記本電腦"}), b.Same([]string{"OA", "办公自动化"}), b.OneWay([]string{"oa"}, []string{"office"})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	l := b.Lexicon()
	for query, want := range map[string][]string{
		"nb":      {"笔记 for nb", "记本 for nb", "本电 for nb", "电脑 for nb"},
		"本子":      {"笔记 for 本子", "记本 for 本子", "本电 for 本子", "电脑 for 本子"},
		"笔记本电脑":   nil,
		"ＯＡ":      {"办公 for ＯＡ", "公自 for ＯＡ", "自动 for ＯＡ", "动化 for ＯＡ", "offic for ＯＡ"},
		"辦公自動化系統": {"oa for 辦公自動化"},
		"office":  nil,
	} {
		if diff := cmp.Diff(want, synonymsOf(l, query)); diff != "" {
			t.Errorf("%q: %s", query, diff)
		}
	}
}

func TestAnEntryThatIsRefusedLeavesTheOthers(t *testing.T) {
	b := NewBuilder()
	for name, err := range map[string]error{
		"both sides": b.OneWay([]string{"OA", "NB"}, []string{"ＯＡ"}), "nothing to say": b.OneWay(nil, []string{"OA"}), "nothing to find": b.OneWay([]string{"OA"}, nil),
	} {
		if problem.CodeOf(err) != "invalid_lexicon" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := b.Same([]string{"OA", "办公"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"办公 for oa"}, synonymsOf(b.Lexicon(), "oa nb")); diff != "" {
		t.Error(diff)
	}
}

func TestALexiconHasABoundedNumberOfGroups(t *testing.T) {
	b := NewBuilder()
	for i := range MaxGroups {
		if err := b.Same([]string{fmt.Sprintf("a%d", i), fmt.Sprintf("b%d", i)}); err != nil {
			t.Fatal(i, err)
		}
	}
	for name, err := range map[string]error{"a group": b.Same([]string{"甲方", "乙方"}), "a rule": b.OneWay([]string{"甲方"}, []string{"乙方"})} {
		if problem.CodeOf(err) != "invalid_lexicon" || !strings.Contains(err.Error(), "甲方") {
			t.Errorf("%s too many: %v", name, err)
		}
	}
}

func TestTitlesInTheirMarksAreMarked(t *testing.T) {
	marked := func(query string) []string {
		var out []string
		for _, k := range everyone.Query(query) {
			if k.Title && k.Kind == Pair {
				out = append(out, k.Term)
			}
		}
		return out
	}
	for query, want := range map[string][]string{
		"按照《统计法》，罚款多少": {"统计", "计法"},
		"《甲方》和《乙方》":    {"甲方", "乙方"},
		"统计法":          nil,
		"《统计法":         nil,
		"统计》法":         nil,
	} {
		if got := marked(query); !slices.Equal(got, want) {
			t.Errorf("%s: %q are marked, want %q", query, got, want)
		}
	}
}

func FuzzLexicon(f *testing.F) {
	l, err := NewLexicon([]string{"合同法"}, [][]string{{"VPN", "虚拟专网"}, {"年假", "annual leave"}})
	if err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{"第四百六十五条", "2023年5月1日", "May 1, 2023", "百分之三点五", "3.5亿", "a\xffb", "《x》", "vpn年假", "三 千", "十", "1 of May"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := len([]rune(text))
		for _, tokens := range [][]Token{l.Tokens(text), l.Query(text)} {
			for i, k := range tokens {
				if k.Term == "" || k.Span[0] < 0 || k.Span[0] >= k.Span[1] || k.Span[1] > n || k.Of >= i || k.Of < -1 {
					t.Fatalf("%q gave %+v", text, k)
				}
			}
		}
	})
}

// BenchmarkWordsBesidePairs reports how many times as long as pairs alone the terms of a search
// take, both in turn so that a busy machine is busy for both.
func BenchmarkWordsBesidePairs(b *testing.B) {
	text := strings.Repeat("为了加快现代农业发展，根据有关法律、行政法规，结合本市实际，制定本规定。", 20)
	b.SetBytes(int64(len(text)))
	everyone.Tokens(text)
	var pairs, all time.Duration
	for b.Loop() {
		began := time.Now()
		Tokens(text)
		middle := time.Now()
		everyone.Tokens(text)
		pairs, all = pairs+middle.Sub(began), all+time.Since(middle)
	}
	b.ReportMetric(float64(all)/float64(pairs), "x-pairs")
}
