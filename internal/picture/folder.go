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

// sized is how many bytes the size of a page takes before its picture.
const sized = 8

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

// page returns a picture of a page that is kept, before which stands its size as two floats.
func (f Folder) page(name string) (Picture, bool) {
	b, ok := f.get(name)
	if !ok || len(b) <= sized {
		return Picture{}, false
	}
	p := Picture{PNG: b[sized:]}
	for i := range p.Size {
		p.Size[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return p, true
}

func (f Folder) keep(name string, p Picture) error {
	body := make([]byte, 0, sized+len(p.PNG))
	for _, v := range p.Size {
		body = binary.LittleEndian.AppendUint32(body, math.Float32bits(v))
	}
	return f.put(name, append(body, p.PNG...))
}

// get returns what is kept: a file is a SHA-256 and that. A file that can't be read, or is damaged, is as good as none.
func (f Folder) get(name string) ([]byte, bool) {
	if f.Path == "" {
		return nil, false
	}
	path := filepath.Join(f.Path, name)
	b, err := os.ReadFile(path)
	if err != nil || len(b) <= sha256.Size {
		return nil, false
	}
	sum := sha256.Sum256(b[sha256.Size:])
	if string(sum[:]) != string(b[:sha256.Size]) {
		return nil, false
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // At worst it is removed early.
	return b[sha256.Size:], true
}

// put keeps something, if it is not too large for that.
func (f Folder) put(name string, kept []byte) error {
	most := f.Bytes
	if most <= 0 {
		most = DefaultBytes
	}
	size := int64(sha256.Size + len(kept))
	if f.Path == "" || size > most {
		return nil
	}
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return err
	}
	if err := f.trim(most - size); err != nil {
		return err
	}
	sum := sha256.Sum256(kept)
	body := append(sum[:], kept...)
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
