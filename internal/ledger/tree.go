package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/kaoju/kaoju/internal/problem"
)

// Hash is a hash of a Merkle tree.
type Hash = tlog.Hash

// Leaf is what a log's Merkle tree holds of an entry.
type Leaf [sha256.Size]byte

// Leaf returns what the tree of a log holds of an entry. In a tenant's log it is the entry's own
// hash. A person's log does not tell an entry's place among those of others, so its leaf covers
// every field but the place, and the hash, which covers the place without showing it.
func (n Name) Leaf(e Entry) (leaf Leaf) {
	if n.Person == "" {
		_, _ = hex.Decode(leaf[:], []byte(e.Hash)[:min(len(e.Hash), 2*len(leaf))])
		return leaf
	}
	body, second := e.covered()
	form := "kaoju-entry-1"
	if second {
		form = "kaoju-entry-2"
	}
	return digest(form, e.ID, e.Tenant, string(e.Kind), e.RunID, e.Actor, e.Time.Format(time.RFC3339Nano), body, e.Hash)
}

// Apart returns an entry as it stands in a person's log: without its place in the tenant's.
func (e Entry) Apart() Entry {
	e.Sequence, e.Previous = 0, ""
	return e
}

// Tree is the state of a log: how many entries it holds, and the root over them.
type Tree struct {
	Size int64
	Root Hash
}

// Checkpoint is a state of a log that a server signed: a C2SP tlog-checkpoint.
type Checkpoint struct {
	Name Name
	Tree Tree
	Note string
}

// Checkpoint signs a state of a log.
func (k Key) Checkpoint(name Name, t Tree) (Checkpoint, error) {
	text, err := k.Sign(name.Origin(k.name), strconv.FormatInt(t.Size, 10), base64.StdEncoding.EncodeToString(t.Root[:]))
	return Checkpoint{name, t, text}, err
}

// Checkpoint reads a signed state of a log. One that is not whole or that the key did not sign is
// problem.Conflict "signature".
func (p Public) Checkpoint(text string) (Checkpoint, error) {
	origin, lines, err := p.Open(text)
	if err != nil {
		return Checkpoint{}, err
	}
	bad := problem.New(problem.Conflict, "signature", "This is signed, but it is not a checkpoint of a log.")
	name, ok := nameOf(p.Server(), origin)
	if !ok || len(lines) != 2 {
		return Checkpoint{}, bad
	}
	size, err := strconv.ParseInt(lines[0], 10, 64)
	if err != nil || size < 0 || strconv.FormatInt(size, 10) != lines[0] {
		return Checkpoint{}, bad
	}
	root, err := tlog.ParseHash(lines[1])
	if err != nil {
		return Checkpoint{}, bad
	}
	return Checkpoint{name, Tree{size, root}, text}, nil
}

// Inclusion proves that an entry is in a log. Hashes are in base64, as in checkpoints.
type Inclusion struct {
	Index      int64    `json:"index"` // from 0, in the log that the checkpoint names
	Hashes     []string `json:"hashes"`
	Checkpoint string   `json:"checkpoint"`
}

// Verify checks that the entry is in the log whose checkpoint the key signed, and returns that.
// What does not prove it is problem.Conflict "signature" or "proof".
func (i Inclusion) Verify(key Public, e Entry) (Checkpoint, error) {
	c, err := key.Checkpoint(i.Checkpoint)
	if err != nil {
		return Checkpoint{}, err
	}
	leaf := c.Name.Leaf(e)
	hashes, err := parseHashes(i.Hashes)
	if err == nil {
		err = tlog.CheckRecord(hashes, c.Tree.Size, c.Tree.Root, i.Index, tlog.RecordHash(leaf[:]))
	}
	if err != nil || !c.Name.holds(e, i.Index) {
		return Checkpoint{}, problem.New(problem.Conflict, "proof", "The proof does not show that the entry is in the log of the checkpoint.")
	}
	return c, nil
}

// holds reports whether an entry can stand at a place of a log: every field is covered by its leaf.
func (n Name) holds(e Entry, index int64) bool {
	if e.Tenant != n.Tenant {
		return false
	}
	if n.Person == "" {
		return e.Hash == e.digest() && e.Sequence == index+1
	}
	return e.Actor == n.Person && e.Sequence == 0 && e.Previous == ""
}

// Consistency proves that a log only grew: what it held at a smaller size is its beginning now.
type Consistency struct {
	From       int64    `json:"from"`
	Hashes     []string `json:"hashes"`
	Checkpoint string   `json:"checkpoint"`
}

// Verify checks that a log is the one of a checkpoint that was kept, with nothing but additions
// since, and returns its present checkpoint. Otherwise it is problem.Conflict "log_rewritten",
// "log_shorter", "other_log" or "signature".
func (c Consistency) Verify(key Public, kept Checkpoint) (Checkpoint, error) {
	now, err := key.Checkpoint(c.Checkpoint)
	if err != nil {
		return Checkpoint{}, err
	}
	if now.Name != kept.Name {
		return Checkpoint{}, OtherLog(kept.Name)
	}
	if now.Tree.Size < kept.Tree.Size {
		return Checkpoint{}, Shorter(kept)
	}
	hashes, err := parseHashes(c.Hashes)
	if err == nil && kept.Tree.Size != 0 {
		err = tlog.CheckTree(hashes, now.Tree.Size, now.Tree.Root, kept.Tree.Size, kept.Tree.Root)
	}
	if err != nil || c.From != kept.Tree.Size || kept.Tree.Size == 0 && len(hashes) != 0 {
		return Checkpoint{}, rewritten(kept)
	}
	return now, nil
}

// OtherLog says that a checkpoint which was kept is of another log than the one at hand.
func OtherLog(kept Name) error {
	whose := "of tenant " + strconv.Quote(kept.Tenant)
	if kept.Person != "" {
		whose = "of what " + strconv.Quote(kept.Person) + " made in tenant " + strconv.Quote(kept.Tenant)
	}
	return problem.New(problem.Conflict, "other_log", "The checkpoint that was kept is of another log than this one: the one %s.", whose)
}

// Shorter says that a log has fewer entries than it had when a checkpoint was signed.
func Shorter(kept Checkpoint) error {
	return problem.New(problem.Conflict, "log_shorter", "The ledger has fewer than the %d entries of the checkpoint that was kept: its end was removed since.", kept.Tree.Size)
}

func rewritten(kept Checkpoint) error {
	return problem.New(problem.Conflict, "log_rewritten", "The ledger is not the one of the checkpoint that was kept: of its first %d entries one was changed, removed or exchanged since.", kept.Tree.Size)
}

// Trees is the seam to the Merkle trees over stored entries, and to the key that signs them. No
// method looks at more hashes than the logarithm of the log's length.
type Trees interface {
	// Leaves returns the entries of a log in order, at most limit, those after the first so many. It
	// looks at no entry of another log. A log that has no more, or that there is not, gives none.
	Leaves(ctx context.Context, name Name, after int64, limit int) ([]Entry, error)
	// Checkpoint signs a log as it was when it held so many entries, or as it is (Latest). A size
	// beyond the log's is problem.Invalid "invalid_size".
	Checkpoint(ctx context.Context, name Name, size int64) (Checkpoint, error)
	// Inclusion proves that an entry is in a log of so many entries: Latest, or AtEntry for the log
	// that ends with the entry. problem.NotFound if the log has no entry of the id.
	Inclusion(ctx context.Context, name Name, id string, size int64) (Inclusion, error)
	// Consistency proves that what a log held at a size is the beginning of the log as it is. A
	// size beyond the log's is problem.Invalid "invalid_size".
	Consistency(ctx context.Context, name Name, from int64) (Consistency, error)
	// Key returns the key that signs.
	Key() Key
}

// Sizes that are no number of entries.
const (
	Latest  int64 = 0
	AtEntry int64 = -1
)

// Stored returns the hashes that a store keeps when a leaf is added to a tree of n leaves, and the
// number of the first of them. Read gives hashes that were stored before, by their numbers.
func Stored(n int64, leaf Leaf, read Prover) (first int64, hashes []Hash, err error) {
	hashes, err = tlog.StoredHashesForRecordHash(n, tlog.RecordHash(leaf[:]), tlog.HashReaderFunc(read))
	return tlog.StoredHashIndex(0, n), hashes, err
}

// Prover makes proofs from hashes that Stored gave.
type Prover func(numbers []int64) ([]Hash, error)

// Tree returns the state of a tree when it had a number of leaves.
func (p Prover) Tree(size int64) (Tree, error) {
	root, err := tlog.TreeHash(size, tlog.HashReaderFunc(p))
	return Tree{size, root}, err
}

// Inclusion returns the hashes that prove a leaf to be in a tree of a size.
func (p Prover) Inclusion(size, index int64) ([]string, error) {
	hashes, err := tlog.ProveRecord(size, index, tlog.HashReaderFunc(p))
	return writeHashes(hashes), err
}

// Consistency returns the hashes that prove one tree to be the beginning of another. Of the empty
// tree there is nothing to prove.
func (p Prover) Consistency(size, from int64) ([]string, error) {
	if from == 0 {
		return []string{}, nil
	}
	hashes, err := tlog.ProveTree(size, from, tlog.HashReaderFunc(p))
	return writeHashes(hashes), err
}

func writeHashes(hashes []tlog.Hash) []string {
	out := make([]string, len(hashes))
	for i, h := range hashes {
		out[i] = h.String()
	}
	return out
}

// maxProof bounds the hashes of a proof; a tree of 2^62 leaves has no longer one.
const maxProof = 128

func parseHashes(texts []string) ([]tlog.Hash, error) {
	if len(texts) > maxProof {
		return nil, problem.New(problem.Conflict, "proof", "The proof is too long.")
	}
	out := make([]tlog.Hash, len(texts))
	for i, t := range texts {
		h, err := tlog.ParseHash(t)
		if err != nil {
			return nil, err
		}
		out[i] = h
	}
	return out, nil
}

// frontier is a tree that only grows: of each full subtree it keeps the root alone.
type frontier struct {
	size  int64
	peaks []tlog.Hash
}

func (f *frontier) add(leaf Leaf) {
	h := tlog.RecordHash(leaf[:])
	for n := f.size; n&1 == 1; n >>= 1 {
		h = tlog.NodeHash(f.peaks[len(f.peaks)-1], h)
		f.peaks = f.peaks[:len(f.peaks)-1]
	}
	f.peaks = append(f.peaks, h)
	f.size++
}

func (f *frontier) tree() Tree {
	if f.size == 0 {
		return Tree{0, sha256.Sum256(nil)}
	}
	h := f.peaks[len(f.peaks)-1]
	for i := len(f.peaks) - 2; i >= 0; i-- {
		h = tlog.NodeHash(f.peaks[i], h)
	}
	return Tree{f.size, h}
}
