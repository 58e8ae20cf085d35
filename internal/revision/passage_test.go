package revision

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
)

// find returns the span of a piece of a text.
func find(t testing.TB, text, piece string) corpus.Span {
	t.Helper()
	before, _, ok := strings.Cut(text, piece)
	if !ok {
		t.Fatalf("%q is not in %q", piece, text)
	}
	start := len([]rune(before))
	return corpus.Span{Start: start, End: start + len([]rune(piece))}
}

func TestWhatBecameOfAPassage(t *testing.T) {
	const old = "# 差旅\n\n## 住宿\n\n上海每晚 500 元。早餐自理。\n\n## 交通\n\n高铁二等座。每天 500 元。\n\n## 补助\n\n每天补助 100 元。\n"
	for _, c := range []struct {
		name, to, piece string
		want            Kind
		stands, numbers string
	}{
		{"the same", old, "上海每晚 500 元。早餐自理。", Unchanged, "上海每晚 500 元。早餐自理。", ""},
		{"a number", strings.Replace(old, "每晚 500", "每晚 650", 1), "上海每晚 500 元。早餐自理。", Changed, "上海每晚 650 元。早餐自理。", "500>650"},
		{"a part that did not change", strings.Replace(old, "每晚 500", "每晚 650", 1), "早餐自理。", Unchanged, "早餐自理。", ""},
		{"a piece of the changed sentence", strings.Replace(old, "每晚 500", "每晚 650", 1), "上海每晚", Unchanged, "上海每晚 650 元。", ""},
		{"the same words elsewhere are another passage", strings.Replace(old, "每晚 500", "每晚 650", 1), "500 元", Changed, "上海每晚 650 元。", "500>650"},
		{"in another section", "# 差旅\n\n## 交通\n\n高铁二等座。上海每晚 500 元。每天 500 元。\n\n## 补助\n\n每天补助 100 元。\n", "上海每晚 500 元。", Unchanged, "上海每晚 500 元。", ""},
		{"a section that moved", "# 差旅\n\n## 补助\n\n每天补助 100 元。\n\n## 交通\n\n高铁二等座。每天 500 元。\n\n## 住宿\n\n上海每晚 500 元。早餐自理。\n", "上海每晚 500 元。早餐自理。", Unchanged, "上海每晚 500 元。早餐自理。", ""},
		{"a section that is gone", "# 差旅\n\n## 交通\n\n高铁二等座。每天 500 元。\n", "每天补助 100 元。", Removed, "", ""},
		{"a sentence that is gone", strings.Replace(old, "早餐自理。", "", 1), "早餐自理。", Removed, "", ""},
		{"one of two", strings.Replace(old, "早餐自理。", "", 1), "上海每晚 500 元。早餐自理。", Changed, "上海每晚 500 元。", ""},
		{"all is gone", "", "早餐自理。", Removed, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			from, to := version(t, "a.md", old), version(t, "a.md", c.to)
			got := ComparePassage(from, to, find(t, from.Text, c.piece))
			var numbers []string
			for _, n := range got.Numbers {
				numbers = append(numbers, n.Old+">"+n.New)
			}
			stands := string([]rune(to.Text)[got.To.Start:got.To.End])
			if got.Change != c.want || stands != c.stands || strings.Join(numbers, " ") != c.numbers {
				t.Errorf("%s at %q with %v; want %s at %q with %q", got.Change, stands, numbers, c.want, c.stands, c.numbers)
			}
			if (got.Change == Unchanged) != (len(got.Lines) == 0) {
				t.Errorf("%s with lines %v", got.Change, got.Lines)
			}
		})
	}
}

func TestLinesOfAPassageAreItsOwn(t *testing.T) {
	from := version(t, "a.md", "# A\n\nIt was 500 yuan.\n\nOther text 1.\n")
	to := version(t, "a.md", "# A\n\nIt was 650 yuan.\n\nOther text 2.\n")
	got := ComparePassage(from, to, find(t, from.Text, "It was 500 yuan."))
	var lines []string
	for _, l := range got.Lines {
		lines = append(lines, string(l.Op)+" "+l.Text)
	}
	if diff := cmp.Diff([]string{"removed It was 500 yuan.", "added It was 650 yuan."}, lines); diff != "" {
		t.Error(diff)
	}
}

// Whatever else was edited, a sentence that stands once in both versions is unchanged, and one of
// which no word is left is removed.
func TestASentenceThatStandsIsUnchanged(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		name, base, _ := two(rt, t)
		const mark = "The canary sentence stands alone."
		parts := strings.SplitAfter(base, "\n\n")
		put := func(list []string) string {
			i := rapid.IntRange(0, len(list)).Draw(rt, "place")
			return strings.Join(list[:i], "") + mark + "\n\n" + strings.Join(list[i:], "")
		}
		from := version(t, name, put(parts))
		kept := version(t, name, put(strings.SplitAfter(edited(rt, base), "\n\n")))
		if got := ComparePassage(from, kept, find(t, from.Text, mark)); got.Change != Unchanged || string([]rune(kept.Text)[got.To.Start:got.To.End]) != mark {
			rt.Fatalf("%+v\n%q\n%q", got, from.Text, kept.Text)
		}
	})
}
