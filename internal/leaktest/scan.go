package leaktest

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// Hit is a canary found in bytes.
type Hit struct {
	Owner string
	Kind  Kind
	View  string // how the bytes had to be read to see it
}

// Scanner finds canaries in whatever form they leave. The zero Scanner finds nothing. It may scan
// for several goroutines at once, but not while canaries are added.
type Scanner struct {
	words map[string]Hit // folded tokens, titles and names
	facts map[string]Hit
	bytes atomic.Int64
}

// tokenLength is that of every token and title; a folded name is nameRunes code points long.
const (
	tokenLength = 14
	nameRunes   = 7
)

// Add makes the scanner look for a canary.
func (s *Scanner) Add(c Canary, kinds ...Kind) {
	if s.words == nil {
		s.words, s.facts = map[string]Hit{}, map[string]Hit{}
	}
	for _, k := range kinds {
		h := Hit{Owner: c.Owner, Kind: k}
		switch k {
		case Token, Words:
			s.words[c.Token] = h
		case Title:
			s.words[c.Title] = h
		case Name:
			s.words[fold(c.Name)] = h
		case Fact:
			s.facts[c.Fact] = h
		}
	}
}

// Bytes returns how much was scanned.
func (s *Scanner) Bytes() int64 { return s.bytes.Load() }

// Scan returns the canaries in the bytes, each once.
func (s *Scanner) Scan(b []byte) []Hit {
	s.bytes.Add(int64(len(b)))
	found := map[Hit]bool{}
	for _, v := range views(string(b)) {
		folded := fold(v.text)
		s.find(found, v.name, folded, plain(v.text))
		s.find(found, v.name+" reversed", reverse(folded), reverse(plain(v.text)))
	}
	seen := map[Hit]bool{}
	var out []Hit
	for h := range found {
		if key := (Hit{Owner: h.Owner, Kind: h.Kind}); !seen[key] {
			seen[key] = true
			out = append(out, h)
		}
	}
	slices.SortFunc(out, func(a, b Hit) int { return strings.Compare(a.Owner+string(a.Kind), b.Owner+string(b.Kind)) })
	return out
}

// find looks for words in folded text and for numbers in plain text.
func (s *Scanner) find(found map[Hit]bool, view, folded, text string) {
	note := func(h Hit) { h.View = view; found[h] = true }
	for i := 0; i+1 < len(folded); i++ {
		if folded[i] == 'q' && i+tokenLength <= len(folded) {
			if h, ok := s.words[folded[i:i+tokenLength]]; ok {
				note(h)
			}
		}
	}
	for at, rest := 0, folded; ; {
		i := strings.Index(rest, "计划")
		if i < 0 {
			break
		}
		begin := at + i
		for range 2 {
			_, size := utf8.DecodeLastRuneInString(folded[:begin])
			begin -= size
		}
		if name := firstRunes(folded[begin:], nameRunes); name != "" {
			if h, ok := s.words[name]; ok {
				note(h)
			}
		}
		at += i + len("计划")
		rest = folded[at:]
	}
	for _, n := range numbers(text) {
		if h, ok := s.facts[n]; ok {
			note(h)
		}
	}
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	if n > 0 {
		return ""
	}
	return s
}

// numbers returns the whole numbers of seven digits in a text, without separators of thousands.
// A number that is part of a word, a fraction or a longer number is none.
func numbers(s string) []string {
	var out []string
	joins := func(r byte) bool { return r == ',' || r == ' ' || r == '_' }
	digit := func(i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }
	word := func(i int) bool {
		return i >= 0 && i < len(s) && (digit(i) || s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z')
	}
	for i := 0; i < len(s); i++ {
		if !digit(i) || word(i-1) || i > 0 && s[i-1] == '.' {
			continue
		}
		n, j := []byte{}, i
		for len(n) < 7 && (digit(j) || len(n) > 0 && len(n)%3 == 1 && j < len(s) && joins(s[j])) {
			if digit(j) {
				n = append(n, s[j])
			}
			j++
		}
		if len(n) == 7 && !word(j) {
			out = append(out, string(n))
		}
	}
	return out
}

type reading struct{ name, text string }

// views returns the readings of a text: as it is, and with every encoding taken off that something
// in it might be in.
func views(raw string) []reading {
	out := []reading{{"raw", raw}}
	add := func(name, text string) {
		if text != raw && text != "" {
			out = append(out, reading{name, text})
		}
	}
	once := unescapeURL(raw)
	add("url", once)
	if twice := unescapeURL(once); twice != once {
		add("url twice", twice)
	}
	add("html", html.UnescapeString(raw))
	add("escaped", unescapeU(raw))
	for start := 0; start < len(raw); {
		if !isBase64(raw[start]) {
			start++
			continue
		}
		end := start
		for end < len(raw) && isBase64(raw[end]) {
			end++
		}
		if run := raw[start:end]; len(run) >= 12 {
			add("base64", unbase64(run))
			add("hex", unhex(run))
		}
		start = end
	}
	return out
}

func isBase64(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}

// unbase64 decodes a run at each of its four alignments.
func unbase64(run string) string {
	run = strings.NewReplacer("-", "+", "_", "/").Replace(run)
	var out strings.Builder
	for o := range 4 {
		part := run[o:]
		if len(part)%4 == 1 {
			part = part[:len(part)-1]
		}
		b, err := base64.RawStdEncoding.DecodeString(part)
		if err == nil {
			out.Write(b)
		}
		out.WriteByte('\n')
	}
	return out.String()
}

func unhex(run string) string {
	b, err := hex.DecodeString(run[:len(run)/2*2])
	if err != nil {
		return ""
	}
	return string(b)
}

// unescapeURL takes off percent signs one by one, so that a stray one hides nothing.
func unescapeURL(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := url.PathUnescape(s[i : i+3]); err == nil {
				out.WriteString(c)
				i += 2
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

func unescapeU(s string) string {
	if !strings.Contains(s, `\u`) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+5 < len(s) && s[i+1] == 'u' {
			if n, err := strconv.ParseUint(s[i+2:i+6], 16, 32); err == nil {
				out.WriteRune(rune(n))
				i += 5
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// narrow turns full-width forms into the ordinary ones.
func narrow(r rune) rune {
	if r >= 0xFF01 && r <= 0xFF5E {
		return r - 0xFEE0
	}
	return r
}

// plain narrows a text and keeps everything else.
func plain(s string) string { return strings.Map(narrow, s) }

// fold keeps letters and digits alone, narrow and in lower case, so that spaces, punctuation,
// marks and invisible characters between them hide nothing.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		r = unicode.ToLower(narrow(r))
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

func reverse(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}
