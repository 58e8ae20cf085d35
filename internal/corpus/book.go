package corpus

import "encoding/json"

// EPUBLocator is a place in a book: a range of characters of one of its pages, or of several that
// follow one another.
type EPUBLocator struct {
	// Spine counts the pages in the order in which the book names them, from 1, also those that lie
	// beside the order of reading.
	Spine    int `json:"spine"`
	SpineEnd int `json:"spine_end,omitempty"`
	// Href is the name of the file at Spine in the book's archive.
	Href    string   `json:"href"`
	Heading []string `json:"heading"`
	// Char is a half-open range of code points of the decoded file. Where a place goes on to later
	// pages, it begins in the first of them and ends in the last.
	Char [2]int `json:"char"`
	// Element is the path of the element that the place lies in, from the root of the file.
	Element string `json:"element,omitempty"`
	// Aside says that the page lies beside the order of reading, such as one of notes.
	Aside bool `json:"aside,omitempty"`
}

// Kind returns "epub".
func (EPUBLocator) Kind() string { return "epub" }

func (EPUBLocator) sealed() {}

// plainEPUB is the flat form of the locator with its kind.
type (
	plainEPUB struct {
		Kind string `json:"kind"`
		epubFields
	}
	epubFields EPUBLocator
)

// MarshalJSON writes the flat form with its kind.
func (l EPUBLocator) MarshalJSON() ([]byte, error) {
	return json.Marshal(plainEPUB{l.Kind(), epubFields(l)})
}

func (l EPUBLocator) headings() []string { return l.Heading }

func (l EPUBLocator) under(path []string) Locator {
	l.Heading = path
	return l
}

func (l EPUBLocator) chars() ([2]int, bool) { return l.Char, l.SpineEnd == 0 }

func (l EPUBLocator) at(char [2]int) Locator {
	l.Char = char
	return l
}

// Through joins the characters of one page, and names the first and the last of several.
func (l EPUBLocator) Through(last Locator) Locator {
	t, ok := last.(EPUBLocator)
	if !ok {
		return l
	}
	end := max(l.Spine, l.SpineEnd)
	switch there := max(t.Spine, t.SpineEnd); {
	case there > end:
		l.SpineEnd, l.Char[1] = there, t.Char[1]
	case there == end:
		l.Char[1] = max(l.Char[1], t.Char[1])
	}
	switch {
	case l.SpineEnd != 0:
		l.Element = ""
	case l.Element != t.Element:
		l.Element = commonElement(l.Element, t.Element)
	}
	l.Heading = commonHeading(l.Heading, t.Heading)
	l.Aside = l.Aside && t.Aside
	return l
}
