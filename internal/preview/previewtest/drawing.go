package previewtest

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// drawn are the attributes that each element of a drawing may have, with what they may say. A name of several words is
// written with its namespace.
var drawn = map[string]map[string]*regexp.Regexp{
	"svg": {
		"xmlns": regexp.MustCompile(`^http://www\.w3\.org/2000/svg$`), "class": regexp.MustCompile(`^doc-sketch$`), "viewBox": regexp.MustCompile(`^0 0 \d+ \d+$`),
		"fill": regexp.MustCompile(`^none$`), "stroke": regexp.MustCompile(`^currentColor$`), "stroke-linecap": regexp.MustCompile(`^round$`), "data-scale": floats, "data-shift": floats,
		"data-sheet": anything, "data-sheets": anything, "data-hidden": regexp.MustCompile(`^true$`), "data-partial": regexp.MustCompile(`^true$`),
	},
	"g": {
		"class": regexp.MustCompile(`^doc-labels?$`), "id": regexp.MustCompile(`^doc-(entity|element)-\d+$`), "data-box": regexp.MustCompile(`^-?\d+( -?\d+){3}$`),
		"fill": regexp.MustCompile(`^currentColor$`), "stroke": regexp.MustCompile(`^none$`),
	},
	"path": {
		"class": regexp.MustCompile(`^doc-ink-(plain|grey|red|yellow|green|cyan|blue|magenta)( doc-area)?$`), "d": regexp.MustCompile(`^M[-\dMlcz ]*$`),
		"stroke-width": regexp.MustCompile(`^[1-9]\d*$`), "vector-effect": regexp.MustCompile(`^non-scaling-stroke$`), "fill": regexp.MustCompile(`^currentColor$`), "fill-opacity": regexp.MustCompile(`^0\.2$`), "fill-rule": regexp.MustCompile(`^evenodd$`),
	},
	"text": {
		"font-size": regexp.MustCompile(`^100$`), "text-anchor": regexp.MustCompile(`^(start|middle|end)$`), "transform": regexp.MustCompile(`^matrix\(-?\d+(\.\d+)?( -?\d+(\.\d+)?){5}\)$`),
	},
}

var (
	floats   = regexp.MustCompile(`^-?\d+(\.\d+)? -?\d+(\.\d+)?$`)
	anything = regexp.MustCompile(`(?s)^.*$`)
)

// DrawingFaults holds an SVG of a drawing against what any may hold. It reads it as XML, which a viewer does too, and as HTML,
// in which nothing may be hidden from that.
func DrawingFaults(svg string) []string {
	faults, _, _ := drawing(svg)
	return faults
}

// JudgeDrawing holds the SVG of a case against what it must not hold, and against DrawingFaults.
func JudgeDrawing(c Case, svg string) []string {
	faults, markup, text := drawing(svg)
	for _, never := range c.Never {
		never = strings.ToLower(never)
		if strings.Contains(markup, never) || c.Scope == "all" && strings.Contains(text, never) {
			faults = append(faults, fmt.Sprintf("contains %q", never))
		}
	}
	return faults
}

func drawing(svg string) (faults []string, markup, text string) {
	d := xml.NewDecoder(strings.NewReader(svg))
	var m, t strings.Builder
	ids := map[string]bool{}
	for depth := 0; ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return append(faults, "no XML: "+err.Error()), m.String(), t.String()
		}
		switch token := token.(type) {
		case xml.StartElement:
			if depth > 0 { // The root is ours, and the only one.
				m.WriteString("<" + token.Name.Local + ">")
			}
			if (token.Name.Local == "svg") != (depth == 0) || token.Name.Space != "http://www.w3.org/2000/svg" {
				faults = append(faults, "the element "+token.Name.Local)
			}
			depth++
			for _, a := range token.Attr {
				name := a.Name.Local
				if a.Name.Space != "" {
					name = a.Name.Space + ":" + name
				}
				if pattern := drawn[token.Name.Local][name]; pattern == nil || !pattern.MatchString(a.Value) {
					faults = append(faults, fmt.Sprintf("attribute %s.%s=%.60q", token.Name.Local, name, a.Value))
				}
				if name == "data-sheet" || name == "data-sheets" {
					t.WriteString(strings.ToLower(a.Value))
				}
				if name == "id" && ids[a.Value] {
					faults = append(faults, "twice the id "+a.Value)
				} else if name == "id" {
					ids[a.Value] = true
				}
			}
		case xml.EndElement:
			depth--
		case xml.CharData:
			t.WriteString(strings.ToLower(string(token)))
		default:
			faults = append(faults, fmt.Sprintf("a %T", token))
		}
	}
	// Read as HTML it has the same elements: nothing ends one early there.
	asHTML, _, _ := read(svg)
	if n := strings.Count(asHTML, "<") - strings.Count(asHTML, "</"); n != 1+strings.Count(m.String(), "<") {
		faults = append(faults, fmt.Sprintf("%d elements as HTML, and %d as XML", n, 1+strings.Count(m.String(), "<")))
	}
	return faults, m.String(), t.String()
}
