package opinion

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
)

// ruling is a model's opinion on one sentence, as it wrote it.
type ruling struct {
	N       *int              `json:"n"`
	Verdict *citation.Verdict `json:"verdict"`
	Quote   *string           `json:"quote"`
}

// mostBytes bounds a response that is read at all.
const mostBytes = 256 << 10

// Decide returns the checks with the model's opinions taken in. A response in any other form than
// the one asked for decides nothing: the error is problem.Unavailable "verifier_output", and the
// checks are those of the rules, marked by Failed.
func (q *Inquiry) Decide(response llm.Response, model string) ([]citation.Check, error) {
	rulings, err := read(response, len(q.asked))
	if err != nil {
		return q.Failed(), problem.Wrap(err, problem.Unavailable, "verifier_output", "The verifier's response is not in the form that was asked for.")
	}
	out := append([]citation.Check{}, q.checks...)
	for i, at := range q.asked {
		out[at] = q.settle(out[at], rulings[i], model)
	}
	return out, nil
}

// Failed returns the checks as the rules decided them, those that were asked about with a mark that
// the verifier was of no help.
func (q *Inquiry) Failed() []citation.Check {
	out := append([]citation.Check{}, q.checks...)
	for _, at := range q.asked {
		out[at].DecidedBy += failedMark
	}
	return out
}

// failedMark stands behind the rule in decided_by.
const failedMark = ", verifier failed"

// read takes the one JSON object of a response apart, strictly.
func read(response llm.Response, n int) ([]ruling, error) {
	text := response.Message.Text
	switch {
	case response.Finish != llm.Stop:
		return nil, errors.New("the response did not come to its end: " + string(response.Finish))
	case len(response.Message.Calls) > 0:
		return nil, errors.New("the response calls tools")
	case len(text) > mostBytes || !utf8.ValidString(text):
		return nil, errors.New("the response is too long, or no text")
	}
	d := json.NewDecoder(bytes.NewReader([]byte(unfenced(text))))
	d.DisallowUnknownFields()
	var body struct {
		Verdicts []ruling `json:"verdicts"`
	}
	if err := d.Decode(&body); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the object")
	}
	if len(body.Verdicts) != n {
		return nil, errors.New("not one verdict for each sentence")
	}
	for i, r := range body.Verdicts {
		if r.N == nil || *r.N != i+1 || r.Verdict == nil || r.Quote == nil || !known(*r.Verdict) {
			return nil, errors.New("a verdict is incomplete, out of order or unknown")
		}
	}
	return body.Verdicts, nil
}

// unfenced takes off one code fence, which many models put around JSON.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	inner, ok := strings.CutPrefix(text, "```")
	if !ok {
		return text
	}
	inner = strings.TrimPrefix(inner, "json")
	if body, ok := strings.CutSuffix(inner, "```"); ok {
		return strings.TrimSpace(body)
	}
	return text
}

func known(v citation.Verdict) bool {
	switch v {
	case citation.Supported, citation.Partly, citation.NotSupported, citation.Contradicted:
		return true
	}
	return false
}

// rank orders verdicts by how much they say for a sentence.
func rank(v citation.Verdict) int {
	switch v {
	case citation.Supported:
		return 3
	case citation.Partly:
		return 2
	case citation.NotSupported:
		return 1
	}
	return 0
}

// settle weighs a model's opinion against the rules'. A quote that stands in no cited excerpt is
// none. Then:
//
//   - the model may lower a verdict; to "contradicted" only with a quote, else to "not_found";
//   - it may raise one only with a quote, never if a number, date, code or name of the sentence was
//     not found, and from "contradicted" no further than to "partly";
//   - where it may not, or agrees, the rules' verdict stands, and the rules are named if the model
//     was overruled.
func (q *Inquiry) settle(c citation.Check, r ruling, model string) citation.Check {
	quote, held := q.quoted(c, *r.Quote)
	verdict := *r.Verdict
	if verdict == citation.Contradicted && !held {
		verdict = citation.NotSupported
	}
	switch {
	case rank(verdict) == rank(c.Verdict):
		if c.Quote == "" && held {
			c.Quote = quote
		}
	case rank(verdict) < rank(c.Verdict):
		c.Verdict = verdict
		if held || verdict == citation.NotSupported {
			c.Quote = quote
		}
	case !held || lacksLiteral(c):
		return c
	case c.Verdict == citation.Contradicted:
		c.Verdict, c.Quote = lower(verdict, citation.Partly), quote
	default:
		c.Verdict, c.Quote = verdict, quote
	}
	c.DecidedBy = "model:" + model
	return c
}

func lower(a, b citation.Verdict) citation.Verdict {
	if rank(a) < rank(b) {
		return a
	}
	return b
}

// lacksLiteral reports whether the rules missed something that must stand in the excerpts literally.
func lacksLiteral(c citation.Check) bool {
	for _, r := range c.Reasons {
		if r.Code == "number" || r.Code == "name" {
			return true
		}
	}
	return false
}

// quoted finds a quote in the excerpts that a check cites, whatever its white space, and returns it
// as it stands there.
func (q *Inquiry) quoted(c citation.Check, quote string) (string, bool) {
	if utf8.RuneCountInString(strings.TrimSpace(quote)) < shortestQuote {
		return "", false
	}
	for _, ref := range c.Labels {
		e := citation.Evidence{Ref: ref, Excerpt: q.texts[ref]}
		if placed, ok := e.Place(quote); ok {
			return placed.Text, true
		}
	}
	return "", false
}

// shortestQuote is the length, in code points, below which a quote decides nothing.
const shortestQuote = 4
