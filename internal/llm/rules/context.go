package rules

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

var (
	headerLine = regexp.MustCompile(`^\[([SC][0-9]{1,5})\] doc_key=("(?:[^"\\]|\\.)*"|\S*) version=(\S+) title=("(?:[^"\\]|\\.)*"|.*?)(?: knowledge_base=("(?:[^"\\]|\\.)*"))? locator=(.*)$`)
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
		version, err := strconv.Atoi(m[3])
		if err != nil {
			version = 0
		}
		p := passage{ref: m[1], doc: unquote(m[2]), title: unquote(m[4]), text: strings.Join(lines[i+2:end], "\n"), origin: origin{version: version, base: unquote(m[5])}}
		p.place(json.RawMessage(m[6]))
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

// validRef reports whether a reference is S or C and a number.
func validRef(ref string) bool {
	if len(ref) < 2 || len(ref) > 6 || ref[0] != 'S' && ref[0] != 'C' {
		return false
	}
	return strings.Trim(ref[1:], "0123456789") == ""
}
