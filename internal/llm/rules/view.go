package rules

import (
	"encoding/json"
	"strings"

	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/llm"
)

// passage is a text that the run was given to answer from.
type passage struct {
	ref     string
	doc     string // document id or key
	title   string
	heading []string
	header  string // the header of the table or sheet that the place lies in
	rows    bool   // every line is a row of a table
	text    string

	truncatedBefore, truncatedAfter bool
}

// hit is a document that a search found.
type hit struct {
	doc, title, snippet string
	heading             []string
}

// view is what the messages say of the run so far.
type view struct {
	question, memory string
	direct           bool
	canSearch        bool // the tool was offered
	canRead          bool
	passages         []passage
	queries          map[string]bool // searched, folded
	hits             []hit           // of all searches, each document once
	tried            map[string]bool // documents whose reading was asked for
	calls            int
	searchesLeft     int
	documentsLeft    int
}

// The limits that hold until a tool result says what is left.
const (
	defaultSearches  = 2
	defaultDocuments = 3
)

// observe reads the messages of a request.
func observe(req llm.Request) *view {
	v := &view{
		queries: map[string]bool{}, tried: map[string]bool{},
		searchesLeft: defaultSearches, documentsLeft: defaultDocuments,
	}
	for _, t := range req.Tools {
		v.canSearch = v.canSearch || t.Name == searchTool
		v.canRead = v.canRead || t.Name == readTool
	}
	asked := map[string]llm.ToolCall{}
	for _, m := range req.Messages {
		switch m.Role {
		case llm.System:
			for line := range strings.Lines(m.Text) {
				v.direct = v.direct || strings.TrimSpace(line) == "mode: direct"
			}
		case llm.User:
			v.hear(m.Text)
		case llm.Assistant:
			for _, c := range m.Calls {
				v.calls++
				asked[c.ID] = c
				v.note(c)
			}
		case llm.Tool:
			v.learn(asked[m.CallID].Name, m.Text)
		}
	}
	return v
}

// hear reads a user message. The first that holds a question counts; a later one, which asks for
// a repair, changes nothing, since the same rules would write the same again.
func (v *view) hear(text string) {
	if v.question != "" {
		return
	}
	if rest, ok := strings.CutPrefix(strings.TrimLeft(text, "\n "), "<memory>"); ok {
		if memory, after, ok := strings.Cut(rest, "</memory>"); ok {
			v.memory, text = memory, after
		}
	}
	_, rest, ok := strings.Cut(text, "<question>")
	if !ok {
		v.question = strings.TrimSpace(text)
		return
	}
	question, rest, _ := strings.Cut(rest, "</question>")
	v.question = strings.TrimSpace(question)
	if _, context, ok := strings.Cut(rest, "<context>\n"); ok {
		v.passages = append(v.passages, parseContext(context)...)
	}
}

// note remembers what was asked of the tools.
func (v *view) note(c llm.ToolCall) {
	var args struct {
		Query    string `json:"query"`
		Document string `json:"document_id"`
	}
	if json.Unmarshal([]byte(c.Arguments), &args) != nil {
		return
	}
	switch c.Name {
	case searchTool:
		v.queries[normal(args.Query)] = true
		v.searchesLeft--
	case readTool:
		if !v.tried[args.Document] {
			v.documentsLeft--
		}
		v.tried[args.Document] = true
	}
}

// normal is the form in which two queries are the same search.
func normal(query string) string {
	return strings.Join(strings.Fields(analysis.Fold(query)), " ")
}

// result is what both tools answer.
type result struct {
	OK        bool      `json:"ok"`
	Hits      []found   `json:"hits"`
	Remaining remaining `json:"remaining"`
	Ref       string    `json:"ref"`
	Text      string    `json:"text"`
	Before    bool      `json:"truncated_before"`
	After     bool      `json:"truncated_after"`
	found
}

type found struct {
	Document string          `json:"document_id"`
	Title    string          `json:"title"`
	Heading  []string        `json:"heading_path"`
	Snippet  string          `json:"snippet"`
	Locator  json.RawMessage `json:"locator"`
}

type remaining struct {
	Searches  *int `json:"searches"`
	Documents *int `json:"documents"`
}

// learn reads a tool's answer. One that is no JSON, or whose tool is unknown, teaches nothing.
func (v *view) learn(tool, text string) {
	var r result
	if json.Unmarshal([]byte(text), &r) != nil {
		return
	}
	if r.Remaining.Searches != nil {
		v.searchesLeft = *r.Remaining.Searches
	}
	if r.Remaining.Documents != nil {
		v.documentsLeft = *r.Remaining.Documents
	}
	switch {
	case !r.OK:
	case tool == searchTool:
		for _, h := range r.Hits {
			v.addHit(hit{doc: h.Document, title: h.Title, snippet: h.Snippet, heading: h.Heading})
		}
	case tool == readTool && validRef(r.Ref):
		p := passage{
			ref: r.Ref, doc: r.Document, title: r.Title, heading: r.Heading, text: r.Text,
			truncatedBefore: r.Before, truncatedAfter: r.After,
		}
		p.place(r.Locator)
		v.passages = append(v.passages, p)
	}
}

// addHit keeps the first hit of each document.
func (v *view) addHit(h hit) {
	for _, k := range v.hits {
		if k.doc == h.doc {
			return
		}
	}
	if h.doc != "" {
		v.hits = append(v.hits, h)
	}
}

// place takes from a locator what helps to understand a text: headings, and a table's header.
func (p *passage) place(raw json.RawMessage) {
	var l struct {
		Kind    string   `json:"kind"`
		Heading []string `json:"heading"`
		Header  string   `json:"header"`
	}
	if json.Unmarshal(raw, &l) != nil {
		return
	}
	if len(p.heading) == 0 {
		p.heading = l.Heading
	}
	p.header = l.Header
	p.rows = l.Kind == "csv" || l.Kind == "xlsx" || l.Kind == "sheet"
}

// validRef reports whether a reference is S or C and a number.
func validRef(ref string) bool {
	if len(ref) < 2 || len(ref) > 6 || ref[0] != 'S' && ref[0] != 'C' {
		return false
	}
	return strings.Trim(ref[1:], "0123456789") == ""
}
