package git

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/kaoju/kaoju/internal/glyph"
	"github.com/kaoju/kaoju/internal/ingest/source"
	"github.com/kaoju/kaoju/internal/problem"
)

// objects are what a repository consists of.
type objects interface {
	// EncodedObject returns an object, or plumbing.ErrObjectNotFound.
	EncodedObject(plumbing.ObjectType, plumbing.Hash) (plumbing.EncodedObject, error)
	// EncodedObjectSize returns the size that an object would have, without making it.
	EncodedObjectSize(plumbing.Hash) (int64, error)
}

// read returns the bytes of an object of a type if it is no larger than is allowed.
func read(from objects, kind plumbing.ObjectType, h plumbing.Hash, most int64) ([]byte, error) {
	size, err := from.EncodedObjectSize(h)
	if err != nil {
		return nil, err
	}
	if size > most {
		return nil, tooLarge("an object is larger than %d bytes", most)
	}
	o, err := from.EncodedObject(kind, h)
	if err != nil {
		return nil, err
	}
	r, err := o.Reader()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	err = errors.Join(err, r.Close())
	if err == nil && int64(len(data)) != size {
		err = malformed("an object is not as long as it says")
	}
	return data, err
}

// The sizes of objects that are not files.
const (
	maxCommit = 1 << 20
	maxTree   = 16 << 20
	maxTags   = 8 // that name each other
)

// root returns the commit that a name of it stands for, through tags, and its tree.
func root(from objects, h plumbing.Hash) (commit, tree plumbing.Hash, err error) {
	for range maxTags {
		if data, err := read(from, plumbing.CommitObject, h, maxCommit); err == nil {
			tree, err = named(data, "tree ")
			return h, tree, err
		} else if !errors.Is(err, plumbing.ErrObjectNotFound) {
			return h, tree, err
		}
		data, err := read(from, plumbing.TagObject, h, maxCommit)
		if err != nil {
			return h, tree, err
		}
		if h, err = named(data, "object "); err != nil {
			return h, tree, err
		}
	}
	return h, tree, malformed("tags name each other without end")
}

// named returns the object that the first line of a commit or tag names.
func named(data []byte, word string) (h plumbing.Hash, err error) {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	text, ok := strings.CutPrefix(string(line), word)
	if raw, err := hex.DecodeString(text); ok && err == nil && len(raw) == len(h) {
		return plumbing.Hash(raw), nil
	}
	return h, malformed("a commit or tag does not say what it is of")
}

// entry is one name in a folder of a repository.
type entry struct {
	mode string
	name string
	hash plumbing.Hash
}

// entries reads a folder: for each name its mode, a space, the name, a zero byte, a hash. With those that were
// met before there are so many at most.
func entries(from objects, folder plumbing.Hash, met, most int) (out []entry, err error) {
	data, err := read(from, plumbing.TreeObject, folder, maxTree)
	if err != nil {
		return nil, err
	}
	var h plumbing.Hash
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		mode, name, spaced := strings.Cut(string(head), " ")
		if !ok || !spaced || len(rest) < len(h) {
			return nil, malformed("a folder of it can't be read")
		}
		if met+len(out) == most {
			return nil, tooLarge("it has more than %d files and folders", most)
		}
		copy(h[:], rest)
		out, data = append(out, entry{strings.TrimLeft(mode, "0"), name, h}), rest[len(h):]
	}
	return out, nil
}

// find returns a folder below another.
func find(from objects, h plumbing.Hash, folder string, most int) (plumbing.Hash, error) {
	if folder == "" {
		return h, nil
	}
	name, below, _ := strings.Cut(folder, "/")
	list, err := entries(from, h, 0, most)
	if err != nil {
		return h, err
	}
	for _, e := range list {
		if e.name == name && e.mode == modeTree {
			return find(from, e.hash, below, most)
		}
	}
	return h, problem.New(problem.NotFound, "no_such_folder", "There is no folder %q in this state of the repository.", name)
}

// The modes of entries.
const (
	modeTree      = "40000"
	modeLink      = "120000"
	modeSubmodule = "160000"
)

// walk lists the files of a state.
type walk struct {
	from    objects
	address Address
	commit  string
	options Options
	out     source.Listing
	met     int
	others  map[string]int // files by their extensions of which nothing can be read
}

// folder lists a folder and what is below it.
func (w *walk) folder(ctx context.Context, h plumbing.Hash, place string, depth int) error {
	if depth > w.options.Limits.Depth {
		return tooLarge("its folders are nested more than %d deep", w.options.Limits.Depth)
	}
	list, err := entries(w.from, h, w.met, w.options.Limits.Entries)
	if err != nil {
		return err
	}
	// What is kept of the folders above the one that is walked is counted, so that it is bounded too.
	w.met += len(list)
	seen := make(map[string]bool, len(list))
	for _, e := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := path.Join(place, e.name)
		switch {
		case !plain(e.name) || seen[e.name]:
			w.odd(strings.TrimPrefix(place+"/"+e.name, "/"), at, plain(e.name))
		case strings.HasPrefix(e.name, "."):
		case e.mode == modeTree:
			err = w.folder(ctx, e.hash, at, depth+1)
		default:
			err = w.file(e, at)
		}
		if seen[e.name] = true; err != nil {
			return err
		}
	}
	return nil
}

// plain reports whether a name is one that a file may have, and that can be shown.
func plain(name string) bool {
	return name != "" && name != "." && name != ".." && utf8.ValidString(name) && !strings.ContainsAny(name, "/\\") && !strings.ContainsFunc(name, glyph.Steers)
}

// odd tells of a name that is met twice, or that no file can have: it is told quoted, as it may hold what a
// terminal obeys, and has no place, as nothing that was brought in can be there.
func (w *walk) odd(name, place string, twice bool) {
	err := problem.New(problem.Invalid, "bad_name", "%q: a document cannot have this name.", name)
	if !twice {
		w.out.Skipped = append(w.out.Skipped, source.Skipped{Path: strconv.Quote(w.out.At(name)), Err: err})
		return
	}
	w.skip(place, err, false)
}

func (w *walk) skip(place string, err *problem.Error, harmless bool) {
	w.out.Skipped = append(w.out.Skipped, source.Skipped{Path: w.out.At(place), Place: place, Err: err, Harmless: harmless})
}

// file lists one file, or says why it is left alone.
func (w *walk) file(e entry, place string) error {
	shown := w.out.At(place)
	leave := func(code, why string, harmless bool) {
		w.skip(place, problem.New(problem.Invalid, code, "%s: %s.", shown, why), harmless)
	}
	switch {
	case e.mode == modeLink:
		leave("link", "symbolic links are not followed", true)
		return nil
	case e.mode == modeSubmodule:
		leave("submodule", "this is another repository, which is added by itself", true)
		return nil
	case !strings.HasPrefix(e.mode, "100"):
		leave("no_file", "this is no file", true)
		return nil
	case !w.options.Supported(e.name):
		w.others[path.Ext(e.name)]++
		return nil
	}
	size, err := w.from.EncodedObjectSize(e.hash)
	switch {
	case errors.Is(err, plumbing.ErrObjectNotFound): // It was not asked for, as it is too large, or was never fetched.
		leave("file_missing", "the repository does not hold the bytes of this file, or they are too many", false)
		return nil
	case err != nil:
		return err
	case size > w.options.MaxFile:
		leave("file_too_large", fmt.Sprintf("the file is larger than %d bytes", w.options.MaxFile), false)
		return nil
	case size < maxPointer:
		data, err := read(w.from, plumbing.BlobObject, e.hash, maxPointer)
		if err != nil {
			return err
		}
		if bytes.HasPrefix(data, []byte(pointer)) {
			leave("lfs_pointer", "only a pointer of Git LFS is here, and not the file", false)
			return nil
		}
	}
	w.out.Files = append(w.out.Files, source.Original{
		Path: shown, Key: place, Size: size, Root: w.out.Root, Place: place, URI: w.address.URI(w.commit, place), Stamp: e.hash.String(),
		Open: func() (io.ReadCloser, error) { return open(w.from, e.hash, size, shown) },
	})
	return nil
}

// pointer begins a file that stands for one kept elsewhere, which is shorter than maxPointer.
const (
	pointer    = "version https://git-lfs.github.com/spec/v1"
	maxPointer = 1024
)

func open(from objects, h plumbing.Hash, size int64, shown string) (io.ReadCloser, error) {
	data, err := read(from, plumbing.BlobObject, h, size)
	if err != nil {
		return nil, problem.Wrap(err, problem.Invalid, "unreadable", "%s: it cannot be read from the repository.", shown)
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// unread says how many files of each other type there are: one line a type, as a repository has many.
func (w *walk) unread() {
	for _, ext := range slices.Sorted(maps.Keys(w.others)) {
		kind := ext
		if kind == "" {
			kind = "without an extension"
		}
		w.out.Skipped = append(w.out.Skipped, source.Skipped{Path: w.out.At("*" + ext), Harmless: true, Err: problem.New(problem.Invalid, "unknown_type",
			"%s: files of this type (%s) cannot be read; there are %d.", w.out.At("*"+ext), kind, w.others[ext])})
	}
}

func tooLarge(format string, args ...any) error {
	return problem.New(problem.Exhausted, "repository_too_large", "The repository can't be taken in: "+format+".", args...)
}

func malformed(why string) error {
	return problem.New(problem.Invalid, "repository_malformed", "The repository can't be read: %s.", why)
}
