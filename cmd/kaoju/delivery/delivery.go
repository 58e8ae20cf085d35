package delivery

import (
	"cmp"
	"context"
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
		up := Upload{FileName: cmp.Or(f.FileName, f.Key), MediaType: f.MediaType, Key: f.Key, Publish: d.Publish, URI: f.URI}
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
