package git

import (
	"bufio"
	"compress/zlib"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// stored are the objects of a repository of this machine. The library unpacks all that is in one, however
// little it says that it holds; so each is read through here first, within what it says.
type stored struct {
	folder billy.Filesystem
	limits Limits
	packs  []packed
	cache  cache.Object
}

// packed is a pack, which is open only while something is read from it.
type packed struct {
	open  func() (billy.File, error)
	index *idxfile.MemoryIndex
}

func storedIn(folder billy.Filesystem, l Limits) (s *stored, err error) {
	s = &stored{folder: folder, limits: l, cache: cache.NewObjectLRU(32 * cache.MiByte)}
	dir := dotgit.New(folder)
	names, err := dir.ObjectPacks()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		f, err := dir.ObjectPackIdx(name)
		if err != nil {
			return nil, err
		}
		index := idxfile.NewMemoryIndex()
		if err := errors.Join(idxfile.NewDecoder(f).Decode(index), f.Close()); err != nil {
			return nil, err
		}
		s.packs = append(s.packs, packed{func() (billy.File, error) {
			return folder.Open(folder.Join("objects", "pack", "pack-"+name.String()+".pack"))
		}, index})
	}
	return s, nil
}

// EncodedObject implements objects.
func (s *stored) EncodedObject(t plumbing.ObjectType, h plumbing.Hash) (o plumbing.EncodedObject, err error) {
	err = s.loose(h, func(kind plumbing.ObjectType, size int64, r io.Reader) error {
		o = &plumbing.MemoryObject{}
		o.SetType(kind)
		w, err := o.Writer()
		if err != nil {
			return err
		}
		if n, err := io.Copy(w, io.LimitReader(r, size+1)); err != nil || n != size {
			return errors.Join(malformed("an object is not as long as it says"), err)
		}
		return nil
	})
	if errors.Is(err, os.ErrNotExist) {
		err = s.packed(h, func(p *packfile.Packfile) error {
			at, err := p.FindOffset(h)
			if err == nil {
				err = s.sound(p, at)
			}
			if err == nil {
				o, err = p.Get(h)
			}
			return err
		})
	}
	if err == nil && o.Type() != t {
		err = plumbing.ErrObjectNotFound
	}
	if err != nil {
		return nil, err
	}
	return o, nil
}

// EncodedObjectSize implements objects.
func (s *stored) EncodedObjectSize(h plumbing.Hash) (size int64, err error) {
	err = s.loose(h, func(_ plumbing.ObjectType, n int64, _ io.Reader) error {
		size = n
		return nil
	})
	if errors.Is(err, os.ErrNotExist) {
		err = s.packed(h, func(p *packfile.Packfile) error {
			at, err := p.FindOffset(h)
			if err == nil {
				_, size, err = through(p, at, s.limits.Total, false)
			}
			return err
		})
	}
	return size, err
}

// maxHead bounds what an object that is a file by itself begins with: its type and its size.
const maxHead = 64

// loose reads an object that is a file by itself; os.ErrNotExist if there is none.
func (s *stored) loose(h plumbing.Hash, do func(plumbing.ObjectType, int64, io.Reader) error) (err error) {
	name := h.String()
	f, err := s.folder.Open(s.folder.Join("objects", name[:2], name[2:]))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z, err := zlib.NewReader(f)
	if err != nil {
		return err
	}
	r := bufio.NewReaderSize(z, maxHead)
	head, err := r.ReadSlice(0)
	if err != nil {
		return errors.Join(malformed("an object does not say what it is"), err)
	}
	word, number, _ := strings.Cut(string(head[:len(head)-1]), " ")
	kind, err := plumbing.ParseObjectType(word)
	if err != nil {
		return err
	}
	size, err := strconv.ParseUint(number, 10, 62)
	if err != nil {
		return malformed("an object does not say how long it is")
	}
	return do(kind, int64(size), r)
}

// packed reads an object from the pack that has it; plumbing.ErrObjectNotFound if none has.
func (s *stored) packed(h plumbing.Hash, do func(*packfile.Packfile) error) error {
	for _, p := range s.packs {
		if _, err := p.index.FindOffset(h); errors.Is(err, plumbing.ErrObjectNotFound) {
			continue
		}
		f, err := p.open()
		if err != nil {
			return err
		}
		return errors.Join(do(packfile.NewPackfileWithCache(p.index, nil, f, s.cache, 0)), f.Close())
	}
	return plumbing.ErrObjectNotFound
}

// maxChain bounds how many differences lead to an object; Git itself makes no more than 4,095.
const maxChain = 4096

// sound reads through an object and all that it is a difference from.
func (s *stored) sound(p *packfile.Packfile, at int64) error {
	w := weight{limits: s.limits, behind: map[int64]int64{}}
	w.limits.Object = w.limits.Total
	for range maxChain {
		h, size, err := through(p, at, s.limits.Total, true)
		if err != nil {
			return err
		}
		if err := errors.Join(w.count(h.Length), w.count(size)); err != nil {
			return err
		}
		switch h.Type {
		case plumbing.OFSDeltaObject:
			at = h.OffsetReference
		case plumbing.REFDeltaObject:
			if at, err = p.FindOffset(h.Reference); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return malformed("its objects are differences from each other without end")
}

// through reads through what a pack has at a place, unless that is too much, and returns the size of the
// object. All is not read where the size alone is asked for and stands at the beginning.
func through(p *packfile.Packfile, at, most int64, all bool) (*packfile.ObjectHeader, int64, error) {
	h, err := p.Scanner().SeekObjectHeader(at)
	if err != nil {
		return nil, 0, err
	}
	if !all && !h.Type.IsDelta() {
		return h, h.Length, nil
	}
	if h.Length > most {
		return nil, 0, tooLarge("an object is larger than %d bytes", most)
	}
	var head prefix
	if _, _, err := p.Scanner().NextObject(&head); err != nil || !h.Type.IsDelta() {
		return h, h.Length, err
	}
	if head.target() < 0 {
		return nil, 0, malformed("a difference does not say what it makes")
	}
	return h, head.target(), nil
}
