// Package dir finds the files of folders that are to be taken in.
package dir

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/kaoju/kaoju/internal/problem"
)

// File is a file to take in. Key is its identity across versions: the path relative to the
// folder that was named, with slashes, or the file's own name.
type File struct {
	Path string
	Key  string
	Size int64
}

// Skipped is a file that is left alone, with the reason.
type Skipped struct {
	Path string
	Err  error
}

// List walks the named files and folders in order of their paths. Hidden entries (those whose
// name begins with a dot) and symbolic links inside folders are left out silently; a file below
// a folder that supported refuses is skipped with problem.Invalid "unknown_type", an unreadable
// folder with "unreadable". A path that was named and does not exist is an error of its own.
func List(ctx context.Context, paths []string, supported func(name string) bool) (files []File, skipped []Skipped, err error) {
	for _, root := range paths {
		info, err := os.Stat(root)
		if err != nil {
			return nil, nil, problem.Wrap(err, problem.NotFound, "no_such_file", "%s: %s.", root, reason(err))
		}
		if !info.IsDir() {
			files = append(files, File{Path: root, Key: filepath.Base(root), Size: info.Size()})
			continue
		}
		found, left, err := walk(ctx, root, supported)
		if err != nil {
			return nil, nil, err
		}
		files, skipped = append(files, found...), append(skipped, left...)
	}
	sort.SliceStable(files, func(i, j int) bool { return files[i].Key < files[j].Key })
	return files, skipped, nil
}

// Open opens a file that was listed. One that cannot be read is problem.Invalid "unreadable", with
// the reason.
func Open(f File) (*os.File, error) {
	file, err := os.Open(f.Path)
	if err != nil {
		return nil, problem.Wrap(err, problem.Invalid, "unreadable", "%s: %s.", f.Path, reason(err))
	}
	return file, nil
}

func walk(ctx context.Context, root string, supported func(string) bool) (files []File, skipped []Skipped, err error) {
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			skipped = append(skipped, Skipped{path, problem.Wrap(err, problem.Invalid, "unreadable", "%s: %s.", path, reason(err))})
			if entry != nil && entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		hidden := strings.HasPrefix(entry.Name(), ".") && path != root
		switch {
		case hidden && entry.IsDir():
			return filepath.SkipDir
		case hidden || entry.IsDir() || !entry.Type().IsRegular():
			return nil
		}
		if !supported(entry.Name()) {
			skipped = append(skipped, Skipped{path, problem.New(problem.Invalid, "unknown_type", "%s: files of this type cannot be read.", path)})
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			skipped = append(skipped, Skipped{path, problem.Wrap(err, problem.Invalid, "unreadable", "%s: %s.", path, reason(err))})
			return nil
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		files = append(files, File{Path: path, Key: filepath.ToSlash(rel), Size: info.Size()})
		return nil
	})
	return files, skipped, err
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
