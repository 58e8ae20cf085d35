package git

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"

	"github.com/kaoju/kaoju/internal/ingest/source"
	"github.com/kaoju/kaoju/internal/problem"
)

// here lists the files of a repository of this machine.
func (r *Repository) here(ctx context.Context) (source.Listing, error) {
	folder, err := folderOf(r.address.Path)
	if err != nil {
		return source.Listing{}, err
	}
	// Links in it lead nowhere else.
	within := regular{osfs.New(folder, osfs.WithBoundOS())}
	h, err := stateOf(filesystem.NewStorage(within, cache.NewObjectLRUDefault()), r.address.Ref)
	if err != nil {
		return source.Listing{}, err
	}
	s, err := storedIn(within, r.options.Limits)
	if err != nil {
		return source.Listing{}, err
	}
	r.from.objects = s // It keeps no file open, and was made anew, as a repository may be packed anew.
	return r.state(ctx, h)
}

// folderOf returns where the objects of a repository are: beside its files, or without any.
func folderOf(path string) (string, error) {
	missing := problem.New(problem.NotFound, "no_repository", "There is no Git repository there.")
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return "", missing
	}
	switch info, err := os.Lstat(filepath.Join(path, ".git")); {
	case err == nil && info.IsDir():
		path = filepath.Join(path, ".git")
	case err == nil: // It says where the repository is, which may be anywhere.
		return "", problem.New(problem.Invalid, "linked_repository", "This is a work tree of a repository that is elsewhere; name that one.")
	}
	for _, part := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Lstat(filepath.Join(path, part)); err != nil {
			return "", missing
		}
	}
	if _, err := os.Lstat(filepath.Join(path, "objects", "info", "alternates")); err == nil {
		return "", problem.New(problem.Invalid, "linked_repository", "This repository borrows objects from another one (objects/info/alternates); repack it, or name that one.")
	}
	return path, nil
}

// stateOf returns what a name stands for: a branch, a tag, a whole reference, or a commit.
func stateOf(s *filesystem.Storage, ref string) (plumbing.Hash, error) {
	names := candidates(ref)
	for _, name := range names {
		for range 5 { // references that name others
			found, err := s.Reference(name)
			if errors.Is(err, plumbing.ErrReferenceNotFound) {
				break
			}
			if err != nil {
				return plumbing.ZeroHash, err
			}
			if found.Type() == plumbing.HashReference {
				return found.Hash(), nil
			}
			name = found.Target()
		}
	}
	if plumbing.IsHash(ref) {
		return plumbing.NewHash(ref), nil
	}
	return plumbing.ZeroHash, unknownRef(ref)
}

// candidates are the references that a name may mean, in the order in which they are tried.
func candidates(ref string) []plumbing.ReferenceName {
	switch {
	case ref == "":
		return []plumbing.ReferenceName{plumbing.HEAD}
	case len(ref) > 5 && ref[:5] == "refs/":
		return []plumbing.ReferenceName{plumbing.ReferenceName(ref)}
	}
	return []plumbing.ReferenceName{plumbing.NewBranchReferenceName(ref), plumbing.NewTagReferenceName(ref)}
}

func unknownRef(ref string) error {
	if ref == "" {
		return problem.New(problem.NotFound, "no_such_ref", "The repository has no state yet: there is nothing that HEAD names.")
	}
	return problem.New(problem.NotFound, "no_such_ref", "There is no branch, tag or commit %q.", ref)
}

// regular is a file system of which only regular files are opened: a pipe would never end.
type regular struct{ billy.Filesystem }

// Open opens a regular file.
func (r regular) Open(name string) (billy.File, error) { return r.OpenFile(name, os.O_RDONLY, 0) }

// OpenFile opens a regular file to read it; nothing is written.
func (r regular) OpenFile(name string, flag int, _ os.FileMode) (billy.File, error) {
	if flag != os.O_RDONLY {
		return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrPermission}
	}
	info, err := r.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrInvalid}
	}
	return r.Filesystem.OpenFile(name, flag, 0)
}
