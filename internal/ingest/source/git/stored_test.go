package git

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1" //nolint:gosec // Git's own.
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"

	"github.com/kaoju/kaoju/internal/ingest/source/git/gittest"
	"github.com/kaoju/kaoju/internal/problem"
)

// zeros is what begins with a text and goes on with zeros, deflated.
func zeros(t *testing.T, head string, size int64) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, err := io.WriteString(w, head)
	for block := make([]byte, 1<<20); size > 0 && err == nil; size -= int64(len(block)) {
		_, err = w.Write(block)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// spent is how many bytes were asked for while something was done.
func spent(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// bombed is a repository whose state is an object that holds far more than it says.
func bombed(t *testing.T, put func(folder string, name plumbing.Hash) error) *Repository {
	t.Helper()
	r := gittest.New(t, true)
	name := plumbing.NewHash("0123456789012345678901234567890123456789")
	err := r.Store.SetReference(plumbing.NewHashReference("refs/heads/main", name))
	if err = errors.Join(err, put(filepath.Join(r.Path, "objects"), name)); err != nil {
		t.Fatal(err)
	}
	return Open(Address{Path: r.Path}, Options{Supported: func(string) bool { return true }, MaxFile: 1000})
}

func TestAnObjectThatHoldsMoreThanItSaysIsNotUnpacked(t *testing.T) {
	const size = 64 << 20
	loose := func(data []byte) func(string, plumbing.Hash) error {
		return func(folder string, name plumbing.Hash) error {
			folder = filepath.Join(folder, name.String()[:2])
			return errors.Join(os.MkdirAll(folder, 0o700), os.WriteFile(filepath.Join(folder, name.String()[2:]), data, 0o600))
		}
	}
	inPack := func(folder string, name plumbing.Hash) error {
		pack := bytes.NewBufferString("PACK")
		err := binary.Write(pack, binary.BigEndian, []uint32{2, 1})
		at := pack.Len()
		pack.WriteByte(1<<4 | 10) // a commit of ten bytes
		pack.Write(zeros(t, "", size))
		sum := crc32.ChecksumIEEE(pack.Bytes()[at:])
		whole := sha1.Sum(pack.Bytes()) //nolint:gosec // Git's own.
		pack.Write(whole[:])
		where := new(idxfile.Writer)
		err = errors.Join(err, where.OnHeader(1), where.OnInflatedObjectContent(name, int64(at), sum, nil), where.OnFooter(whole))
		index, made := where.Index()
		if err = errors.Join(err, made); err != nil {
			return err
		}
		var b bytes.Buffer
		_, err = idxfile.NewEncoder(&b).Encode(index)
		base := filepath.Join(folder, "pack", "pack-"+plumbing.Hash(whole).String())
		return errors.Join(err, os.MkdirAll(filepath.Dir(base), 0o700), os.WriteFile(base+".pack", pack.Bytes(), 0o600), os.WriteFile(base+".idx", b.Bytes(), 0o600))
	}
	for name, put := range map[string]func(string, plumbing.Hash) error{
		"after ten bytes": loose(zeros(t, "commit 10\x00", size)), "after none": loose(zeros(t, "commit 0\x00", size)),
		"in what it says of itself": loose(zeros(t, "commit\x01", size)), "in a pack": inPack,
	} {
		t.Run(name, func(t *testing.T) {
			r := bombed(t, put)
			var err error
			bytes := spent(func() { _, err = r.List(t.Context()) })
			if bytes > 8<<20 || problem.CodeOf(err) != "repository_malformed" {
				t.Errorf("it took %d bytes, error %v", bytes, err)
			}
		})
	}
}
