package rules

import (
	"strconv"
	"strings"
	"time"
)

// origin is what a passage was taken from, beside its document: what is not known is empty.
type origin struct {
	version int
	base    string // the id of the knowledge base
	day     string // of the version's last change
}

// day returns the day of a time as tools write it, "" if it is none.
func day(written string) string {
	t, err := time.Parse(time.RFC3339, written)
	if err != nil || t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// longestName is how many code points of a title or an id an answer names.
const longestName = 60

// safeName returns a name that a document bears in the form in which an answer may speak of it; "" if
// it can't: a name is the document's own word, and might be more than that.
func safeName(name string) string {
	name = clip(strings.Join(strings.Fields(strings.NewReplacer("《", "", "》", "", `"`, "").Replace(name)), " "), longestName)
	if !quotable(name) || commands(name) {
		return ""
	}
	return name
}

// named says which source a passage is: title, version, day and knowledge base, as far as they are known.
func (l labels) named(p *passage) string {
	name := l.someSource
	if title := safeName(p.title); title != "" {
		name = l.titled[0] + title + l.titled[1]
	}
	if p.origin.version > 0 {
		name += l.version[0] + strconv.Itoa(p.origin.version) + l.version[1]
	}
	var more []string
	if p.origin.day != "" {
		more = append(more, p.origin.day)
	}
	if base := safeName(p.origin.base); base != "" {
		more = append(more, l.base+base)
	}
	if len(more) > 0 {
		name += l.more[0] + strings.Join(more, l.more[1]) + l.more[2]
	}
	return name + l.says
}
