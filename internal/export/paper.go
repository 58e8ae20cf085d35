package export

import "github.com/kaoju/kaoju/internal/export/pdf"

// Sizes of letters in a PDF document, in points, and how far a level of a list is set in.
const (
	titleSize, textSize, smallSize, codeSize = 19.0, 10.5, 9.0, 9.0
	step                                     = 18.0
)

// paper writes a document as PDF. A source that is cited again keeps the number of its note.
func paper(d Document) ([]byte, error) {
	p := &sheet{d: d, numbers: map[string]int{}}
	p.say(line(d.Title), pdf.Paragraph{Size: titleSize, After: 2, Keep: true}, pdf.Bold)
	p.say(d.provenance(), pdf.Paragraph{Size: smallSize, After: 8, Gray: true}, pdf.Plain)
	for _, n := range d.notices() {
		p.say(n, pdf.Paragraph{Size: textSize, Left: step, After: 6, Gray: true}, pdf.Plain)
	}
	for _, b := range blocks(d.Body) {
		p.block(b)
	}
	if list := d.doubtful(); len(list) > 0 {
		p.say(d.words().checks, headed(1), pdf.Bold)
		p.say(d.words().caution, pdf.Paragraph{Size: textSize, After: 6, Gray: true}, pdf.Plain)
		for _, c := range list {
			p.item(0, "•", [][]span{{{text: c}}})
		}
	}
	return pdf.Write(pdf.Document{Title: line(d.Title), Chinese: d.Chinese, Made: d.SavedAt, Body: p.body, Notes: p.notes})
}

// sheet makes the paragraphs of a PDF document and its notes.
type sheet struct {
	d       Document
	body    []pdf.Paragraph
	notes   []string
	numbers map[string]int // of the notes, by what they tell of
}

func (p *sheet) say(text string, as pdf.Paragraph, face pdf.Face) {
	as.Pieces = []pdf.Piece{{Text: text, Face: face}}
	p.body = append(p.body, as)
}

// headed is how a heading of a level looks.
func headed(level int) pdf.Paragraph {
	return pdf.Paragraph{Size: max(textSize+0.5, 15-1.5*float64(level)), Before: 8, After: 4, Keep: true}
}

func (p *sheet) block(b block) {
	switch b.kind {
	case heading:
		p.add(headed(b.level), b.lines, pdf.Bold)
	case bullet:
		p.item(b.level, "•", b.lines)
	case number:
		p.item(b.level, b.mark, b.lines)
	case quote:
		p.add(pdf.Paragraph{Size: textSize, Left: step, After: 6, Gray: true}, b.lines, pdf.Plain)
	case code:
		p.add(pdf.Paragraph{Size: codeSize, Left: step, After: 6}, b.lines, pdf.Code)
	default:
		p.add(pdf.Paragraph{Size: textSize, After: 6}, b.lines, pdf.Plain)
	}
}

func (p *sheet) item(level int, mark string, lines [][]span) {
	p.add(pdf.Paragraph{Size: textSize, Left: step * float64(level+1), Mark: mark, After: 3}, lines, pdf.Plain)
}

// add adds lines as a paragraph, in which what has no face of its own has the given one.
func (p *sheet) add(as pdf.Paragraph, lines [][]span, face pdf.Face) {
	for i, l := range lines {
		if i > 0 {
			as.Pieces = append(as.Pieces, pdf.Piece{Text: "\n"})
		}
		for _, s := range l {
			for _, ref := range s.refs {
				as.Pieces = append(as.Pieces, pdf.Piece{Note: p.note(ref)})
			}
			of := face
			if s.bold {
				of = pdf.Bold
			}
			if s.code {
				of = pdf.Code
			}
			as.Pieces = append(as.Pieces, pdf.Piece{Text: s.text, Face: of})
		}
	}
	p.body = append(p.body, as)
}

// note is the number of the note that tells of a reference.
func (p *sheet) note(ref string) int {
	if _, ok := p.numbers[ref]; !ok {
		p.notes = append(p.notes, p.d.note(ref))
		p.numbers[ref] = len(p.notes)
	}
	return p.numbers[ref]
}
