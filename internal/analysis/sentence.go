package analysis

import "strings"

// Sentences returns the sentences of a text in order, without the white space around them. A
// line that is a heading, a list item, a table row or code is never joined to the next one; other
// lines of a paragraph are, since documents break lines where they like.
func Sentences(text string) []Span {
	s := splitter{text: []rune(text)}
	for i := 0; i < len(s.text); {
		i = s.line(i)
	}
	s.cut(len(s.text))
	return s.out
}

// splitter walks over a text; start is where the sentence at hand begins.
type splitter struct {
	text   []rune
	start  int
	fenced bool
	out    []Span
}

// cut ends the sentence at hand before j.
func (s *splitter) cut(j int) {
	i, end := s.start, j
	for i < end && blank(s.text[i]) {
		i++
	}
	for end > i && blank(s.text[end-1]) {
		end--
	}
	if i < end {
		s.out = append(s.out, Span{i, end})
	}
	s.start = j
}

// line takes the line that begins at i and returns where the next one does.
func (s *splitter) line(i int) int {
	j := i
	for j < len(s.text) && s.text[j] != '\n' {
		j++
	}
	body := strings.TrimSpace(string(s.text[i:j]))
	fence := strings.HasPrefix(body, "```") || strings.HasPrefix(body, "~~~")
	alone := s.fenced || fence || body == "" || ownLine(body)
	item := marker(body)
	if alone || item > 0 {
		s.cut(i)
	}
	if fence {
		s.fenced = !s.fenced
	}
	if !s.fenced && !fence {
		lead := i
		for lead < j && blank(s.text[lead]) {
			lead++
		}
		s.prose(lead+item, j)
	}
	if alone {
		s.cut(j)
	}
	return min(j+1, len(s.text))
}

// prose cuts at the ends of sentences between i and j.
func (s *splitter) prose(i, j int) {
	for k := i; k < j; k++ {
		if !s.ends(k) {
			continue
		}
		for k+1 < j && closing(s.text[k+1]) {
			k++
		}
		s.cut(k + 1)
	}
}

// ends reports whether a sentence ends with the mark at k.
func (s *splitter) ends(k int) bool {
	if k+1 < len(s.text) && strings.ContainsRune(".!?", s.text[k+1]) {
		return false // the last of several marks decides
	}
	switch s.text[k] {
	case '。', '！', '？', '｡':
		return true
	case '!', '?':
		n := s.after(k)
		return n >= len(s.text) || blank(s.text[n]) || isIdeograph(s.text[n])
	case '.':
		return s.period(k)
	case '…':
		return k > 0 && s.text[k-1] == '…' && k+1 < len(s.text) && isIdeograph(s.text[k+1])
	}
	return false
}

// reach bounds how far around a mark its meaning is looked for.
const reach = 16

// after returns the first place after k that is no closing or ending mark.
func (s *splitter) after(k int) int {
	n := k + 1
	for n < len(s.text) && n < k+reach && closing(s.text[n]) {
		n++
	}
	return n
}

// period reports whether the full stop at k ends a sentence: not in a number, after an
// abbreviation or an initial, or before a small letter.
func (s *splitter) period(k int) bool {
	n := s.after(k)
	if n < len(s.text) && !blank(s.text[n]) {
		return isIdeograph(s.text[n]) && k > 0 && classOf(s.text[k-1]) == letter
	}
	for n < len(s.text) && blank(s.text[n]) {
		n++
	}
	if n < len(s.text) && s.text[n] >= 'a' && s.text[n] <= 'z' {
		return false
	}
	i := k
	for i > 0 && k-i < reach && !blank(s.text[i-1]) && s.text[i-1] != '(' && !isIdeograph(s.text[i-1]) {
		i--
	}
	word := string(s.text[i:k])
	if len(word) == 1 && word[0] >= 'A' && word[0] <= 'Z' {
		return n >= len(s.text)
	}
	return n >= len(s.text) || !abbreviation(word)
}

// abbreviations end with a full stop and are followed by more of their sentence.
const abbreviations = " mr mrs ms dr prof st sr jr vs etc e.g i.e eg ie cf fig figs eq eqs no nos vol pp p sec ch art " +
	"approx inc ltd co corp dept est gen gov rev sen rep u.s u.k u.n et al ed eds resp ca jan feb mar apr jun jul aug sep " +
	"sept oct nov dec "

func abbreviation(word string) bool {
	word = strings.ToLower(word)
	if word == "" || strings.Contains(word, " ") || word == "etc" || word == "no" || word == "co" || word == "inc" || word == "ltd" || word == "corp" {
		return word == "no" || word == "co"
	}
	return strings.Contains(abbreviations, " "+word+" ")
}

// ownLine reports whether a line of Markdown stands for itself.
func ownLine(line string) bool {
	switch line[0] {
	case '#', '|', '>':
		return true
	}
	return strings.HasPrefix(line, "---") || strings.HasPrefix(line, "***") || strings.HasPrefix(line, "===")
}

// marker returns the length in characters of the list marker that a line begins with, 0 if none.
func marker(line string) int {
	r := []rune(line)
	if len(r) > 1 && strings.ContainsRune("-*+•·", r[0]) && blank(r[1]) {
		return 2
	}
	n := 0
	for n < len(r) && n < 4 && r[n] >= '0' && r[n] <= '9' {
		n++
	}
	if n > 0 && n < len(r) && (r[n] == '、' || n+1 < len(r) && (r[n] == '.' || r[n] == ')') && blank(r[n+1])) {
		return n + 1
	}
	return 0
}

func blank(r rune) bool {
	return r == ' ' || r >= '\t' && r <= '\r' || r == 0xA0 || r == 0x3000
}

// closing reports whether a mark belongs to the sentence that ends before it.
func closing(r rune) bool {
	return strings.ContainsRune("。！？｡!?.…”’」』）》】)]}\"'*_", r)
}
