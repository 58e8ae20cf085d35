// Package dir finds the files of folders that are to be taken in, and reads them.
//
// A folder is read as it stands there, by whoever may write into it: nothing in it leads out of it, and
// nothing in it stops the reading.
package dir

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/ingest/source"
	"github.com/kaoju/kaoju/internal/problem"
)

// Rules say what a walk takes.
type Rules struct {
	// Supported tells by the name whether files of its type can be read; one that was named is taken anyway.
	Supported func(name string) bool
	// Except is a folder that is left out wherever it is met, "" for none.
	Except string
}

// List walks the named files and folders in order of their paths. Hidden entries (those whose
// name begins with a dot) are left out silently. Skipped are files that Supported refuses
// (problem.Invalid "unknown_type"), names that are not UTF-8 ("bad_name"), unreadable folders
// ("unreadable"), symbolic links ("link", harmless) and what is no file ("no_file", harmless).
// A path that was named and does not exist is an error of its own.
func List(ctx context.Context, paths []string, rules Rules) (files []source.Original, skipped []source.Skipped, err error) {
	for _, path := range paths {
		l, err := Read(ctx, path, rules)
		if err != nil {
			return nil, nil, err
		}
		files, skipped = append(files, l.Files...), append(skipped, l.Skipped...)
	}
	sort.SliceStable(files, func(i, j int) bool { return files[i].Key < files[j].Key })
	return files, skipped, nil
}

// Read lists what there is at one path, as List says.
func Read(ctx context.Context, path string, rules Rules) (source.Listing, error) {
	info, err := os.Stat(path)
	if err != nil {
		return source.Listing{}, problem.Wrap(err, problem.NotFound, "no_such_file", "%s: %s.", path, reason(err))
	}
	if !info.IsDir() {
		return source.Listing{Files: []source.Original{original("", path, filepath.Base(path), info)}}, nil
	}
	named := path
	if path, err = filepath.EvalSymlinks(named); err != nil { // What was named may be a link itself.
		return source.Listing{}, problem.Wrap(err, problem.NotFound, "no_such_file", "%s: %s.", named, reason(err))
	}
	if !linked(named) {
		path = named // as it was written
	}
	w := walk{root: path, rules: rules, out: source.Listing{Root: path}}
	if rules.Except != "" {
		w.except, _ = os.Stat(rules.Except) // One that is not there is met nowhere.
	}
	err = filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return w.entry(path, entry, err)
	})
	sort.SliceStable(w.out.Files, func(i, j int) bool { return w.out.Files[i].Key < w.out.Files[j].Key })
	return w.out, err
}

// linked reports whether a path names a symbolic link.
func linked(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

type walk struct {
	root   string
	rules  Rules
	except fs.FileInfo
	out    source.Listing
}

func (w *walk) skip(path, place string, err *problem.Error, harmless bool) {
	w.out.Skipped = append(w.out.Skipped, source.Skipped{Path: path, Place: place, Err: err, Harmless: harmless})
}

func (w *walk) entry(path string, entry fs.DirEntry, err error) error {
	rel, failed := filepath.Rel(w.root, path)
	if failed != nil {
		return failed
	}
	place := filepath.ToSlash(rel)
	if err != nil {
		w.skip(path, place, problem.Wrap(err, problem.Invalid, "unreadable", "%s: %s.", path, reason(err)), false)
		if entry != nil && entry.IsDir() {
			return filepath.SkipDir
		}
		return nil
	}
	hidden := strings.HasPrefix(entry.Name(), ".") && path != w.root
	switch {
	case hidden && entry.IsDir():
		return filepath.SkipDir
	case hidden:
		return nil
	case entry.IsDir():
		return w.folder(path, place, entry)
	}
	w.file(path, place, entry)
	return nil
}

// folder reports whether a folder is gone into.
func (w *walk) folder(path, place string, entry fs.DirEntry) error {
	if !utf8.ValidString(entry.Name()) {
		w.skip(path, place, badName(path), false)
		return filepath.SkipDir
	}
	if w.except != nil {
		if info, err := entry.Info(); err == nil && os.SameFile(info, w.except) {
			return filepath.SkipDir
		}
	}
	return nil
}

func (w *walk) file(path, place string, entry fs.DirEntry) {
	switch mode := entry.Type(); {
	case !utf8.ValidString(entry.Name()):
		w.skip(path, place, badName(path), false)
		return
	case mode&fs.ModeSymlink != 0:
		w.skip(path, place, problem.New(problem.Invalid, "link", "%s: symbolic links are not followed.", path), true)
		return
	case !mode.IsRegular():
		w.skip(path, place, problem.New(problem.Invalid, "no_file", "%s: this is no file but a socket, a pipe or a device.", path), true)
		return
	case !w.rules.Supported(entry.Name()):
		w.skip(path, place, problem.New(problem.Invalid, "unknown_type", "%s: files of this type cannot be read.", path), false)
		return
	}
	info, err := entry.Info()
	if errors.Is(err, fs.ErrNotExist) {
		return // It went while the folder was read.
	}
	if err != nil {
		w.skip(path, place, problem.Wrap(err, problem.Invalid, "unreadable", "%s: %s.", path, reason(err)), false)
		return
	}
	w.out.Files = append(w.out.Files, original(w.root, path, place, info))
}

func badName(path string) *problem.Error {
	return problem.New(problem.Invalid, "bad_name", "%q: this name is not UTF-8.", path)
}

// reason says in plain words why a file can't be opened.
func reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file or folder"
	case errors.Is(err, fs.ErrPermission):
		return "permission to read it is denied"
	}
	return "it cannot be read"
}
