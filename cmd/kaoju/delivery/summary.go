// Package delivery brings files and folders into a knowledge base, whether that is in a data folder or on
// a server, and says what became of each.
package delivery

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/problem"
)

// Summary is what became of the files.
type Summary struct {
	Added       int       `json:"added"`
	NewVersions int       `json:"new_versions"`
	Unchanged   int       `json:"unchanged"`
	Held        int       `json:"held"`     // kept as drafts: publishing them needs a proposal
	Moved       int       `json:"moved"`    // the same document in another place
	Archived    int       `json:"archived"` // out of force, since their files are gone
	Proposed    int       `json:"proposed"` // proposed to be archived, since their files are gone
	Kept        int       `json:"kept"`     // left in force, since everything is gone at once
	Proposals   []Event   `json:"proposals,omitempty"`
	Failed      []Failure `json:"failed"`
	LeftOut     []Failure `json:"left_out"` // links and the like, which are no documents
}

// NewSummary is that of nothing.
func NewSummary() Summary { return Summary{Failed: []Failure{}, LeftOut: []Failure{}} }

// Failure names a file that was not taken in, and why.
type Failure struct {
	File   string `json:"file"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// String names the path, so that two files of one name are told apart, and the cause.
func (f Failure) String() string {
	if strings.HasPrefix(f.Detail, f.File+":") {
		return fmt.Sprintf("%s (%s)", f.Detail, f.Code)
	}
	return fmt.Sprintf("%s: %s (%s)", f.File, f.Detail, f.Code)
}

// failureOf says of an error what a person may know of it.
func failureOf(file string, err error) Failure {
	var p *problem.Error
	var w *api.Problem
	switch {
	case errors.As(err, &p):
		return Failure{file, problem.CodeOf(err), p.Detail}
	case errors.As(err, &w):
		return Failure{file, w.Code, w.Detail}
	}
	return Failure{file, "internal", err.Error()}
}

// Fail adds a file that was not taken in.
func (s *Summary) Fail(file string, err error) { s.Failed = append(s.Failed, failureOf(file, err)) }

// count adds what became of one file.
func (s *Summary) count(e Event) {
	switch e.Kind {
	case Added:
		s.Added++
	case NewVersion:
		s.NewVersions++
	case Unchanged, Published:
		s.Unchanged++
	case Moved:
		s.Moved++
	case Archived:
		s.Archived++
	case Proposed:
		s.Proposed++
		s.Proposals = append(s.Proposals, e)
	case Kept:
		s.Kept++
	case Failed:
		s.Failed = append(s.Failed, *e.Failure)
	case LeftOut:
		s.LeftOut = append(s.LeftOut, *e.Failure)
	}
	if e.Held {
		s.Held++
	}
}

// Lines are the summary for a person.
func (s Summary) Lines() []string {
	lines := []string{fmt.Sprintf("added %d, new versions %d, unchanged %d, failed %d", s.Added, s.NewVersions, s.Unchanged, len(s.Failed))}
	say := func(n int, format string) {
		if n > 0 {
			lines = append(lines, fmt.Sprintf(format, n))
		}
	}
	say(s.Moved, "moved %d: the same documents under other names")
	say(s.Archived, "archived %d: their files are gone")
	say(s.Proposed, "proposed to archive %d: their files are gone")
	say(s.Kept, "%d left in force: nothing that this folder brought is in it any more; if that is meant, say --allow-empty")
	say(s.Held, "%d kept as drafts: this knowledge base publishes later versions by proposal")
	for _, e := range s.Proposals {
		lines = append(lines, "  "+e.String())
	}
	return lines
}

// Kind says what became of a file.
type Kind string

// The kinds of event.
const (
	Added      Kind = "added"
	NewVersion Kind = "new_version"
	Unchanged  Kind = "unchanged"
	Published  Kind = "published" // the same bytes, which were a draft
	Moved      Kind = "moved"
	Archived   Kind = "archived"
	Proposed   Kind = "proposed"
	Kept       Kind = "kept"
	Failed     Kind = "failed"
	LeftOut    Kind = "left_out"
)

// Event is what became of one file.
type Event struct {
	Kind     Kind     `json:"event"`
	File     string   `json:"file"`
	In       string   `json:"in,omitempty"` // the file that this one was in
	DocKey   string   `json:"doc_key,omitempty"`
	From     string   `json:"from,omitempty"` // the former place of one that moved
	Version  int      `json:"version,omitempty"`
	Document string   `json:"document_id,omitempty"`
	Proposal string   `json:"proposal_id,omitempty"`
	Held     bool     `json:"held,omitempty"`
	Failure  *Failure `json:"failure,omitempty"`
}

// String is the line for a person.
func (e Event) String() string {
	switch e.Kind {
	case NewVersion:
		return e.held(fmt.Sprintf("new version %d: %s", e.Version, e.File))
	case Moved:
		return fmt.Sprintf("moved: %s, which was %s", e.File, e.From)
	case Proposed:
		return fmt.Sprintf("gone: %s; proposal %s would archive it: kaoju doc decide %s approve", e.File, e.Proposal, e.Proposal)
	case Archived:
		return fmt.Sprintf("archived: %s is gone", e.File)
	case Kept:
		return fmt.Sprintf("left in force: %s is gone with everything else (--allow-empty archives it)", e.File)
	case Failed:
		return "failed: " + e.Failure.String()
	case LeftOut:
		return "left out: " + e.Failure.String()
	}
	return e.held(fmt.Sprintf("%s: %s", e.Kind, e.File))
}

func (e Event) held(line string) string {
	if e.Held {
		line += " (kept as a draft: this knowledge base publishes later versions by proposal)"
	}
	return line
}

// Progress is told of each file that is done.
type Progress interface{ Done(name string) }

// Teller adds what is told to the summary.
func (s *Summary) Teller(bar Progress) func(Event) {
	return func(e Event) {
		s.count(e)
		switch {
		case e.Kind == LeftOut || e.Kind == Archived || e.Kind == Proposed || e.Kind == Kept || e.In != "":
		default:
			bar.Done(e.File)
		}
	}
}
