package git

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"

	"github.com/kaoju/kaoju/internal/ingest/source/spool"
)

// pack is objects that were fetched, in a file that nobody else finds.
type pack struct {
	file  *timed
	store *packfile.Packfile
}

// timed is a file that can be read until a context ends: the library asks none, however long it takes to
// make an object of others.
type timed struct {
	billy.File
	ctx context.Context
}

// Read implements io.Reader.
func (t *timed) Read(b []byte) (int, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	return t.File.Read(b)
}

// ReadAt implements io.ReaderAt.
func (t *timed) ReadAt(b []byte, at int64) (int, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	return t.File.ReadAt(b, at)
}

// Seek implements io.Seeker.
func (t *timed) Seek(at int64, whence int) (int64, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	return t.File.Seek(at, whence)
}

// Close gives the file up.
func (p *pack) Close() error { return p.file.Close() }

// keep stores a pack within bounds, and opens it. It can be read until the context ends, or with another
// one after that.
func keep(ctx context.Context, body io.Reader, l Limits) (p *pack, err error) {
	spooled, err := spool.New()
	if err != nil {
		return nil, err
	}
	f := &timed{unlocked{spooled}, ctx}
	if err = store(ctx, f, body, l); err == nil {
		p, err = understand(f)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return p, nil
}

func store(ctx context.Context, f *timed, body io.Reader, l Limits) error {
	n, err := io.Copy(f, io.LimitReader(body, l.Pack+1))
	switch {
	case n > l.Pack:
		return tooLarge("more than %d bytes would be fetched", l.Pack)
	case err != nil:
		return err
	}
	return inspect(ctx, f, l)
}

// inspect reads through a pack and counts what its objects would take, before anything is made of them: a
// few bytes can say that they are many.
func inspect(ctx context.Context, f *timed, l Limits) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	s := packfile.NewScanner(f)
	_, n, err := s.Header()
	if err != nil {
		return err
	}
	if int64(n) > int64(l.Objects) {
		return tooLarge("it has more than %d objects", l.Objects)
	}
	w := weight{limits: l, behind: map[int64]int64{}}
	for range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		h, err := s.NextObjectHeader()
		if err != nil {
			return err
		}
		var head prefix
		if err := w.count(h.Length); err != nil {
			return err
		}
		if _, _, err := s.NextObject(&head); err != nil {
			return err
		}
		if err := w.chain(h, head.target()); err != nil {
			return err
		}
	}
	return nil
}

// maxWork is how often over a pack may make what it may hold, as differences from differences.
const maxWork = 16

// weight counts what the objects of a pack take.
type weight struct {
	limits      Limits
	total, work int64
	behind      map[int64]int64 // by where an object is, the bytes that are made until it is there
}

func (w *weight) count(size int64) error {
	if size < 0 || size > w.limits.Object {
		return tooLarge("an object is larger than %d bytes", w.limits.Object)
	}
	if w.total += size; w.total > w.limits.Total {
		return tooLarge("its objects are larger than %d bytes together", w.limits.Total)
	}
	return nil
}

// chain counts what is made until an object is there. The library makes anew what a difference is from, all
// the way up, once it has forgotten it. Where that is named by its hash, where it is can't be known yet.
func (w *weight) chain(h *packfile.ObjectHeader, target int64) error {
	if !h.Type.IsDelta() {
		w.behind[h.Offset] = h.Length
		return nil
	}
	if err := w.count(target); err != nil {
		return err
	}
	whole := target
	if h.Type == plumbing.OFSDeltaObject {
		whole += w.behind[h.OffsetReference]
	}
	w.behind[h.Offset] = whole
	if w.work += whole; w.work > maxWork*w.limits.Total {
		return tooLarge("its objects are differences from each other that take more than %d bytes to work out", maxWork*w.limits.Total)
	}
	return nil
}

// prefix keeps the beginning of what is written to it.
type prefix struct {
	bytes [20]byte
	n     int
}

// Write keeps what fits.
func (p *prefix) Write(b []byte) (int, error) {
	p.n += copy(p.bytes[p.n:], b)
	return len(b), nil
}

// target is the size of what a difference makes: the second number in it. -1 is none.
func (p *prefix) target() int64 {
	size, numbers, shift := int64(0), 0, 0
	for _, c := range p.bytes[:p.n] {
		if shift > 56 {
			return -1
		}
		size |= int64(c&0x7f) << shift
		shift += 7
		if c&0x80 != 0 {
			continue
		}
		if numbers++; numbers == 2 {
			return size
		}
		size, shift = 0, 0
	}
	return -1
}

// understand finds out where each object is.
func understand(f *timed) (*pack, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	where := new(idxfile.Writer)
	parser, err := packfile.NewParser(packfile.NewScanner(f), where)
	if err != nil {
		return nil, err
	}
	if _, err := parser.Parse(); err != nil {
		return nil, err
	}
	index, err := where.Index()
	if err != nil {
		return nil, err
	}
	return &pack{f, packfile.NewPackfileWithCache(index, nil, f, cache.NewObjectLRU(32*cache.MiByte), 0)}, nil
}

// EncodedObject implements objects.
func (p *pack) EncodedObject(t plumbing.ObjectType, h plumbing.Hash) (plumbing.EncodedObject, error) {
	o, err := p.store.Get(h)
	if err == nil && o.Type() != t {
		return nil, plumbing.ErrObjectNotFound
	}
	return o, err
}

// EncodedObjectSize implements objects.
func (p *pack) EncodedObjectSize(h plumbing.Hash) (int64, error) {
	at, err := p.store.FindOffset(h)
	if err != nil {
		return 0, err
	}
	return p.store.GetSizeByOffset(at)
}

// unlocked is a file that nobody else has, so that it needs no lock.
type unlocked struct{ *os.File }

// Lock does nothing.
func (unlocked) Lock() error { return nil }

// Unlock does nothing.
func (unlocked) Unlock() error { return nil }
