package ooxml_test

import (
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/parse/ooxml"
)

// alone reads all text of a document that stands alone, in order, with the names of its elements.
func alone(data string, l ooxml.Limits) (string, error) {
	var b strings.Builder
	err := ooxml.ReadAlone([]byte(data), l, func(r *ooxml.Reader) error {
		var visit func(e ooxml.Element) error
		visit = func(e ooxml.Element) error {
			b.WriteString("<" + e.Name + ">")
			return r.Content(visit, func(text []byte) { b.Write(text) })
		}
		return visit(r.Root)
	})
	return b.String(), err
}

func TestADocumentAloneIsReadInItsOrder(t *testing.T) {
	for in, want := range map[string]string{
		`<a>1<b>2</b>3<c/>4</a>`:                                                        "<a>1<b>23<c>4",
		"\ufeff<?xml version=\"1.0\"?>\n<a>x</a>\n<!-- end -->":                         "<a>x",
		`<!DOCTYPE a><a>x</a>`:                                                          "<a>x",
		`<!DOCTYPE a PUBLIC "-//X//Y" "http://x.invalid/y"><a>&lt;&#x4e2d;</a>`:         "<a><中",
		`<a><![CDATA[<raw>]]></a>`:                                                      "<a><raw>",
		`<?xml version="1.0" encoding="ISO-8859-1"?><a>` + "\xe9" + `</a>`:              "<a>é",
		`<?xml version="1.0" encoding="gbk"?><a>` + "\xb1\xc3" + `</a>`:                 "<a>泵",
		`<a xmlns:p="urn:p"><p:b q="1"><!-- c --><?pi x?>y</p:b></a>`:                   "<a><b>y",
		`<a>` + strings.Repeat("<g>", 200) + "x" + strings.Repeat("</g>", 200) + `</a>`: "<a>" + strings.Repeat("<g>", 200) + "x",
	} {
		if got, err := alone(in, ooxml.Limits{}); err != nil || got != want {
			t.Errorf("%.80s reads %.80q (%v), want %.80q", in, got, err, want)
		}
	}
}

func TestADocumentAloneIsBounded(t *testing.T) {
	bomb := `<!DOCTYPE a [<!ENTITY x "aaaaaaaaaa"><!ENTITY y "&x;&x;&x;&x;&x;&x;&x;&x;">]><a>&y;&y;</a>`
	for name, c := range map[string]struct {
		data, code string
		limits     ooxml.Limits
	}{
		"entities":            {bomb, "xml_doctype", ooxml.Limits{}},
		"outside entities":    {`<!DOCTYPE a SYSTEM "x" [<!ENTITY % p SYSTEM "file:///etc/passwd">%p;]><a/>`, "xml_doctype", ooxml.Limits{}},
		"a type inside":       {`<a><!DOCTYPE b></a>`, "xml_doctype", ooxml.Limits{}},
		"another declaration": {`<!ELEMENT a ANY><a/>`, "xml_doctype", ooxml.Limits{}},
		"too deep":            {strings.Repeat("<a>", 300), "xml_depth_limit", ooxml.Limits{}},
		"too many tokens":     {"<a>" + strings.Repeat("<b/>", 100) + "</a>", "xml_token_limit", ooxml.Limits{Tokens: 50}},
		"too many bytes":      {"<a>" + strings.Repeat("x", 200_000) + "</a>", "archive_expansion_limit", ooxml.Limits{Expanded: 100_000}},
		"a long token":        {"<a>" + strings.Repeat("x", 200_000) + "</a>", "archive_expansion_limit", ooxml.Limits{Token: 100_000}},
		"nothing":             {"", "xml_malformed", ooxml.Limits{}},
		"no element":          {"text alone", "xml_malformed", ooxml.Limits{}},
		"no end":              {"<a><b></b>", "xml_malformed", ooxml.Limits{}},
		"the wrong end":       {"<a></b>", "xml_malformed", ooxml.Limits{}},
		"an unknown entity":   {"<a>&copy;</a>", "xml_malformed", ooxml.Limits{}},
		"an unknown encoding": {`<?xml version="1.0" encoding="nope"?><a/>`, "xml_malformed", ooxml.Limits{}},
	} {
		if _, err := alone(c.data, c.limits); code(err) != c.code {
			t.Errorf("%s ends with %v, want %s", name, err, c.code)
		}
	}
}
