package rules

import (
	"cmp"
	"encoding/json"
	"strconv"
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
	origin  origin

	truncatedBefore, truncatedAfter bool
	start, end                      int // its place in the document, in code points
}

// hit is a document that a search found.
type hit struct {
	doc, title, snippet string
	day                 string // of the version's last change
	heading             []string
	early               bool // it lies in the first window of the document
}

// view is what the messages say of the run so far.
type view struct {
	question, memory string
	direct, summary  bool
	canSearch        bool // the tool was offered
	canRead          bool
	passages         []passage
	queries          map[string]bool // searched, folded
	offsets          map[string]bool // windows that were asked for, by document and offset
	hits             []hit           // of all searches, each document once
	tried            map[string]bool // documents whose reading was asked for
	calls            int
	searchesLeft     int
	documentsLeft    int
	callsLeft        int // tool calls
	turnsLeft        int // turns of the engine, the answer among them
}

// The limits that hold until a tool result says what is left.
const (
	defaultSearches  = 2
	defaultDocuments = 3
	defaultCalls     = 8
	defaultTurns     = 8
	// textLimit is how many UTF-16 units of one document a run may read. It is not reported, and a
	// read beyond it would end the run.
	textLimit = 4000
	// windowLimit is how many units one read gives at most.
	windowLimit = 2000
)

// observe reads the messages of a request.
func observe(req llm.Request) *view {
	v := &view{
		queries: map[string]bool{}, offsets: map[string]bool{}, tried: map[string]bool{},
		searchesLeft: defaultSearches, documentsLeft: defaultDocuments, callsLeft: defaultCalls, turnsLeft: defaultTurns,
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
				v.summary = v.summary || strings.TrimSpace(line) == "mode: summary"
			}
		case llm.User:
			v.hear(m.Text)
		case llm.Assistant:
			v.turnsLeft--
			for _, c := range m.Calls {
				v.calls++
				v.callsLeft--
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
	if before, context, ok := strings.Cut(rest, "<context>\n"); ok && !strings.Contains(before, "<progress>") {
		v.passages = append(v.passages, parseContext(context)...)
	}
	// The last block of the message, behind whatever passages say.
	if i := strings.LastIndex(rest, "<progress>\n"); i >= 0 {
		line, end, _ := strings.Cut(rest[i+len("<progress>\n"):], "\n")
		if end == "</progress>" {
			v.resume(line)
		}
	}
}

// resume reads what a run had found, and what is left to it, where it goes on after an interruption.
func (v *view) resume(line string) {
	var p struct {
		Found []struct {
			Document string   `json:"document_id"`
			Title    string   `json:"title"`
			Refs     []string `json:"refs"`
		} `json:"found"`
		Remaining remaining `json:"remaining"`
	}
	if json.Unmarshal([]byte(line), &p) != nil {
		return
	}
	p.Remaining.tell(v)
	for _, f := range p.Found {
		if v.addHit(hit{doc: f.Document, title: f.Title}); len(f.Refs) > 0 {
			v.tried[f.Document] = true
		}
	}
}

// note remembers what was asked of the tools.
func (v *view) note(c llm.ToolCall) {
	var args struct {
		Query    string `json:"query"`
		Document string `json:"document_id"`
		Offset   *int   `json:"offset"`
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
		if args.Offset != nil {
			v.offsets[window(args.Document, *args.Offset)] = true
		}
	}
}

// window names a part of a document that begins at an offset.
func window(document string, offset int) string { return document + " " + strconv.Itoa(offset) }

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
	Span      struct {
		Start int `json:"start"`
		End   int `json:"end"`
	} `json:"span"`
	found
}

type found struct {
	Document string          `json:"document_id"`
	Title    string          `json:"title"`
	Version  int             `json:"version"`
	Base     string          `json:"knowledge_base_id"`
	BaseName string          `json:"knowledge_base"`
	Updated  string          `json:"updated_at"`
	Heading  []string        `json:"heading_path"`
	Snippet  string          `json:"snippet"`
	Locator  json.RawMessage `json:"locator"`
}

type remaining struct {
	Searches  *int `json:"searches"`
	Documents *int `json:"documents"`
	Calls     *int `json:"tool_calls"`
	Turns     *int `json:"steps"`
}

// tell takes over what is left.
func (r remaining) tell(v *view) {
	for _, x := range []struct{ from, to *int }{
		{r.Searches, &v.searchesLeft}, {r.Documents, &v.documentsLeft}, {r.Calls, &v.callsLeft}, {r.Turns, &v.turnsLeft},
	} {
		if x.from != nil {
			*x.to = *x.from
		}
	}
}

// learn reads a tool's answer. One that is no JSON, or whose tool is unknown, teaches nothing.
func (v *view) learn(tool, text string) {
	var r result
	if json.Unmarshal([]byte(text), &r) != nil {
		return
	}
	r.Remaining.tell(v)
	switch {
	case !r.OK:
	case tool == searchTool:
		for _, h := range r.Hits {
			v.addHit(hit{doc: h.Document, title: h.Title, snippet: h.Snippet, day: day(h.Updated), heading: h.Heading, early: early(h.Locator)})
		}
	case tool == readTool && validRef(r.Ref):
		p := passage{
			ref: r.Ref, doc: r.Document, title: r.Title, text: r.Text, origin: origin{r.Version, cmp.Or(r.BaseName, r.Base), v.dayOf(r.Document)},
			truncatedBefore: r.Before, truncatedAfter: r.After, start: r.Span.Start, end: r.Span.End,
		}
		// The locator names the headings that hold for the whole window, the other field those of
		// the passage that the search found.
		if !p.place(r.Locator) {
			p.heading = r.Heading
		}
		v.passages = append(v.passages, p)
	}
}

// dayOf returns the day of a document that a search found.
func (v *view) dayOf(doc string) string {
	for _, h := range v.hits {
		if h.doc == doc {
			return h.day
		}
	}
	return ""
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

// place takes from a locator what helps to understand a text, headings and a table's header, and
// reports whether it names headings.
func (p *passage) place(raw json.RawMessage) bool {
	var l struct {
		Kind    string    `json:"kind"`
		Heading *[]string `json:"heading"`
		Header  string    `json:"header"`
	}
	if json.Unmarshal(raw, &l) != nil {
		return false
	}
	if l.Heading != nil {
		p.heading = *l.Heading
	}
	p.header = l.Header
	p.rows = l.Kind == "csv" || l.Kind == "xlsx" || l.Kind == "sheet"
	return l.Heading != nil
}
