package endpoint

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/llm"
)

// Joint decodes a text that arrives as a series of JSON strings, where a character may be cut in
// two between them: as bytes, or as the two halves of a surrogate pair.
type Joint struct{ held []byte }

// Add decodes the next string, together with what was held back of the one before.
func (j *Joint) Add(raw json.RawMessage) (string, error) {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return "", errors.New("not a JSON string")
	}
	body := append(j.held, raw[1:len(raw)-1]...)
	cut := len(body) - halfEscape(body)
	if cut == len(body) {
		cut -= halfRune(body)
	}
	j.held = append([]byte(nil), body[cut:]...)
	quoted := make([]byte, 0, cut+2)
	quoted = append(append(append(quoted, '"'), body[:cut]...), '"')
	var s string
	err := json.Unmarshal(quoted, &s)
	return s, err
}

// halfEscape returns the length of an escaped high surrogate at the end of a string's body.
func halfEscape(b []byte) int {
	const size = len(`\ud83d`)
	if len(b) < size || b[len(b)-size] != '\\' || b[len(b)-size+1] != 'u' {
		return 0
	}
	n, err := strconv.ParseUint(string(b[len(b)-4:]), 16, 16)
	if err != nil || n < 0xd800 || n > 0xdbff {
		return 0
	}
	slashes := 0
	for i := len(b) - size; i >= 0 && b[i] == '\\'; i-- {
		slashes++
	}
	if slashes%2 == 0 {
		return 0
	}
	return size
}

// halfRune returns the length of an incomplete character at the end.
func halfRune(b []byte) int {
	for n := 1; n <= min(utf8.UTFMax-1, len(b)); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// CapName bounds a tool's name. One that is longer can't be that of any tool, and stays so.
func CapName(name string) string {
	if len(name) <= MaxName {
		return name
	}
	return strings.ToValidUTF8(name[:MaxName], "")
}

// Count is a number of tokens as an endpoint reported it. Anything that can't be one (negative,
// fractional, absurdly large, not a number) counts as not reported.
type Count struct{ N *int }

// maxCount is more tokens than a call can have.
const maxCount = 1 << 30

// UnmarshalJSON never fails: a strange count must not cost the answer.
func (c *Count) UnmarshalJSON(b []byte) error {
	c.N = nil
	f, err := strconv.ParseFloat(string(b), 64)
	if n := int(f); err == nil && f >= 0 && f <= maxCount && float64(n) == f {
		c.N = &n
	}
	return nil
}

// Into puts a reported count where it belongs.
func (c Count) Into(p **int) {
	if c.N != nil {
		*p = c.N
	}
}

// IDs gives every tool call of a conversation its own id: the endpoint's if it is usable and not
// taken, otherwise a new one.
type IDs struct {
	taken map[string]bool
	next  int
}

// NewIDs knows the ids of a request's messages.
func NewIDs(req llm.Request) *IDs {
	ids := &IDs{taken: map[string]bool{"": true}}
	for _, m := range req.Messages {
		for _, c := range m.Calls {
			ids.taken[c.ID] = true
		}
	}
	return ids
}

// Assign returns the id of the next call.
func (ids *IDs) Assign(id string) string {
	for len(id) > MaxName || ids.taken[id] {
		ids.next++
		id = "kaoju_call_" + strconv.Itoa(ids.next)
	}
	ids.taken[id] = true
	return id
}
