package parse

import (
	"bytes"
	"cmp"
	"fmt"
	"mime"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// format is one kind of file that can be read.
type format struct {
	word       string // kind of its locators
	title      string // for messages
	media      string
	extensions []string
	// text reads it where it is text, read where it is not. One of them is set.
	text *textual
	read reader
	// find opens a place in it; nil means by reading all of it, and picking the pieces there.
	find finder
	// bytes is how large an original may be, unless Limits say otherwise; 0 means MaxBytes.
	bytes int
}

// textual is how a format that is text is read.
type textual struct {
	parse func(*source) (corpus.Parsed, error)
	// resolve returns the rendered text whose source stands in the range of code points; false
	// if there is no such range.
	resolve func(*source, [2]int) (string, bool, error)
	// charset returns the encoding that the file itself declares, or "".
	charset func([]byte) string
}

// officeMedia is what the media types of office documents begin with.
const officeMedia = "application/vnd.openxmlformats-officedocument."

func formats() []*format {
	return []*format{
		{
			word: "md", title: "Markdown", media: "text/markdown",
			extensions: []string{".md", ".markdown", ".mdown", ".mkd"},
			text:       &textual{parse: parseMarkdown, resolve: resolveSource},
		},
		{
			word: "txt", title: "plain text", media: "text/plain",
			extensions: []string{
				".txt", ".text", ".log", ".rst", ".adoc", ".asciidoc", ".org",
				".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf",
			},
			text: &textual{parse: parsePlain, resolve: resolveSource},
		},
		{
			word: "html", title: "HTML", media: "text/html",
			extensions: []string{".html", ".htm", ".xhtml"},
			text:       &textual{parse: parseHTML, resolve: resolveHTML, charset: htmlCharset},
		},
		{
			word: "csv", title: "a table of separated values", media: "text/csv",
			extensions: []string{".csv", ".tsv", ".tab"},
			text:       &textual{parse: parseCSV, resolve: resolveCSV},
		},
		{
			word: "docx", title: "a Word document", media: officeMedia + "wordprocessingml.document",
			extensions: []string{".docx"},
			read:       readDOCX,
		},
		{
			word: "xlsx", title: "an Excel workbook", media: officeMedia + "spreadsheetml.sheet",
			extensions: []string{".xlsx"},
			read:       readXLSX,
		},
		{
			word: "pptx", title: "a PowerPoint presentation", media: officeMedia + "presentationml.presentation",
			extensions: []string{".pptx"},
			read:       readPPTX,
		},
		{
			word: FormatPDF, title: "a PDF document", media: "application/pdf",
			extensions: []string{".pdf"},
			read:       readPDF, find: findPDF, bytes: MaxPDFBytes,
		},
		{
			word: FormatEML, title: "an e-mail message", media: "message/rfc822",
			extensions: []string{".eml"},
			read:       readEML, bytes: MaxMailBytes,
		},
		{
			word: FormatZIP, title: "a zip archive", media: "application/zip",
			extensions: []string{".zip"},
			read:       readZIP, bytes: MaxArchiveBytes,
		},
		{
			word: "dxf", title: "a DXF drawing", media: "image/vnd.dxf",
			extensions: []string{".dxf"},
			read:       readDXF,
		},
		{
			word: "svg", title: "an SVG drawing", media: "image/svg+xml",
			extensions: []string{".svg"},
			read:       readSVG,
		},
		{
			word: "epub", title: "an EPUB book", media: "application/epub+zip",
			extensions: []string{".epub"},
			read:       readEPUB, find: findEPUB, bytes: MaxBookBytes,
		},
		{word: "image", title: "a PNG image", media: "image/png", extensions: []string{".png"}, read: pngs().read},
		{word: "image", title: "a JPEG image", media: "image/jpeg", extensions: []string{".jpg", ".jpeg"}, read: jpegs().read},
		{word: "image", title: "a TIFF image", media: "image/tiff", extensions: []string{".tif", ".tiff"}, read: tiffs().read},
		{word: "image", title: "a WebP image", media: "image/webp", extensions: []string{".webp"}, read: webps().read},
	}
}

// Formats returns the words of the formats that can be read, each with the extensions of its files.
func Formats() []string {
	var out []string
	for _, f := range formats() {
		out = append(out, f.word+" ("+strings.Join(f.extensions, " ")+")")
	}
	return out
}

// Supported reports whether files of this name can be read, going by the extension alone.
func Supported(name string) bool { return byExtension(extension(name)) != nil }

// The words of the formats that have pages or sheets to be drawn.
const (
	FormatPDF   = "pdf"
	FormatDXF   = "dxf"
	FormatSVG   = "svg"
	FormatImage = "image"
)

// Named returns a name under which a file is read as what its media type says.
func Named(name, media string) string {
	kind := formatOf("", media)
	if own := formatOf(name, ""); kind == nil || own != nil && own.media == kind.media {
		return name
	}
	return name + kind.extensions[0]
}

// FormatOf returns the word of the format that a file is read as; "" if it is of none that is known.
func FormatOf(f File) string {
	if kind := formatOf(f.Name, f.MediaType); kind != nil {
		return kind.word
	}
	return ""
}

// Fetched returns the name by which the format of a file is told that a server gave under a name, saying
// that it is of a media type. One whose name says another format than the server is problem.Invalid
// "content_mismatch": such is the page that asks to sign in where a document was.
func Fetched(name, declared string) (string, error) {
	byName, said := byExtension(extension(name)), formatOf("page", declared)
	switch {
	case byName == nil && said == nil:
		return "", Refuse(name, "unknown_type", "is of a type that is not supported")
	case byName == nil:
		return cmp.Or(baseName(name), "index") + said.extensions[0], nil
	case said == nil || said.word == byName.word || said.word == "txt" && byName.text != nil || said.word == FormatZIP && byName.read != nil:
		return name, nil // What is said in general is true of many formats.
	}
	return "", Refuse(name, "content_mismatch", "ends like %s, but the server says it is %s", byName.title, said.title)
}

func byExtension(ext string) *format {
	for _, f := range formats() {
		for _, e := range f.extensions {
			if e == ext {
				return f
			}
		}
	}
	return nil
}

// formatOf goes by the extension; the declared media type counts only where there is none.
func formatOf(name, declared string) *format {
	ext := extension(name)
	if ext != "" {
		return byExtension(ext)
	}
	media, _, err := mime.ParseMediaType(declared)
	if err != nil {
		return nil
	}
	switch media {
	case "application/xhtml+xml":
		media = "text/html"
	case "text/tab-separated-values":
		media = "text/csv"
	}
	for _, f := range formats() {
		if f.media == media {
			return f
		}
	}
	return nil
}

// declared returns the encoding that a text declares itself, or else the one that is said beside it; "" if neither is known.
func (f *format) declared(file File) string {
	if f.text.charset != nil {
		own := f.text.charset(file.Data)
		if enc, _ := declaredEncoding(own); enc != nil {
			return own
		}
	}
	_, params, err := mime.ParseMediaType(file.MediaType)
	if err != nil {
		return ""
	}
	return mailCharset(params["charset"])
}

// extension returns the extension in lower case, with its dot; "" for none and for dot files.
func extension(name string) string {
	base := strings.TrimRight(baseName(name), " .")
	i := strings.LastIndexByte(base, '.')
	if i <= 0 {
		return ""
	}
	return strings.ToLower(base[i:])
}

func baseName(name string) string {
	return name[strings.LastIndexAny(name, `/\`)+1:]
}

// quoted returns the base name of a file for a message: without control and formatting
// characters, which could make it look like another, and not longer than 120 characters.
func quoted(name string) string {
	clean := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) || r == unicode.ReplacementChar {
			return -1
		}
		return r
	}, baseName(name))
	if runes := []rune(clean); len(runes) > 120 {
		clean = string(runes[:119]) + "…"
	}
	return "“" + clean + "”"
}

// Refuse makes the error for a file that can't be read; the cause continues "The file NAME …".
func Refuse(name, code, cause string, args ...any) error {
	return problem.New(problem.Invalid, code, "The file %s %s.", quoted(name), fmt.Sprintf(cause, args...))
}

type signature struct{ magic, what string }

func signatures() []signature {
	return []signature{
		{"%PDF-", "a PDF document"},
		{"PK\x03\x04", "a zip archive or an office document"},
		{"PK\x05\x06", "a zip archive"},
		{"\x89PNG\r\n", "a PNG image"},
		{"GIF87a", "a GIF image"},
		{"GIF89a", "a GIF image"},
		{"\xff\xd8\xff", "a JPEG image"},
		{"\x7fELF", "a program"},
		{"\x1f\x8b\x08", "gzip data"},
		{"BZh91AY", "bzip2 data"},
		{"\xfd7zXZ\x00", "xz data"},
		{"7z\xbc\xaf\x27\x1c", "a 7z archive"},
		{"Rar!\x1a\x07", "a RAR archive"},
		{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old office document"},
		{"SQLite format 3\x00", "a SQLite database"},
		{"\x28\xb5\x2f\xfd", "zstd data"},
		{"{\\rtf", "a rich text document"},
	}
}

// binary says what kind of binary data the bytes are, or "" if they may be text.
func binary(data []byte) string {
	for _, s := range signatures() {
		if bytes.HasPrefix(data, []byte(s.magic)) {
			return s.what
		}
	}
	if filler(data) {
		return "binary data"
	}
	return ""
}

// filler reports that one byte above ASCII makes up nearly all of the data, as in memory images.
// Such bytes can be read as text of several encodings, and are text of none.
func filler(data []byte) bool {
	if len(data) < 256 {
		return false
	}
	var count [256]int
	for _, b := range data {
		count[b]++
	}
	for _, n := range count[0x80:] {
		if n > len(data)/10*9 {
			return true
		}
	}
	return false
}

// mostlyControl reports that more than one in fifty characters are control characters that no
// text file has. Tabs, line ends, form feeds, escapes and a final SUB are usual.
func mostlyControl(text string) bool {
	control, all := 0, 0
	for _, r := range text {
		all++
		if r < 0x20 && !strings.ContainsRune("\t\n\v\f\r\x1a\x1b\b", r) || r == 0x7f {
			control++
		}
	}
	return control*50 > all
}

// most is how large an original of the format may be.
func (f *format) most(l Limits) int {
	if l.Bytes > 0 {
		return l.Bytes
	}
	return cmp.Or(f.bytes, MaxBytes)
}
