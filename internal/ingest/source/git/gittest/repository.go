// Package gittest writes Git repositories object by object, so that they may be what no program makes.
package gittest

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// Repository is one in a folder of a test.
type Repository struct {
	T     *testing.T
	Path  string
	Store *filesystem.Storage
}

// New makes one whose HEAD is the branch main, which has no state yet. One that is not bare has a folder
// .git.
func New(t *testing.T, bare bool) *Repository {
	t.Helper()
	r := &Repository{T: t, Path: t.TempDir()}
	folder := r.Path
	if !bare {
		folder = filepath.Join(r.Path, ".git")
	}
	r.Store = filesystem.NewStorage(osfs.New(folder), cache.NewObjectLRUDefault())
	r.do(r.Store.Init())
	r.do(r.Store.SetReference(plumbing.NewSymbolicReference(plumbing.HEAD, "refs/heads/main")))
	return r
}

func (r *Repository) do(err error) {
	r.T.Helper()
	if err != nil {
		r.T.Fatal(err)
	}
}

// Object writes an object.
func (r *Repository) Object(kind plumbing.ObjectType, data string) plumbing.Hash {
	r.T.Helper()
	o := r.Store.NewEncodedObject()
	o.SetType(kind)
	w, err := o.Writer()
	r.do(err)
	_, err = io.WriteString(w, data)
	r.do(err)
	r.do(w.Close())
	h, err := r.Store.SetEncodedObject(o)
	r.do(err)
	return h
}

// Entry is an entry of a folder as it stands there.
type Entry struct {
	Mode, Name string
	Hash       plumbing.Hash
}

// Tree writes a folder of files "PATH: TEXT" and of other entries. Of those of one name, files come first.
func (r *Repository) Tree(files []string, others ...Entry) plumbing.Hash {
	r.T.Helper()
	below, all := map[string][]string{}, []Entry(nil)
	for _, f := range files {
		name, text, _ := strings.Cut(f, ": ")
		if folder, rest, ok := strings.Cut(name, "/"); ok {
			below[folder] = append(below[folder], rest+": "+text)
		} else {
			all = append(all, Entry{"100644", name, r.Object(plumbing.BlobObject, text)})
		}
	}
	for folder, files := range below {
		all = append(all, Entry{"40000", folder, r.Tree(files)})
	}
	all = append(all, others...)
	slices.SortStableFunc(all, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	var b strings.Builder
	for _, e := range all {
		fmt.Fprintf(&b, "%s %s\x00%s", e.Mode, e.Name, e.Hash[:])
	}
	return r.Object(plumbing.TreeObject, b.String())
}

// Commit makes a folder the state of a branch.
func (r *Repository) Commit(branch string, tree plumbing.Hash) plumbing.Hash {
	r.T.Helper()
	h := r.Object(plumbing.CommitObject, fmt.Sprintf("tree %s\nauthor a <a@example.com> 1 +0000\ncommitter a <a@example.com> 1 +0000\n\nno\n", tree))
	r.do(r.Store.SetReference(plumbing.NewHashReference(plumbing.NewBranchReferenceName(branch), h)))
	return h
}
