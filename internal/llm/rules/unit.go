package rules

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unit is a piece of a passage that can be quoted: a sentence, a list item, a table row. Its
// text stands in the passage character for character.
type unit struct {
	passage *passage
	text    string
	heading []string // the headings above it
	header  string   // the header row above a table row
	lead    string   // the line that led it in: "the following are needed:"
	row     bool
	title   bool // it is a heading itself
	first   bool // it is the first sentence below its heading
	part    int  // units of one whole, such as the answer below a question, share a number; 0 is none
}

// opens reports whether a unit promises what follows it.
func (u unit) opens() bool { return endsIn(u.text, ":：") }

// asks reports whether a unit is a question.
func (u unit) asks() bool { return endsIn(u.text, "?？") }

// endsIn reports whether a text, marks of emphasis aside, ends in one of the characters.
func endsIn(text, marks string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, "*_` \"'”’」』）)"))
	return strings.ContainsRune(marks, r)
}

var (
	// refLike matches what a reader could take for a reference. A quotation must hold none, since
	// documents do not give references.
	refLike = regexp.MustCompile(`(?i)[\[［【〔(（]\s*\^?\s*[SC]\s*[0-9]+[^\]］】〕)）\n]{0,40}[\]］】〕)）]?(?:\([^)\s]*\)|:)?|\b[SC][0-9]+\]`)
	// sectionLike matches the beginning of a line that could pass for a part of the answer.
	sectionLike = regexp.MustCompile(`^[\s>#*_【\[+-]*(?:[0-9一二三四五六七八九十]{1,2}[.)、]\s*)?[*_【\[]*(?i:(?:核心|主要)?(?:结论|結論|依据|依據)|回答|答案|证据|理由|[待需]要?[确確][认認]|下一步|后续|` +
		`conclusions?\b|answer\b|basis\b|evidence\b|grounds\b|rationale\b|to (?:be )?confirm|needs confirmation|open questions|(?:suggested )?next steps?|INSUFFICIENT_EVIDENCE)`)
	leadMark    = regexp.MustCompile(`^(?:\s*(?:[-*+•·]\s+|\d{1,3}[.)]\s+|\d{1,3}、|>\s*|#{1,6}\s+|\[[ xX]\]\s+))+`)
	tableRule   = regexp.MustCompile(`^[\s|:+=-]+$`)
	headingLine = regexp.MustCompile(`^(#{1,6})\s+(.*?)\s*#*$`)
	underline   = regexp.MustCompile(`^(?:={3,}|-{3,})$`)
	boldLine    = regexp.MustCompile(`^(?:\*\*|__)[^*_]{1,80}(?:\*\*|__)[:：]?$`)
	askedLine   = regexp.MustCompile(`^(?:(?i:Q(?:uestion)?\s*[0-9]*|问(?:题)?\s*[0-9]*)\s*[.:：、]\s*)?.{2,60}[?？]$`)
	plainTitle  = regexp.MustCompile(`^(?:[一二三四五六七八九十]{1,3}、|第[一二三四五六七八九十0-9]{1,3}[章节条部分]\s*|[0-9]{1,2}(?:\.[0-9]{1,2})*\s+\p{Han})[^。；;，,：:]{1,24}$|^[A-Z][A-Z0-9 &/-]{3,60}$`)
	entryLine   = regexp.MustCompile(`^\s*\S{1,24}(?: \S{1,24}){0,2}\s{2,}\S`)
)

// The levels of headings that are no lines of Markdown: a numbered or underlined line in a plain
// text, and a question above its answer, which is the lowest of all.
const (
	plainLevel    = 2
	questionLevel = 9
)

// splitter walks over the lines of a passage.
type splitter struct {
	p       *passage
	out     []unit
	ordered []string // what is left out, since it is addressed to machines
	heading []string // the passage's own, then those met on the way
	levels  []int
	header  string
	para    []string // lines of the paragraph at hand
	lead    string   // the line that ended in a colon, while what it leads in goes on
	leading bool     // no line of what it leads in was met yet
	entry   bool     // the paragraph at hand is an entry of a list of terms
	parts   int      // how many wholes were met
	part    int
	fenced  bool
	table   bool
}

// units takes a passage apart into what may be quoted, and the sentences that are left out since they are addressed to
// machines.
func units(p *passage) (said []unit, out []string) {
	s := &splitter{p: p, header: p.header}
	for i, line := range strings.Split(shownBesideCode(p.text, p.truncatedBefore), "\n") {
		s.line(strings.TrimSuffix(line, "\r"), i)
	}
	s.flush()
	return s.out, s.ordered
}

// line takes one line in.
func (s *splitter) line(line string, n int) {
	body := strings.TrimSpace(line)
	if strings.HasPrefix(body, "```") || strings.HasPrefix(body, "~~~") {
		s.flush()
		s.fenced = !s.fenced
		return
	}
	if !s.fenced && s.headed(body) {
		return
	}
	row := !s.fenced && (s.p.rows && body != "" || strings.HasPrefix(body, "|") || strings.Contains(body, "\t"))
	if !row {
		s.table = false
	}
	switch {
	case row:
		s.flush()
		s.row(body, n)
	case body == "":
		s.flush()
	case s.fenced || leading(body) != "" || sectionLike.MatchString(body):
		s.flush()
		s.para = append(s.para, line)
		if s.fenced {
			s.flush()
		}
	case strings.Contains(strings.TrimSpace(line), "  ") && entryLine.MatchString(line) && leading(body) == "":
		s.flush()
		s.entry = true
		s.para = append(s.para, line)
	default:
		s.para = append(s.para, line)
	}
}

// headed takes a line in that is a heading: one of Markdown, an underlined or numbered line of a
// plain text, or a question that stands alone above its answer.
func (s *splitter) headed(body string) bool {
	if strings.HasPrefix(body, "#") {
		if m := headingLine.FindStringSubmatch(body); m != nil {
			s.flush()
			s.enter(len(m[1]), m[2])
			return true
		}
	}
	switch {
	case len(s.para) == 1 && strings.Trim(body, "=-") == "" && underline.MatchString(body) && len([]rune(s.para[0])) <= 80:
		title := strings.TrimSpace(s.para[0])
		s.para = nil
		s.enter(plainLevel, title)
	case len(s.para) == 0 && (strings.Trim(body, "*_") != body && boldLine.MatchString(body) || endsIn(body, "?？") && askedLine.MatchString(body)):
		s.enter(questionLevel, body)
		s.parts++
		s.part = s.parts
	case len(s.para) == 0 && !s.leading && plainTitle.MatchString(body) && !s.p.rows:
		s.enter(plainLevel, body)
	default:
		return false
	}
	return true
}

// enter notes a heading; it is a unit itself too, for documents whose headings say it all.
func (s *splitter) enter(level int, text string) {
	for len(s.levels) > 0 && s.levels[len(s.levels)-1] >= level {
		s.levels, s.heading = s.levels[:len(s.levels)-1], s.heading[:len(s.heading)-1]
	}
	s.header, s.lead, s.part = s.p.header, "", 0
	s.add(text, false)
	if n := len(s.out); n > 0 && s.out[n-1].text == text {
		s.out[n-1].title = true
	}
	s.levels, s.heading = append(s.levels, level), append(s.heading[:len(s.heading):len(s.heading)], text)
}

// row takes a table row in. The first row of a table is its header.
func (s *splitter) row(body string, n int) {
	if tableRule.MatchString(body) {
		s.table = true
		return
	}
	cells := strings.Trim(body, "| \t")
	if !s.table {
		s.table = true
		if s.p.header == "" {
			s.header = cells
			if n > 0 || !s.p.truncatedBefore {
				s.add(cells, true)
				if len(s.out) > 0 {
					s.out[len(s.out)-1].header = ""
				}
				return
			}
		}
	}
	s.add(cells, true)
}

// flush cuts the paragraph at hand into sentences.
func (s *splitter) flush() {
	if len(s.para) == 0 {
		return
	}
	text, entry := strings.Join(s.para, "\n"), s.entry
	s.para, s.entry = nil, false
	mark := leading(text)
	listed := s.fenced || mark != ""
	if !listed && !s.leading {
		s.lead = "" // a paragraph ends what was led in
	}
	text = text[len(mark):]
	before := s.part
	if entry {
		s.parts++
		s.part = s.parts
	}
	said, ordered := unaddressed(text)
	s.ordered = append(s.ordered, ordered...)
	for _, sentence := range said {
		s.add(sentence, false)
	}
	s.part, s.leading = before, false
	if n := len(s.out); n > 0 && s.out[n-1].opens() && !listed {
		s.lead, s.leading = s.out[n-1].text, true
	}
}

// add makes units of a text: it is cut where something looks like a reference, and left out
// where it holds characters that nobody sees, or speaks to machines.
func (s *splitter) add(text string, row bool) {
	pieces := []string{text}
	if referring(text) {
		pieces = refLike.Split(text, -1)
	}
	for _, piece := range pieces {
		piece = strings.TrimSpace(piece)
		if !quotable(piece) {
			continue
		}
		if commands(piece) {
			s.ordered = append(s.ordered, piece)
			continue
		}
		n := len(s.out)
		s.out = append(s.out, unit{
			passage: s.p, text: piece, heading: s.heading, header: s.header, lead: s.lead, row: row, part: s.part,
			first: n > 0 && s.out[n-1].title,
		})
	}
}

// leading returns the marks with which a text begins as an item of a list, a quotation or a heading.
func leading(text string) string {
	first := strings.TrimLeft(text, " \t\r\n\f")
	if first == "" || !strings.ContainsAny(first[:1], "-*+>#[0123456789") && !strings.HasPrefix(first, "•") && !strings.HasPrefix(first, "·") {
		return ""
	}
	return leadMark.FindString(text)
}

// referring reports whether a text may hold something that looks like a reference, which needs a bracket and a figure.
func referring(text string) bool {
	return strings.ContainsAny(text, "[［【〔(（]") && strings.ContainsAny(text, "0123456789") && refLike.MatchString(text)
}

// quotable reports whether a text may stand in an answer: it says something, hides nothing, and
// holds nothing that looks like a reference.
func quotable(text string) bool {
	return strings.ContainsFunc(text, spoken) && !strings.ContainsFunc(text, invisible) && !referring(text)
}

func spoken(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// invisible reports whether a character changes or hides text: direction marks, tags, variation
// selectors of the supplement, controls.
func invisible(r rune) bool {
	switch {
	case r >= 0xE0000 && r <= 0xE0FFF, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r == 0x200E, r == 0x200F:
		return true
	}
	return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' || r == unicode.ReplacementChar
}
