package rules

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/citation/lack"
	"github.com/kaoju/kaoju/internal/llm"
)

var lineBreak = regexp.MustCompile(`[ \t]*[\r\n\x{85}\x{2028}\x{2029}\v\f]+[ \t]*`)

// labels are the fixed words of an answer in one language.
type labels struct {
	conclusion, basis, toConfirm, nextSteps      string
	unsettled, absent, unmet, unanswered, answer string
	differ, and, truncated, open, openFirst, gap string
	elsewhere, partial, whole                    string
	// How a source is named.
	someSource, base, says string
	titled, version        [2]string // before and behind
	more                   [3]string // before, between, behind
}

func (q *question) labels() labels {
	if q.zh {
		return labels{
			conclusion: "结论：", basis: "依据：", toConfirm: "待确认：", nextSteps: "下一步：",
			unsettled: "当前资料不足以确认。", absent: lack.Absent.Say(true), unmet: lack.Unmet.Say(true), unanswered: lack.Unanswered.Say(true), answer: lack.Statement.Say(true),
			differ: "两处资料的说法不同：", and: "；", truncated: "所引资料只是原文的一部分，前后还有内容 ",
			open: "打开原文，核对摘录之外的内容 ", openFirst: "向资料负责人核实以哪一处为准 ",
			partial: "摘要只涵盖检索到的部分，文档中可能还有其他内容", whole: "打开原文查看全部内容 ",
			elsewhere: "换一种说法再问，或向资料负责人核实：", someSource: "一份资料", base: "知识库 ", says: "：",
			titled: [2]string{"《", "》"}, version: [2]string{"第 ", " 版"}, more: [3]string{"（", "，", "）"},
		}
	}
	return labels{
		conclusion: "Conclusion: ", basis: "Basis: ", toConfirm: "To confirm: ", nextSteps: "Next steps: ",
		unsettled: "The material does not settle this.", absent: lack.Absent.Say(false), unmet: lack.Unmet.Say(false), unanswered: lack.Unanswered.Say(false), answer: lack.Statement.Say(false),
		differ: "two sources differ: ", and: " / ", truncated: "the source goes on beyond what was read ",
		open: "open the original and check what surrounds the excerpt ", openFirst: "ask the owner of the documents which one holds ", elsewhere: "ask again in other words, or ask the owner of the documents: ", gap: " ",
		partial: "the summary covers what the search found; the documents may hold more", whole: "open the original for all of it ",
		someSource: "a source", base: "knowledge base ", says: ": ", titled: [2]string{`"`, `"`}, version: [2]string{", version ", ""}, more: [3]string{" (", ", ", ")"},
	}
}

// write composes the answer: to the whole question, or to each of its parts.
func write(q *question, f *finding, parts []part) (string, []llm.Remark) {
	if f.settled && !slices.ContainsFunc(parts, func(p part) bool { return p.settled || p.absent() }) {
		// What answers may name neither part in the words of the question, and be about both.
		parts = nil
	}
	if len(parts) > 0 && parts[0].among {
		parts = chosen(f, parts)
	}
	if len(parts) == 0 {
		parts = []part{{question: q, finding: f}}
	}
	l := q.labels()
	var a text
	for _, p := range parts {
		switch {
		case p.settled:
			a.answer(l, p)
		case p.about != "":
			a.open(l, p)
		}
	}
	if len(a.conclusion) == 0 {
		return unsettled(l, f, parts), leftOut(f)
	}
	var b strings.Builder
	b.WriteString(l.conclusion + quote(a.conclusion, l.gap))
	b.WriteString("\n" + l.basis + quote(a.basis, l.gap))
	if len(a.confirm) > 0 {
		b.WriteString("\n" + l.toConfirm + strings.Join(a.confirm, l.and))
		b.WriteString("\n" + l.nextSteps + strings.Join(a.next, l.and))
	}
	return b.String(), append(a.remarks, leftOut(f)...)
}

// leftOut remarks that sentences about what is asked were left out, since they are addressed to machines.
func leftOut(f *finding) []llm.Remark {
	if len(f.ordered) == 0 {
		return nil
	}
	return []llm.Remark{{Code: llm.MachineWordsLeftOut, Refs: f.ordered}}
}

// text is an answer while it is composed.
type text struct {
	conclusion, basis []scored
	confirm, next     []string
	remarks           []llm.Remark
}

// answer adds what answers a question or a part of one.
func (a *text) answer(l labels, p part) {
	chosen := conclude(p.question, p.finding)
	a.conclusion, a.basis = addNew(a.conclusion, chosen), addNew(a.basis, support(chosen))
	for _, d := range disagreements(p.question, p.finding, chosen) {
		one, other := d.sides[0], d.sides[1]
		for _, s := range d.sides {
			a.conclusion, a.basis = addNew(a.conclusion, []scored{s}), addNew(a.basis, support([]scored{s}))
		}
		a.remarks = append(a.remarks, llm.Remark{
			Code: llm.SourcesDisagree, Refs: []string{one.passage.ref, other.passage.ref}, Quotes: []string{one.text, other.text}, Kind: d.kind,
		})
		a.note(l.differ+l.told(one)+l.and+l.told(other), l.openFirst+mark(one)+mark(other))
	}
	if from := chosen[0].passage; from.truncatedBefore || from.truncatedAfter {
		a.note(l.truncated+mark(chosen[0]), l.open+mark(chosen[0]))
	}
}

// told names a source and says what it says.
func (l labels) told(s scored) string { return l.named(s.passage) + quote([]scored{s}, l.gap) }

// open says which part of a question is not answered.
func (a *text) open(l labels, p part) { a.note(p.lacking(l), l.elsewhere+p.about) }

// absent reports whether what a part is about is mentioned nowhere.
func (p part) absent() bool { return slices.Contains(runs(p.missing), p.about) }

// lacking says what is missing of a part: it is mentioned nowhere, or nothing answers for it.
func (p part) lacking(l labels) string {
	if p.absent() {
		return l.absent + p.about
	}
	return l.unanswered + p.about
}

func (a *text) note(confirm, next string) {
	if !slices.Contains(a.confirm, confirm) {
		a.confirm, a.next = append(a.confirm, confirm), append(a.next, next)
	}
}

// addNew adds the sentences that are not there yet.
func addNew(list, more []scored) []scored {
	for _, s := range more {
		if !same(list, s.text) {
			list = append(list, s)
		}
	}
	return list
}

// quote writes sentences, each with its reference. What does not end like a sentence, such as a
// table row, is set apart by a line of its own, unless it could pass for the head of a section
// there.
func quote(list []scored, gap string) string {
	var b strings.Builder
	for i, s := range list {
		text := unstressed(oneLine(s.text))
		if i > 0 && !ended(list[i-1].text) && !sectionLike.MatchString(text) {
			b.WriteString("\n")
		} else if i > 0 {
			b.WriteString(" ")
		}
		b.WriteString(text + gap + mark(s))
	}
	return b.String()
}

// oneLine writes a sentence that is broken over lines on one line, so that no document decides
// where a line of the answer begins.
func oneLine(text string) string { return lineBreak.ReplaceAllString(text, " ") }

// strong matches words between the marks that make them strong.
var strong = regexp.MustCompile(`\*\*([^\s*](?:[^*]*[^\s*])?)\*\*`)

// unstressed takes the marks of strong words off a sentence, as whoever shows it would; code keeps them, and so do
// numbers and names that are masked or raised to a power: 138****1234, 2**10, 张**、李**.
func unstressed(text string) string {
	if strings.Contains(text, "`") {
		return text
	}
	var b strings.Builder
	at := 0
	for _, loc := range strong.FindAllStringSubmatchIndex(text, -1) {
		before, _ := utf8.DecodeLastRuneInString(text[:loc[0]])
		after, _ := utf8.DecodeRuneInString(text[loc[1]:])
		first, _ := utf8.DecodeRuneInString(text[loc[2]:])
		if besideMasked(before) || besideMasked(after) || unicode.IsLetter(before) && unicode.IsPunct(first) {
			continue
		}
		b.WriteString(text[at:loc[0]] + text[loc[2]:loc[3]])
		at = loc[1]
	}
	return b.String() + text[at:]
}

// besideMasked reports whether a character beside two asterisks shows that they make nothing strong.
func besideMasked(r rune) bool {
	return r == '*' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// ended reports whether a text ends with the mark of a sentence's end.
func ended(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, "\"'”’」』）)】]*_"))
	return strings.ContainsRune("。！？.!?…；;", r)
}

func mark(s scored) string { return "[" + s.passage.ref + "]" }

// unsettled declares that the material does not answer, and lists what it lacks: of a question in parts,
// the parts.
func unsettled(l labels, f *finding, parts []part) string {
	lines := []string{"INSUFFICIENT_EVIDENCE", l.unsettled}
	add := func(line string) {
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if len(parts) > 1 {
		for _, p := range parts {
			add("- " + p.lacking(l))
		}
		return strings.Join(lines, "\n")
	}
	for _, m := range wordings(runs(f.missing)) {
		add("- " + l.absent + m)
	}
	for _, m := range wordings(runs(f.unmet)) {
		if !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, m) }) {
			add("- " + l.unmet + m)
		}
	}
	if len(lines) == 2 {
		add("- " + l.answer)
	}
	return strings.Join(lines, "\n")
}

// runs joins overlapping pairs of Chinese characters back into the words they came from, and
// keeps the list short.
func runs(surfaces []string) []string {
	var out []string
	for _, s := range surfaces {
		s = clip(strings.Join(strings.Fields(s), " "), 60)
		if n := len(out); n > 0 {
			last, next := []rune(out[n-1]), []rune(s)
			if len(next) == 2 && last[len(last)-1] == next[0] && next[0] > 0x2E80 {
				out[n-1] += string(next[1])
				continue
			}
		}
		if s != "" && !slices.Contains(out, s) && !refLike.MatchString(s) {
			out = append(out, s)
		}
	}
	return out[:min(len(out), 6)]
}
