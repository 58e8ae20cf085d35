package git

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // Git's own.
	"strings"
	"testing"

	"github.com/go-git/go-billy/v5/memfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/storage/filesystem"

	"github.com/kaoju/kaoju/internal/ingest/source"
)

// FuzzPacksAreListedWithinBoundsOrRefused reads what a server may send in place of a state. The server
// chooses the name of the state too, and the sum at the end of a pack is always right.
func FuzzPacksAreListedWithinBoundsOrRefused(f *testing.F) {
	state, pack := sample(f)
	pack = pack[:len(pack)-sha1.Size]
	f.Add(state, pack)
	f.Add(state, pack[:len(pack)/2])
	f.Add(state, append(bytes.Clone(pack[:40]), pack...))
	f.Add([]byte{}, []byte("PACK\x00\x00\x00\x02\x00\x00\x00\x02"))
	f.Fuzz(func(t *testing.T, state, pack []byte) {
		limits := Limits{Pack: 1 << 16, Objects: 100, Object: 1 << 16, Total: 1 << 18, Entries: 200, Depth: 5}.filled()
		sum := sha1.Sum(pack) //nolint:gosec // Git's own.
		p, err := keep(context.Background(), bytes.NewReader(append(bytes.Clone(pack), sum[:]...)), limits)
		if err != nil {
			return
		}
		defer p.Close()
		var h plumbing.Hash
		copy(h[:], state)
		r := Open(Address{Path: "/r"}, Options{Supported: func(string) bool { return true }, MaxFile: 1000, Limits: limits})
		r.from.objects = p
		l, err := r.state(context.Background(), h)
		if err != nil {
			return
		}
		if len(l.Files) > limits.Entries {
			t.Errorf("%d files", len(l.Files))
		}
		for _, file := range l.Files {
			held(t, file)
		}
	})
}

// held checks what is promised of a file that is listed.
func held(t *testing.T, file source.Original) {
	for name := range strings.SplitSeq(file.Place, "/") {
		if !plain(name) || strings.HasPrefix(name, ".") {
			t.Errorf("a file is at %q", file.Place)
		}
	}
	body, err := file.Open()
	if err != nil {
		return
	}
	var b bytes.Buffer
	if n, err := b.ReadFrom(body); err != nil || n != file.Size || n > 1000 {
		t.Errorf("%q has %d bytes, is listed with %d, error %v", file.Place, n, file.Size, err)
	}
}

// sample is a commit and the pack of its objects.
func sample(f testing.TB) (state, pack []byte) {
	s := filesystem.NewStorage(memfs.New(), cache.NewObjectLRUDefault())
	object := func(kind plumbing.ObjectType, data string) plumbing.Hash {
		o := s.NewEncodedObject()
		o.SetType(kind)
		w, err := o.Writer()
		if err == nil {
			_, err = w.Write([]byte(data))
		}
		if err != nil {
			f.Fatal(err)
		}
		h, err := s.SetEncodedObject(o)
		if err != nil {
			f.Fatal(err)
		}
		return h
	}
	long := strings.Repeat("a line of many\n", 20)
	a, b := object(plumbing.BlobObject, long), object(plumbing.BlobObject, long+"and one more")
	below := object(plumbing.TreeObject, "100644 差旅.md\x00"+string(b[:]))
	tree := object(plumbing.TreeObject, "100644 a.md\x00"+string(a[:])+"40000 in\x00"+string(below[:]))
	commit := object(plumbing.CommitObject, "tree "+tree.String()+"\n\nx\n")
	var out bytes.Buffer
	if _, err := packfile.NewEncoder(&out, s, false).Encode([]plumbing.Hash{a, b, below, tree, commit}, 10); err != nil {
		f.Fatal(err)
	}
	return commit[:], out.Bytes()
}

func TestWhatIsFuzzedBeginsWithAStateThatIsListed(t *testing.T) {
	state, data := sample(t)
	p, err := keep(t.Context(), bytes.NewReader(data), Limits{}.filled())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	r := Open(Address{Path: "/r"}, Options{Supported: func(string) bool { return true }, MaxFile: 1000})
	r.from.objects = p
	l, err := r.state(t.Context(), plumbing.Hash(state))
	if err != nil || len(l.Files) != 2 || l.Files[1].Place != "in/差旅.md" {
		t.Fatalf("it lists %v, error %v", l.Files, err)
	}
	for _, file := range l.Files {
		held(t, file)
	}
}
