package citation

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/problem"
)

// insufficient is the word with which a model declares that the material settles nothing.
const insufficient = "INSUFFICIENT_EVIDENCE"

// unsettled is the text of an answer that holds nothing but that word.
const unsettled = "当前资料不足以确认。The material does not settle this."

// Accept takes a model's text apart. The text must cite, and every reference in it must be one of
// the evidence; else the error is problem.Invalid "invalid_citations", with a detail that tells the
// model what to mend. A text whose first line declares insufficient evidence need not cite, but
// may not name unknown references either.
func Accept(text string, evidence []Evidence) (Answer, error) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	rest, declared := declaration(text)
	if declared {
		text = rest
	}
	refs := Refs(text)
	for _, ref := range refs {
		if !slices.ContainsFunc(evidence, func(e Evidence) bool { return e.Ref == ref }) {
			return Answer{}, problem.New(problem.Invalid, "invalid_citations", "The answer cites [%s], which was not read in this task. %s", ref, citable(evidence))
		}
	}
	if declared {
		missing := missing(text)
		if text == "" {
			text = unsettled
		}
		return Answer{Text: text, Sections: sections(text), Refs: refs, Insufficient: true, Missing: missing}, nil
	}
	if len(refs) == 0 {
		return Answer{}, problem.New(problem.Invalid, "invalid_citations", "The answer cites nothing. Each conclusion needs the reference of its source behind it. %s", citable(evidence))
	}
	return Answer{Text: text, Sections: sections(text), Refs: refs}, nil
}

// citable tells a model what it may cite.
func citable(evidence []Evidence) string {
	if len(evidence) == 0 {
		return "Nothing was read yet, so nothing can be cited: read a document first, or begin with the line " + insufficient + " and list what is missing."
	}
	var refs []string
	for _, e := range evidence {
		refs = append(refs, "["+e.Ref+"]")
	}
	if len(refs) > 20 {
		refs = append(refs[:20], "…")
	}
	return "Cite only " + strings.Join(refs, ", ") + "."
}

// declaration reports whether the first line declares insufficient evidence, and returns what
// follows the word.
func declaration(text string) (rest string, ok bool) {
	first, after, _ := strings.Cut(text, "\n")
	line := strings.TrimLeft(first, " \t#*_`>")
	if len(line) < len(insufficient) || !strings.EqualFold(line[:len(insufficient)], insufficient) {
		return "", false
	}
	behind := line[len(insufficient):]
	if behind != "" && (behind[0] >= 'A' && behind[0] <= 'Z' || behind[0] >= 'a' && behind[0] <= 'z' || behind[0] >= '0' && behind[0] <= '9') {
		return "", false
	}
	behind = strings.TrimLeft(behind, " \t*_`:：。.,，-—")
	return strings.TrimSpace(behind + "\n" + after), true
}

var bullet = regexp.MustCompile(`^\s*(?:>\s*)?(?:[-*+•·]\s+|\d{1,2}[.)、]\s*|（\d{1,2}）\s*|\(\d{1,2}\)\s*)?`)

// missingHeads are lines that only announce the list of what is missing.
var missingHeads = []string{"缺少", "缺失", "缺少的资料", "缺少的信息", "缺失信息", "还需要", "需要补充", "missing", "missing information", "what is missing", "needed"}

// missing lists what a declaration says would be needed: its lines, without marks.
func missing(text string) []string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if _, rest, ok := head(line); ok {
			line = rest
		}
		line = strings.TrimSpace(without(bullet.ReplaceAllString(line, "")))
		line = strings.Trim(line, "*_ ")
		name, rest, _ := cutColon(line)
		if slices.Contains(missingHeads, strings.Trim(analysis.Fold(name), "#*_ ")) {
			line = rest
		}
		if announced := strings.Trim(analysis.Fold(line), ". 。"); announced == "当前资料不足以确认" || announced == "the material does not settle this" {
			continue
		}
		if line != "" && len(out) < 20 {
			out = append(out, line)
		}
	}
	return out
}

func cutColon(line string) (before, after string, ok bool) {
	i := strings.IndexAny(line, ":：")
	if i < 0 {
		return line, "", false
	}
	return line[:i], strings.TrimLeft(line[i:], ":： *"), true
}
