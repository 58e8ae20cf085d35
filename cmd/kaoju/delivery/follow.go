package delivery

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/kaoju/kaoju/internal/ingest/source/dir"
	"github.com/kaoju/kaoju/internal/ingest/source/watch"
	"github.com/kaoju/kaoju/internal/problem"
)

// Read lists what there is at the paths, and how many files that is. It fails if one of them is not there.
func (d *Delivery) Read(ctx context.Context, paths []string) (out []dir.Listing, files int, err error) {
	for _, path := range paths {
		l, err := dir.Read(ctx, path, d.Rules)
		if err != nil {
			return nil, 0, err
		}
		out = append(out, l)
		files += len(l.Files)
	}
	return out, files, nil
}

// Bring takes in what was listed: a folder as the source of that name, or a file by itself.
func (d *Delivery) Bring(ctx context.Context, l dir.Listing, name string) error {
	if l.Root == "" {
		return d.Files(ctx, l.Files)
	}
	_, err := d.Folder(ctx, name, l, time.Time{}, 0)
	return err
}

// Follow brings the knowledge base to what is in folders now, and again whenever that changes, until the
// context ends. Each has the source name of the same place. tell is told of each change, and note of what
// is about no one file. What goes wrong with a file or a folder ends nothing. It fails at once if a path is
// no folder.
func (d *Delivery) Follow(ctx context.Context, folders, names []string, every time.Duration, tell func(Event), note func(string)) error {
	list, _, err := d.Read(ctx, folders)
	if err != nil {
		return err
	}
	for i, l := range list {
		if l.Root == "" {
			return problem.New(problem.Invalid, "invalid_request", "%s: only folders are watched, and this is a file.", folders[i])
		}
	}
	bell, err := watch.Open(folders)
	if err != nil {
		return err
	}
	defer bell.Close()
	d.Tell = func(e Event) {
		if d.memory.news(e) {
			tell(e)
		}
	}
	f := following{d, folders, names, note, map[string]string{}}
	watch.Follow(ctx, bell, watch.Times{Every: every, Quiet: d.Quiet}, f.look, func(err error) {
		note("the system does not tell of all changes (" + err.Error() + "); everything is looked through every " + every.String())
	})
	return nil
}

// following is folders that are followed.
type following struct {
	*Delivery
	folders, names []string
	note           func(string)
	said           map[string]string // of each folder, what was wrong with it as a whole
}

// look goes through all folders once.
func (f following) look(ctx context.Context) watch.Outcome {
	outcome := watch.Done
	for i, folder := range f.folders {
		settled, err := f.one(ctx, folder, f.names[i])
		if ctx.Err() != nil {
			return watch.Done
		}
		line := ""
		switch {
		case err != nil:
			outcome, line = watch.Failed, detailOf(err)
		case !settled && outcome == watch.Done:
			outcome = watch.Unquiet
		}
		if line != f.said[folder] {
			if line == "" {
				line, f.said[folder] = folder+": all is well again", ""
			} else {
				f.said[folder] = line
			}
			f.note(line)
		}
	}
	return outcome
}

func (f following) one(ctx context.Context, folder, name string) (settled bool, err error) {
	l, err := dir.Read(ctx, folder, f.Rules)
	if err != nil {
		return false, err
	}
	if l.Root == "" {
		return false, problem.New(problem.Invalid, "no_folder", "%s: this is no folder any more.", folder)
	}
	return f.Folder(ctx, name, l, time.Now(), cmp.Or(f.Quiet, watch.Quiet))
}

func detailOf(err error) string {
	var p *problem.Error
	if errors.As(err, &p) {
		return p.Detail
	}
	return err.Error()
}
