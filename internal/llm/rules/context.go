package rules

import (
	"encoding/json"
	"regexp"
	"strings"
)

var (
	headerLine = regexp.MustCompile(`^\[([SC][0-9]{1,5})\] doc_key=("(?:[^"\\]|\\.)*"|\S*) version=\S+ title=("(?:[^"\\]|\\.)*"|.*?) locator=(.*)$`)
	fenceLine  = regexp.MustCompile(`^~~~[0-9a-f]{8,64}$`)
)

// parseContext reads the passages of a context block. A passage is a header line, a fence, the
// text, and the very same fence again; between the two nothing is looked at, so that no text can
// pass for another passage or for the end of the block.
func parseContext(block string) []passage {
	lines := strings.Split(block, "\n")
	var out []passage
	for i := 0; i < len(lines); i++ {
		if lines[i] == "</context>" {
			break
		}
		m := headerLine.FindStringSubmatch(lines[i])
		if m == nil || i+1 >= len(lines) || !fenceLine.MatchString(lines[i+1]) {
			continue
		}
		fence, end := lines[i+1], i+2
		for end < len(lines) && lines[end] != fence {
			end++
		}
		if end == len(lines) {
			break // a passage that never ends is none
		}
		p := passage{ref: m[1], doc: unquote(m[2]), title: unquote(m[3]), text: strings.Join(lines[i+2:end], "\n")}
		p.place(json.RawMessage(m[4]))
		out = append(out, p)
		i = end
	}
	return out
}

// unquote reads a name that may be a JSON string.
func unquote(s string) string {
	var out string
	if json.Unmarshal([]byte(s), &out) == nil {
		return out
	}
	return s
}
