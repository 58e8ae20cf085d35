// Package git lists the files of a Git repository, of this machine or elsewhere, in one state of it.
//
// Nothing of it is checked out: files are read from its objects, so that no name in it is ever joined to a
// path, no link followed, no hook or filter run, and no configuration of it used. A repository is made by
// whoever may write to it, and what comes from elsewhere is bounded before it is understood.
package git

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/kaoju/kaoju/internal/ingest/source"
	"github.com/kaoju/kaoju/internal/problem"
)

// DefaultPack is how many bytes are fetched at most.
const DefaultPack = 256 << 20

// Limits bound a repository. The zero value of each field is a default.
type Limits struct {
	Pack    int64         // bytes that are fetched; DefaultPack
	Objects int           // that are fetched; 200,000
	Object  int64         // bytes of one that is fetched; 64 MiB
	Total   int64         // bytes of all that are fetched, unpacked; 1 GiB
	Entries int           // files and folders; 100,000
	Depth   int           // of folders; 100
	Time    time.Duration // for one look; 10 minutes
}

func (l Limits) filled() Limits {
	set(&l.Pack, DefaultPack)
	set(&l.Objects, 200_000)
	set(&l.Object, 64<<20)
	set(&l.Total, 1<<30)
	set(&l.Entries, 100_000)
	set(&l.Depth, 100)
	set(&l.Time, 10*time.Minute)
	return l
}

func set[T int | int64 | time.Duration](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}

// Options say how repositories are read.
type Options struct {
	// Supported tells by the name whether files of its type can be read.
	Supported func(name string) bool
	// MaxFile bounds one file in bytes.
	MaxFile int64
	// Client reaches repositories elsewhere: one of package outbound.
	Client *http.Client
	// Token gives the user name and token for a host with its port, "" if there is none. They are sent to
	// that host alone, and only over https.
	Token  func(host string) (user, token string)
	Limits Limits
}

// Repository is a source. It is for one goroutine.
type Repository struct {
	address Address
	options Options
	from    *current
	// What was fetched last, of a repository elsewhere.
	kept   *pack
	latest source.Listing
	commit plumbing.Hash
}

// current is where objects are read from at the moment.
type current struct{ objects }

// Open makes a source of a repository. Nothing is read yet.
func Open(a Address, o Options) *Repository {
	o.Limits = o.Limits.filled()
	return &Repository{address: a, options: o, from: &current{}}
}

// Name is what the repository is remembered by.
func (r *Repository) Name() string { return r.address.Name() }

// Close gives up what was fetched.
func (r *Repository) Close() error {
	if r.kept == nil {
		return nil
	}
	kept := r.kept
	r.kept = nil
	return kept.Close()
}

// List lists the files as they are now. What it listed before can't be opened any more if the state of the
// repository is another. The errors are problems that name the repository and what is wrong with it.
func (r *Repository) List(ctx context.Context) (l source.Listing, err error) {
	shown := r.address.shown()
	defer func() {
		if p := recover(); p != nil { // Nothing that a repository holds ends the process.
			err = problem.Wrap(fmt.Errorf("panic: %v", p), problem.Invalid, "repository_malformed", "The repository can't be read.")
		}
		if err != nil {
			err = about(err, shown)
		}
	}()
	limited, release := context.WithTimeoutCause(ctx, r.options.Limits.Time, tooLarge("it took longer than %s", r.options.Limits.Time))
	defer release()
	if r.address.Remote != nil {
		l, err = r.elsewhere(limited)
	} else {
		l, err = r.here(limited)
	}
	if cause := context.Cause(limited); err != nil && cause != nil {
		err = cause // The library may have hidden it.
	}
	return l, err
}

// about names the repository in front of what is wrong with it.
func about(err error, shown string) error {
	var p *problem.Error
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &p):
		return problem.Wrap(err, p.Kind, p.Code, "%s: %s", shown, p.Detail)
	case errors.Is(err, plumbing.ErrObjectNotFound):
		return problem.Wrap(err, problem.Invalid, "repository_malformed", "%s: a part of the repository is missing.", shown)
	}
	return problem.Wrap(err, problem.Invalid, "repository_malformed", "%s: the repository can't be read.", shown)
}

// state lists the files of a commit.
func (r *Repository) state(ctx context.Context, named plumbing.Hash) (source.Listing, error) {
	commit, tree, err := root(r.from, named)
	if err != nil {
		return source.Listing{}, err
	}
	w := walk{from: r.from, address: r.address, commit: commit.String(), options: r.options, others: map[string]int{}}
	w.out.Root = r.address.shown()
	if tree, err = find(r.from, tree, r.address.Folder, r.options.Limits.Entries); err != nil {
		return source.Listing{}, err
	}
	if err := w.folder(ctx, tree, "", 0); err != nil {
		return source.Listing{}, err
	}
	w.unread()
	return w.out, nil
}
