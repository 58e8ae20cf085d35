package pdf

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/kaoju/kaoju/internal/problem"
)

// document is an open file in a machine.
type document struct {
	*machine
	handle uint64
	pages  int
	pad    pad
}

// What PDFium says of a file that it does not open.
const (
	errorPassword = 4
	errorSecurity = 5
)

func malformed(cause string) error {
	return problem.New(problem.Invalid, "pdf_malformed", "%s", cause)
}

func (m *machine) open(data []byte) (*document, error) {
	address := m.load(data)
	if address == 0 {
		return nil, problem.New(problem.Invalid, "too_large", "needs more memory than one file may take")
	}
	d := &document{machine: m, handle: m.call("FPDF_LoadMemDocument64", address, uint64(len(data)), 0)}
	if d.handle == 0 {
		if code := m.integer("FPDF_GetLastError"); m.err == nil && (code == errorPassword || code == errorSecurity) {
			return nil, problem.New(problem.Invalid, "document_encrypted", "is encrypted and needs a password to be opened")
		}
		return nil, malformed("is not a PDF document that can be read")
	}
	if d.pages = m.integer("FPDF_GetPageCount", d.handle); m.err != nil || d.pages <= 0 {
		return nil, malformed("has no page that can be read")
	}
	return d, nil
}

// label returns the printed number of a page, where it is not the number in the file.
func (d *document) label(page int) string {
	s := tidy(d.text("FPDF_GetPageLabel", d.handle, uint64(page-1))) //nolint:gosec // Pages are counted from 1.
	if s == strconv.Itoa(page) || len(s) > 64 {
		return ""
	}
	return s
}

// tag returns an entry of the document's information, on one line.
func (d *document) tag(name string) string {
	key := append([]byte(name), 0)
	at := d.scratch + scratchBytes/2
	if !d.memory.Write(uint32(at), key) { //nolint:gosec // Addresses are of 32 bits.
		return ""
	}
	n := d.integer("FPDF_GetMetaText", d.handle, at, 0, 0)
	if n <= 2 || n > scratchBytes/2 {
		return ""
	}
	return tidy(d.text("FPDF_GetMetaText", d.handle, at))
}

// fileName finds the ending of a file's name; a number after a dot is none.
var fileName = regexp.MustCompile(`.\.\pL[\pL\pN]{0,3}$`)

// title returns the title that the document gives itself, if a person may have written it: many
// programs put the name of a file there.
func (d *document) title() string {
	title := d.tag("Title")
	lower := strings.ToLower(title)
	for _, made := range []string{"untitled", "microsoft word", "microsoft powerpoint", "microsoft excel", "powerpoint presentation", "slide 1", "无标题", "(anonymous)"} {
		if strings.HasPrefix(lower, made) {
			return ""
		}
	}
	if fileName.MatchString(title) {
		return ""
	}
	if len([]rune(title)) > 200 {
		return ""
	}
	return title
}

// entry is a bookmark: the document's own table of contents.
type entry struct {
	name  string // without white space, compatible characters folded
	page  int    // from 1; 0 if it leads nowhere
	level int    // from 1
}

// The bookmarks of a document, which can be a loop.
const (
	maxEntries = 5000
	maxLevels  = 9
)

func (d *document) outline() []entry {
	var out []entry
	seen := map[uint64]bool{}
	var walk func(parent uint64, level int)
	walk = func(parent uint64, level int) {
		if level > maxLevels {
			return
		}
		mark := d.call("FPDFBookmark_GetFirstChild", d.handle, parent)
		for mark != 0 && !seen[mark] && len(out) < maxEntries && d.err == nil {
			seen[mark] = true
			page := 0
			if dest := d.call("FPDFBookmark_GetDest", d.handle, mark); dest != 0 {
				page = d.integer("FPDFDest_GetDestPageIndex", d.handle, dest) + 1
			}
			if name := squeeze(d.text("FPDFBookmark_GetTitle", mark)); name != "" {
				out = append(out, entry{name: name, page: page, level: level})
			}
			walk(mark, level+1)
			mark = d.call("FPDFBookmark_GetNextSibling", d.handle, mark)
		}
	}
	walk(0, 1)
	return out
}

// tidy makes one line without control characters of a name.
func tidy(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// squeeze brings a name into the form in which names are compared.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKC.String(s))
}
