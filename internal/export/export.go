// Package export turns an answer or a draft into a document that leaves the product: Markdown, Word
// or PDF, with the citations as footnotes.
//
// What is written was checked before by whoever calls: the package is given only what the reader may
// see. It takes all text as text. Of the light marks that models write (headings, lists, quotes,
// code, bold) it keeps the meaning; links, images and markup come out as the characters that they
// are, so that nothing in the document is active and nothing points outside of it.
package export

import (
	"errors"
	"strings"
	"time"
	"unicode"

	"github.com/kaoju/kaoju/internal/citation"
)

// Format is a form of document.
type Format string

// The formats.
const (
	AsMarkdown Format = "markdown"
	AsWord     Format = "docx"
	AsPDF      Format = "pdf"
)

// forms are the formats, in the order in which they are named to people.
var forms = []struct {
	format            Format
	mediaType, ending string
	write             func(Document) ([]byte, error)
}{
	{AsMarkdown, "text/markdown; charset=utf-8", ".md", markdown},
	{AsWord, "application/vnd.openxmlformats-officedocument.wordprocessingml.document", ".docx", word},
	{AsPDF, "application/pdf", ".pdf", paper},
}

// FormatOf finds the format of a name, or of the ending of a file with or without its dot; "" if
// there is none.
func FormatOf(name string) Format {
	for _, f := range forms {
		if name == string(f.format) || strings.EqualFold(strings.TrimPrefix(name, "."), f.ending[1:]) {
			return f.format
		}
	}
	return ""
}

// Media returns the media type of a format, and the ending of its files.
func (f Format) Media() (mediaType, ending string) {
	for _, known := range forms {
		if known.format == f {
			return known.mediaType, known.ending
		}
	}
	return "", ""
}

// Document is what is to be written.
type Document struct {
	Title string
	// Chinese picks the language of the document's own words.
	Chinese bool
	Body    string
	Sources []Source // all that the body cites
	Checks  []citation.Check
	// Run, Version and SavedAt say where the text is from; Version is 0 for an answer.
	Run     string
	Version int
	SavedAt time.Time
	// Reduced says that sentences are missing because their sources are no longer available.
	Reduced bool
	// Insufficient says that the text declares that the material does not settle the question.
	Insufficient bool
	// ByRules says that no model wrote the text.
	ByRules bool
	// Unconfirmed says that a person should confirm the text before anybody leans on it.
	Unconfirmed bool
	// Notices are the codes of what else the run told of its answer.
	Notices []string
}

// Source is a passage that the body cites. When Withheld, only Ref is set.
type Source struct {
	Ref, Title, Key string
	Version         int
	Quotes          []Quote // what the text leans on, each at its place
	Truncated       bool    // the document goes on beyond the passage
	Superseded      bool    // the version is no longer the published one
	Withheld        bool
}

// Quote is a piece of a source with its place in words.
type Quote struct{ Text, Place string }

// Write writes a document in a format.
func Write(d Document, f Format) ([]byte, error) {
	for _, known := range forms {
		if known.format == f {
			return known.write(d)
		}
	}
	return nil, errors.New("export: no format " + string(f))
}

// longestQuote bounds a quote in a footnote, in code points.
const longestQuote = 600

// words are the document's own, in one language.
type words struct {
	version, superseded, truncated, gone, see, open, shut, stop string
	draft, answer, saved, reduced, insufficient, byRules        string
	unconfirmed                                                 string
	checks, caution                                             string
	verdicts                                                    map[citation.Verdict]string
}

var chineseWords = words{
	version: "第 %d 版", superseded: "此版本已不是现行版本", truncated: "原文前后还有内容", gone: "您已无法查看此来源", see: "%s：见脚注 %d", open: "“", shut: "”", stop: "。",
	draft: "草稿第 %d 版", answer: "回答", saved: "保存于 %s（UTC）",
	reduced:      "部分句子的来源您已无法查看，这些句子没有导出。",
	insufficient: "当前资料不足以确认。", byRules: "此文由规则从原文摘录，没有使用模型。",
	unconfirmed: "此文需要由人确认后再使用。",
	checks:      "需要核对的句子", caution: "以下核对只看引文是否支持，不代表内容属实。",
	verdicts: map[citation.Verdict]string{citation.Partly: "部分支持", citation.NotSupported: "引文中没有找到", citation.Contradicted: "与引文矛盾"},
}

var englishWords = words{
	version: "version %d", superseded: "no longer the version in force", truncated: "the document goes on beyond this passage", gone: "no longer available to you",
	see: "%s: see note %d", open: "“", shut: "”", stop: ".",
	draft: "draft, version %d", answer: "answer", saved: "saved %s (UTC)",
	reduced:      "Some sentences are left out, because their sources are no longer available to you.",
	insufficient: "The material does not settle this.", byRules: "This text was extracted from the sources by rules; no model was used.",
	unconfirmed: "A person should confirm this text before it is used.",
	checks:      "Sentences to check", caution: "The checks are of support by the cited text, not of truth.",
	verdicts: map[citation.Verdict]string{
		citation.Partly: "partly supported", citation.NotSupported: "not found in the cited text", citation.Contradicted: "contradicted by the cited text",
	},
}

func (d Document) words() words {
	if d.Chinese {
		return chineseWords
	}
	return englishWords
}

// IsChinese reports whether a text is to be answered in Chinese words.
func IsChinese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// source finds what a reference stands for.
func (d Document) source(ref string) Source {
	for _, s := range d.Sources {
		if s.Ref == ref {
			return s
		}
	}
	return Source{Ref: ref, Withheld: true}
}

// provenance is the line under the title, and notices are the sentences that follow it.
func (d Document) provenance() string {
	w := d.words()
	parts := []string{"Kaoju 考据"}
	if d.Version > 0 {
		parts = append(parts, sprintf(w.draft, d.Version))
	} else {
		parts = append(parts, w.answer)
	}
	if !d.SavedAt.IsZero() {
		parts = append(parts, sprintf(w.saved, d.SavedAt.UTC().Format("2006-01-02 15:04")))
	}
	return strings.Join(append(parts, d.Run), " · ")
}

func (d Document) notices() (out []string) {
	w := d.words()
	for _, n := range []struct {
		is   bool
		text string
	}{{d.Insufficient, w.insufficient}, {d.Reduced, w.reduced}, {d.Unconfirmed, w.unconfirmed}, {d.ByRules, w.byRules}} {
		if n.is {
			out = append(out, n.text)
		}
	}
	return append(out, d.told()...)
}

// doubtful are the sentences that their sources do not fully support, each with its verdict.
func (d Document) doubtful() (out []string) {
	w := d.words()
	for _, c := range d.Checks {
		if verdict := w.verdicts[c.Verdict]; verdict != "" {
			out = append(out, verdict+": "+line(c.Sentence))
		}
	}
	return out
}

// note is the text of a footnote.
func (d Document) note(ref string) string {
	w, s := d.words(), d.source(ref)
	if s.Withheld {
		return ref + ": " + w.gone
	}
	head := []string{ref + ": " + line(s.Title)}
	if key := line(s.Key); key != "" && key != line(s.Title) {
		head = append(head, key)
	}
	head = append(head, sprintf(w.version, s.Version))
	if s.Superseded {
		head = append(head, w.superseded)
	}
	text := strings.Join(head, " · ")
	last := ""
	for i, q := range s.Quotes {
		switch place := line(q.Place); {
		case i > 0 && place == last:
			text += " "
		case place == "":
			text += " — "
		default:
			text += " — " + place + ": "
			last = place
		}
		text += w.open + short(line(q.Text)) + w.shut
	}
	if s.Truncated {
		text += " (" + w.truncated + ")"
	}
	return text
}

// short cuts a quote that is too long for a footnote.
func short(text string) string {
	if runes := []rune(text); len(runes) > longestQuote {
		return string(runes[:longestQuote-1]) + "…"
	}
	return text
}

// line is a text on one line.
func line(text string) string { return strings.Join(strings.Fields(clean(text)), " ") }

// clean takes out what is no visible text: control characters, and those that turn the order of
// what is read around. Line ends and tabs stay.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\u2028' || r == '\u2029':
			return '\n'
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\uFEFF' || r == '\uFFFE' || r == '\uFFFF' || r >= 0xE0000 && r <= 0xE007F:
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
