package revision

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
)

// sentences that stand in no other by chance, some with numbers.
var stock = []string{
	"The limit is 500 yuan.", "The limit is 650 yuan.", "上海每晚 500 元。", "上海每晚 650 元。", "早餐自理。", "Breakfast is extra.",
	"Ask your manager.", "Keep receipts.", "十个工作日内报销。", "| city | limit |", "- an item", "Duplicates stay.", "完。",
}

func sentence(t *rapid.T) string { return rapid.SampledFrom(stock).Draw(t, "sentence") }

// markdown draws a text of short lines, each a sentence, under headings that may repeat.
func markdown(t *rapid.T) string {
	var b strings.Builder
	for range rapid.IntRange(0, 6).Draw(t, "sections") {
		if rapid.IntRange(0, 5).Draw(t, "headed") > 0 {
			fmt.Fprintf(&b, "%s %s\n\n", strings.Repeat("#", rapid.IntRange(1, 3).Draw(t, "level")), rapid.SampledFrom([]string{"A", "B", "住宿", "C c"}).Draw(t, "heading"))
		}
		for range rapid.IntRange(0, 4).Draw(t, "lines") {
			b.WriteString(sentence(t) + "\n\n")
		}
	}
	return b.String()
}

// edited draws a version that came of another by a few edits of its paragraphs.
func edited(t *rapid.T, text string) string {
	parts := strings.SplitAfter(text, "\n\n")
	for range rapid.IntRange(0, 4).Draw(t, "edits") {
		i := rapid.IntRange(0, len(parts)-1).Draw(t, "at")
		switch rapid.IntRange(0, 3).Draw(t, "edit") {
		case 0:
			parts[i] = sentence(t) + "\n\n"
		case 1:
			parts = slices.Insert(parts, i, sentence(t)+"\n\n")
		case 2:
			if len(parts) > 1 {
				parts = slices.Delete(parts, i, i+1)
			}
		case 3:
			j := rapid.IntRange(0, len(parts)-1).Draw(t, "to")
			parts[i], parts[j] = parts[j], parts[i]
		}
	}
	return strings.Join(parts, "")
}

func two(rt *rapid.T, t *testing.T) (name, from, to string) {
	name = rapid.SampledFrom([]string{"a.md", "a.txt"}).Draw(rt, "format")
	from = markdown(rt)
	to = edited(rt, from)
	if rapid.IntRange(0, 4).Draw(rt, "unrelated") == 0 {
		to = markdown(rt)
	}
	return name, from, to
}

func TestNothingChangedBetweenATextAndItself(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		name, from, _ := two(rt, t)
		v := version(t, name, from)
		if d := Compare(v, v); !d.Empty() || len(d.Sections) != 0 {
			rt.Fatalf("%v", told(d))
		}
	})
}

// filled lists the lines of a text that hold anything, as a bag.
func filled(text string) []string {
	var out []string
	for _, l := range strings.Split(text, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	sort.Strings(out)
	return out
}

// Taking the removed lines out of the older text and putting the added ones in gives the lines of
// the newer one; sections that are not listed hold the same lines in the same order.
func TestReportedChangesAccountForEveryLine(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		name, from, to := two(rt, t)
		a, b := version(t, name, from), version(t, name, to)
		d := Compare(a, b)
		bag := map[string]int{}
		for _, l := range filled(a.Text) {
			bag[l]++
		}
		for _, s := range d.Sections {
			for _, l := range s.Lines {
				text := a.Text
				if l.Op == Added {
					bag[l.Text]++
					text = b.Text
				} else {
					bag[l.Text]--
				}
				if got := string([]rune(text)[l.Span.Start:l.Span.End]); got != l.Text {
					rt.Fatalf("a line says %q and its place %q", l.Text, got)
				}
			}
		}
		for _, l := range filled(b.Text) {
			bag[l]--
		}
		for l, n := range bag {
			if n != 0 {
				rt.Fatalf("%q is off by %d\n%q\n%q\n%s", l, n, from, to, strings.Join(told(d), "\n"))
			}
		}
		if d.Empty() && strings.Join(strings.Fields(a.Text), "") != strings.Join(strings.Fields(b.Text), "") {
			rt.Fatalf("no difference between\n%q\n%q", from, to)
		}
	})
}

// mirrored exchanges old and new.
func mirrored(d Difference) (out []string, c Counts) {
	for _, s := range d.Sections {
		kind := s.Kind
		switch kind {
		case Added:
			kind = Removed
		case Removed:
			kind = Added
		}
		var lines []string
		for _, l := range s.Lines {
			op := Added
			if l.Op == Added {
				op = Removed
			}
			lines = append(lines, fmt.Sprint(op, l.Text, l.Span))
		}
		sort.Strings(lines)
		out = append(out, fmt.Sprint(kind, s.To, s.From, s.Moved, lines))
	}
	sort.Strings(out)
	c = d.Counts
	c.SectionsAdded, c.SectionsRemoved = c.SectionsRemoved, c.SectionsAdded
	c.LinesAdded, c.LinesRemoved = c.LinesRemoved, c.LinesAdded
	return out, c
}

func plainly(d Difference) (out []string, c Counts) {
	for _, s := range d.Sections {
		var lines []string
		for _, l := range s.Lines {
			lines = append(lines, fmt.Sprint(l.Op, l.Text, l.Span))
		}
		sort.Strings(lines)
		out = append(out, fmt.Sprint(s.Kind, s.From, s.To, s.Moved, lines))
	}
	sort.Strings(out)
	return out, d.Counts
}

func TestTheOtherDirectionIsTheMirrorImage(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		name, from, to := two(rt, t)
		a, b := version(t, name, from), version(t, name, to)
		want, counts := mirrored(Compare(a, b))
		got, back := plainly(Compare(b, a))
		counts.Numbers, back.Numbers = 0, 0 // Sentences of equal likeness may pair either way.
		if diff := cmp.Diff(want, got); diff != "" || counts != back {
			rt.Fatalf("%q\n%q\n%s\n%+v %+v", from, to, diff, counts, back)
		}
	})
}

// longest is the length of a longest common subsequence, by the plain table.
func longest(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		before := 0
		for j, y := range b {
			here := row[j+1]
			if x == y {
				row[j+1] = before + 1
			} else {
				row[j+1] = max(row[j], here)
			}
			before = here
		}
	}
	return row[len(b)]
}

func TestCommonSubsequenceIsALongestOne(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		word := rapid.SampledFrom([]string{"a", "b", "c", "d", "e"})
		a, b := rapid.SliceOfN(word, 0, 60).Draw(rt, "a"), rapid.SliceOfN(word, 0, 60).Draw(rt, "b")
		got := common(a, b)
		for k, p := range got {
			if a[p[0]] != b[p[1]] || k > 0 && (p[0] <= got[k-1][0] || p[1] <= got[k-1][1]) {
				rt.Fatalf("%v of %v and %v", got, a, b)
			}
		}
		if len(got) != longest(a, b) {
			rt.Fatalf("%d, want %d: %v %v", len(got), longest(a, b), a, b)
		}
	})
}

// Beyond the exact bounds what is found is still common, and holds what is unique in both and in
// order.
func TestCommonSubsequenceOfLongListsKeepsTheUniqueOnes(t *testing.T) {
	for _, n := range []int{6001, 7777, 9000} {
		var a, b []string
		unique := 0
		for i := range n {
			if i%10 == 0 {
				a, b = append(a, fmt.Sprint("both ", i)), append(b, fmt.Sprint("both ", i))
				unique++
				continue
			}
			a, b = append(a, fmt.Sprint("old ", i)), append(b, fmt.Sprint("new ", i))
		}
		if got := common(a, b); len(got) != unique {
			t.Errorf("%d of %d kept, want %d", len(got), n, unique)
		}
	}
}

func TestLongestRisingRun(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7}).Draw(rt, "list")
		got := rising(list)
		best := 0
		for set := range 1 << len(list) {
			last, n, ok := -1, 0, true
			for i, v := range list {
				if set&(1<<i) != 0 {
					ok = ok && v > last
					last, n = v, n+1
				}
			}
			if ok {
				best = max(best, n)
			}
		}
		for k := range got {
			if k > 0 && (got[k] <= got[k-1] || list[got[k]] <= list[got[k-1]]) {
				rt.Fatalf("%v of %v", got, list)
			}
		}
		if len(got) != best {
			rt.Fatalf("%v of %v, want %d", got, list, best)
		}
	})
}

func FuzzCompare(f *testing.F) {
	f.Add("# A\n\nOne 500 yuan.\n", "# A\n\nOne 650 yuan.\n", 0, 10)
	f.Add("a | 1\n\nb", "b\n\na | 2", 3, 4)
	f.Add("百分之五十万亿元", "\xff\u3000十十十", -1, 99)
	f.Add("```\nx = 1\n", "1) 1) 1)", 5, 2)
	f.Fuzz(func(t *testing.T, from, to string, start, end int) {
		if len(from)+len(to) > 1<<16 {
			return
		}
		half := func(s string) corpus.Text {
			n := len([]rune(s))
			return corpus.Text{Text: s, Segments: []corpus.Segment{
				{Span: corpus.Span{Start: 0, End: n / 2}, Locator: corpus.TextLocator{Format: "md", Heading: []string{"A"}}},
				{Span: corpus.Span{Start: n / 2, End: n}, Locator: corpus.TextLocator{Format: "md", Heading: []string{"A", "B"}}},
			}}
		}
		for _, v := range [][2]corpus.Text{{half(from), half(to)}, {{Text: from}, {Text: to}}} {
			d := Compare(v[0], v[1])
			if !Compare(v[0], v[0]).Empty() {
				t.Fatal("a text differs from itself")
			}
			back := Compare(v[1], v[0]).Counts
			if d.Counts.LinesAdded != back.LinesRemoved || d.Counts.SectionsAdded != back.SectionsRemoved {
				t.Fatalf("%+v %+v", d.Counts, back)
			}
			p := ComparePassage(v[0], v[1], corpus.Span{Start: start, End: end})
			if d.Empty() && p.Change != Unchanged {
				t.Fatalf("a passage of the same text is %s", p.Change)
			}
		}
	})
}
