// Package originals keeps the bytes of originals as files of a data folder, one a checksum, under
// ab/cdef…. It knows no table: which files are needed is the driver's, which calls it inside its
// transactions.
package originals

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
)

// temporary begins the names of files that are still being written.
const temporary = "put-"

// Folder is the folder of the originals. Durable says whether what was placed outlives the loss of
// power.
type Folder struct {
	Dir     string
	Durable bool
}

// Path returns where the bytes of a checksum are.
func (f Folder) Path(sum corpus.Checksum) string {
	return filepath.Join(f.Dir, string(sum[:2]), string(sum[2:]))
}

// Receive writes bytes to a temporary file and to the disk. The file's name is returned, for its
// removal, also with most errors; "" if there is none. What comes from the stream or from its end is
// a problem; everything else is an error of the file system.
func (f Folder) Receive(ctx context.Context, r io.Reader, limit int64) (name string, sum corpus.Checksum, size int64, err error) {
	file, err := os.CreateTemp(f.Dir, temporary)
	if err != nil {
		return "", "", 0, err
	}
	defer file.Close() //nolint:errcheck // Sync told whether the bytes are there
	h := sha256.New()
	size, err = io.Copy(io.MultiWriter(file, h), io.LimitReader(reader{ctx, r}, max(limit, limit+1)))
	var p *problem.Error
	switch {
	case errors.As(err, &p) || ctx.Err() != nil:
		return file.Name(), "", 0, err
	case err != nil:
		return file.Name(), "", 0, problem.Wrap(err, problem.Unavailable, "upload_interrupted", "The upload broke off after %d bytes.", size)
	case size > limit:
		return file.Name(), "", 0, problem.New(problem.Invalid, "too_large", "The file is larger than %d bytes.", limit)
	}
	if f.Durable {
		if err := file.Sync(); err != nil {
			return file.Name(), "", 0, err
		}
	}
	return file.Name(), corpus.Checksum(hex.EncodeToString(h.Sum(nil))), size, nil
}

// reader stops when its context ends.
type reader struct {
	ctx context.Context
	r   io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// Place gives a received file its final name. The bytes under a name are always the same, so that
// replacing them harms no reader.
func (f Folder) Place(name string, sum corpus.Checksum) error {
	path := f.Path(sum)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := os.Rename(name, path); err != nil || !f.Durable {
		return err
	}
	return errors.Join(syncFolder(filepath.Dir(path)), syncFolder(filepath.Dir(filepath.Dir(path))))
}

// Open opens the bytes of a checksum; problem.NotFound if there are none.
func (f Folder) Open(sum corpus.Checksum) (io.ReadCloser, error) {
	if !Valid(sum) {
		return nil, problem.Missing()
	}
	file, err := os.Open(f.Path(sum))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, problem.Missing()
	}
	if err != nil {
		return nil, err
	}
	return file, nil
}

// Sum reads the bytes that are kept under a checksum and returns the checksum that they have, and how many they
// are; problem.NotFound if there are none.
func (f Folder) Sum(sum corpus.Checksum) (corpus.Checksum, int64, error) {
	file, err := f.Open(sum)
	if err != nil {
		return "", 0, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	h := sha256.New()
	n, err := io.Copy(h, file)
	return corpus.Checksum(hex.EncodeToString(h.Sum(nil))), n, err
}

// Valid keeps anything but a checksum from becoming a path.
func Valid(sum corpus.Checksum) bool {
	b, err := hex.DecodeString(string(sum))
	return err == nil && len(b) == sha256.Size && hex.EncodeToString(b) == string(sum)
}

// Remove removes the bytes of a checksum, if they are there.
func (f Folder) Remove(sum corpus.Checksum) error {
	if err := os.Remove(f.Path(sum)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Sweep removes every file but those of the checksums.
func (f Folder) Sweep(sums []corpus.Checksum) error {
	known := make(map[string]bool, len(sums))
	for _, sum := range sums {
		known[f.Path(sum)] = true
	}
	return filepath.WalkDir(f.Dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || known[path] {
			return err
		}
		return os.Remove(path)
	})
}

// Empty removes everything in a folder, such as one for what is on its way in.
func Empty(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
	}
	return err
}

// syncFolder makes names in a folder durable. Systems that can't do so keep them by themselves.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // nothing was written through it
	if err := f.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}
