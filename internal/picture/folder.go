package picture

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// DefaultBytes bounds what a folder holds.
const DefaultBytes = 256 << 20

// Folder keeps pictures as files, and removes those that were not looked at for longest when they become too
// much. Several processes may share it. Without a path it keeps nothing.
type Folder struct {
	Path  string
	Bytes int64 // that all files together may have; default DefaultBytes
}

// temporary begins the names of files that are still being written.
const temporary = "put-"

// A file is a SHA-256 of the rest, the size of the page as two floats, and the picture.
const head = sha256.Size + 8

// key makes a name for a file of what tells a picture from every other.
func key(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// get returns a picture that is kept. A file that can't be read, or is damaged, is as good as none.
func (f Folder) get(name string) (Picture, bool) {
	if f.Path == "" {
		return Picture{}, false
	}
	path := filepath.Join(f.Path, name)
	b, err := os.ReadFile(path)
	if err != nil || len(b) <= head {
		return Picture{}, false
	}
	sum := sha256.Sum256(b[sha256.Size:])
	if string(sum[:]) != string(b[:sha256.Size]) {
		return Picture{}, false
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // At worst it is removed early.
	p := Picture{PNG: b[head:]}
	for i := range p.Size {
		p.Size[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[sha256.Size+4*i:]))
	}
	return p, true
}

// put keeps a picture, if it is not too large for that.
func (f Folder) put(name string, p Picture) error {
	most := f.Bytes
	if most <= 0 {
		most = DefaultBytes
	}
	size := int64(head + len(p.PNG))
	if f.Path == "" || size > most {
		return nil
	}
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return err
	}
	if err := f.trim(most - size); err != nil {
		return err
	}
	body := make([]byte, sha256.Size, size)
	for _, v := range p.Size {
		body = binary.LittleEndian.AppendUint32(body, math.Float32bits(v))
	}
	body = append(body, p.PNG...)
	sum := sha256.Sum256(body[sha256.Size:])
	copy(body, sum[:])
	file, err := os.CreateTemp(f.Path, temporary)
	if err != nil {
		return err
	}
	_, err = file.Write(body)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), filepath.Join(f.Path, name))
	}
	if err != nil {
		return errors.Join(err, gone(os.Remove(file.Name())))
	}
	return nil
}

// trim removes the pictures that were not looked at for longest, until the others are not too much.
func (f Folder) trim(most int64) error {
	entries, err := os.ReadDir(f.Path)
	if err != nil {
		return err
	}
	var kept []fs.FileInfo
	var all int64
	for _, e := range entries {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		all += info.Size()
		if !strings.HasPrefix(e.Name(), temporary) {
			kept = append(kept, info)
		}
	}
	slices.SortFunc(kept, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, info := range kept {
		if all <= most {
			return nil
		}
		if err := gone(os.Remove(filepath.Join(f.Path, info.Name()))); err != nil {
			return err
		}
		all -= info.Size()
	}
	return nil
}

// empty removes everything.
func (f Folder) empty() error {
	if f.Path == "" {
		return nil
	}
	entries, err := os.ReadDir(f.Path)
	err = gone(err)
	for _, e := range entries {
		err = errors.Join(err, gone(os.Remove(filepath.Join(f.Path, e.Name()))))
	}
	return err
}

// gone takes what is not there for removed.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
