package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/corpus"
)

// words are the fixed words of the command line's output in one language.
type words struct {
	chinese                                             bool
	sources, version, notices, withheld, check, confirm string
	verdicts, states, notice                            map[string]string
}

var chineseWords = words{
	chinese: true, sources: "来源", version: "版本", notices: "提示", withheld: "您已无法查看此来源",
	check: "核对（只看引文是否支持，不代表内容属实）", confirm: "此回答需要确认。",
	verdicts: map[string]string{"partly": "部分支持", "not_found": "引文中没有找到", "contradicted": "与引文矛盾"},
	states: map[string]string{
		"insufficient_evidence": "当前资料不足以确认。", "refused": "此请求被拒绝", "failed": "未能得出回答", "cancelled": "已取消", "interrupted": "已中断",
	},
	notice: map[string]string{
		"extracted_by_rules": "未配置模型：以上回答由规则从原文摘录。", "source_truncated": "引用的来源只读了一部分。",
		"sources_disagree": "来源之间不一致，请核对。", "not_based_on_documents": "此回答不基于任何文档。", "rules_fallback": "模型不可用，改由规则摘录。",
		"output_truncated": "模型的输出被截断。",
	},
}

var englishWords = words{
	sources: "Sources", version: "version", notices: "Notices",
	withheld: "no longer available to you",
	check:    "Checks (of support by the cited text, not of truth)", confirm: "This answer needs confirmation.",
	verdicts: map[string]string{"partly": "partly supported", "not_found": "not found in the cited text", "contradicted": "contradicted by the cited text"},
	states: map[string]string{
		"insufficient_evidence": "The material does not settle this.", "refused": "The request was refused", "failed": "No answer was reached",
		"cancelled": "Cancelled", "interrupted": "Interrupted",
	},
	notice: map[string]string{
		"extracted_by_rules": "No model is configured: the answer was extracted from the text by rules.", "source_truncated": "A cited source was read in part.",
		"sources_disagree": "Sources disagree; check them.", "not_based_on_documents": "This answer is not based on any document.",
		"rules_fallback": "The model was not available; the answer was extracted by rules.", "output_truncated": "The model's output was cut short.",
	},
}

// wordsFor picks the language of a question.
func wordsFor(question string) words {
	if strings.ContainsFunc(question, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return chineseWords
	}
	return englishWords
}

// writeAnswer prints an answer, then its sources with place and excerpt.
func writeAnswer(out io.Writer, question string, a api.Answer) {
	w := wordsFor(question)
	switch {
	case a.Answer != "":
		fmt.Fprintln(out, clean(strings.TrimSpace(a.Answer)))
	case w.states[a.State] != "":
		fmt.Fprintf(out, "%s (%s)\n", w.states[a.State], a.FinishReason)
	default:
		fmt.Fprintln(out, a.FinishReason)
	}
	if len(a.Citations) > 0 {
		fmt.Fprintf(out, "\n%s\n", w.sources)
	}
	for _, c := range a.Citations {
		if c.Withheld {
			fmt.Fprintf(out, "[%s] %s\n", c.Label, w.withheld)
			continue
		}
		fmt.Fprintf(out, "[%s] %s · %s · %s %d\n", c.Label, clean(c.Title), clean(c.DocKey), w.version, c.Version)
		writeExcerpt(out, w, c)
	}
	writeChecks(out, w, a)
	for i, n := range a.Notices {
		if i == 0 {
			fmt.Fprintln(out)
		}
		if text := w.notice[n]; text != "" {
			n = text
		}
		fmt.Fprintf(out, "%s: %s\n", w.notices, n)
	}
}

// writeChecks names every sentence that its sources do not fully support, with what they say.
func writeChecks(out io.Writer, w words, a api.Answer) {
	heading := "\n" + w.check + "\n"
	for _, c := range a.Checks {
		verdict, doubtful := w.verdicts[c.Verdict]
		if !doubtful {
			continue
		}
		fmt.Fprintf(out, "%s  ! %s: %s\n", heading, verdict, clean(c.Sentence))
		heading = ""
		if c.Quote != "" {
			fmt.Fprintf(out, "    │ %s\n", clean(strings.Join(strings.Fields(c.Quote), " ")))
		}
	}
	if a.NeedsConfirmation {
		fmt.Fprintf(out, "\n%s\n", w.confirm)
	}
}

// writeExcerpt prints what the answer leans on, each piece under its exact place; the passage as
// it was read where no piece of it was singled out.
func writeExcerpt(out io.Writer, w words, c api.Citation) {
	quotes := c.Quotes
	if len(quotes) == 0 {
		quotes = []api.Quote{{Text: c.Excerpt, Locator: c.Locator}}
	}
	for _, q := range quotes {
		fmt.Fprintf(out, "    %s\n", place(w, q.Locator))
		for _, line := range excerptLines(q.Text) {
			fmt.Fprintf(out, "    │ %s\n", clean(line))
		}
	}
}

// place says in words where a locator points.
func place(w words, raw []byte) string {
	loc, err := corpus.ParseLocator(raw)
	if err != nil {
		return ""
	}
	return clean(corpus.InWords(loc, w.chinese))
}

// excerptLines shortens an excerpt to what a terminal can show; --json has all of it.
func excerptLines(text string) []string {
	const most = 12
	lines := strings.Split(strings.TrimSpace(text), "\n")
	var out []string
	for _, l := range lines {
		if l = strings.TrimRight(l, " \t\r"); l != "" {
			out = append(out, l)
		}
	}
	if len(out) > most {
		out = append(out[:most-1], "…")
	}
	return out
}

// clean takes control characters out of text that came from a document or a model, so that it
// cannot drive the terminal.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			return -1
		}
		return r
	}, s)
}
