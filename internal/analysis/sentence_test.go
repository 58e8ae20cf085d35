package analysis

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSentencesOfBothLanguages(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"chinese", "员工每年有十天年假。病假另计！可以累积吗？可以。", []string{"员工每年有十天年假。", "病假另计！", "可以累积吗？", "可以。"}},
		{"chinese quotes", "他说：“可以。”然后走了。", []string{"他说：“可以。”", "然后走了。"}},
		{"english", "It works. Does it? Yes!", []string{"It works.", "Does it?", "Yes!"}},
		{"abbreviations", "Dr. Smith met Mr. Li, e.g. in Fig. 3. They left.", []string{"Dr. Smith met Mr. Li, e.g. in Fig. 3.", "They left."}},
		{"initials", "J. Smith wrote it. We read.", []string{"J. Smith wrote it.", "We read."}},
		{"decimals", "The rate is 3.5 percent. It rose.", []string{"The rate is 3.5 percent.", "It rose."}},
		{"identifiers", "Use v2.3.1 or 192.168.1.1. Then stop.", []string{"Use v2.3.1 or 192.168.1.1.", "Then stop."}},
		{"small letter goes on", "approx. ten etc. and more. Done.", []string{"approx. ten etc. and more.", "Done."}},
		{"wrapped line", "One sentence\nover two lines. Next.", []string{"One sentence\nover two lines.", "Next."}},
		{"paragraphs", "No stop here\n\nAnother", []string{"No stop here", "Another"}},
		{"heading", "# Title\nText here.", []string{"# Title", "Text here."}},
		{"list", "- one\n- two. Three.\n1. First\n2. Second", []string{"- one", "- two.", "Three.", "1. First", "2. Second"}},
		{"chinese list", "一些：\n1、甲\n2、乙", []string{"一些：", "1、甲", "2、乙"}},
		{"table", "| a | b. c |\n|---|---|\n| 1 | 2 |", []string{"| a | b. c |", "|---|---|", "| 1 | 2 |"}},
		{"code", "```\nx = 1. y\nz\n```\nText.", []string{"```", "x = 1. y", "z", "```", "Text."}},
		{"mixed", "使用Docker.然后重启。OK", []string{"使用Docker.", "然后重启。", "OK"}},
		{"ellipsis", "等等……然后继续。", []string{"等等……", "然后继续。"}},
		{"brackets", "It is so (really.) We agree.", []string{"It is so (really.)", "We agree."}},
		{"emphasis", "**Bold.** Next one.", []string{"**Bold.**", "Next one."}},
		{"empty", " \n\n ", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			runes := []rune(c.text)
			for _, s := range Sentences(c.text) {
				got = append(got, string(runes[s[0]:s[1]]))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSentencesLeaveOutWhiteSpaceAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("aZ1.。!? \n-#|`“”）文"))).Draw(t, "text")
		runes := []rune(text)
		at := 0
		for _, s := range Sentences(text) {
			if s[0] < at || s[1] <= s[0] {
				t.Fatalf("%q: %v after %d", text, s, at)
			}
			if gap := string(runes[at:s[0]]); strings.TrimSpace(gap) != "" {
				t.Fatalf("%q: %q is in no sentence", text, gap)
			}
			at = s[1]
		}
		if gap := string(runes[at:]); strings.TrimSpace(gap) != "" {
			t.Fatalf("%q: %q is in no sentence", text, gap)
		}
	})
}
