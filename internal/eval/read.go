package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// MaxBytes bounds a question file.
const MaxBytes = 16 << 20

// Read reads a question file: YAML, or lines of JSON where the name ends in .jsonl. It is strict:
// an unknown key, a value of the wrong form, an expectation that the groups of its case do not look
// at and a case that could not fail are problem.Invalid "invalid_questions", whose detail names each line and key.
func Read(name string, raw []byte) (Suite, error) {
	name = filepath.Base(name)
	if len(raw) > MaxBytes {
		return Suite{}, broken(name, 1, "", "it is larger than %d bytes", MaxBytes)
	}
	r := &reader{name: name, suite: Suite{K: DefaultK}}
	var err error
	switch strings.ToLower(filepath.Ext(name)) {
	case ".jsonl", ".ndjson":
		err = r.lines(raw)
	case ".yaml", ".yml", ".json":
		err = r.document(raw)
	default:
		err = problem.New(problem.Invalid, "invalid_questions", "%s: a question file ends in .yaml, .yml, .json or .jsonl.", name)
	}
	if err != nil {
		return Suite{}, err
	}
	r.review()
	if len(r.faults) > 0 {
		return Suite{}, r.refusal()
	}
	r.suite.settle()
	return r.suite, nil
}

// reader collects what is wrong with a file, so that a person mends it in one go.
type reader struct {
	name     string
	suite    Suite
	defaults Case
	given    []given // of each case of the suite
	faults   []problem.Field
}

// mostFaults bounds how many faults a message names.
const mostFaults = 20

func (r *reader) fault(line int, key, format string, args ...any) {
	e := broken(r.name, line, key, format, args...)
	r.faults = append(r.faults, e.Fields...)
}

func (r *reader) refusal() error {
	lines := make([]string, 0, mostFaults)
	for i, f := range r.faults {
		if i == mostFaults {
			lines = append(lines, fmt.Sprintf("… and %d more", len(r.faults)-mostFaults))
			break
		}
		lines = append(lines, f.Detail)
	}
	e := problem.New(problem.Invalid, "invalid_questions", "%s", strings.Join(lines, "\n"))
	e.Fields = r.faults
	return e
}

// broken is one fault of a question file.
func broken(name string, line int, key, format string, args ...any) *problem.Error {
	where := fmt.Sprintf("%s:%d", name, line)
	if key != "" {
		where += ": " + key
	}
	e := problem.New(problem.Invalid, "invalid_questions", "%s: %s.", where, fmt.Sprintf(format, args...))
	e.Fields = []problem.Field{{Pointer: "line " + strconv.Itoa(line), Detail: e.Detail}}
	return e
}

// lines reads JSON lines: a header, if the first line has no id, and then a case each.
func (r *reader) lines(raw []byte) error {
	for i, line := range bytes.Split(bytes.TrimPrefix(raw, bom), []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		n, err := parseJSON(r.name, i+1, line)
		if err != nil {
			return err
		}
		header := len(r.suite.Cases) == 0 && n.kind == object && !slices.ContainsFunc(n.fields, func(f field) bool { return f.key == "id" || f.key == "question" })
		if header {
			r.header(n, false)
		} else {
			r.suite.Cases = append(r.suite.Cases, r.newCase(n))
		}
	}
	return nil
}

var bom = []byte("\xef\xbb\xbf")

// document reads a header with its cases.
func (r *reader) document(raw []byte) error {
	n, err := parseYAML(r.name, bytes.TrimPrefix(raw, bom))
	if err != nil {
		return err
	}
	r.header(n, true)
	return nil
}

func (r *reader) header(n node, cases bool) {
	keys := map[string]func(field){
		"format": func(f field) {
			if f.value.text != "1" {
				r.fault(f.line, "format", "must be 1, the only one there is")
			}
		},
		"name":     r.text(&r.suite.Name),
		"language": r.word(&r.suite.Language, "zh", "en"),
		"k":        r.count(&r.suite.K, 1, 50),
		"defaults": func(f field) { r.object(f.value, "defaults", r.placing(&r.defaults)) },
	}
	var list node
	if cases {
		keys["cases"] = func(f field) { list = f.value }
	}
	r.object(n, "", keys)
	for _, item := range r.items(list, "cases") {
		r.suite.Cases = append(r.suite.Cases, r.newCase(item))
	}
}

// settle fills in what a valid file left open.
func (s *Suite) settle() {
	chinese := 0
	for i := range s.Cases {
		c := &s.Cases[i]
		if strings.ContainsFunc(c.Question, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			chinese++
		}
		if len(c.Groups) == 0 {
			c.Groups = c.natural()
		}
		if c.Language == "" {
			c.Language = languageOf(c.Question)
		}
		if c.Question != "" && !c.scripted() {
			c.Wants.settle()
		}
		if c.Update != nil {
			c.Update.Before.settle()
		}
	}
	if s.Language == "" {
		s.Language = "en"
		if 2*chinese > len(s.Cases) {
			s.Language = "zh"
		}
	}
}

// settle fills in how a question is to end: as its state says, which names no outcome where the run
// is not over or was stopped; answered, if nothing is said.
func (w *Wants) settle() {
	switch {
	case w.Outcome != "":
	case w.State == "":
		w.Outcome = Answered
	default:
		w.Outcome = outcomes[run.State(w.State)]
	}
}

var outcomes = map[run.State]Outcome{
	run.Completed: Answered, run.InsufficientEvidence: Insufficient, run.Refused: Refused, run.Failed: Failed,
}

func languageOf(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return "zh"
	}
	return "en"
}

// natural returns the groups of a case that names none.
func (c Case) natural() []Group {
	if c.scripted() {
		return []Group{Tools, Traceability}
	}
	w := c.Wants
	if len(w.Targets)+len(w.Codes)+len(c.Forbid.Targets)+len(c.Forbid.Strings) > 0 || w.NoHits {
		return []Group{Retrieval, Citation, Traceability}
	}
	return []Group{Citation, Traceability}
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}

func itoa(n int) string { return strconv.Itoa(n) }
