package citation

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
)

// part says which section a piece of an answer belongs to.
type part int

const (
	conclusion part = iota
	basis
	toConfirm
	nextSteps
)

// heads are the words, folded, under which a section may stand.
var heads = map[string]part{
	"结论": conclusion, "核心结论": conclusion, "主要结论": conclusion, "回答": conclusion, "答案": conclusion,
	"conclusion": conclusion, "conclusions": conclusion, "answer": conclusion,
	"依据": basis, "证据": basis, "依据与来源": basis, "主要依据": basis, "理由": basis,
	"basis": basis, "evidence": basis, "grounds": basis, "rationale": basis,
	"待确认": toConfirm, "待确认事项": toConfirm, "需确认": toConfirm, "需要确认": toConfirm, "需确认事项": toConfirm,
	"to confirm": toConfirm, "to be confirmed": toConfirm, "needs confirmation": toConfirm, "open questions": toConfirm,
	"下一步": nextSteps, "后续步骤": nextSteps, "下一步建议": nextSteps, "后续建议": nextSteps, "下一步行动": nextSteps,
	"next step": nextSteps, "next steps": nextSteps, "suggested next steps": nextSteps,
}

// headLine matches a line that may begin a section: marks, a short name, more marks, a colon, and
// what follows the colon.
var headLine = regexp.MustCompile(`^\s{0,3}(?:>\s*)?(?:#{1,6}\s+)?(?:[-*+]\s+)?(?:\d{1,2}[.)、]\s*|[一二三四五六七八九十]、\s*)?(?:\*\*|__|\*|_)?[\[【]?([^:：*_\]】]{2,24}?)[\]】]?\s*(?:\*\*|__|\*|_)?\s*(?:[:：]\s*(?:\*\*|__|\*|_)?\s*(.*))?$`)

// head reads a line as the head of a section. The rest is what stands behind its colon.
func head(line string) (p part, rest string, ok bool) {
	m := headLine.FindStringSubmatch(strings.TrimRight(line, " \t\r\n"))
	if m == nil {
		return 0, "", false
	}
	p, ok = heads[strings.TrimSpace(analysis.Fold(m[1]))]
	return p, m[2], ok
}

// piece is a line of an answer, or what stands behind a head in it, with the section it is in.
type piece struct {
	byteRange
	part part
	code bool
}

// pieces takes an answer apart by lines. Heads are left out. Lines of a code fence come as one.
func pieces(text string) []piece {
	var out []piece
	at := conclusion
	code := codeRanges(text)
	for i := 0; i < len(text); {
		for len(code) > 0 && code[0].Start < i {
			code = code[1:]
		}
		if len(code) > 0 && code[0].Start == i && isFence(text[i:]) {
			out = append(out, piece{code[0], at, true})
			i = code[0].End
			continue
		}
		end := lineEnd(text, i)
		line := text[i:end]
		if p, rest, ok := head(line); ok {
			at = p
			trimmed := strings.TrimRight(line, " \t\r\n")
			i += len(trimmed) - len(rest)
		}
		if i < end {
			out = append(out, piece{byteRange{i, end}, at, false})
		}
		i = end
	}
	return out
}

func isFence(text string) bool {
	_, n := fence(text[:lineEnd(text, 0)])
	return n > 0
}

// sections puts the pieces of a text into their sections. Text before any head is part of the
// conclusion.
func sections(text string) Sections {
	var parts [4]strings.Builder
	for _, p := range pieces(text) {
		parts[p.part].WriteString(text[p.Start:p.End])
		if !strings.HasSuffix(text[p.Start:p.End], "\n") {
			parts[p.part].WriteByte('\n')
		}
	}
	return Sections{
		Conclusion: strings.TrimSpace(parts[conclusion].String()), Basis: strings.TrimSpace(parts[basis].String()),
		ToConfirm: content(parts[toConfirm].String()), NextSteps: content(parts[nextSteps].String()),
	}
}

// nothings are bodies that say that a section has nothing.
var nothings = []string{"", "无", "没有", "暂无", "无需确认", "none", "n/a", "na", "nothing", "no", "nil"}

// content returns a section's body, "" if it only says that there is nothing.
func content(body string) string {
	body = strings.TrimSpace(body)
	said := strings.Trim(analysis.Fold(without(body)), " \t\r\n-*+•。.!！;；()（）")
	if slices.Contains(nothings, said) {
		return ""
	}
	return body
}
