// Package eval holds what an evaluation is: a file of cases that says what a right outcome looks
// like on one corpus, the figures that are computed from what came of them, and the stored result.
//
// Four groups are told apart: retrieval (the right document in the right version, and nothing that
// is forbidden), citation (what is claimed is cited, and the cited text supports it), tools (wrong
// arguments, missing rights, a pause for a person), and traceability (from the answer back to the
// bytes of the original, from every tool result to run and actor). A case may belong to several.
//
// The package runs nothing: trial holds cases against the product, report writes what came of it.
// A result holds the words of the question file, ids and figures, and no text of a document.
package eval

import (
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
)

// Group is a part of quality that cases are counted in.
type Group string

// The groups.
const (
	Retrieval    Group = "retrieval"
	Citation     Group = "citation"
	Tools        Group = "tools"
	Traceability Group = "traceability"
)

// Groups returns the four groups in the order in which they are shown.
func Groups() []Group { return []Group{Retrieval, Citation, Tools, Traceability} }

// Outcome is how a question is expected to end.
type Outcome string

// The outcomes.
const (
	Answered     Outcome = "answered"
	Insufficient Outcome = "insufficient"
	Refused      Outcome = "refused"
	Failed       Outcome = "failed"
)

// Suite is a question file.
type Suite struct {
	Name     string
	Language string // of the report, "zh" or "en"
	K        int    // how many documents of a ranking count for hit and recall
	Cases    []Case
}

// DefaultK is the cut of a ranking where a file names none.
const DefaultK = 10

// Case is one question, or one handful of tool calls, with what has to come of it. Fields that are
// empty expect nothing.
type Case struct {
	ID       string
	Line     int // in the file
	Groups   []Group
	Language string
	Tenant   access.TenantID
	As       access.UserID

	Question string
	Bases    []access.KnowledgeBaseID
	DocKey   string
	Route    string

	Wants  Wants
	Forbid Forbidden

	// Calls are made in this order by a scripted model in place of the real one; Reply is what it
	// says at the end.
	Calls []Call
	Reply string

	Propose *Proposal
	Update  *Update
}

// In reports whether the case belongs to a group.
func (c Case) In(g Group) bool { return slices.Contains(c.Groups, g) }

// Named returns the documents that the case names; never nil.
func (c Case) Named() []Target {
	out := slices.Concat([]Target{}, c.Wants.Targets, c.Forbid.Targets)
	places := c.Wants.Citations
	if u := c.Update; u != nil {
		out = append(slices.Concat(out, u.Before.Targets), Target{Document: u.Publish}, Target{Key: u.Key})
		places = slices.Concat(places, u.Before.Citations)
	}
	for _, p := range places {
		out = append(out, p.Target)
	}
	if c.Propose != nil {
		out = append(out, Target{Document: c.Propose.Document})
	}
	out = append(out, Target{Key: corpus.Key(c.DocKey)})
	return slices.DeleteFunc(out, func(t Target) bool { return t == Target{} })
}

// Changes reports whether the case changes documents for good.
func (c Case) Changes() bool {
	return c.Update != nil || c.Propose != nil && c.Propose.Decide == Approve
}

// Wants is what a right outcome looks like.
type Wants struct {
	Outcome      Outcome
	State        string
	FinishReason string
	// Targets are the documents that answer; at least one has to be found, and cited.
	Targets []Target
	Rank    int     // the first target stands at this place or before it; 0: within K
	Recall  float64 // share of the targets that has to be found; 0: one is enough
	NoHits  bool    // the search has to be empty
	// Codes are identifiers that a hit has to hold literally.
	Codes []string
	// Contains stand in the answer, Lacks do not. Answer stand in the answer or in what it cites.
	Contains, Lacks, Answer []string
	Citations               []Place
	// Support is the share of the sentences that has to be supported by what they cite; nil: all.
	Support *float64
}

// Target is a document that answers a question: by id, or by key and maybe version.
type Target struct {
	Document corpus.DocumentID `json:"document,omitempty"`
	Key      corpus.Key        `json:"doc_key,omitempty"`
	Version  int               `json:"version,omitempty"`
}

// Is reports whether the target is a version, or the key of one. Version decides only where
// strict is set: a ranking counts the document, another check counts its version.
func (t Target) Is(id corpus.DocumentID, key corpus.Key, version int, strict bool) bool {
	if t.Document != "" {
		return t.Document == id
	}
	return t.Key == key && (!strict || t.Version == 0 || t.Version == version)
}

// String names the target as the file does.
func (t Target) String() string {
	switch {
	case t.Document != "":
		return string(t.Document)
	case t.Version > 0:
		return string(t.Key) + "@" + itoa(t.Version)
	}
	return string(t.Key)
}

// Place is where a citation has to lead. Empty fields do not select.
type Place struct {
	Target  Target
	Heading string // a heading above the passage
	Line    int    // a line of the original that the passage covers; of a table of values, its row
	Quote   string // words that the passage holds
}

// Forbidden is what must not reach the person.
type Forbidden struct {
	Targets []Target
	Strings []string
}

// Call is one tool call of a scripted model.
type Call struct {
	Tool      string
	Arguments string // as a model writes them: maybe not JSON at all
	Code      string // "ok", or the code of the failure that is expected
	Stripped  int    // identity fields that have to be taken out
}

// Decisions on a proposal.
const (
	Decline = "decline"
	Approve = "approve"
)

// Proposal proposes to publish a version and looks whether everything waits for a person.
type Proposal struct {
	Document corpus.DocumentID
	Code     string          // the refusal that is expected; "" if the proposal has to be taken
	Others   []access.UserID // who must not be able to decide
	Decide   string
}

// Update publishes another version of a document; the case's question is asked before and after.
type Update struct {
	Publish corpus.DocumentID // a draft that is there already, or
	Text    string            // a new version of this key:
	Key     corpus.Key
	File    string // name of its file, which tells the format; the last part of the key if left out
	Base    access.KnowledgeBaseID
	By      access.UserID
	Before  Wants // of the answer before
}
