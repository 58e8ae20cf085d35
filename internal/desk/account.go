package desk

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// Account is a run as its actor may see it now. Its answer, sections and checks are reduced to
// the sentences whose evidence is all still readable.
type Account struct {
	Run *run.Run
	// Cited are the sources of the answer in order of first mention, Read those that were read
	// and not cited, Found the documents that were found and not read.
	Cited, Read []Source
	Found       []Found
	// Conflicts are the pairs of readable sources that disagree, if the run found that some do.
	Conflicts []Conflict
	// Reduced is true when something of the answer is missing here.
	Reduced bool
	// Integrity says whether what is stored is what the ledger has of the run's end; nil in lists, where it
	// is not looked at.
	Integrity *run.Integrity
	// Closed is true for a run that holds a proposal about a version which the actor may not see any
	// more: nothing of that is told but its id.
	Closed bool
}

// Source is a passage that the run read. When Withheld, only its Ref is set.
type Source struct {
	citation.Evidence
	Withheld  bool
	Now       access.Status // of the version, at this moment
	Published time.Time     // when the version was; zero if it never was
}

// Conflict is a pair of sources that disagree, each with the sentence by which it does, exactly
// placed.
type Conflict struct {
	Kind  string
	Sides [2]Side
}

// Side is one source of a conflict.
type Side struct {
	Source
	Quote citation.Quote
}

// Found is a document that a search of the run found.
type Found struct {
	Document corpus.DocumentID
	Title    string
	Version  int
	Chunk    corpus.ChunkID
}

// Run returns one of the actor's own runs.
func (d *Desk) Run(ctx context.Context, actor access.Actor, id run.ID) (Account, error) {
	r, evidence, err := d.deps.Journal.Run(ctx, actor.Tenant, actor.User, id)
	if err != nil {
		return Account{}, err
	}
	var out Account
	err = d.within(ctx, actor, access.Request{View: access.Cited}, func(scope access.Scope) error {
		rights := d.rights(scope)
		if out, err = rights.account(ctx, r, evidence); err != nil {
			return err
		}
		held, err := rights.integrity(ctx, r, evidence)
		out.Integrity = &held
		return err
	})
	return out, err
}

// Runs lists the actor's own runs, newest first.
func (d *Desk) Runs(ctx context.Context, actor access.Actor, f run.Filter) (corpus.Page[Account], error) {
	page, err := d.deps.Journal.Runs(ctx, actor.Tenant, actor.User, f)
	if err != nil {
		return corpus.Page[Account]{}, err
	}
	out := corpus.Page[Account]{Next: page.Next}
	err = d.within(ctx, actor, access.Request{View: access.Cited}, func(scope access.Scope) error {
		out.Items = nil
		rights := d.rights(scope)
		for _, listed := range page.Items {
			r, evidence, err := d.deps.Journal.Run(ctx, actor.Tenant, actor.User, listed.ID)
			if err != nil {
				return err
			}
			a, err := rights.account(ctx, r, evidence)
			if err != nil {
				return err
			}
			out.Items = append(out.Items, a)
		}
		return nil
	})
	return out, err
}

// rights remembers, for one reading under one scope, which versions are readable.
type rights struct {
	desk  *Desk
	scope access.Scope
	known map[corpus.DocumentID]*corpus.Document
}

func (d *Desk) rights(scope access.Scope) *rights {
	return &rights{desk: d, scope: scope, known: map[corpus.DocumentID]*corpus.Document{}}
}

// document returns a version, or nil if the actor may not read it any more.
func (r *rights) document(ctx context.Context, id corpus.DocumentID) (*corpus.Document, error) {
	if doc, ok := r.known[id]; ok {
		return doc, nil
	}
	doc, err := r.desk.deps.Catalog.Document(ctx, r.scope, id)
	switch {
	case problem.Is(err, problem.NotFound):
		r.known[id] = nil
	case err != nil:
		return nil, err
	default:
		r.known[id] = &doc
	}
	return r.known[id], nil
}

// citedView is the view under which a passage stays readable: that of citations for what was in
// force when it was read; for a draft or an archived version, read by its right to history, that
// same right now.
func citedView(e citation.Evidence) access.View {
	if e.Status == access.StatusPublished {
		return access.Cited
	}
	return access.Content
}

// source returns a passage as the actor may see it now.
func (r *rights) source(ctx context.Context, e citation.Evidence) (Source, error) {
	under := r
	if view := citedView(e); view != access.Cited {
		under = r.desk.rights(r.scope.Viewing(view))
	}
	doc, err := under.document(ctx, e.Document)
	if err != nil {
		return Source{}, err
	}
	if doc == nil {
		return Source{Evidence: citation.Evidence{Ref: e.Ref}, Withheld: true}, nil
	}
	return Source{Evidence: e, Now: doc.Status, Published: doc.PublishedAt}, nil
}

// closed reports whether a run holds a proposal about a version that the actor may not see any more,
// as the card of the proposal has it.
func (r *rights) closed(ctx context.Context, stored *run.Run) (bool, error) {
	id := stored.Subject()
	if id == "" {
		return false, nil
	}
	under := r // a version that a call was about stays readable as the sources of runs do
	if stored.Kind == run.ForPublish {
		under = r.desk.rights(r.scope.Viewing(access.Content))
	}
	doc, err := under.document(ctx, id)
	return doc == nil, err
}

// account reduces a run to what the actor may see now. The stored run stays as it is.
func (r *rights) account(ctx context.Context, stored *run.Run, evidence []citation.Evidence) (Account, error) {
	c := *stored
	closed, err := r.closed(ctx, stored)
	if err != nil {
		return Account{}, err
	}
	a := Account{Run: &c, Closed: closed}
	if closed {
		c.Scope = run.Scope{}
	}
	lost := map[string]bool{}
	sources := map[string]Source{}
	for _, e := range evidence {
		s, err := r.source(ctx, e)
		if err != nil {
			return Account{}, err
		}
		sources[e.Ref] = s
		if s.Withheld {
			lost[e.Ref] = true
		}
		if !c.Cited(e.Ref) {
			a.Read = append(a.Read, s)
		}
	}
	for _, ref := range c.Answer.Refs {
		s, ok := sources[ref]
		if !ok {
			s = Source{Evidence: citation.Evidence{Ref: ref}, Withheld: true}
			lost[ref] = true
		}
		a.Cited = append(a.Cited, s)
	}
	if a.Found, err = r.found(ctx, stored, evidence); err != nil {
		return Account{}, err
	}
	if len(lost) > 0 {
		a.reduce(lost)
	}
	if slices.Contains(c.Notices, run.Erased) {
		// What was erased is told of in the words for everything that is no longer available.
		c.Notices = slices.DeleteFunc(slices.Clone(c.Notices), func(n string) bool { return n == run.Erased })
		a.Reduced = true
	}
	if slices.Contains(c.Notices, citation.SourcesDisagree) {
		a.Conflicts = conflicts(&c, sources)
	}
	c.Conflicts = nil // as far as they may be seen, they stand above
	if slices.ContainsFunc(a.Cited, func(s Source) bool { return s.Now == access.StatusArchived }) {
		c.NeedsConfirm = true
	}
	return a, nil
}

// conflicts are the disagreements that a run found of which both sides are readable now. Runs from before they were
// kept have them found anew among what is readable.
func conflicts(r *run.Run, sources map[string]Source) []Conflict {
	told := r.Conflicts
	if len(told) == 0 {
		var readable []citation.Evidence
		for _, ref := range slices.Sorted(maps.Keys(sources)) {
			if s := sources[ref]; !s.Withheld {
				readable = append(readable, s.Evidence)
			}
		}
		told = citation.Conflicts(r.Goal, readable, r.Answer.Refs)
	}
	var out []Conflict
	for _, c := range told {
		found := Conflict{Kind: c.Kind}
		whole := true
		for i, ref := range c.Refs {
			s, ok := sources[ref]
			q, placed := s.Place(c.Quotes[i])
			if !placed { // a part of a row, which has no place of its own
				q = citation.Quote{Text: c.Quotes[i], Span: s.Span, Locator: s.Locator}
			}
			found.Sides[i] = Side{Source: s, Quote: q}
			whole = whole && ok && !s.Withheld && c.Quotes[i] != "" // without its words it shows nothing
		}
		if whole {
			out = append(out, found)
		}
	}
	return out
}

// found lists the documents that were found and not read, each once, as far as they are readable.
func (r *rights) found(ctx context.Context, stored *run.Run, evidence []citation.Evidence) ([]Found, error) {
	done := map[corpus.DocumentID]bool{}
	for _, e := range evidence {
		done[e.Document] = true
	}
	var out []Found
	for _, h := range stored.Hits {
		if done[h.Document] {
			continue
		}
		done[h.Document] = true
		doc, err := r.document(ctx, h.Document)
		if err != nil {
			return nil, err
		}
		if doc != nil {
			out = append(out, Found{h.Document, doc.Title, h.Version, h.Chunk})
		}
	}
	return out, nil
}

// reduce takes out of the answer whatever leans on passages that are lost to the actor. A
// sentence that cites nothing may lean on any passage that was read, cited or not.
func (a *Account) reduce(lost map[string]bool) {
	r := a.Run
	had := r.Answer.Text
	readable := func(ref string) bool { return !lost[ref] }
	whole := r.Answer
	whole.Refs = append(slices.Clone(whole.Refs), slices.Sorted(maps.Keys(lost))...)
	r.Answer, _ = citation.Reduce(whole, readable)
	r.Checks = citation.ReduceChecks(r.Checks, readable)
	a.Reduced = r.Answer.Text != had
}
