package analysis

import (
	"strings"
	"testing"
)

// stopEntries returns the entries of the list in order.
func stopEntries() []string {
	var out []string
	for line := range strings.Lines(stopText) {
		line, _, _ = strings.Cut(line, "#")
		out = append(out, strings.Fields(line)...)
	}
	return out
}

func TestEveryEntryOfTheStopListIsUsedAsWhatItIs(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range stopEntries() {
		if seen[w] || Fold(w) != w {
			t.Errorf("%q stands there twice, or is not folded", w)
		}
		seen[w] = true
		runes := []rune(w)
		var marked bool
		switch {
		case runes[0] < 0x80:
			marked = isStopWord([]byte(w))
		case len(runes) == 1:
			marked = isParticle(runes[0])
		case len(runes) == 2:
			marked = isStopPair(runes[0], runes[1])
		default:
			marked = isStopPhrase([]byte(w))
		}
		if !marked {
			t.Errorf("%q is in the list and marks nothing", w)
		}
	}
	if len(seen) < 190 {
		t.Errorf("the list has %d entries; some are missing", len(seen))
	}
}

func TestQuestionsLeaveOnlyWhatTheyAreAbout(t *testing.T) {
	for query, want := range map[string]string{
		"What is the notice period, please?":      "notic period",
		"How many days may I carry over?":         "mani day carri over",
		"Who can approve it, and when?":           "approv",
		"请问：年假":                                   "年假",
		"怎么办理离职":                                  "办理 理离 离职",
		"公司的税率":                                   "公司 税率",
		"报销的流程吗":                                  "报销 流程",
		"为什么，是否？以及合同":                             "及合 合同",
		"what does ERR-1042 mean? ERR-1042是什么意思呢": "err-1042 err 1042 mean err-1042 err 1042 意思",
	} {
		var got []string
		for _, k := range Query(query) {
			if !k.Stop && k.Kind != Character {
				got = append(got, k.Term)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q leaves %q, want %q", query, strings.Join(got, " "), want)
		}
	}
}

func TestAWordThatIsNoStopWordIsNone(t *testing.T) {
	for _, w := range []string{"", "policy", "th", "hew", "notice", "the "} {
		if isStopWord([]byte(w)) {
			t.Errorf("%q is a stop word", w)
		}
	}
	for _, p := range []string{"的确", "目的", "合同", "标的", "的士"} {
		if r := []rune(p); isStopPair(r[0], r[1]) {
			t.Errorf("%s is a stop pair", p)
		}
	}
	if isParticle('税') || isStopPhrase([]byte("劳动合同")) {
		t.Error("a word of a topic is a stop word")
	}
}
