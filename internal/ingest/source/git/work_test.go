package git

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1" //nolint:gosec // Git's own.
	"encoding/binary"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/kaoju/kaoju/internal/ingest/source/spool"
	"github.com/kaoju/kaoju/internal/problem"
)

// forked is a pack of two files, a difference that copies each, and small differences from both in turn:
// what is worked out for one is forgotten when it is the other's turn.
func forked(t *testing.T, size, leaves int) *bytes.Buffer {
	t.Helper()
	b := bytes.NewBufferString("PACK")
	do := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	do(binary.Write(b, binary.BigEndian, []uint32{2, uint32(4 + leaves)}))
	object := func(kind byte, data, where []byte) (at int) {
		at = b.Len()
		first := kind<<4 | byte(len(data)&15)
		rest := len(data) >> 4
		if rest > 0 {
			first |= 0x80
		}
		b.WriteByte(first)
		if rest > 0 {
			b.Write(binary.AppendUvarint(nil, uint64(rest)))
		}
		b.Write(where)
		w := zlib.NewWriter(b)
		_, err := w.Write(data)
		do(errors.Join(err, w.Close()))
		return at
	}
	delta := func(parent int, target int, what ...byte) int {
		back := b.Len() - parent
		where := []byte{byte(back & 0x7f)}
		for back >>= 7; back > 0; back >>= 7 {
			back--
			where = append([]byte{byte(back&0x7f) | 0x80}, where...)
		}
		return object(6, append(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(size)), uint64(target)), what...), where)
	}
	var ends [2]int
	for i := range ends {
		base := object(3, bytes.Repeat([]byte{byte(i)}, size), nil)
		ends[i] = delta(base, size, 0xf0, byte(size), byte(size>>8), byte(size>>16)) // copy all of it
	}
	for i := range leaves {
		delta(ends[i%2], 2, 2, byte(i), byte(i>>8)) // two bytes of its own
	}
	sum := sha1.Sum(b.Bytes()) //nolint:gosec // Git's own.
	b.Write(sum[:])
	return b
}

func TestDifferencesThatAreWorkedOutOverAndOverAreRefused(t *testing.T) {
	const size = 1 << 16
	limits := Limits{Total: 5 * size}.filled()
	p, err := keep(t.Context(), forked(t, size, 30), limits)
	if err != nil {
		t.Fatalf("few are refused: %v", err)
	}
	defer p.Close()
	if p, err := keep(t.Context(), forked(t, size, 100), limits); problem.CodeOf(err) != "repository_too_large" {
		t.Errorf("error %v, %v", err, p)
	}
}

// ending is a context that ends after it was asked some times.
type ending struct {
	context.Context
	left int
}

// Err counts.
func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestWorkingOutDifferencesEndsWithTheContext(t *testing.T) {
	data := forked(t, 1<<16, 100).Bytes()
	limits := Limits{}.filled()
	asked := func(do func(*ending)) int {
		ctx := &ending{t.Context(), 1 << 30}
		do(ctx)
		return 1<<30 - ctx.left
	}
	inspected := asked(func(ctx *ending) {
		f := &timed{unlocked{spooled(t)}, ctx}
		if err := store(ctx, f, bytes.NewReader(data), limits); err != nil {
			t.Fatal(err)
		}
	})
	for _, more := range []int{1, 10, 100} {
		p, err := keep(&ending{t.Context(), inspected + more}, bytes.NewReader(data), limits)
		if err == nil {
			t.Errorf("after %d more looks at the context the pack is kept: %v", more, p.Close())
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	p, err := keep(ctx, bytes.NewReader(data), limits)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	stop()
	entries, err := p.store.GetAll()
	if err == nil {
		_, err = entries.Next()
	}
	if err == nil || errors.Is(err, io.EOF) {
		t.Errorf("it is read after the context ended, error %v", err)
	}
}

func spooled(t *testing.T) *os.File {
	t.Helper()
	f, err := spool.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}
