package ooxml_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/ooxml"
	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
)

func code(err error) string {
	var r *ooxml.Refusal
	if errors.As(err, &r) {
		return r.Code
	}
	if err != nil {
		return "other error: " + err.Error()
	}
	return ""
}

// walked opens a package and reads all text of its main part.
func walked(data []byte, l ooxml.Limits) (string, error) {
	p, err := ooxml.Open(data, "document", l)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	_, err = p.Read(p.Main, func(r *ooxml.Reader) error {
		var visit func(e ooxml.Element) error
		visit = func(e ooxml.Element) error {
			if e.Name != "t" {
				return r.Children(visit)
			}
			text, err := r.Text()
			b.WriteString(text)
			return err
		}
		return r.Children(visit)
	})
	return b.String(), err
}

func word(body string) string {
	return `<w:document ` + ooxmltest.Word + `><w:body>` + body + `</w:body></w:document>`
}

func parts(document string, more ...ooxmltest.Part) []ooxmltest.Part {
	return append([]ooxmltest.Part{
		{Name: "[Content_Types].xml", Text: "<Types/>"},
		{Name: "_rels/.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "r", Type: "officeDocument", Target: "word/document.xml"})},
		{Name: "word/document.xml", Text: document},
	}, more...)
}

func TestPackageIsReadFromItsMainPart(t *testing.T) {
	text, err := walked(ooxmltest.DOCX(t, `<w:p><w:r><w:t>正文 &amp; text</w:t></w:r></w:p>`), ooxml.Limits{})
	if err != nil || text != "正文 & text" {
		t.Errorf("it reads %q (%v)", text, err)
	}
}

func TestNothingInAPackageIsTakenOnTrust(t *testing.T) {
	ok := word(`<w:p><w:r><w:t>x</w:t></w:r></w:p>`)
	external := ooxmltest.Part{Name: "_rels/.rels", Text: ooxmltest.Relations(ooxmltest.Relation{ID: "r", Type: "officeDocument", Target: "../../etc/passwd"})}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"not a zip":               {[]byte("hello"), "content_mismatch"},
		"nothing":                 {nil, "content_mismatch"},
		"cut off":                 {ooxmltest.Zip(t, parts(ok)...)[:200], "archive_malformed"},
		"old office file":         {[]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest"), "content_mismatch"},
		"encrypted office file":   {[]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00"), "document_encrypted"},
		"another zip":             {ooxmltest.Zip(t, ooxmltest.Part{Name: "a.txt", Text: "x"}), "content_mismatch"},
		"another office document": {ooxmltest.XLSX(t, []ooxmltest.Part{{Name: "S", Text: "<sheetData/>"}}), "content_mismatch"},
		"data before the archive": {append([]byte("%PDF-1.7\n"), ooxmltest.Zip(t, parts(ok)...)...), "content_mismatch"},
		"main part missing":       {ooxmltest.Zip(t, parts(ok)[:2]...), "archive_malformed"},
		"main part outside":       {ooxmltest.Zip(t, parts(ok)[0], external, parts(ok)[2]), "archive_bad_name"},
		"name with ..":            {ooxmltest.Zip(t, parts(ok, ooxmltest.Part{Name: "word/../../x"})...), "archive_bad_name"},
		"absolute name":           {ooxmltest.Zip(t, parts(ok, ooxmltest.Part{Name: "/etc/x"})...), "archive_bad_name"},
		"drive letter":            {ooxmltest.Zip(t, parts(ok, ooxmltest.Part{Name: "c:x"})...), "archive_bad_name"},
		"backslash":               {ooxmltest.Zip(t, parts(ok, ooxmltest.Part{Name: `word\x`})...), "archive_bad_name"},
		"control character":       {ooxmltest.Zip(t, parts(ok, ooxmltest.Part{Name: "word/x\x00"})...), "archive_bad_name"},
		"wide slash":              {ooxmltest.Zip(t, parts(ok, ooxmltest.Part{Name: "．．／x"})...), "archive_bad_name"},
		"same name twice":         {ooxmltest.Zip(t, parts(ok, ooxmltest.Part{Name: "word/document.xml", Text: ok})...), "archive_duplicate_name"},
		"same name in capitals":   {ooxmltest.Zip(t, parts(ok, ooxmltest.Part{Name: "WORD/document.xml", Text: ok})...), "archive_duplicate_name"},
		"link":                    {special(t, ok, func(h *zip.FileHeader) { h.SetMode(0o777 | 1<<27) }), "archive_special_entry"},
		"encrypted entry":         {special(t, ok, func(h *zip.FileHeader) { h.Flags |= 1 }), "document_encrypted"},
		"unknown compression":     {method(ooxmltest.Zip(t, parts(ok)...), 99), "archive_malformed"},
		"overlapping entries":     {overlapping(t, ok), "archive_malformed"},
		"entry beyond the end":    {beyond(t, ok), "archive_malformed"},
		"document type":           {ooxmltest.Zip(t, parts(`<!DOCTYPE a [<!ENTITY b "c">]>`+ok)...), "xml_doctype"},
		"unknown entity":          {ooxmltest.Zip(t, parts(word("<w:p>&b;</w:p>"))...), "xml_malformed"},
		"ends too early":          {ooxmltest.Zip(t, parts("<w:document "+ooxmltest.Word+"><w:body>")...), "xml_malformed"},
		"empty main part":         {ooxmltest.Zip(t, parts("")...), "xml_malformed"},
		"unknown encoding":        {ooxmltest.Zip(t, parts(`<?xml version="1.0" encoding="x-none"?>`+ok)...), "xml_malformed"},
	} {
		t.Run(name, func(t *testing.T) {
			if text, err := walked(c.data, ooxml.Limits{}); code(err) != c.want {
				t.Errorf("it ends with %q and the text %q, want %q", code(err), text, c.want)
			}
		})
	}
}

// special writes a package with one more entry, whose header is changed.
func special(t *testing.T, document string, change func(*zip.FileHeader)) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, p := range parts(document, ooxmltest.Part{Name: "extra"}) {
		h := &zip.FileHeader{Name: p.Name, Method: zip.Store, CompressedSize64: uint64(len(p.Text)), UncompressedSize64: uint64(len(p.Text))}
		if p.Name == "extra" {
			change(h)
		}
		w, err := z.CreateRaw(h)
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

// method changes the compression that all entries of the directory name.
func method(data []byte, n uint16) []byte {
	for i := 0; i+12 < len(data); i++ {
		if bytes.HasPrefix(data[i:], []byte("PK\x01\x02")) {
			binary.LittleEndian.PutUint16(data[i+10:], n)
		}
	}
	return data
}

// overlapping lets the last entry of the directory begin where the one before it does.
func overlapping(t *testing.T, document string) []byte {
	t.Helper()
	data := ooxmltest.Zip(t, parts(document, ooxmltest.Part{Name: "word/a.xml", Text: strings.Repeat("a", 999)}, ooxmltest.Part{Name: "word/b.xml", Text: strings.Repeat("a", 999)})...)
	last := bytes.LastIndex(data, []byte("PK\x01\x02"))
	before := bytes.LastIndex(data[:last], []byte("PK\x01\x02"))
	copy(data[last+42:last+46], data[before+42:before+46])
	return data
}

// beyond lets the last entry of the directory be longer than the archive, by which a part could
// expand to more than its bytes allow.
func beyond(t *testing.T, document string) []byte {
	t.Helper()
	data := ooxmltest.Zip(t, parts(document, ooxmltest.Part{Name: "word/a.xml", Text: "a"})...)
	binary.LittleEndian.PutUint32(data[bytes.LastIndex(data, []byte("PK\x01\x02"))+20:], 1<<30)
	return data
}

func TestLimitsOfAPackageHold(t *testing.T) {
	for name, c := range map[string]struct {
		body   string
		limits ooxml.Limits
		want   string
	}{
		"within all":     {strings.Repeat("<w:p/>", 10), ooxml.Limits{}, ""},
		"entries":        {"", ooxml.Limits{Entries: 2}, "archive_entry_limit"},
		"depth":          {strings.Repeat("<w:p>", 300) + strings.Repeat("</w:p>", 300), ooxml.Limits{}, "xml_depth_limit"},
		"depth at limit": {strings.Repeat("<w:p>", 254) + strings.Repeat("</w:p>", 254), ooxml.Limits{}, ""},
		"tokens":         {strings.Repeat("<w:p/>", 100), ooxml.Limits{Tokens: 150}, "xml_token_limit"},
		"expanded":       {strings.Repeat("<w:p>text</w:p>", 9000), ooxml.Limits{Expanded: 100_000}, "archive_expansion_limit"},
		"ratio":          {"<w:p>" + strings.Repeat("<w:r/>", 2<<20) + "</w:p>", ooxml.Limits{}, "archive_expansion_limit"},
		"one long text":  {"<w:t>" + strings.Repeat(" ", 2<<20) + "</w:t>", ooxml.Limits{Token: 1 << 20}, "archive_expansion_limit"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := walked(ooxmltest.Zip(t, parts(word(c.body))...), c.limits)
			if code(err) != c.want {
				t.Errorf("it ends with %q, want %q", code(err), c.want)
			}
		})
	}
}

func TestSizesInHeadersDoNotCount(t *testing.T) {
	data := ooxmltest.Zip(t, parts(word(strings.Repeat("<w:p/>", 1000)))...)
	for i := 0; i+28 < len(data); i++ {
		if bytes.HasPrefix(data[i:], []byte("PK\x01\x02")) {
			binary.LittleEndian.PutUint32(data[i+24:], 10)
		}
	}
	if _, err := walked(data, ooxml.Limits{}); code(err) != "archive_malformed" {
		t.Errorf("it ends with %q", code(err))
	}
}

func TestRelationsStayInsideThePackage(t *testing.T) {
	data := ooxmltest.DOCX(t, "", ooxmltest.Part{Name: "word/sub/x.xml", Text: "<x/>"}, ooxmltest.Part{Name: "word/sub/_rels/x.xml.rels", Text: ooxmltest.Relations(
		ooxmltest.Relation{ID: "1", Type: "a", Target: "../y.xml"}, ooxmltest.Relation{ID: "2", Type: "b", Target: "/ppt/z.xml"},
		ooxmltest.Relation{ID: "3", Type: "image", Target: "http://evil.invalid/a.png"}, ooxmltest.Relation{ID: "4", Type: "c", Target: `..\w.xml#part`})})
	p, err := ooxml.Open(data, "document", ooxml.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	list, err := p.Relations("word/sub/x.xml")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range list {
		got = append(got, r.ID+" "+r.Type+" "+r.Target)
	}
	if s := strings.Join(got, ", "); s != "1 a word/y.xml, 2 b ppt/z.xml, 4 c word/w.xml" {
		t.Errorf("the relations are %s", s)
	}
}

func TestLatinXMLIsDecoded(t *testing.T) {
	text, err := walked(ooxmltest.Zip(t, parts(`<?xml version="1.0" encoding="iso-8859-1"?>`+word("<w:t>caf\xe9</w:t>"))...), ooxml.Limits{})
	if err != nil || text != "café" {
		t.Errorf("it reads %q (%v)", text, err)
	}
}
