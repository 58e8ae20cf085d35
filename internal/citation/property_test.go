package citation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/citation"
	"pgregory.net/rapid"
)

// rule is a sentence that states a value, and how it is written in either language.
type rule struct{ before, after string }

var rules = []rule{
	{"上海住宿上限为每晚", "元。"}, {"出差须提前", "天申请。"}, {"会议室最多容纳", "人。"}, {"设备保修期为", "个月。"}, {"报销比例为", "%。"},
	{"The lodging limit in Shanghai is ", " yuan a night."}, {"Requests must be filed within ", " days."}, {"The room holds ", " people."},
	{"The warranty of the device lasts ", " months."},
}

// excerpt draws rules with values, in some order, and returns the text and the values.
func excerpt(t *rapid.T) (text string, chosen []rule, values []int) {
	var b strings.Builder
	chosen = rapid.Permutation(rules).Draw(t, "order")[:rapid.IntRange(1, len(rules)).Draw(t, "rules")]
	for _, r := range chosen {
		v := rapid.IntRange(2, 9999).Draw(t, "value")
		values = append(values, v)
		fmt.Fprintf(&b, "%s%d%s\n", r.before, v, r.after)
	}
	return b.String(), chosen, values
}

func verdict(text, excerpt string) citation.Check {
	return citation.Verify(citation.Answer{Text: text + "[S1]"}, []citation.Evidence{{Ref: "S1", Excerpt: excerpt}})[0]
}

func TestWhatAnExcerptSaysIsSupportedHoweverItsNumbersAreWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, chosen, values := excerpt(t)
		i := rapid.IntRange(0, len(chosen)-1).Draw(t, "which")
		written := fmt.Sprint(values[i])
		switch rapid.IntRange(0, 3).Draw(t, "form") {
		case 1:
			if n := len(written); n > 3 {
				written = written[:n-3] + "," + written[n-3:]
			}
		case 2:
			written = strings.Map(func(r rune) rune { return r + 0xFEE0 }, written)
		case 3:
			written += ".0"
		}
		c := verdict(chosen[i].before+written+chosen[i].after, text)
		if c.Verdict != citation.Supported || !strings.Contains(c.Quote, fmt.Sprint(values[i])) {
			t.Fatalf("%+v against\n%s", c, text)
		}
	})
}

func TestAnotherNumberIsNeverSupported(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, chosen, values := excerpt(t)
		i := rapid.IntRange(0, len(chosen)-1).Draw(t, "which")
		other := rapid.IntRange(2, 99999).Draw(t, "other")
		for _, v := range values {
			if other == v {
				return
			}
		}
		c := verdict(fmt.Sprintf("%s%d%s", chosen[i].before, other, chosen[i].after), text)
		if c.Verdict != citation.Contradicted || !strings.Contains(c.Quote, fmt.Sprint(values[i])) {
			t.Fatalf("%+v against\n%s", c, text)
		}
	})
}

func TestVersionsThatStateAnotherValueDisagreeAndOthersDoNot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, chosen, values := excerpt(t)
		i := rapid.IntRange(0, len(chosen)-1).Draw(t, "which")
		old := rapid.IntRange(2, 9999).Draw(t, "old")
		other := strings.Replace(text, fmt.Sprintf("%s%d%s", chosen[i].before, values[i], chosen[i].after), fmt.Sprintf("%s%d%s", chosen[i].before, old, chosen[i].after), 1)
		got := citation.Conflicts("", []citation.Evidence{{Ref: "S1", Document: "v1", Excerpt: other}, {Ref: "S2", Document: "v2", Excerpt: text}}, []string{"S1", "S2"})
		want := 1
		if old == values[i] {
			want = 0
		}
		if len(got) != want {
			t.Fatalf("%d conflicts, want %d:\n%s\n%s\n%+v", len(got), want, other, text, got)
		}
	})
}

func TestVerdictsDoNotDependOnWhatElseWasRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, chosen, values := excerpt(t)
		sentence := fmt.Sprintf("%s%d%s[S1]", chosen[0].before, values[0]+rapid.IntRange(0, 1).Draw(t, "off"), chosen[0].after)
		noise, _, _ := excerpt(t)
		a := citation.Verify(citation.Answer{Text: sentence}, []citation.Evidence{{Ref: "S1", Excerpt: text}})
		b := citation.Verify(citation.Answer{Text: sentence}, []citation.Evidence{{Ref: "S2", Excerpt: noise}, {Ref: "S1", Excerpt: text}, {Ref: "C1", Excerpt: noise}})
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Fatalf("%+v alone, %+v beside sources that are not cited", a, b)
		}
	})
}
