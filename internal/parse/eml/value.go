package eml

import (
	"slices"
	"strconv"
	"strings"
)

// value is a structured field such as Content-Type: a word and parameters by lower-case name.
type value struct {
	word   string // in lower case
	params map[string]string
}

// maxParams bounds the parameters of one field.
const maxParams = 200

// structured reads a field with parameters. It takes what mailers write: names and values without
// quotes, with spaces and raw bytes in them, encoded words, and continuations (RFC 2231).
func (m *Message) structured(field string) value {
	word, rest, _ := strings.Cut(field, ";")
	v := value{word: strings.ToLower(strings.TrimSpace(word)), params: map[string]string{}}
	pieces := map[string][]piece{}
	for n := 0; rest != "" && n < maxParams; n++ {
		var name, text string
		name, text, rest = parameter(rest)
		if name == "" {
			continue
		}
		base, p := sectioned(name, text)
		if p.number < 0 {
			if _, there := v.params[base]; !there {
				v.params[base] = m.words(text)
			}
			continue
		}
		pieces[base] = append(pieces[base], p)
	}
	for base, all := range pieces {
		v.params[base] = m.continued(all)
	}
	return v
}

// parameter reads one parameter, and returns what follows it.
func parameter(s string) (name, text, rest string) {
	name, after, ok := strings.Cut(s, "=")
	if semicolon := strings.IndexByte(s, ';'); !ok || semicolon >= 0 && semicolon < len(name) {
		_, rest, _ = strings.Cut(s, ";")
		return "", "", rest
	}
	name = strings.ToLower(strings.TrimSpace(name))
	after = strings.TrimLeft(after, " \t")
	if !strings.HasPrefix(after, `"`) {
		text, rest, _ = strings.Cut(after, ";")
		return name, strings.TrimSpace(text), rest
	}
	var b strings.Builder
	i := 1
	for ; i < len(after) && after[i] != '"'; i++ {
		// Some writers put the folders of a file here, without doubling their backslashes.
		if after[i] == '\\' && i+1 < len(after) && (after[i+1] == '"' || after[i+1] == '\\') {
			i++
		}
		b.WriteByte(after[i])
	}
	_, rest, _ = strings.Cut(after[min(i+1, len(after)):], ";")
	return name, b.String(), rest
}

// piece is one section of a parameter that is cut in several; its number is -1 for one that is not.
type piece struct {
	number  int
	percent bool
	text    string
}

// sectioned reads the name of a parameter as RFC 2231 marks it: name*, name*0 or name*0*.
func sectioned(name, text string) (string, piece) {
	base, mark, ok := strings.Cut(name, "*")
	if !ok {
		return name, piece{number: -1, text: text}
	}
	p := piece{text: text, percent: mark == "" || strings.HasSuffix(mark, "*")}
	n, err := strconv.Atoi(strings.TrimSuffix(mark, "*"))
	if err != nil || n < 0 {
		n = 0
	}
	p.number = n
	return base, p
}

// continued puts the sections of a parameter together.
func (m *Message) continued(all []piece) string {
	slices.SortStableFunc(all, func(a, b piece) int { return a.number - b.number })
	charset := ""
	var data []byte
	for i, p := range all {
		text := p.text
		if p.percent && i == 0 {
			if parts := strings.SplitN(text, "'", 3); len(parts) == 3 {
				charset, text = parts[0], parts[2]
			}
		}
		if p.percent {
			data = append(data, percent(text)...)
		} else {
			data = append(data, text...)
		}
	}
	if charset == "" {
		return m.words(string(data))
	}
	text, _, ok := m.opt.Decode("txt", data, charset)
	if !ok {
		return m.raw(string(data))
	}
	return text
}

func percent(s string) []byte {
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				out = append(out, byte(n))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return out
}
