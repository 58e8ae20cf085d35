package ledger_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// testKey is the same key in every test.
var testKey = ledger.KeyOf([32]byte{1, 2, 3})

// shelf keeps the hashes of a tree by their numbers.
type shelf map[int64]ledger.Hash

func (s shelf) read(numbers []int64) ([]ledger.Hash, error) {
	out := make([]ledger.Hash, len(numbers))
	for i, n := range numbers {
		h, ok := s[n]
		if !ok {
			return nil, problem.New(problem.Internal, "absent", "There is no hash %d.", n)
		}
		out[i] = h
	}
	return out, nil
}

// grown is a log in memory with its tree.
type grown struct {
	name    ledger.Name
	entries []ledger.Entry
	shelf   shelf
}

func grow(t failing, name ledger.Name, entries []ledger.Entry) *grown {
	g := &grown{name: name, shelf: shelf{}}
	for _, e := range entries {
		if name.Person != "" && e.Actor != name.Person {
			continue
		}
		first, hashes, err := ledger.Stored(int64(len(g.entries)), name.Leaf(e), g.shelf.read)
		if err != nil {
			t.Fatalf("%v", err)
		}
		for i, h := range hashes {
			g.shelf[first+int64(i)] = h
		}
		g.entries = append(g.entries, e)
	}
	return g
}

type failing interface{ Fatalf(string, ...any) }

func (g *grown) checkpoint(t failing, size int) ledger.Checkpoint {
	tree, err := ledger.Prover(g.shelf.read).Tree(int64(size))
	if err != nil {
		t.Fatalf("%v", err)
	}
	c, err := testKey.Checkpoint(g.name, tree)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return c
}

func (g *grown) inclusion(t failing, size, index int) ledger.Inclusion {
	hashes, err := ledger.Prover(g.shelf.read).Inclusion(int64(size), int64(index))
	if err != nil {
		t.Fatalf("%v", err)
	}
	return ledger.Inclusion{Index: int64(index), Hashes: hashes, Checkpoint: g.checkpoint(t, size).Note}
}

func (g *grown) consistency(t failing, from int) ledger.Consistency {
	hashes, err := ledger.Prover(g.shelf.read).Consistency(int64(len(g.entries)), int64(from))
	if err != nil {
		t.Fatalf("%v", err)
	}
	return ledger.Consistency{From: int64(from), Hashes: hashes, Checkpoint: g.checkpoint(t, len(g.entries)).Note}
}

// two makes a chain of a tenant whose entries two people made.
func two(n int) []ledger.Entry {
	c := build(n)
	for i := range c.entries {
		if i%3 == 1 {
			c.entries[i].Actor = "sam"
		}
	}
	out, head := []ledger.Entry{}, ledger.Head{}
	for _, e := range c.entries {
		e = ledger.Seal(head, e)
		head = ledger.Head{Sequence: e.Sequence, Hash: e.Hash}
		out = append(out, e)
	}
	return out
}

// root is the root of a Merkle tree as RFC 6962 defines it, written a second time.
func root(leaves [][]byte) [32]byte {
	switch n := len(leaves); n {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return sha256.Sum256(append([]byte{0}, leaves[0]...))
	default:
		k := 1
		for 2*k < n {
			k *= 2
		}
		left, right := root(leaves[:k]), root(leaves[k:])
		return sha256.Sum256(append(append([]byte{1}, left[:]...), right[:]...))
	}
}

func TestTheRootIsThatOfTheStandardOverTheEntriesHashes(t *testing.T) {
	entries := two(20)
	g := grow(t, ledger.Name{Tenant: "acme"}, entries)
	var leaves [][]byte
	for n := range 21 {
		if got, want := g.checkpoint(t, n).Tree.Root, root(leaves); got != want {
			t.Errorf("the root over %d entries is %v, want %x", n, got, want)
		}
		if n < len(entries) {
			h, err := hex.DecodeString(entries[n].Hash)
			if err != nil {
				t.Fatal(err)
			}
			leaves = append(leaves, h)
		}
	}
}

func TestACheckpointIsASignedNoteOfItsLog(t *testing.T) {
	c := grow(t, ledger.Name{Tenant: "acme"}, two(3)).checkpoint(t, 3)
	server := testKey.Public().Server()
	lines := strings.Split(c.Note, "\n")
	want := []string{server + "/acme", "3", base64.StdEncoding.EncodeToString(c.Tree.Root[:]), ""}
	for i, w := range want {
		if lines[i] != w {
			t.Errorf("line %d is %q, want %q", i, lines[i], w)
		}
	}
	if len(lines) != 6 || !strings.HasPrefix(lines[4], "— "+server+"/acme ") {
		t.Errorf("the signature is in %q", lines[4:])
	}
	got, err := testKey.Public().Checkpoint(c.Note)
	if err != nil || got != c {
		t.Errorf("read back: %+v, %v", got, err)
	}
}

func TestEveryEntryIsProvedInEveryTreeThatHasIt(t *testing.T) {
	for _, name := range []ledger.Name{{Tenant: "acme"}, {Tenant: "acme", Person: "rita"}, {Tenant: "acme", Person: "sam"}} {
		g := grow(t, name, two(17))
		for size := 1; size <= len(g.entries); size++ {
			for i := range size {
				e := g.entries[i]
				if name.Person != "" {
					e = e.Apart()
				}
				c, err := g.inclusion(t, size, i).Verify(testKey.Public(), e)
				if err != nil || c.Tree.Size != int64(size) || c.Name != name {
					t.Fatalf("%v: entry %d of %d: %+v, %v", name, i, size, c, err)
				}
			}
		}
	}
}

// spoil changes one field of an entry.
var spoil = map[string]func(*ledger.Entry){
	"id": func(e *ledger.Entry) { e.ID += "x" }, "tenant": func(e *ledger.Entry) { e.Tenant = "globex" },
	"kind": func(e *ledger.Entry) { e.Kind = "other" }, "run": func(e *ledger.Entry) { e.RunID = "" },
	"actor": func(e *ledger.Entry) { e.Actor = "sam" }, "time": func(e *ledger.Entry) { e.Time = e.Time.Add(1000) },
	"body": func(e *ledger.Entry) { e.Body = []byte(`{"n":99}`) }, "hash": func(e *ledger.Entry) { e.Hash = strings.Repeat("0", 64) },
}

func TestAPersonsProofCoversEveryFieldThatIsShown(t *testing.T) {
	g := grow(t, ledger.Name{Tenant: "acme", Person: "rita"}, two(9))
	p := g.inclusion(t, len(g.entries), 2)
	for field, change := range spoil {
		e := g.entries[2].Apart()
		change(&e)
		if _, err := p.Verify(testKey.Public(), e); problem.CodeOf(err) != "proof" {
			t.Errorf("the %s was changed: %v", field, err)
		}
	}
}

func TestATenantsProofCoversEveryField(t *testing.T) {
	g := grow(t, ledger.Name{Tenant: "acme"}, two(9))
	p := g.inclusion(t, len(g.entries), 2)
	more := map[string]func(*ledger.Entry){
		"sequence": func(e *ledger.Entry) { e.Sequence++ }, "previous": func(e *ledger.Entry) { e.Previous = "" },
	}
	maps.Copy(more, spoil)
	for field, change := range more {
		e := g.entries[2]
		change(&e)
		if _, err := p.Verify(testKey.Public(), e); problem.CodeOf(err) != "proof" {
			t.Errorf("the %s was changed: %v", field, err)
		}
	}
}

func TestAPersonsProofShowsNoPlaceInTheTenantsChain(t *testing.T) {
	g := grow(t, ledger.Name{Tenant: "acme", Person: "rita"}, two(9))
	if _, err := g.inclusion(t, 3, 2).Verify(testKey.Public(), g.entries[2]); problem.CodeOf(err) != "proof" {
		t.Errorf("a place that the proof does not cover was let through: %v", err)
	}
}

func TestAPersonsProofIsTheSameWhateverOthersDo(t *testing.T) {
	busy := two(30)
	var quiet []ledger.Entry
	for _, e := range busy {
		if e.Actor == "sam" {
			quiet = append(quiet, e)
		}
	}
	name := ledger.Name{Tenant: "acme", Person: "sam"}
	a, b := grow(t, name, busy), grow(t, name, quiet)
	if a.checkpoint(t, len(a.entries)) != b.checkpoint(t, len(b.entries)) {
		t.Error("the checkpoint of one person's log depends on what others did")
	}
}

func TestAProofThatWasChangedProvesNothing(t *testing.T) {
	g := grow(t, ledger.Name{Tenant: "acme"}, two(13))
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 13).Draw(t, "size")
		index := rapid.IntRange(0, size-1).Draw(t, "index")
		p := g.inclusion(t, size, index)
		switch kind := rapid.IntRange(0, 4).Draw(t, "kind"); {
		case kind == 0 && len(p.Hashes) > 0:
			i := rapid.IntRange(0, len(p.Hashes)-1).Draw(t, "hash")
			p.Hashes[i] = flipped(t, p.Hashes[i])
		case kind == 1:
			p.Hashes = append(p.Hashes, base64.StdEncoding.EncodeToString(make([]byte, 32)))
		case kind == 2 && len(p.Hashes) > 0:
			p.Hashes = p.Hashes[:len(p.Hashes)-1]
		case kind == 3:
			p.Index += rapid.SampledFrom([]int64{-1, 1, 1 << 40, -1 << 40}).Draw(t, "off")
		default:
			at := rapid.IntRange(0, len(p.Checkpoint)-1).Draw(t, "at")
			b := []byte(p.Checkpoint)
			b[at] ^= 1 << rapid.IntRange(0, 6).Draw(t, "bit")
			p.Checkpoint = string(b)
		}
		if _, err := p.Verify(testKey.Public(), g.entries[index]); err == nil {
			t.Fatalf("%+v still proves entry %d of %d", p, index, size)
		}
	})
}

// flipped changes one bit of a hash in base64.
func flipped(t *rapid.T, text string) string {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatalf("%v", err)
	}
	b[rapid.IntRange(0, len(b)-1).Draw(t, "byte")] ^= 1
	return base64.StdEncoding.EncodeToString(b)
}

func TestAKeptCheckpointExposesALogThatWasRewritten(t *testing.T) {
	name := ledger.Name{Tenant: "acme"}
	honest := grow(t, name, two(12))
	for size := range 13 {
		kept := honest.checkpoint(t, size)
		if _, err := honest.consistency(t, size).Verify(testKey.Public(), kept); err != nil {
			t.Errorf("the honest log at %d: %v", size, err)
		}
	}
	// The operator changes entry 5 and seals everything after it anew.
	forged := build(12)
	for i := range forged.entries {
		if i == 4 {
			forged.entries[i].Actor = "nobody"
		}
		head := ledger.Head{}
		if i > 0 {
			head = ledger.Head{Sequence: int64(i), Hash: forged.entries[i-1].Hash}
		}
		forged.entries[i] = ledger.Seal(head, forged.entries[i])
	}
	lie := grow(t, name, forged.entries)
	for size := 5; size <= 12; size++ {
		kept := honest.checkpoint(t, size)
		if _, err := lie.consistency(t, size).Verify(testKey.Public(), kept); problem.CodeOf(err) != "log_rewritten" {
			t.Errorf("kept at %d: %v", size, err)
		}
	}
}

func TestConsistencyIsOfOneLogAndOneSize(t *testing.T) {
	entries := two(10)
	tenant, person := grow(t, ledger.Name{Tenant: "acme"}, entries), grow(t, ledger.Name{Tenant: "acme", Person: "rita"}, entries)
	if _, err := tenant.consistency(t, 3).Verify(testKey.Public(), person.checkpoint(t, 3)); problem.CodeOf(err) != "other_log" || !strings.Contains(err.Error(), `"rita"`) {
		t.Errorf("another log: %v", err)
	}
	if _, err := grow(t, ledger.Name{Tenant: "acme"}, entries[:5]).consistency(t, 5).Verify(testKey.Public(), tenant.checkpoint(t, 7)); problem.CodeOf(err) != "log_shorter" {
		t.Errorf("a shorter log: %v", err)
	}
	p := tenant.consistency(t, 3)
	p.From = 4
	if _, err := p.Verify(testKey.Public(), tenant.checkpoint(t, 3)); problem.CodeOf(err) != "log_rewritten" {
		t.Errorf("another size: %v", err)
	}
	p = tenant.consistency(t, 0)
	p.Hashes = append(p.Hashes, base64.StdEncoding.EncodeToString(make([]byte, 32)))
	if _, err := p.Verify(testKey.Public(), tenant.checkpoint(t, 0)); err == nil {
		t.Error("hashes beside a proof of nothing were let through")
	}
	if _, err := (ledger.Consistency{Checkpoint: "x"}).Verify(testKey.Public(), tenant.checkpoint(t, 3)); problem.CodeOf(err) != "signature" {
		t.Errorf("no checkpoint: %v", err)
	}
}
