package analysis

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// terms returns the terms of a text that are no stop words.
func terms(tokens []Token) []string {
	var out []string
	for _, t := range tokens {
		if !t.Stop {
			out = append(out, t.Term)
		}
	}
	return out
}

func TestIdentifiersStayWholeBesideTheirParts(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"ERR-1042", []string{"err-1042", "err", "1042"}},
		{"v2.3.1", []string{"v2.3.1", "2.3.1", "2", "v2", "3", "1"}},
		{"GB/T 19001-2016", []string{"gb/t19001-2016", "gb/t19001", "gb/t", "gb", "t", "19001-2016", "19001", "2016"}},
		{"foo_bar()", []string{"foo_bar", "foo", "bar"}},
		{"192.168.1.1", []string{"192.168.1.1", "192", "168", "1", "1"}},
		{"getUserName()", []string{"getusername", "get", "user", "name"}},
		{"C++", []string{"c++", "c"}},
		{"C#", []string{"c#", "c"}},
		{"win10", []string{"win10", "win", "10"}},
		{"p53", []string{"p53"}},
		{"https://example.com/a.txt", []string{"https", "example.com/a.txt", "example.com", "exampl", "com", "a.txt", "txt"}},
		{"--dry-run", []string{"dry-run", "dri", "run"}},
		{"1,000 parts", []string{"1000", "part"}},
		{"3.14", []string{"3.14", "3", "14"}},
		{"ERR\u20111042", []string{"err-1042", "err", "1042"}},
		{"ＥＲＲ－１０４２", []string{"err-1042", "err", "1042"}},
		{"ERR\u200b-1042", []string{"err-1042", "err", "1042"}},
		{"RFC 2616", []string{"rfc2616", "rfc", "2616"}},
		{"user@example.org", []string{"user@example.org", "user", "example.org", "exampl", "org"}},
	} {
		t.Run(c.text, func(t *testing.T) {
			if diff := cmp.Diff(c.want, terms(Tokens(c.text))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEverySpellingOfAStandardHasItsWholeTerm(t *testing.T) {
	for _, text := range []string{"GB/T 19001-2016", "GB/T19001-2016", "ＧＢ／Ｔ　19001-2016", "gb/t 19001-2016"} {
		if got := terms(Query(text)); !slices.Contains(got, "gb/t19001-2016") {
			t.Errorf("Query(%q) = %q lacks the whole", text, got)
		}
	}
}

func TestChineseRunsBecomePairs(t *testing.T) {
	for _, c := range []struct {
		name, text  string
		index, look []string
	}{
		{"word", "请假", []string{"请假", "假"}, []string{"请假"}},
		{"single character", "税", []string{"税"}, []string{"税"}},
		{"traditional", "報銷單", []string{"报销", "报", "销单", "销", "单"}, []string{"报销", "销单"}},
		{"mixed", "docker部署", []string{"docker", "部署", "部", "署"}, []string{"docker", "部署"}},
		{"mixed with a space", "docker 部署", []string{"docker", "部署", "部", "署"}, []string{"docker", "部署"}},
		{"full width", "ＶＰＮ连接", []string{"vpn", "连接", "连", "接"}, []string{"vpn", "连接"}},
		{"punctuation parts runs", "甲，乙", []string{"甲", "乙"}, []string{"甲", "乙"}},
		{"plan", "計畫", []string{"计划", "计", "划"}, []string{"计划"}},
		{"picture", "圖畫", []string{"图画", "图", "画"}, []string{"图画"}},
		{"question words alone", "什么是", []string{"什"}, nil},
		{"kana", "テスト", []string{"テス", "テ", "スト", "ス", "ト"}, []string{"テス", "スト"}},
		{"half-width kana", "ﾃｽﾄ", []string{"テス", "テ", "スト", "ス", "ト"}, []string{"テス", "スト"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.index, terms(Tokens(c.text))); diff != "" {
				t.Error("Tokens:", diff)
			}
			if diff := cmp.Diff(c.look, terms(Query(c.text))); diff != "" {
				t.Error("Query:", diff)
			}
		})
	}
}

func TestEnglishWordsLoseTheirEndings(t *testing.T) {
	for _, c := range [][2]string{
		{"Running", "runs"}, {"policies", "policy"}, {"Company's", "company"}, {"company’s", "company"},
		{"connections", "connected"}, {"don’t", "don't"}, {"STRASSE", "straße"},
	} {
		if a, b := terms(Tokens(c[0])), terms(Tokens(c[1])); !slices.Equal(a, b) || len(a) != 1 {
			t.Errorf("%q → %q, %q → %q: they should be one term", c[0], a, c[1], b)
		}
	}
}

func TestStopWordsAreMarkedUnlessTheyAreNames(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"What is the policy?", []string{"polici"}},
		{"IT部门的电话", []string{"it", "部门", "电话"}},
		{"ask it", []string{"ask"}},
		{"WHAT IS IT ABOUT", nil},
		{"what is this", nil},
		{"怎么申请年假吗", []string{"申请", "请年", "年假"}},
		{"目的", []string{"目的"}},
		{"公司的", []string{"公司"}},
	} {
		if diff := cmp.Diff(c.want, terms(Query(c.text))); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

func TestNothingToSearchForGivesNoTokens(t *testing.T) {
	for _, text := range []string{"", " \n\t", "？！…", "—()[]{}", "\u200b\ufeff", "🙂"} {
		if got := Tokens(text); len(got) != 0 {
			t.Errorf("Tokens(%q) = %v", text, got)
		}
	}
}

func TestFoldComparesLiterally(t *testing.T) {
	for _, c := range [][2]string{
		{"ＡＢＣ１２３", "abc123"}, {"臺灣後來", "台湾后来"}, {"“Don’t”", `"don't"`}, {"ﬁne", "fine"},
		{"m²", "m2"}, {"乾隆", "乾隆"}, {"著名", "着名"}, {"2010–2015", "2010-2015"}, {"soft\u00adhyphen", "softhyphen"},
		{"キロ㌔", "キロキロ"}, {"\uf900", "岂"}, {"a\u0301", "á"}, {"Á", "á"},
	} {
		if got := Fold(c[0]); got != c[1] && Fold(c[1]) != got {
			t.Errorf("Fold(%q) = %q, Fold(%q) = %q", c[0], got, c[1], Fold(c[1]))
		}
	}
}

func TestFoldingTwiceChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("aAßẞẖHİıſ計畫後a\u0301\u0331\u3099がＡﾞカ각①㈱ﷺ…")))).Draw(t, "text")
		once := Fold(s)
		if twice := Fold(once); twice != once {
			t.Fatalf("Fold(%q) = %q (%+q), then %q (%+q)", s, once, once, twice, twice)
		}
	})
}

// anyText draws texts of the kinds that documents hold.
func anyText() *rapid.Generator[string] {
	alphabet := rapid.RuneFrom([]rune("aBc012 -_./:'(),。中文後臺計畫的吗Ａ１\u0301\u200b\n😀é"))
	return rapid.OneOf(rapid.String(), rapid.StringOf(alphabet))
}

func TestSpansPointAtTheTextOfTheirTerms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText().Draw(t, "text")
		runes := []rune(text)
		from := 0
		for i, k := range Tokens(text) {
			if k.Span[0] < 0 || k.Span[0] >= k.Span[1] || k.Span[1] > len(runes) {
				t.Fatalf("%q: token %d has the span %v", text, i, k.Span)
			}
			if k.Of >= i || k.Of < -1 {
				t.Fatalf("%q: token %d is a part of %d", text, i, k.Of)
			}
			if k.Of < 0 && k.Span[0] < from {
				t.Fatalf("%q: token %d begins before an earlier one", text, i)
			}
			if k.Of < 0 {
				from = k.Span[0]
			}
			if k.Kind == Pair || k.Kind == Character {
				if got := Fold(string(runes[k.Span[0]:k.Span[1]])); !strings.Contains(got, k.Term) && k.Term != "划" && !strings.HasSuffix(k.Term, "划") && !strings.HasPrefix(k.Term, "划") {
					t.Fatalf("%q: %q stands at %q", text, k.Term, got)
				}
			}
		}
	})
}

func TestDocumentsHoldEveryTermOfThemselvesAsAQuery(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText().Draw(t, "text")
		held := map[string]bool{}
		for _, k := range Tokens(text) {
			held[k.Term] = true
		}
		for _, k := range Query(text) {
			joined := k.Kind == Identifier && len(strings.Fields(string([]rune(text)[k.Span[0]:k.Span[1]]))) > 1
			if !held[k.Term] && !joined {
				t.Fatalf("%q as a query has %q, as a document not", text, k.Term)
			}
		}
	})
}

func TestVariantsFoldToCharactersThatStay(t *testing.T) {
	table := variantTable()
	n := 0
	for line := range strings.Lines(variantText) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		runes := []rune(line)
		for _, r := range runes[1:] {
			n++
			if got := table.of(r); got != runes[0] || table.of(got) != got {
				t.Errorf("%c folds to %c, then %c; the table says %c", r, got, table.of(got), runes[0])
			}
		}
	}
	if n < 4000 {
		t.Errorf("the table has %d variants; some thousand are missing", n)
	}
}

func TestLongWordsAreCutTheSameEverywhere(t *testing.T) {
	long := strings.Repeat("x", 500)
	got := Tokens(long + " " + strings.Repeat("a-", 200) + "b")
	for _, k := range got {
		if len(k.Term) > longest {
			t.Errorf("a term of %d bytes", len(k.Term))
		}
	}
	if got[0].Term != Query(long)[0].Term {
		t.Error("document and query cut a long word differently")
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{"ERR-1042 foo_bar()", "請假流程", "a\xffb", "GB/T 1-2", "e\u0301", "1,000,00", "C++#()", "A 1", "\u0344x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := len([]rune(text))
		for _, k := range append(Tokens(text), Query(text)...) {
			if k.Term == "" || k.Span[0] < 0 || k.Span[0] >= k.Span[1] || k.Span[1] > n {
				t.Fatalf("%q gave %+v", text, k)
			}
		}
		for _, s := range Sentences(text) {
			if s[0] < 0 || s[0] >= s[1] || s[1] > n {
				t.Fatalf("%q gave the sentence %v", text, s)
			}
		}
	})
}

func BenchmarkEnglish(b *testing.B) {
	text := strings.Repeat("Alterations of the architecture of cerebral white matter can affect cortical development. ", 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Tokens(text)
	}
}

func BenchmarkChinese(b *testing.B) {
	text := strings.Repeat("为了加快现代农业发展，根据有关法律、行政法规，结合本市实际，制定本规定。", 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Tokens(text)
	}
}
