package delivery

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/kaoju/kaoju/internal/ingest/source"
	"github.com/kaoju/kaoju/internal/ingest/source/dir"
	"github.com/kaoju/kaoju/internal/ingest/source/download"
	"github.com/kaoju/kaoju/internal/ingest/source/git"
	"github.com/kaoju/kaoju/internal/parse"
)

// Source is where files are from.
type Source interface {
	// Name is what a knowledge base remembers it by.
	Name() string
	// List says what it has now. What was listed before can't be opened any more.
	List(ctx context.Context) (source.Listing, error)
	// Close gives up what it keeps.
	Close() error
}

// Place is a folder or file of this machine.
type Place struct {
	Path  string
	Known string // what it is remembered by
	Rules dir.Rules
}

// Name implements Source.
func (p Place) Name() string { return p.Known }

// List implements Source. A listing of a file has no root: it is no source, and is never missed.
func (p Place) List(ctx context.Context) (source.Listing, error) {
	return dir.Read(ctx, p.Path, p.Rules)
}

// Close implements Source.
func (p Place) Close() error { return nil }

// shown is what a source is called towards people.
func shown(s Source) string {
	if p, ok := s.(Place); ok {
		return p.Path
	}
	return s.Name()
}

// Reach says how sources are reached.
type Reach struct {
	// Except is a folder that is left out wherever it is met, "" for none.
	Except string
	// Client reaches what is elsewhere: one of package outbound.
	Client *http.Client
	// Token gives the user name and token for a host with Git repositories.
	Token func(host string) (user, token string)
	// MaxFile bounds a file in bytes.
	MaxFile int64
	// Git says that everything that is named is a repository.
	Git bool
	// Known is what the one source is remembered by, instead of its address; "" for that.
	Known string
}

// Open makes the source of what a command line names: a path, the address of a Git repository, or that of
// a file on the web.
func (r Reach) Open(named string) (Source, error) {
	switch {
	case strings.HasPrefix(named, git.Prefix), r.Git && strings.Contains(named, "://"):
		a, err := git.Parse(git.Prefix + strings.TrimPrefix(named, git.Prefix))
		return r.repository(a, err)
	case r.Git:
		a, err := git.Local(named, func(path string) bool { _, err := os.Stat(path); return err == nil })
		return r.repository(a, err)
	case download.Address(named):
		f, err := download.Open(named, download.Options{Client: r.Client, MaxFile: r.MaxFile, Named: parse.Fetched})
		if err != nil {
			return nil, err
		}
		return r.remembered(f), nil
	}
	return Place{Path: named, Known: r.known(named), Rules: dir.Rules{Supported: parse.Supported, Except: r.Except}}, nil
}

func (r Reach) repository(a git.Address, err error) (Source, error) {
	if err != nil {
		return nil, err
	}
	return r.remembered(git.Open(a, git.Options{Supported: parse.Supported, MaxFile: r.MaxFile, Client: r.Client, Token: r.Token})), nil
}

// known is what a folder is remembered by: its path, so that it is the same whatever folder the command
// runs in.
func (r Reach) known(path string) string {
	if r.Known != "" {
		return r.Known
	}
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	return "folder:" + filepath.ToSlash(path)
}

// remembered gives a source another name.
func (r Reach) remembered(s Source) Source {
	if r.Known == "" {
		return s
	}
	return renamed{s, r.Known}
}

type renamed struct {
	Source
	known string
}

// Name implements Source.
func (r renamed) Name() string { return r.known }
