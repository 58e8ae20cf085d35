package revision

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
)

// version parses a text as the product would.
func version(t testing.TB, name, text string) corpus.Text {
	t.Helper()
	if strings.TrimSpace(text) == "" {
		return corpus.Text{}
	}
	r, err := parse.Parse(t.Context(), parse.File{Name: name, Data: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	out := corpus.Text{Text: r.Parsed.Text}
	for _, b := range r.Parsed.Blocks {
		out.Segments = append(out.Segments, b.Segments...)
	}
	return out
}

// told writes a difference in short lines.
func told(d Difference) []string {
	out := []string{}
	for _, s := range d.Sections {
		line := string(s.Kind) + " " + strings.Join(s.Path, " / ")
		if s.Was != nil {
			line += " (was " + strings.Join(s.Was, " / ") + ")"
		}
		if s.Moved && s.Kind != Moved {
			line += " moved"
		}
		out = append(out, line)
		for _, l := range s.Lines {
			out = append(out, map[Kind]string{Added: "+", Removed: "-"}[l.Op]+l.Text)
		}
		for _, n := range s.Numbers {
			out = append(out, fmt.Sprintf("#%s%s>%s%s", n.Old, n.OldUnit, n.New, n.NewUnit))
		}
	}
	return out
}

func TestSectionsOfTwoVersions(t *testing.T) {
	for _, c := range []struct {
		name, file, from, to string
		want                 []string
	}{
		{"the same", "a.md", "# A\n\nText.\n", "# A\n\nText.\n", []string{}},
		{"other white space", "a.md", "# A\n\nOne two\nthree.\n", "# A\n\n\nOne  two three.\n", []string{}},
		{"一个数变了", "a.md", "# 差旅\n\n## 住宿\n\n上海每晚 500 元。早餐自理。\n", "# 差旅\n\n## 住宿\n\n上海每晚 650 元。早餐自理。\n",
			[]string{"changed 差旅 / 住宿", "-上海每晚 500 元。", "+上海每晚 650 元。", "#500元>650元"}},
		{"a section more and one less", "a.md", "# A\n\nOne.\n\n# B\n\nTwo words.\n", "# A\n\nOne.\n\n# C\n\nSomething else entirely.\n",
			[]string{"removed B", "-# B", "-Two words.", "added C", "+# C", "+Something else entirely."}},
		{"a renamed section", "a.md", "# A\n\nOne.\n\n# Old name\n\nThe rule has a long text.\n", "# A\n\nOne.\n\n# New name\n\nThe rule has a long text.\n",
			[]string{"changed New name (was Old name) moved", "-# Old name", "+# New name"}},
		{"a renamed chapter is told of once", "a.md", "# Rules\n\n## A\n\nAlpha.\n\n## B\n\nBeta.\n", "# Rules of travel\n\n## A\n\nAlpha.\n\n## B\n\nBeta.\n",
			[]string{"changed Rules of travel (was Rules) moved", "-# Rules", "+# Rules of travel"}},
		{"chapters in another order", "a.md", "# A\n\nAlpha.\n\n## A1\n\nAlpha one.\n\n# B\n\nBeta.\n", "# B\n\nBeta.\n\n# A\n\nAlpha.\n\n## A1\n\nAlpha one.\n",
			[]string{"moved B"}},
		{"a section under another chapter", "a.md", "# A\n\n## X\n\nThe text of X.\n\n# B\n\nBeta.\n", "# A\n\n# B\n\nBeta.\n\n## X\n\nThe text of X.\n",
			[]string{"moved B / X (was A / X)"}},
		{"twice the same heading", "a.md", "# Q\n\nOne?\n\n# A\n\nYes.\n\n# Q\n\nTwo?\n", "# Q\n\nZero?\n\n# A\n\nNo.\n\n# Q\n\nOne?\n\n# A\n\nYes.\n\n# Q\n\nTwo?\n",
			[]string{"added Q", "+# Q", "+Zero?", "added A", "+# A", "+No."}},
		{"a row of a table", "a.md", "# A\n\n| city | limit |\n|---|---|\n| Shanghai | 500 yuan |\n| Xi'an | 400 yuan |\n", "# A\n\n| city | limit |\n|---|---|\n| Shanghai | 650 yuan |\n| Xi'an | 400 yuan |\n| Lhasa | 1,000 yuan |\n",
			[]string{"changed A", "-| Shanghai | 500 yuan |", "+| Shanghai | 650 yuan |", "+| Lhasa | 1,000 yuan |", "#500yuan>650yuan"}},
		{"paragraphs without headings", "a.txt", "First paragraph.\n\nThe limit is 500 yuan a night.\n\nLast one.\n", "First paragraph.\n\nThe limit is 650 yuan a night.\n\nLast one.\n\nAnd more.\n",
			[]string{"changed ", "-The limit is 500 yuan a night.", "+The limit is 650 yuan a night.", "#500yuan>650yuan", "added ", "+And more."}},
		{"段落换了位置", "a.txt", "甲说的是住宿。\n\n乙说的是交通。\n\n丙说的是补助。\n", "丙说的是补助。\n\n甲说的是住宿。\n\n乙说的是交通。\n", []string{"moved "}},
		{"rows", "a.csv", "城市,金额\n上海,500\n北京,600\n", "城市,金额\n上海,650\n北京,600\n拉萨,300\n",
			[]string{"changed ", "-上海 | 500", "+上海 | 650", "#500>650", "added ", "+拉萨 | 300"}},
		{"headings appear", "a.md", "Plain text here.\n", "# Now\n\nPlain text here.\n",
			[]string{"changed Now (was ) moved", "+# Now"}},
		{"from nothing", "a.md", "", "# A\n\nOne.\n", []string{"added A", "+# A", "+One."}},
		{"to nothing", "a.md", "One.\n", "", []string{"removed ", "-One."}},
		{"numbered anew", "a.md", "# 1 A\n\nThe text of the first section.\n\n# 2 B\n\nThe text of the second section.\n", "# 1 N\n\nNew.\n\n# 2 A\n\nThe text of the first section.\n\n# 3 B\n\nThe text of the second section.\n",
			[]string{"added 1 N", "+# 1 N", "+New.", "changed 2 A (was 1 A) moved", "-# 1 A", "+# 2 A", "changed 3 B (was 2 B) moved", "-# 2 B", "+# 3 B"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Compare(version(t, c.file, c.from), version(t, c.file, c.to))
			if diff := cmp.Diff(c.want, told(got)); diff != "" {
				t.Error(diff)
			}
			if got.Empty() != (len(c.want) == 0) || got.Truncated {
				t.Errorf("empty %v, truncated %v", got.Empty(), got.Truncated)
			}
		})
	}
}

func TestCountsAreThoseOfTheLists(t *testing.T) {
	d := Compare(version(t, "a.md", "# A\n\nIt costs 500 yuan. Old.\n\n# B\n\nBeta.\n\n# M\n\nMoved text.\n\n# N\n\nN stays where it is.\n"),
		version(t, "a.md", "# A\n\nIt costs 650 yuan.\n\n# N\n\nN stays where it is.\n\n# M\n\nMoved text.\n\n# D\n\nDelta is something new.\n"))
	want := Counts{SectionsAdded: 1, SectionsRemoved: 1, SectionsChanged: 1, SectionsMoved: 1, LinesAdded: 3, LinesRemoved: 4, Numbers: 1}
	if diff := cmp.Diff(want, d.Counts); diff != "" {
		t.Errorf("%s\n%s", diff, strings.Join(told(d), "\n"))
	}
	n := d.Sections[0].Numbers[0]
	if n.OldSentence != "It costs 500 yuan." || n.NewSentence != "It costs 650 yuan." || n.Section[0] != "A" {
		t.Errorf("%+v", n)
	}
}

func TestListsAreBoundedAndCountsAreNot(t *testing.T) {
	var from, to strings.Builder
	for i := range 600 {
		fmt.Fprintf(&from, "# S%d\n\n", i)
		fmt.Fprintf(&to, "# S%d\n\n", i)
		for j := range 5 {
			fmt.Fprintf(&from, "Line %d of it costs %d yuan.\n\n", j, i)
			fmt.Fprintf(&to, "Line %d of it costs %d yuan.\n\n", j, i+1000)
		}
	}
	d := Compare(version(t, "a.md", from.String()), version(t, "a.md", to.String()))
	lines, numbers := 0, 0
	for _, s := range d.Sections {
		lines += len(s.Lines)
		numbers += len(s.Numbers)
	}
	if !d.Truncated || len(d.Sections) != maxSections || lines != maxLines || numbers != maxNumbers {
		t.Errorf("truncated %v: %d sections, %d lines, %d numbers", d.Truncated, len(d.Sections), lines, numbers)
	}
	if want := (Counts{SectionsChanged: 600, LinesAdded: 3000, LinesRemoved: 3000, Numbers: 3000}); d.Counts != want {
		t.Errorf("%+v, want %+v", d.Counts, want)
	}
	long := Compare(corpus.Text{}, corpus.Text{Text: strings.Repeat("字", 2000)})
	if got := []rune(long.Sections[0].Lines[0].Text); len(got) != maxText+1 || got[maxText] != '…' {
		t.Errorf("a line of %d", len(got))
	}
}

// A text that is other in every line, and one that is shuffled, both beyond the exact bounds.
func TestHugeTextsAreComparedInBoundedWork(t *testing.T) {
	const n = 20_000
	var from, other, shuffled strings.Builder
	for i := range n {
		fmt.Fprintf(&from, "Row %d says %x.\n", i, i*7919)
		fmt.Fprintf(&other, "Line %d tells %x!\n", i, i*104729+1)
		fmt.Fprintf(&shuffled, "Row %d says %x.\n", i*7%n, (i*7%n)*7919)
	}
	a := corpus.Text{Text: from.String()}
	if c := Compare(a, corpus.Text{Text: other.String()}).Counts; c.LinesAdded != n || c.LinesRemoved != n {
		t.Errorf("another text: %+v", c)
	}
	if c := Compare(a, corpus.Text{Text: shuffled.String()}).Counts; c.LinesAdded != c.LinesRemoved || c.LinesAdded < n/2 || c.LinesAdded > n {
		t.Errorf("a shuffled text: %+v", c)
	}
}

func BenchmarkCompareTwoPolicies(b *testing.B) {
	var from, to strings.Builder
	for i := range 200 {
		fmt.Fprintf(&from, "## %d Section\n\nThe limit of city %d is %d yuan a night. Meals are paid by the day.\n\n", i, i, i)
		fmt.Fprintf(&to, "## %d Section\n\nThe limit of city %d is %d yuan a night. Meals are paid by the day.\n\n", i, i, i+i%3)
	}
	x, y := version(b, "a.md", from.String()), version(b, "a.md", to.String())
	b.ReportAllocs()
	for b.Loop() {
		Compare(x, y)
	}
}
