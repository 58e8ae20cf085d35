// Package ooxmltest writes office documents for tests, valid ones and others.
package ooxmltest

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
)

const (
	relations = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
	office    = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
)

// Part is an entry of the archive.
type Part struct{ Name, Text string }

// Zip packs parts in their order, whatever their names.
func Zip(t testing.TB, parts ...Part) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, p := range parts {
		method := zip.Deflate
		if len(p.Text) < 4096 {
			method = zip.Store // a compressor costs more than it saves
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: p.Name, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(p.Text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Relation is a reference from the main part. One whose target has a scheme is external.
type Relation struct{ ID, Type, Target string }

// Relations writes a part of references.
func Relations(list ...Relation) string {
	var b strings.Builder
	b.WriteString(relations)
	for _, r := range list {
		mode := ""
		if strings.Contains(r.Target, "://") {
			mode = ` TargetMode="External"`
		}
		b.WriteString(`<Relationship Id="` + r.ID + `" Type="` + office + "/" + r.Type + `" Target="` + r.Target + `"` + mode + `/>`)
	}
	return b.String() + `</Relationships>`
}

func packed(t testing.TB, main, text string, list []Relation, parts []Part) []byte {
	dir, base := main[:strings.LastIndexByte(main, '/')+1], main[strings.LastIndexByte(main, '/')+1:]
	all := []Part{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`},
		{"_rels/.rels", Relations(Relation{"r1", "officeDocument", main})},
		{main, text},
		{dir + "_rels/" + base + ".rels", Relations(list...)},
	}
	return Zip(t, append(all, parts...)...)
}

// Word is the namespaces of a Word part, to stand in its root element.
const Word = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="` + office + `" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"`

// DOCX writes a Word document with a body. The usual parts are referred to where they are given:
// word/styles.xml, word/numbering.xml, word/footnotes.xml, word/endnotes.xml, word/comments.xml, and
// word/header1.xml, word/footer1.xml and so on.
func DOCX(t testing.TB, body string, parts ...Part) []byte {
	t.Helper()
	var list []Relation
	for _, p := range parts {
		base := strings.TrimSuffix(strings.TrimPrefix(p.Name, "word/"), ".xml")
		list = append(list, Relation{"id-" + base, strings.TrimRight(base, "0123456789"), base + ".xml"})
	}
	return packed(t, "word/document.xml", `<w:document `+Word+`><w:body>`+body+`</w:body></w:document>`, list, parts)
}

// Sheet is the namespaces of a workbook's part.
const Sheet = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="` + office + `"`

// XLSX writes a workbook of sheets, each given by the content of its root element. A name that
// begins with "-" is of a hidden sheet. Other parts are referred to where they are given:
// xl/sharedStrings.xml, xl/styles.xml.
func XLSX(t testing.TB, sheets []Part, parts ...Part) []byte {
	t.Helper()
	var book strings.Builder
	var list []Relation
	var all []Part
	for i, s := range sheets {
		n := string(rune('1' + i))
		name, state := s.Name, ""
		if strings.HasPrefix(name, "-") {
			name, state = name[1:], ` state="hidden"`
		}
		book.WriteString(`<sheet name="` + name + `" sheetId="` + n + `" r:id="s` + n + `"` + state + `/>`)
		list = append(list, Relation{"s" + n, "worksheet", "worksheets/sheet" + n + ".xml"})
		all = append(all, Part{"xl/worksheets/sheet" + n + ".xml", `<worksheet ` + Sheet + `>` + s.Text + `</worksheet>`})
	}
	for _, p := range parts {
		base := strings.TrimSuffix(strings.TrimPrefix(p.Name, "xl/"), ".xml")
		if !strings.Contains(base, "/") {
			list = append(list, Relation{"id-" + base, base, base + ".xml"})
		}
	}
	return packed(t, "xl/workbook.xml", `<workbook `+Sheet+`><sheets>`+book.String()+`</sheets></workbook>`, list, append(all, parts...))
}

// Slide is the namespaces of a presentation's part.
const Slide = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="` + office + `" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"`

// PPTX writes a presentation of slides, each given by the content of its shape tree, in the order of
// the show. A slide that begins with "-" is hidden. Notes are given by the number of the slide.
func PPTX(t testing.TB, slides []string, notes map[int]string) []byte {
	t.Helper()
	var show strings.Builder
	var list []Relation
	var all []Part
	for i, s := range slides {
		n := string(rune('1' + i))
		hidden := ""
		if strings.HasPrefix(s, "-") {
			s, hidden = s[1:], ` show="0"`
		}
		show.WriteString(`<p:sldId id="` + n + `" r:id="s` + n + `"/>`)
		list = append(list, Relation{"s" + n, "slide", "slides/slide" + n + ".xml"})
		all = append(all, Part{"ppt/slides/slide" + n + ".xml", `<p:sld ` + Slide + hidden + `><p:cSld><p:spTree>` + s + `</p:spTree></p:cSld></p:sld>`})
		if text, ok := notes[i+1]; ok {
			all = append(all,
				Part{"ppt/slides/_rels/slide" + n + ".xml.rels", Relations(Relation{"n", "notesSlide", "../notesSlides/notes" + n + ".xml"})},
				Part{"ppt/notesSlides/notes" + n + ".xml", `<p:notes ` + Slide + `><p:cSld><p:spTree>` + text + `</p:spTree></p:cSld></p:notes>`})
		}
	}
	return packed(t, "ppt/presentation.xml", `<p:presentation `+Slide+`><p:sldIdLst>`+show.String()+`</p:sldIdLst></p:presentation>`, list, all)
}

// Outline writes a document as lines: the kind of each block, its text, and its places.
func Outline[L corpus.Locator](p corpus.Parsed, place func(L) string) []string {
	text := []rune(p.Text)
	var out []string
	for _, b := range p.Blocks {
		line := string(b.Kind) + " " + strings.ReplaceAll(string(text[b.Span.Start:b.Span.End]), "\n", "⏎")
		for _, s := range b.Segments {
			line += " @" + place(s.Locator.(L))
		}
		out = append(out, line)
	}
	return out
}
