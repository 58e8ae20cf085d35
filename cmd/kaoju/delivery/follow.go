package delivery

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/kaoju/kaoju/internal/ingest/source"
	"github.com/kaoju/kaoju/internal/ingest/source/watch"
	"github.com/kaoju/kaoju/internal/problem"
)

// Listed is what there is in the source of a name.
type Listed struct {
	source.Listing
	Name string
}

// Read lists what there is in the sources, and how many files that is. It fails if a path is not there; what
// is elsewhere and can't be reached is a failure of that source alone.
func (d *Delivery) Read(ctx context.Context, sources []Source, failed *Summary) (out []Listed, files int, err error) {
	for _, s := range sources {
		l, err := s.List(ctx)
		_, here := s.(Place)
		switch {
		case err != nil && (here || ctx.Err() != nil):
			return nil, 0, err
		case err != nil:
			failed.Fail(shown(s), err)
			continue
		}
		out = append(out, Listed{l, s.Name()})
		files += len(l.Files)
		for _, s := range l.Skipped {
			if !s.Harmless {
				files++ // It is told of as the others are.
			}
		}
	}
	return out, files, nil
}

// Bring takes in what was listed: of a source of that name, or a file by itself.
func (d *Delivery) Bring(ctx context.Context, l source.Listing, name string) error {
	if l.Root == "" {
		return d.Files(ctx, l.Files)
	}
	_, err := d.Sync(ctx, name, l, time.Time{}, 0)
	return err
}

// Follow brings the knowledge base to what is in sources now, and again whenever that changes, until the
// context ends. Folders are listened to; other sources are asked every while at most, whatever the folders do. tell is told of each change,
// and note of what is about no one file. What goes wrong with a file or a source ends nothing. It fails at
// once if a path is no folder.
func (d *Delivery) Follow(ctx context.Context, sources []Source, every time.Duration, tell func(Event), note func(string)) error {
	var folders []string
	except := ""
	for _, s := range sources {
		place, ok := s.(Place)
		if !ok {
			continue
		}
		l, err := place.List(ctx)
		if err != nil {
			return err
		}
		if l.Root == "" {
			return problem.New(problem.Invalid, "invalid_request", "%s: only folders are watched, and this is a file.", place.Path)
		}
		folders, except = append(folders, place.Path), place.Rules.Except
	}
	bell, err := watch.Open(folders, except)
	if err != nil {
		return err
	}
	defer bell.Close()
	d.Tell = func(e Event) {
		if d.memory.news(e) {
			tell(e)
		}
	}
	f := following{d, sources, cmp.Or(every, watch.Every), note, map[string]string{}, map[string]turn{}}
	watch.Follow(ctx, bell, watch.Times{Every: every, Quiet: d.Quiet}, f.look, func(err error) {
		note("the system does not tell of all changes (" + err.Error() + "); everything is looked through every " + every.String())
	})
	return nil
}

// following is sources that are followed.
type following struct {
	*Delivery
	sources []Source
	every   time.Duration
	note    func(string)
	said    map[string]string // of each source, what was wrong with it as a whole
	turns   map[string]turn   // of each source that is elsewhere
}

// turn is when a source that is elsewhere is asked again.
type turn struct {
	due  time.Time
	wait time.Duration // after it failed
}

// again is the turn after one that ended at a time. One that failed comes sooner than others, each time
// after twice as long: what it asks may be fetched as a whole before it fails.
func (t turn) again(ended time.Time, every time.Duration, well bool) turn {
	if well {
		return turn{due: ended.Add(every)}
	}
	wait := min(max(2*t.wait, watch.Retry), every)
	return turn{ended.Add(wait), wait}
}

// look goes through all sources whose turn it is once.
func (f following) look(ctx context.Context) watch.Outcome {
	outcome, soon := watch.Done, false
	for _, s := range f.sources {
		name := s.Name()
		_, here := s.(Place)
		if !here && time.Now().Before(f.turns[name].due) {
			soon = soon || f.sooner(name)
			continue
		}
		settled, err := f.one(ctx, s)
		if ctx.Err() != nil {
			return watch.Done
		}
		if !here {
			f.turns[name] = f.turns[name].again(time.Now(), f.every, err == nil && settled)
		}
		line := ""
		if err != nil {
			line = detailOf(err)
		}
		switch {
		case !here:
			soon = soon || f.sooner(name)
		case err != nil:
			outcome = watch.Failed
		case !settled && outcome == watch.Done:
			outcome = watch.Unquiet
		}
		if line != f.said[name] {
			f.said[name] = line
			f.note(cmp.Or(line, shown(s)+": all is well again"))
		}
	}
	if soon && outcome == watch.Done {
		outcome = watch.Failed
	}
	return outcome
}

// sooner reports whether a source is asked again before the time of all.
func (f following) sooner(name string) bool {
	wait := f.turns[name].wait
	return wait > 0 && wait < f.every
}

func (f following) one(ctx context.Context, s Source) (settled bool, err error) {
	l, err := s.List(ctx)
	if err != nil {
		return false, err
	}
	if l.Root == "" {
		return false, problem.New(problem.Invalid, "no_folder", "%s: this is no folder any more.", shown(s))
	}
	return f.Sync(ctx, s.Name(), l, time.Now(), cmp.Or(f.Quiet, watch.Quiet))
}

func detailOf(err error) string {
	var p *problem.Error
	if errors.As(err, &p) {
		return p.Detail
	}
	return err.Error()
}
