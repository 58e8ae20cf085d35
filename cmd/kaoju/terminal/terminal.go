// Package terminal writes answers and other text of documents and models for people at a terminal: in
// the language of the question, and so that no text can drive the terminal.
package terminal

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/glyph"
)

// Words are the fixed words of the command line's output in one language.
type Words struct {
	Chinese                                                        bool
	Sources, Version, notices, Withheld, check, confirm, conflicts string
	verdicts, states, notice, reasons                              map[string]string
	words, meaning, rerank, unread, unranked                       string
	skipped, away                                                  map[string]string // why there is no leg by meaning, and no reranker
}

var chineseWords = Words{
	Chinese: true, Sources: "来源", Version: "版本", notices: "提示", Withheld: "您已无法查看此来源",
	check: "核对（只看引文是否支持，不代表内容属实）", confirm: "此回答需要确认。", conflicts: "来源之间不一致（以哪一处为准，须由人判断）",
	verdicts: map[string]string{"partly": "部分支持", "not_found": "引文中没有找到", "contradicted": "与引文矛盾"},
	states: map[string]string{
		"insufficient_evidence": "当前资料不足以确认。", "refused": "此请求被拒绝", "failed": "未能得出回答", "cancelled": "已取消", "interrupted": "已中断",
	},
	notice: map[string]string{
		"extracted_by_rules": "未使用模型：以上回答由规则从原文摘录。", "source_truncated": "引用的来源只读了一部分。",
		"sources_disagree": "来源之间不一致，请核对。", "not_based_on_documents": "此回答不基于任何文档。", "rules_fallback": "模型不可用，改由规则摘录。",
		"scope_changed":          "部分来源对您已不再可用，回答未使用它们。",
		"output_truncated":       "模型的输出被截断。",
		"output_filtered":        "模型的输出被其服务方过滤。",
		"verifier_failed":        "核对模型未能作出判断：各句仅由规则核对。",
		"local_only":             "已配置的模型不在本机，而本租户的文本不得离开本机，因此未使用该模型。",
		"addresses_withheld":     "回答中的网址已被隐去，可在来源中查看。",
		"words_only":             "语义搜索当时不可用：仅按词语搜索。",
		"not_reranked":           "重排模型当时不可用：检索结果保持原来的顺序。",
		"machine_words_left_out": "有一句与问题有关的话是写给机器的，回答没有引用它；可打开来源查看。",
		"as_of":                  "此回答依据所指定时刻有效的版本，而非当前版本。",
	},
	reasons: map[string]string{
		"number": "数字、日期或代码", "name": "名称未见于引文", "negation": "肯定与否定相反", "opposite": "意思相反", "quantifier": "范围说得更满", "role": "引文中属于另一方", "words": "引文中没有的词",
	},
	words: "词语", meaning: "语义", rerank: "重排", unread: "未按语义搜索", unranked: "未重排",
	away: map[string]string{"failed": "重排模型不可用", "too_slow": "重排模型未及时回应", "local_only": "本租户的文本不发送给别处的模型"},
	skipped: map[string]string{
		"failed": "嵌入模型不可用", "too_slow": "嵌入模型未及时回应", "local_only": "本租户的文本不发送给别处的模型",
		"rebuilding": "向量正在重建", "no_vectors": "还没有可用的向量（由服务器或 kaoju add --wait vectors 生成）",
	},
}

var englishWords = Words{
	Sources: "Sources", Version: "version", notices: "Notices",
	Withheld: "no longer available to you",
	check:    "Checks (of support by the cited text, not of truth)", confirm: "This answer needs confirmation.",
	conflicts: "Sources disagree (which of them holds is for people to decide)",
	verdicts:  map[string]string{"partly": "partly supported", "not_found": "not found in the cited text", "contradicted": "contradicted by the cited text"},
	states: map[string]string{
		"insufficient_evidence": "The material does not settle this.", "refused": "The request was refused", "failed": "No answer was reached",
		"cancelled": "Cancelled", "interrupted": "Interrupted",
	},
	notice: map[string]string{
		"extracted_by_rules": "No model was used: the answer was extracted from the text by rules.", "source_truncated": "A cited source was read in part.",
		"sources_disagree": "Sources disagree; check them.", "not_based_on_documents": "This answer is not based on any document.",
		"scope_changed":  "Some sources are no longer available to you; the answer was made without them.",
		"rules_fallback": "The model was not available; the answer was extracted by rules.", "output_truncated": "The model's output was cut short.",
		"output_filtered":        "The model's output was filtered by whoever serves it.",
		"verifier_failed":        "The verifying model gave no judgement: the sentences were checked by rules alone.",
		"local_only":             "A model elsewhere is configured and was not asked: this tenant keeps its text on this machine.",
		"addresses_withheld":     "Addresses were taken out of the answer; the sources show them.",
		"words_only":             "Search by meaning was not available: the search was by words alone.",
		"not_reranked":           "The ranking model was not available: what was found keeps the order that it had.",
		"machine_words_left_out": "A sentence about what was asked is addressed to machines and was left out; the source shows it.",
		"as_of":                  "This answer is from the versions in force at the time that was asked for, not from those of today.",
	},
	reasons: map[string]string{
		"number": "number, date or code", "name": "name not in the cited text", "negation": "affirmed in one, denied in the other",
		"opposite": "the opposite", "quantifier": "says more than the cited text", "role": "said of another in the cited text", "words": "words not in the cited text",
	},
	words: "words", meaning: "meaning", rerank: "reranked", unread: "Not searched by meaning", unranked: "Not reranked",
	away: map[string]string{"failed": "the ranking model is not available", "too_slow": "the ranking model did not answer in time", "local_only": "text of this tenant goes to no model elsewhere"},
	skipped: map[string]string{
		"failed": "the embedding model is not available", "too_slow": "the embedding model did not answer in time",
		"local_only": "text of this tenant goes to no model elsewhere",
		"rebuilding": "the vectors are being rebuilt",
		"no_vectors": "there are no vectors yet; a server or kaoju add --wait vectors makes them",
	},
}

// WordsFor picks the language of a question.
func WordsFor(question string) Words {
	if strings.ContainsFunc(question, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return chineseWords
	}
	return englishWords
}

// Ranks says at which places the legs of a search found a hit.
func Ranks(w Words, r api.Ranks) string {
	var parts []string
	for _, leg := range []struct {
		name string
		rank *int
	}{{w.words, r.Keyword}, {w.meaning, r.Semantic}, {w.rerank, r.Rerank}} {
		if leg.rank != nil {
			parts = append(parts, fmt.Sprintf("%s %d", leg.name, *leg.rank))
		}
	}
	return strings.Join(parts, " · ")
}

// Skipped says why a search was not by meaning too, or not reranked; "" where that is as it should be, as
// with a query of codes, or in a script that the model does not know.
func Skipped(w Words, s api.SkippedLeg) string {
	switch s.Reason {
	case "language", "literal", "nothing":
		return ""
	}
	what, reasons := w.unread, w.skipped
	if s.Leg == "rerank" {
		what, reasons = w.unranked, w.away
	}
	if text := reasons[s.Reason]; text != "" {
		return what + ": " + text
	}
	return what + ": " + Clean(s.Reason)
}

// Answer prints an answer, then its sources with place and excerpt.
func Answer(out io.Writer, question string, a api.Answer) {
	w := WordsFor(question)
	switch {
	case a.Answer != "":
		fmt.Fprintln(out, Clean(strings.TrimSpace(a.Answer)))
	case w.states[a.State] != "":
		fmt.Fprintf(out, "%s (%s)\n", w.states[a.State], a.FinishReason)
	default:
		fmt.Fprintln(out, a.FinishReason)
	}
	if len(a.Citations) > 0 {
		fmt.Fprintf(out, "\n%s\n", w.Sources)
	}
	for _, c := range a.Citations {
		if c.Withheld {
			fmt.Fprintf(out, "[%s] %s\n", c.Label, w.Withheld)
			continue
		}
		fmt.Fprintf(out, "[%s] %s · %s · %s %d\n", c.Label, Clean(c.Title), Clean(c.DocKey), w.Version, c.Version)
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
func writeChecks(out io.Writer, w Words, a api.Answer) {
	heading := "\n" + w.check + "\n"
	for _, c := range a.Checks {
		verdict, doubtful := w.verdicts[c.Verdict]
		if !doubtful {
			continue
		}
		fmt.Fprintf(out, "%s  ! %s: %s\n", heading, verdict, Clean(c.Sentence))
		heading = ""
		if c.Quote != "" {
			fmt.Fprintf(out, "    │ %s\n", Clean(strings.Join(strings.Fields(c.Quote), " ")))
		}
		for _, r := range c.Reasons {
			fmt.Fprintf(out, "    · %s: %s\n", w.reasons[r.Code], Clean(reason(r)))
		}
	}
	writeConflicts(out, w, a.Conflicts)
	if a.NeedsConfirmation {
		fmt.Fprintf(out, "\n%s\n", w.confirm)
	}
}

// writeConflicts prints sources that disagree, the two of each pair below each other.
func writeConflicts(out io.Writer, w Words, list []api.Conflict) {
	for i, c := range list {
		if i == 0 {
			fmt.Fprintf(out, "\n%s\n", w.conflicts)
		}
		for j, s := range c.Sides {
			mark := "  ≠ "
			if j == 0 {
				mark = "  • "
			}
			published := ""
			if s.PublishedAt != nil {
				published = " · " + s.PublishedAt.UTC().Format(time.DateOnly)
			}
			fmt.Fprintf(out, "%s[%s] %s · %s %d%s\n    │ %s\n", mark, s.Label, Clean(s.Title), w.Version, s.Version, published,
				Clean(strings.Join(strings.Fields(s.Quote.Text), " ")))
		}
	}
}

// reason says what was not borne out, and what stands in its place.
func reason(r api.Reason) string {
	if r.Found == "" {
		return r.Said
	}
	return r.Said + " ≠ " + r.Found
}

// writeExcerpt prints what the answer leans on, each piece under its exact place; the passage as
// it was read where no piece of it was singled out.
func writeExcerpt(out io.Writer, w Words, c api.Citation) {
	quotes := c.Quotes
	if len(quotes) == 0 {
		quotes = []api.Quote{{Text: c.Excerpt, Locator: c.Locator}}
	}
	for _, q := range quotes {
		fmt.Fprintf(out, "    %s\n", Place(w, q.Locator))
		for _, line := range excerptLines(q.Text) {
			fmt.Fprintf(out, "    │ %s\n", Clean(line))
		}
	}
}

// Place says in words where a locator points.
func Place(w Words, raw []byte) string {
	loc, err := corpus.ParseLocator(raw)
	if err != nil {
		return ""
	}
	return Clean(corpus.InWords(loc, w.Chinese))
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

// Clean takes control characters out of text that came from a document or a model, so that it
// cannot drive the terminal.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		if glyph.Unfit(r) {
			return -1
		}
		return r
	}, s)
}
