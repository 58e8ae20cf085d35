package dir

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/kaoju/kaoju/internal/ingest/source"
	"github.com/kaoju/kaoju/internal/problem"
)

// original is a file as it was listed. Below a folder the key is its place there.
func original(root, path, key string, info fs.FileInfo) source.Original {
	f := source.Original{
		Path: path, Key: key, Size: info.Size(), Root: root, Written: info.ModTime(),
		Stamp: fmt.Sprint(info.Size(), " ", info.ModTime().UnixNano()),
	}
	if root != "" {
		f.Place = key
	}
	f.Open = func() (io.ReadCloser, error) { return openSteady(root, path, key) }
	return f
}

// openSteady opens a file that was listed. One that cannot be read is problem.Invalid "unreadable", with
// the reason, and so is one that is another by now: a link, a pipe, or a way out of the folder. Reading
// ends with "changed_while_read" if the file was written to since it was opened.
func openSteady(root, path, place string) (io.ReadCloser, error) {
	file, err := open(root, path, place)
	if err != nil {
		return nil, problem.Wrap(err, problem.Invalid, "unreadable", "%s: %s.", path, reason(err))
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		err = problem.Wrap(err, problem.Invalid, "unreadable", "%s: %s.", path, reason(err))
	case !info.Mode().IsRegular():
		err = problem.New(problem.Invalid, "unreadable", "%s: this is no file.", path)
	}
	if err != nil {
		_ = file.Close() // Nothing was read from it.
		return nil, err
	}
	return &steady{file, path, info}, nil
}

// open opens without waiting for whoever might write into a pipe. Below a folder no link leads out of it,
// and none stands for the file itself.
func open(folder, path, place string) (*os.File, error) {
	if folder == "" {
		return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := filepath.FromSlash(place)
	if info, err := root.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrInvalid}
	}
	return root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// steady reads a file that must not change meanwhile: what came of two states was never a document.
type steady struct {
	file *os.File
	path string
	info fs.FileInfo
}

func (s *steady) Close() error { return s.file.Close() }

func (s *steady) Read(b []byte) (int, error) {
	n, err := s.file.Read(b)
	if err == nil {
		return n, nil
	}
	var now fs.FileInfo
	if err == io.EOF {
		now, err = s.file.Stat()
	}
	if err != nil {
		return n, problem.Wrap(err, problem.Invalid, "unreadable", "%s: %s.", s.path, reason(err))
	}
	if now.Size() != s.info.Size() || !now.ModTime().Equal(s.info.ModTime()) {
		return n, problem.New(problem.Invalid, "changed_while_read", "%s: the file changed while it was read.", s.path)
	}
	return n, io.EOF
}
