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
		up := Upload{FileName: cmp.Or(f.FileName, f.Key), MediaType: f.MediaType, Key: t.Key, Publish: r.Publish, Source: r.name, Place: t.Path, URI: f.URI, Adopt: r.Adopt}
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
