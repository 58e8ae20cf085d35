// Package pdf writes texts on pages, as a PDF document, with notes at the foot of the page that first
// mentions them.
//
// No font is part of a document: it names the fonts that every reader of PDF has or stands in for
// (those of the standard for Latin letters, the character collections of Adobe for Chinese and
// Korean ones), and holds how wide their characters are and which text they stand for. What is
// copied or searched in the document is therefore the text, letter by letter, whatever the fonts of
// the machine that shows it.
//
// Nothing in a document is active. The only links lead from a mark to its note and back.
package pdf

import "time"

// Document is what is to be written. Notes are numbered from 1, as marks name them.
type Document struct {
	Title string
	// Chinese says that signs which both writings have, such as dashes and quotation marks, are
	// Chinese ones, and names the language for whoever reads the document aloud.
	Chinese bool
	Made    time.Time // left out if zero
	Body    []Paragraph
	Notes   []string
}

// Paragraph is a piece of text that begins on a line of its own. Measures are in points.
type Paragraph struct {
	Pieces []Piece
	Size   float64
	// Left is how far all lines are set in; Mark, if there is one, stands in that space.
	Left          float64
	Mark          string
	Before, After float64
	Gray          bool
	Keep          bool // never the last thing on a page that something follows
}

// Piece is a run of text in one face, in which a line end ends the line; or the mark of a note.
type Piece struct {
	Text string
	Face Face
	Note int
}

// Face is how letters look.
type Face uint8

// The faces.
const (
	Plain Face = iota
	Bold
	Code
)

// The page is A4.
const (
	pageWidth, pageHeight   = 595.28, 841.89
	marginX, marginY        = 68.0, 68.0
	footerY                 = 36.0
	noteSize, noteIndent    = 8.5, 22.0
	smallSize               = 8.0
	leading, noteLeading    = 1.55, 1.4
	noteGap                 = 14.0 // between text and notes, with the line in its middle
	markScale, markRaise    = 0.72, 0.34
	textWidth, textHeight   = pageWidth - 2*marginX, pageHeight - 2*marginY
	boldStroke, grayOfWords = 0.028, 0.35
)

// Write writes a document. The same document is the same bytes.
func Write(d Document) ([]byte, error) {
	t := &setter{fonts: &fonts{chinese: d.Chinese}, document: d, mentioned: map[int]spot{}, noted: map[int]spot{}}
	for i, p := range d.Body {
		t.paragraph(p, i+1 < len(d.Body))
	}
	t.finish()
	return t.file()
}
