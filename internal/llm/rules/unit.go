package rules

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/analysis"
)

// unit is a piece of a passage that can be quoted: a sentence, a list item, a table row. Its
// text stands in the passage character for character.
type unit struct {
	passage *passage
	text    string
	heading []string // the headings above it
	header  string   // the header row above a table row
	row     bool
	title   bool // it is a heading itself
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
)

// splitter walks over the lines of a passage.
type splitter struct {
	p       *passage
	out     []unit
	heading []string // the passage's own, then those met on the way
	levels  []int
	header  string
	para    []string // lines of the paragraph at hand
	fenced  bool
	table   bool
}

// units takes a passage apart.
func units(p *passage) []unit {
	s := &splitter{p: p, header: p.header}
	for i, line := range strings.Split(p.text, "\n") {
		s.line(strings.TrimSuffix(line, "\r"), i)
	}
	s.flush()
	return s.out
}

// line takes one line in.
func (s *splitter) line(line string, n int) {
	body := strings.TrimSpace(line)
	if strings.HasPrefix(body, "```") || strings.HasPrefix(body, "~~~") {
		s.flush()
		s.fenced = !s.fenced
		return
	}
	if m := headingLine.FindStringSubmatch(body); m != nil && !s.fenced {
		s.flush()
		s.enter(len(m[1]), m[2])
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
	case s.fenced || leadMark.MatchString(body) || sectionLike.MatchString(body):
		s.flush()
		s.para = append(s.para, line)
		if s.fenced {
			s.flush()
		}
	default:
		s.para = append(s.para, line)
	}
}

// enter notes a heading; it is a unit itself too, for documents whose headings say it all.
func (s *splitter) enter(level int, text string) {
	for len(s.levels) > 0 && s.levels[len(s.levels)-1] >= level {
		s.levels, s.heading = s.levels[:len(s.levels)-1], s.heading[:len(s.heading)-1]
	}
	s.header = s.p.header
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
	text := strings.Join(s.para, "\n")
	s.para = nil
	text = text[len(leadMark.FindString(text)):]
	runes := []rune(text)
	for _, span := range analysis.Sentences(text) {
		s.add(string(runes[span[0]:span[1]]), false)
	}
}

// add makes units of a text: it is cut where something looks like a reference, and left out
// where it holds characters that nobody sees.
func (s *splitter) add(text string, row bool) {
	for _, piece := range refLike.Split(text, -1) {
		piece = strings.TrimSpace(piece)
		if !quotable(piece) {
			continue
		}
		s.out = append(s.out, unit{passage: s.p, text: piece, heading: s.heading, header: s.header, row: row})
	}
}

// quotable reports whether a text may stand in an answer: it says something, hides nothing, and
// holds nothing that looks like a reference.
func quotable(text string) bool {
	return strings.ContainsFunc(text, spoken) && !strings.ContainsFunc(text, invisible) && !refLike.MatchString(text)
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
