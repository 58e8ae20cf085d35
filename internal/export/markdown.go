package export

import (
	"regexp"
	"strconv"
	"strings"
)

// markdown writes a document as Markdown with footnotes. Every character of a text that could mean
// something there is escaped, and whatever a viewer would make a link of by itself is code.
func markdown(d Document) ([]byte, error) {
	m := &page{d: d, seen: map[string]bool{}}
	m.paragraph("# " + escape(line(d.Title)))
	m.paragraph("*" + escape(d.provenance()) + "*")
	for _, n := range d.notices() {
		m.paragraph("> " + escape(n))
	}
	for _, b := range blocks(d.Body) {
		m.block(b)
	}
	if list := d.doubtful(); len(list) > 0 {
		m.paragraph("## " + escape(d.words().checks))
		m.paragraph(escape(d.words().caution))
		for _, c := range list {
			m.item("- " + escape(c))
		}
	}
	for _, ref := range m.order {
		m.paragraph("[^" + ref + "]: " + escape(d.note(ref)))
	}
	return []byte(strings.TrimRight(m.b.String(), "\n") + "\n"), nil
}

// page is a Markdown document on its way.
type page struct {
	d     Document
	b     strings.Builder
	seen  map[string]bool
	order []string
	list  bool // whether the last thing was an item
}

func (m *page) paragraph(text string) {
	if m.list {
		m.b.WriteString("\n")
		m.list = false
	}
	m.b.WriteString(text + "\n\n")
}

func (m *page) item(text string) {
	m.b.WriteString(text + "\n")
	m.list = true
}

func (m *page) block(b block) {
	switch b.kind {
	case heading:
		// The title is the only heading of the first level.
		m.paragraph(strings.Repeat("#", min(b.level+1, 6)) + " " + m.lines(b.lines, " "))
	case bullet:
		m.item(strings.Repeat("  ", b.level) + "- " + m.lines(b.lines, " "))
	case number:
		m.item(strings.Repeat("   ", b.level) + b.mark + " " + m.lines(b.lines, " "))
	case quote:
		m.paragraph("> " + m.lines(b.lines, "\\\n> "))
	case code:
		m.paragraph(fenced(b))
	default:
		m.paragraph(m.lines(b.lines, "\\\n"))
	}
}

// fenced writes code inside a fence that it does not hold.
func fenced(b block) string {
	var text strings.Builder
	for _, l := range b.lines {
		text.WriteString(l[0].text + "\n")
	}
	ticks := fence(text.String(), 3)
	return ticks + "\n" + text.String() + ticks
}

// fence is a run of backticks longer than any in the text.
func fence(text string, least int) string {
	longest, n := 0, 0
	for _, r := range text {
		if n++; r != '`' {
			n = 0
		}
		longest = max(longest, n)
	}
	return strings.Repeat("`", max(least, longest+1))
}

func (m *page) lines(lines [][]span, between string) string {
	var out []string
	for _, l := range lines {
		var b strings.Builder
		for _, s := range l {
			follow(&b, m.span(s))
		}
		if text := strings.TrimSpace(b.String()); text != "" {
			out = append(out, text)
		}
	}
	return strings.Join(out, between)
}

func (m *page) span(s span) string {
	switch {
	case s.refs != nil:
		var b strings.Builder
		for _, ref := range s.refs {
			if !m.seen[ref] {
				m.seen[ref] = true
				m.order = append(m.order, ref)
			}
			b.WriteString("[^" + ref + "]")
		}
		return b.String()
	case s.code:
		return inCode(s.text)
	case s.bold:
		// White space inside would end the emphasis.
		inner := strings.TrimSpace(s.text)
		if inner == "" {
			return s.text
		}
		i := strings.Index(s.text, inner)
		return s.text[:i] + "**" + escape(inner) + "**" + s.text[i+len(inner):]
	}
	return escape(s.text)
}

// inCode writes a text as a code span.
func inCode(text string) string {
	text = strings.ReplaceAll(text, "\n", " ")
	if strings.TrimSpace(text) == "" {
		return text
	}
	ticks, pad := fence(text, 1), ""
	if strings.ContainsAny(text[:1]+text[len(text)-1:], "` ") {
		pad = " " // a viewer takes one off at each end
	}
	return ticks + pad + text + pad + ticks
}

// follow writes a piece after others. Backticks of two pieces that met would be one longer run, which
// neither ends nor begins what they do, so a space keeps them apart.
func follow(b *strings.Builder, piece string) {
	if strings.HasSuffix(b.String(), "`") && strings.HasPrefix(piece, "`") {
		b.WriteByte(' ')
	}
	b.WriteString(piece)
}

// linkable is what viewers of Markdown make links of by themselves: addresses and mail addresses.
var linkable = regexp.MustCompile(`(?i)[^\s，。；、（）【】「」《》“”'"<>()\[\]]*(?:://|www\.|mailto:|xmpp:|@)[^\s，。；、（）【】「」《》“”<>]*`)

// escape writes a text so that it is shown as it is.
func escape(text string) string {
	var b strings.Builder
	at := 0
	for _, m := range linkable.FindAllStringIndex(text, -1) {
		address := strings.TrimRight(text[m[0]:m[1]], ".,;:!?")
		if address == "" {
			continue
		}
		follow(&b, marked(text[at:m[0]]))
		follow(&b, inCode(address))
		at = m[0] + len(address)
	}
	follow(&b, marked(text[at:]))
	return begin(b.String())
}

var marks = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `<`, `\<`, `>`, `\>`, `&`, `\&`, `|`, `\|`, `~`, `\~`, `$`, `\$`, `^`, `\^`, `{`, `\{`, `}`, `\}`,
)

func marked(text string) string { return marks.Replace(text) }

var numbered = regexp.MustCompile(`^(\s*\d+)([.)])`)

// begin escapes what means something at the beginning of a line alone.
func begin(text string) string {
	trimmed := strings.TrimLeft(text, " \t")
	if trimmed == "" {
		return text
	}
	if strings.ContainsRune("#+-=:%", rune(trimmed[0])) {
		return text[:len(text)-len(trimmed)] + `\` + trimmed
	}
	return numbered.ReplaceAllString(text, "$1\\$2")
}

func itoa(n int) string { return strconv.Itoa(n) }
