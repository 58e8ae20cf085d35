package rules

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

var lineBreak = regexp.MustCompile(`[ \t]*[\r\n\x{85}\x{2028}\x{2029}\v\f]+[ \t]*`)

// labels are the fixed words of an answer in one language.
type labels struct {
	conclusion, basis, toConfirm, nextSteps      string
	unsettled, absent, answer                    string
	differ, and, truncated, open, openFirst, gap string
	colon                                        string
}

func (q *question) labels() labels {
	if q.zh {
		return labels{
			conclusion: "结论：", basis: "依据：", toConfirm: "待确认：", nextSteps: "下一步：",
			unsettled: "当前资料不足以确认。", absent: "在已读内容中没有找到：", answer: "能直接回答这个问题的内容",
			differ: "两处资料的说法不同：", and: "；", truncated: "所引资料只是原文的一部分，前后还有内容 ",
			open: "打开原文，核对摘录之外的内容 ", openFirst: "向资料负责人核实以哪一处为准 ", colon: "",
		}
	}
	return labels{
		conclusion: "Conclusion: ", basis: "Basis: ", toConfirm: "To confirm: ", nextSteps: "Next steps: ",
		unsettled: "The material does not settle this.", absent: "not found in what was read: ", answer: "a statement that answers the question",
		differ: "two sources differ: ", and: " / ", truncated: "the source goes on beyond what was read ",
		open: "open the original and check what surrounds the excerpt ", openFirst: "ask the owner of the documents which one holds ", gap: " ",
	}
}

// write composes the answer.
func write(q *question, f *finding) string {
	l := q.labels()
	if !f.settled {
		return unsettled(l, f)
	}
	chosen := conclude(q, f)
	basis := support(chosen)
	var b strings.Builder
	b.WriteString(l.conclusion + quote(chosen, l.gap))
	b.WriteString("\n" + l.basis + quote(basis, l.gap))
	other, differ := disagree(q, f, chosen[0])
	var confirm, next []string
	if differ {
		confirm = append(confirm, l.differ+quote([]scored{chosen[0]}, "")+l.and+quote([]scored{other}, ""))
		next = append(next, l.openFirst+mark(chosen[0])+mark(other))
	}
	if p := chosen[0].passage; p.truncatedBefore || p.truncatedAfter {
		confirm = append(confirm, l.truncated+mark(chosen[0]))
		next = append(next, l.open+mark(chosen[0]))
	}
	if len(confirm) > 0 {
		b.WriteString("\n" + l.toConfirm + strings.Join(confirm, l.and))
		b.WriteString("\n" + l.nextSteps + strings.Join(next, l.and))
	}
	return b.String()
}

// quote writes sentences, each with its reference. What does not end like a sentence, such as a
// table row, is set apart by a line of its own, unless it could pass for the head of a section
// there.
func quote(list []scored, gap string) string {
	var b strings.Builder
	for i, s := range list {
		text := oneLine(s.text)
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

// ended reports whether a text ends with the mark of a sentence's end.
func ended(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, "\"'”’」』）)】]*_"))
	return strings.ContainsRune("。！？.!?…；;", r)
}

func mark(s scored) string { return "[" + s.passage.ref + "]" }

// unsettled declares that the material does not answer, and lists what it lacks.
func unsettled(l labels, f *finding) string {
	lines := []string{"INSUFFICIENT_EVIDENCE", l.unsettled}
	for _, m := range runs(f.missing) {
		lines = append(lines, "- "+l.absent+m)
	}
	if len(lines) == 2 {
		lines = append(lines, "- "+l.answer)
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
