package delivery

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/ingest/source"
	"github.com/kaoju/kaoju/internal/problem"
)

// Delivery brings files into a knowledge base.
type Delivery struct {
	Base    Base
	Publish bool
	// AllowEmpty lets a source in which nothing is left any more take everything out of force.
	AllowEmpty bool
	// Quiet is how long a folder that is followed is without a change before it is looked at; 0 means
	// watch.Quiet.
	Quiet time.Duration
	// Adopt lets a source have documents that came another way, where their keys are those of its files.
	Adopt bool
	// Tell is told what becomes of each file, as soon as it is known.
	Tell func(Event)
	// Part is told how far the reading of a file has come, if it is not nil.
	Part func(file string, done, of int)

	memory memory
}

// pending is an upload whose job is under way.
type pending struct {
	file    source.Original
	up      Upload
	receipt Receipt
}

// Files takes in files that were named, which are no source: none of them is ever missed.
func (d *Delivery) Files(ctx context.Context, files []source.Original) error {
	var under []pending
	for _, f := range files {
		up := Upload{FileName: cmp.Or(f.FileName, f.Key), Key: f.Key, Publish: d.Publish, URI: f.URI}
		p, ok, err := d.send(ctx, f, up)
		if err != nil {
			return err
		}
		if ok {
			under = append(under, p)
		}
	}
	return d.settle(ctx, under)
}

// send uploads one file. ok is true if there is a job to wait for; only the end of the context is an error.
func (d *Delivery) send(ctx context.Context, f source.Original, up Upload) (p pending, ok bool, err error) {
	p = pending{file: f, up: up}
	body, err := f.Open()
	if err == nil {
		p.receipt, err = d.Base.Upload(ctx, up, body)
		_ = body.Close() // It was only read.
	}
	switch {
	case ctx.Err() != nil:
		return p, false, ctx.Err()
	case err != nil && failureOf(f.Path, err).Code == "doc_key_taken":
		d.memory.deal(f) // It is refused again.
		d.fail(f.Path, taken(f.Path, up.Key, err))
		return p, false, nil
	case err != nil:
		d.fail(f.Path, err)
		return p, false, nil
	case p.receipt.Unchanged || p.receipt.Job == "":
		e := d.event(p, Unchanged)
		if p.receipt.Published {
			e.Kind = Published
		}
		d.memory.deal(f)
		d.Tell(e)
		return p, false, nil
	}
	return p, true, nil
}

func (d *Delivery) event(p pending, kind Kind) Event {
	return Event{Kind: kind, File: p.file.Path, DocKey: p.up.Key, Version: p.receipt.Version, Document: p.receipt.Document, Held: p.receipt.Held}
}

func (d *Delivery) fail(file string, err error) {
	f := failureOf(file, err)
	d.Tell(Event{Kind: Failed, File: file, Failure: &f})
}

// settle waits for the jobs of uploads and tells what came of them.
func (d *Delivery) settle(ctx context.Context, under []pending) error {
	for _, p := range under {
		job, err := d.await(ctx, p.file.Path, p.receipt.Job)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			d.fail(p.file.Path, err)
		case job.State != "succeeded":
			d.memory.deal(p.file) // The same bytes fail again.
			d.fail(p.file.Path, jobError(p.file.Path, job))
		default:
			kind := NewVersion
			if p.receipt.Version == 1 {
				kind = Added
			}
			d.memory.deal(p.file)
			d.Tell(d.event(p, kind))
			if err := d.within(ctx, p.file.Path, job); err != nil {
				return err
			}
		}
	}
	return nil
}

func jobError(file string, job api.Job) error {
	if job.Error != nil {
		return &api.Problem{Code: job.Error.Code, Detail: job.Error.Detail}
	}
	return problem.New(problem.Invalid, job.State, "%s: the job ended as %s.", file, job.State)
}

// Sync brings a knowledge base to what a source of that name has now. It returns false if a file was
// left for later, since it may still be written to at that time; a zero time leaves none.
func (d *Delivery) Sync(ctx context.Context, name string, listing source.Listing, now time.Time, quiet time.Duration) (settled bool, err error) {
	known, err := d.known(ctx, name)
	if err != nil {
		return false, err
	}
	for _, s := range listing.Skipped {
		f, kind := failureOf(s.Path, s.Err), Failed
		if s.Harmless {
			kind = LeftOut
		}
		d.Tell(Event{Kind: kind, File: s.Path, Failure: &f})
	}
	d.memory.forget(listing)
	r := round{Delivery: d, name: name, listing: listing, files: map[string]source.Original{}, busy: map[string]bool{}, now: now, quiet: quiet}
	state, err := r.look(ctx, len(known) > 0)
	if err != nil {
		return false, err
	}
	plan := source.Compare(state, known)
	if listing.Gone != nil && len(plan.Removed) == 0 {
		d.fail(listing.Root, listing.Gone)
	}
	if err := r.take(ctx, plan); err != nil {
		return false, err
	}
	if len(r.busy) > 0 { // One of these may be what seems to have gone, under another name.
		return false, nil
	}
	return true, r.remove(ctx, plan)
}

// known are the documents that the source brought, as they are now.
func (d *Delivery) known(ctx context.Context, name string) ([]source.Known, error) {
	list, err := d.Base.Documents(ctx, api.DocumentFilter{Source: name})
	if err != nil {
		return nil, err
	}
	published, err := d.Base.Documents(ctx, api.DocumentFilter{Source: name, Status: "published"})
	if err != nil {
		return nil, err
	}
	inForce := map[string]string{}
	for _, p := range published {
		inForce[p.DocKey] = p.ID
	}
	out, archived := make([]source.Known, 0, len(list)), false
	for _, doc := range list {
		k := source.Known{
			Document: doc.ID, Key: doc.DocKey, Path: doc.SourcePath, Version: doc.Version, Checksum: doc.Checksum,
			Draft: doc.Status == "draft", InForce: inForce[doc.DocKey],
		}
		k.Archived = doc.Status == "archived" && k.InForce == ""
		archived = archived || k.Archived
		out = append(out, k)
	}
	if !archived {
		return out, nil
	}
	all, err := d.Base.Documents(ctx, api.DocumentFilter{Status: "published"})
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, p := range all {
		there[p.DocKey] = true
	}
	for i, k := range out {
		out[i].Archived = k.Archived && !there[k.Key] // else what is from elsewhere took its place
	}
	return out, nil
}

// round is one look at a source.
type round struct {
	*Delivery
	name    string
	listing source.Listing
	files   map[string]source.Original
	busy    map[string]bool // places whose file is left for later or can't be read
	broken  map[string]bool
	now     time.Time
	quiet   time.Duration
}

// look says what the source has now, with checksums if they are needed.
func (r *round) look(ctx context.Context, sums bool) (source.Now, error) {
	r.broken = map[string]bool{}
	state := source.Now{Publish: r.Publish, Left: func(place string) bool {
		return r.busy[place] || r.broken[place] || r.listing.Left(place)
	}}
	for _, f := range r.listing.Files {
		place := f.Place
		if !r.now.IsZero() && f.Fresh(r.now, r.quiet) {
			r.busy[place] = true
			continue
		}
		file := source.File{Path: place}
		if sums {
			sum, err := r.memory.sum(ctx, f)
			switch {
			case ctx.Err() != nil:
				return state, ctx.Err()
			case err != nil:
				r.trouble(f, err)
				continue
			}
			file.Checksum = sum
		}
		r.files[place] = f
		state.Files = append(state.Files, file)
	}
	return state, nil
}

// trouble is a file that can't be read. One that is being written to is only looked at again, if it will be.
func (r *round) trouble(f source.Original, err error) {
	if !r.now.IsZero() && problem.CodeOf(err) == "changed_while_read" {
		r.busy[f.Place] = true
		return
	}
	r.broken[f.Place] = true
	r.fail(f.Path, err)
}

func (r *round) take(ctx context.Context, plan source.Plan) error {
	for _, f := range plan.Unchanged {
		r.memory.deal(r.files[f.Path])
		r.Tell(Event{Kind: Unchanged, File: r.files[f.Path].Path})
	}
	var under []pending
	for _, t := range plan.Take {
		f := r.files[t.Path]
		if r.memory.dealt(f) {
			continue
		}
		up := Upload{FileName: cmp.Or(f.FileName, f.Key), Key: t.Key, Publish: r.Publish, Source: r.name, Place: t.Path, URI: f.URI, Adopt: r.Adopt}
		if t.Kind == source.Moved {
			if err := r.move(ctx, f, up, t); err != nil {
				return err
			}
			continue
		}
		p, ok, err := r.send(ctx, f, up)
		if err != nil {
			return err
		}
		if ok {
			under = append(under, p)
		}
	}
	return r.settle(ctx, under)
}

// move tells the knowledge base of the place that a document has now. Its bytes are not taken if somebody
// else has brought another version meanwhile: they would come back as a newer one.
func (r *round) move(ctx context.Context, f source.Original, up Upload, t source.Take) error {
	newest, err := r.Base.Documents(ctx, api.DocumentFilter{DocKey: t.Key})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		r.fail(f.Path, err)
		return nil
	case len(newest) != 1 || newest[0].ID != t.Was:
		r.fail(f.Path, problem.New(problem.Conflict, "changed_elsewhere",
			"%s: it was %s, of which somebody else has brought a newer version; nothing was done.", f.Path, t.From))
		return nil
	}
	tell := r.Tell
	defer func() { r.Tell = tell }()
	r.Tell = func(e Event) {
		if e.Kind == Unchanged || e.Kind == Published {
			e.Kind, e.From = Moved, t.From
		}
		tell(e)
	}
	p, ok, err := r.send(ctx, f, up)
	if err == nil && ok { // It changed since it was looked at.
		err = r.settle(ctx, []pending{p})
	}
	return err
}

func (r *round) remove(ctx context.Context, plan source.Plan) error {
	keep := plan.Emptied && !r.AllowEmpty && r.listing.Gone == nil
	waiting := map[string]string{}
	if len(plan.Removed) > 0 && !keep {
		var err error
		if waiting, err = r.Base.Waiting(ctx); err != nil {
			return err
		}
	}
	for _, k := range plan.Removed {
		file := r.listing.At(k.Path)
		e := Event{Kind: Archived, File: file, DocKey: k.Key, Document: k.InForce}
		if keep {
			e.Kind = Kept
			r.Tell(e)
			continue
		}
		if r.memory.proposed(k.InForce, r.now) {
			continue
		}
		proposal, err := waiting[k.InForce], error(nil)
		if proposal == "" {
			proposal, err = r.Base.Archive(ctx, k.InForce)
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			r.fail(file, gone(file, err))
			continue
		case proposal != "":
			e.Kind, e.Proposal = Proposed, proposal
			r.memory.propose(k.InForce, r.now)
		}
		r.Tell(e)
	}
	return nil
}

// gone says of what could not be archived what it was about.
func gone(path string, err error) error {
	var p *problem.Error
	var w *api.Problem
	switch {
	case errors.As(err, &p):
		return problem.Wrap(err, p.Kind, p.Code, "%s is gone, and it could not be archived: %s", path, p.Detail)
	case errors.As(err, &w):
		return &api.Problem{Status: w.Status, Code: w.Code, Detail: path + " is gone, and it could not be archived: " + w.Detail}
	}
	return err
}

// taken says of a file that was refused for its key what can be done.
func taken(path, key string, err error) error {
	return problem.Wrap(err, problem.Conflict, "doc_key_taken",
		"%s: the document %q came another way, and this source does not replace it; --adopt lets the source have it.", path, key)
}
