package dir

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/kaoju/kaoju/internal/problem"
)

// Open opens a file that was listed. One that cannot be read is problem.Invalid "unreadable", with
// the reason, and so is one that is another by now: a link, a pipe, or a way out of the folder. Reading
// ends with "changed_while_read" if the file was written to since it was opened.
func Open(f File) (io.ReadCloser, error) {
	file, err := open(f)
	if err != nil {
		return nil, problem.Wrap(err, problem.Invalid, "unreadable", "%s: %s.", f.Path, reason(err))
	}
	info, err := file.Stat()
	switch {
	case err != nil:
		err = problem.Wrap(err, problem.Invalid, "unreadable", "%s: %s.", f.Path, reason(err))
	case !info.Mode().IsRegular():
		err = problem.New(problem.Invalid, "unreadable", "%s: this is no file.", f.Path)
	}
	if err != nil {
		_ = file.Close() // Nothing was read from it.
		return nil, err
	}
	return &steady{file, f.Path, info}, nil
}

// open opens without waiting for whoever might write into a pipe. Below a folder no link leads out of it,
// and none stands for the file itself.
func open(f File) (*os.File, error) {
	if f.root == "" {
		return os.OpenFile(f.Path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	}
	root, err := os.OpenRoot(f.root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := filepath.FromSlash(f.place)
	if info, err := root.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: f.Path, Err: fs.ErrInvalid}
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

// Sum returns the SHA-256 of a file in lower-case hex, with the errors of Open.
func Sum(ctx context.Context, f File) (string, error) {
	body, err := Open(f)
	if err != nil {
		return "", err
	}
	defer body.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, bounded{ctx, body}); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// bounded reads until its context ends.
type bounded struct {
	ctx context.Context
	r   io.Reader
}

func (b bounded) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	return b.r.Read(p)
}

// Seen is what tells without reading whether a file is the one that it was.
type Seen struct {
	size     int64
	modified time.Time
}

// Seen returns it for a file as it was listed.
func (f File) Seen() Seen { return Seen{f.info.Size(), f.info.ModTime()} }

// Fresh reports whether a file was written to less than a while before now, so that more may come.
func (f File) Fresh(now time.Time, while time.Duration) bool {
	age := now.Sub(f.info.ModTime())
	return age >= 0 && age < while
}
