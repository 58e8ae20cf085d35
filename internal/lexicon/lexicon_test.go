package lexicon_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/lexicon"
	"github.com/kaoju/kaoju/internal/problem"
)

// compiled is the lexicon of lines that can be used.
func compiled(t *testing.T, lines ...string) *analysis.Lexicon {
	t.Helper()
	l, err := lexicon.Compile(lines)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// finds reports whether a query is searched by every term of a name that it does not say.
func finds(l *analysis.Lexicon, query, name string) bool {
	added := map[string]bool{}
	for _, k := range l.Query(query) {
		if k.Synonym > 0 {
			added[k.Term] = true
		}
	}
	for _, k := range analysis.Query(name) {
		if !added[k.Term] {
			return false
		}
	}
	return true
}

func TestLinesSayWhatFindsWhat(t *testing.T) {
	l := compiled(t, "# 信息科", "", "  OA， 办公自动化 、office automation", "NB, 本子 => 笔记本电脑，laptop", "甲、乙方＝＞丙方", "范廷颂", " # 完 ")
	for _, c := range []struct {
		query, name string
		want        bool
	}{
		{"oa 怎么开通", "办公自动化", true}, {"OA", "office automation", true}, {"辦公自動化", "oa", true}, {"Office  Automation", "办公自动化", true},
		{"nb", "笔记本电脑", true}, {"本子", "laptop", true}, {"laptop", "nb", false}, {"笔记本电脑", "laptop", false}, {"nb", "本子", false},
		{"甲", "丙方", true}, {"丙方", "甲", false}, {"备注", "信息科", false},
	} {
		if got := finds(l, c.query, c.name); got != c.want {
			t.Errorf("%q finds %q: %t", c.query, c.name, got)
		}
	}
	whole := false
	for _, k := range l.Tokens("范廷颂主教") {
		whole = whole || strings.HasSuffix(k.Term, "范廷颂")
	}
	if !whole {
		t.Error("the word is torn")
	}
}

func TestARuleIsNotFollowedOn(t *testing.T) {
	l := compiled(t, "甲方 => 乙方", "乙方, 丙方")
	if !finds(l, "甲方", "乙方") || finds(l, "甲方", "丙方") {
		t.Error("甲方 finds 乙方 alone")
	}
}

func TestEachWrongLineIsNamedWithItsWord(t *testing.T) {
	for name, c := range map[string]struct{ line, says string }{
		"a word of letters":       {"B超", `"B超"`},
		"a word of one character": {"税", `"税"`},
		"one name of the same":    {"ＶＰＮ, vpn", "ＶＰＮ"},
		"an empty name":           {"OA, , 办公", "missing"},
		"an open end":             {"OA,", "missing"},
		"nothing to find":         {"OA =>", "missing"},
		"nothing to say":          {"=> OA", "missing"},
		"both sides":              {"OA => 办公, oa", `"oa"`},
		"a second arrow":          {"OA => 办公 => 自动化", "arrow"},
		"arrows of both widths":   {"OA ＝＞ 办公 => 自动化", "arrow"},
		"no word":                 {"OA, ……", "……"},
		"a long name":             {"OA, " + strings.Repeat("x", analysis.MaxSynonym+1), "xxx"},
		"many names":              {strings.Join(strings.Fields("a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1 l1 m1 n1 o1 p1 q1"), ","), "2 to 16"},
		"a line feed":             {"OA, 办公\n# x", "no text"},
		"an escape":               {"# \x1b[2J", "no text"},
		"a turned direction":      {"OA, \u202e办公", "no text"},
		"no UTF-8":                {"OA, \xff", "no text"},
		"a long line":             {"#" + strings.Repeat("x", lexicon.MaxLine), "more than"},
	} {
		_, _, err := lexicon.Check([]string{"甲方, 乙方", c.line, "# 完"})
		var p *problem.Error
		if !errors.As(err, &p) || p.Kind != problem.Invalid || p.Code != "invalid_lexicon" {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !strings.HasPrefix(p.Detail, "Line 2: ") || !strings.Contains(p.Detail, c.says) {
			t.Errorf("%s: %q does not name line 2 and %q", name, p.Detail, c.says)
		}
		if len(p.Fields) != 1 || p.Fields[0].Pointer != "/lines/1" || !strings.Contains(p.Fields[0].Detail, c.says) {
			t.Errorf("%s: the fields are %+v", name, p.Fields)
		}
		if l, err := lexicon.Compile([]string{c.line}); l != nil || err == nil {
			t.Errorf("%s: it makes a lexicon", name)
		}
	}
}

func TestManyWrongLinesAreNamedUpToABound(t *testing.T) {
	lines := make([]string, 100)
	for i := range lines {
		lines[i] = fmt.Sprintf("w%d", i)
	}
	_, _, err := lexicon.Check(lines)
	var p *problem.Error
	if !errors.As(err, &p) || len(p.Fields) != 20 || p.Fields[19].Pointer != "/lines/19" {
		t.Errorf("%v", err)
	}
}

func TestAListIsBounded(t *testing.T) {
	for name, lines := range map[string][]string{
		"lines":  make([]string, lexicon.MaxLines+1),
		"size":   {strings.Repeat("x", lexicon.MaxSize)},
		"groups": each(analysis.MaxGroups+1, func(i int) string { return fmt.Sprintf("a%d, b%d", i, i) }),
	} {
		if _, _, err := lexicon.Check(lines); problem.CodeOf(err) != "invalid_lexicon" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if count, _, err := lexicon.Check(each(analysis.MaxGroups, func(i int) string { return fmt.Sprintf("a%d, b%d", i, i) })); err != nil || count.Synonyms != analysis.MaxGroups {
		t.Errorf("the largest list: %+v, %v", count, err)
	}
}

func each(n int, line func(int) string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = line(i)
	}
	return out
}

func TestTheHashIsThatOfTheWordsAlone(t *testing.T) {
	hash := func(lines ...string) string {
		t.Helper()
		_, h, err := lexicon.Check(lines)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	one := hash("甲方乱", "乙方丙")
	for name, same := range map[string]string{
		"another order": hash("乙方丙", "甲方乱"), "synonyms beside": hash("甲方乱", "OA, 办公", "乙方丙"), "twice": hash("甲方乱", "乙方丙", "甲方乱"),
		"traditional": hash("甲方亂", "乙方丙"), "a remark beside": hash("甲方乱", "乙方丙", "# x"),
	} {
		if same != one {
			t.Errorf("%s changes the hash", name)
		}
	}
	if hash("甲方乱") == one || hash("OA, 办公") != "" || hash() != "" {
		t.Error("other words have the same hash, or none has one")
	}
}

func TestAListWithoutRulesIsNoLexicon(t *testing.T) {
	for _, lines := range [][]string{nil, {""}, {"# OA, 办公"}} {
		if l, err := lexicon.Compile(lines); l != nil || err != nil {
			t.Errorf("%q: %v, %v", lines, l, err)
		}
	}
}

func TestGroupsFindEachOtherAndRulesOneWay(t *testing.T) {
	name := rapid.SampledFrom([]string{"oa", "办公自动化", "vpn", "虚拟专网", "annual leave", "年假", "nb", "笔记本"})
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfNDistinct(name, 2, 4, rapid.ID[string]).Draw(t, "names")
		rule := rapid.Bool().Draw(t, "rule")
		line := strings.Join(a, rapid.SampledFrom([]string{",", "，", "、", " , "}).Draw(t, "separator"))
		if rule {
			line = a[0] + " => " + strings.Join(a[1:], ", ")
		}
		l, err := lexicon.Compile([]string{line})
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range a {
			for j, y := range a {
				if i == j {
					continue
				}
				if got, want := finds(l, x, y), !rule || i == 0; got != want {
					t.Fatalf("%q: %q finds %q: %t", line, x, y, got)
				}
			}
		}
	})
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{"OA, 办公", "a => b", "范廷颂", "# x", "=>", ",,", "a=>b=>c", "\xff", "甲、乙＝＞丙"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(text, "\n")
		count, _, err := lexicon.Check(lines)
		l, also := lexicon.Compile(lines)
		if (err == nil) != (also == nil) || err == nil && (l != nil) != (count != lexicon.Count{}) {
			t.Fatalf("%q: %v and %v", text, err, also)
		}
		if d := cmp.Diff(err == nil, problem.CodeOf(err) != "invalid_lexicon"); d != "" {
			t.Fatal(d)
		}
		l.Query(text)
	})
}
