package export

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"strings"
	"time"
	"unicode"
)

// word writes a document as Office Open XML: text in paragraphs, real footnotes, styles, and nothing
// else. It has no fields, links, objects or macros, and no relationship that leaves the package.
func word(d Document) ([]byte, error) {
	w := &writer{d: d, first: map[string]int{}}
	w.text("Title", line(d.Title))
	w.text("Subtitle", d.provenance())
	for _, n := range d.notices() {
		w.text("Notice", n)
	}
	for _, b := range blocks(d.Body) {
		w.block(b)
	}
	if list := d.doubtful(); len(list) > 0 {
		w.text("Heading1", d.words().checks)
		w.text("Notice", d.words().caution)
		for _, c := range list {
			w.item(0, "", [][]span{{{text: c}}})
		}
	}
	return pack([]part{
		{"[Content_Types].xml", contentTypes}, {"_rels/.rels", packageRels}, {"docProps/core.xml", coreProperties(d)},
		{"word/document.xml", documentHead + w.body.String() + documentFoot}, {"word/_rels/document.xml.rels", documentRels},
		{"word/footnotes.xml", footnotesHead + w.notes.String() + footnotesFoot}, {"word/styles.xml", styles},
		{"word/numbering.xml", numbering}, {"word/settings.xml", settings},
	})
}

// part is a file of the package.
type part struct{ name, text string }

// epoch dates all parts, so that the same document is the same bytes.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func pack(parts []part) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, p := range parts {
		f, err := z.CreateHeader(&zip.FileHeader{Name: p.name, Method: zip.Deflate, Modified: epoch})
		if err != nil {
			return nil, err
		}
		if _, err := f.Write([]byte(p.text)); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// writer makes the two parts that hold text.
type writer struct {
	d           Document
	body, notes strings.Builder
	count       int            // footnotes
	first       map[string]int // the footnote that tells of a reference
}

func (w *writer) text(style, text string) {
	w.paragraph(`<w:pStyle w:val="`+style+`"/>`, [][]span{{{text: text}}})
}

func (w *writer) block(b block) {
	switch b.kind {
	case heading:
		w.paragraph(`<w:pStyle w:val="Heading`+itoa(min(b.level, 3))+`"/>`, b.lines)
	case bullet:
		w.item(b.level, "", b.lines)
	case number:
		w.item(b.level, b.mark, b.lines)
	case quote:
		w.paragraph(`<w:pStyle w:val="Quote"/>`, b.lines)
	case code:
		w.paragraph(`<w:pStyle w:val="Code"/>`, b.lines)
	default:
		w.paragraph(`<w:pStyle w:val="BodyText"/>`, b.lines)
	}
}

// item writes a list item: a bullet, or the number that the text has.
func (w *writer) item(level int, mark string, lines [][]span) {
	if mark == "" {
		w.paragraph(`<w:pStyle w:val="ListBullet"/><w:numPr><w:ilvl w:val="`+itoa(level)+`"/><w:numId w:val="1"/></w:numPr>`, lines)
		return
	}
	indent := itoa(425 * (level + 1))
	first := append([]span{{text: mark + "\t"}}, lines[0]...)
	w.paragraph(`<w:pStyle w:val="ListNumber"/><w:tabs><w:tab w:val="left" w:pos="`+indent+`"/></w:tabs><w:ind w:left="`+indent+`" w:hanging="425"/>`,
		append([][]span{first}, lines[1:]...))
}

func (w *writer) paragraph(properties string, lines [][]span) {
	w.body.WriteString("<w:p><w:pPr>" + properties + "</w:pPr>")
	for i, l := range lines {
		if i > 0 {
			w.body.WriteString("<w:r><w:br/></w:r>")
		}
		for _, s := range l {
			if s.refs != nil {
				for _, ref := range s.refs {
					w.cite(ref)
				}
				continue
			}
			w.body.WriteString(runOf(s))
		}
	}
	w.body.WriteString("</w:p>\n")
}

// runOf writes a span as a run, with its tabs as tabs.
func runOf(s span) string {
	properties := ""
	if s.bold {
		properties = "<w:rPr><w:b/><w:bCs/></w:rPr>"
	}
	if s.code {
		properties = `<w:rPr><w:rStyle w:val="CodeChar"/></w:rPr>`
	}
	var b strings.Builder
	b.WriteString("<w:r>" + properties)
	for i, piece := range strings.Split(s.text, "\t") {
		if i > 0 {
			b.WriteString("<w:tab/>")
		}
		if piece != "" {
			b.WriteString(`<w:t xml:space="preserve">` + escaped(piece) + "</w:t>")
		}
	}
	b.WriteString("</w:r>")
	return b.String()
}

// cite puts a footnote where the text cites: the whole note at the first mention, and after that one
// that points to it, since a footnote stands in one place.
func (w *writer) cite(ref string) {
	w.count++
	text := w.d.note(ref)
	if n, ok := w.first[ref]; ok {
		text = sprintf(w.d.words().see, ref, n)
	} else {
		w.first[ref] = w.count
	}
	id := itoa(w.count)
	w.body.WriteString(`<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteReference w:id="` + id + `"/></w:r>`)
	w.notes.WriteString(`<w:footnote w:id="` + id + `"><w:p><w:pPr><w:pStyle w:val="FootnoteText"/></w:pPr>` +
		`<w:r><w:rPr><w:rStyle w:val="FootnoteReference"/></w:rPr><w:footnoteRef/></w:r>` +
		`<w:r><w:t xml:space="preserve"> ` + escaped(text) + "</w:t></w:r></w:p></w:footnote>\n")
}

// escaped writes text for XML. What XML 1.0 cannot hold is left out.
func escaped(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		if unicode.IsControl(r) || r == '\uFFFE' || r == '\uFFFF' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	var b strings.Builder
	// A strings.Builder never fails.
	_ = xml.EscapeText(&b, []byte(text))
	return b.String()
}

func coreProperties(d Document) string {
	created := ""
	if !d.SavedAt.IsZero() {
		created = `<dcterms:created xsi:type="dcterms:W3CDTF">` + d.SavedAt.UTC().Format(time.RFC3339) + `</dcterms:created>`
	}
	return corePropertiesHead + "<dc:title>" + escaped(line(d.Title)) + "</dc:title>" + created + "</cp:coreProperties>"
}
