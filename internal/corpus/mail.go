package corpus

import "encoding/json"

// EMLLocator is a place in an e-mail message: one of its header fields, or lines of one of its
// parts. Parts are numbered as IMAP does: "1" for the body, "2.1" for the first part inside the
// second. Lines and characters are those of the part as it is read, decoded.
type EMLLocator struct {
	Heading []string `json:"heading"`
	// Header is the name of a header field, such as "Subject". Part says whose: "" for the message's
	// own, or the part that is a message inside it.
	Header string `json:"header,omitempty"`
	Part   string `json:"part,omitempty"`
	// ContentType is the media type of the part, Attachment its file name if it has one.
	ContentType string `json:"content_type,omitempty"`
	Attachment  string `json:"attachment,omitempty"`
	Line        int    `json:"line,omitempty"`
	LineEnd     int    `json:"line_end,omitempty"`
	Char        [2]int `json:"char,omitzero"`
	Element     string `json:"element,omitempty"` // as in TextLocator
	// HeaderEnd and PartEnd say where a place ends that goes on to another field or part.
	HeaderEnd string `json:"header_end,omitempty"`
	PartEnd   string `json:"part_end,omitempty"`
}

// Kind returns "eml".
func (EMLLocator) Kind() string { return "eml" }

func (EMLLocator) sealed() {}

// plainEML is the flat form of the locator with its kind.
type (
	plainEML struct {
		Kind string `json:"kind"`
		emlFields
	}
	emlFields EMLLocator
)

// MarshalJSON writes the flat form with its kind.
func (l EMLLocator) MarshalJSON() ([]byte, error) {
	return json.Marshal(plainEML{l.Kind(), emlFields(l)})
}

func (l EMLLocator) headings() []string { return l.Heading }

func (l EMLLocator) under(path []string) Locator {
	l.Heading = path
	return l
}

// spot is a field or a part of a message.
type spot struct{ header, part string }

func (l EMLLocator) first() spot { return spot{l.Header, l.Part} }

func (l EMLLocator) last() spot {
	if end := (spot{l.HeaderEnd, l.PartEnd}); end != (spot{}) {
		return end
	}
	return l.first()
}

// Through goes from where this place begins to where the later one ends.
func (l EMLLocator) Through(last Locator) Locator {
	t, ok := last.(EMLLocator)
	if !ok {
		return l
	}
	end, line := t.last(), max(t.Line, t.LineEnd)
	if t.last() != t.first() {
		line = t.LineEnd
	}
	l.Heading = commonHeading(l.Heading, t.Heading)
	l.Char[1] = t.Char[1]
	l.HeaderEnd, l.PartEnd, l.LineEnd = "", "", 0
	if end == l.first() {
		if line > l.Line {
			l.LineEnd = line
		}
		if l.Element != t.Element {
			l.Element = commonElement(l.Element, t.Element)
		}
		return l
	}
	l.HeaderEnd, l.PartEnd, l.LineEnd = end.header, end.part, line
	l.Element = ""
	return l
}
