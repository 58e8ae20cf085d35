package ledger_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// file exports a log.
func file(t failing, name ledger.Name, n int) []byte {
	g := grow(t, name, two(n))
	var b bytes.Buffer
	x := ledger.NewExport(&b, name)
	for _, e := range g.entries {
		if err := x.Entry(e); err != nil {
			t.Fatalf("%v", err)
		}
	}
	if err := x.End(g.checkpoint(t, len(g.entries)), testKey.Public()); err != nil {
		t.Fatalf("%v", err)
	}
	return b.Bytes()
}

var logs = []ledger.Name{{Tenant: "acme"}, {Tenant: "acme", Person: "rita"}}

func TestAFileIsVerifiedWithNothingButItselfAndTheKey(t *testing.T) {
	for _, name := range logs {
		for _, n := range []int{0, 1, 2, 9, 64} {
			raw := file(t, name, n)
			r, err := ledger.VerifyFile(bytes.NewReader(raw), testKey.Public())
			if err != nil || r.KeyFromFile || r.Checkpoint.Name != name || r.Key != testKey.Public() {
				t.Fatalf("%v, %d entries: %+v, %v", name, n, r, err)
			}
			if entries := int64(bytes.Count(raw, []byte("\n")) - 1); r.Checkpoint.Tree.Size != entries {
				t.Errorf("%d entries are reported, there are %d", r.Checkpoint.Tree.Size, entries)
			}
			if r, err := ledger.VerifyFile(bytes.NewReader(raw), ""); err != nil || !r.KeyFromFile {
				t.Errorf("without a key: %+v, %v", r, err)
			}
			if _, err := ledger.VerifyFile(bytes.NewReader(raw), ledger.KeyOf([32]byte{9}).Public()); problem.CodeOf(err) != "signature" {
				t.Errorf("under another key: %v", err)
			}
		}
	}
}

func TestAPersonsFileHasNoPlacesOfTheTenantsChain(t *testing.T) {
	raw := string(file(t, ledger.Name{Tenant: "acme", Person: "sam"}, 30))
	if strings.Contains(raw, `"sequence":1`) || strings.Count(raw, `"sequence":0`) != 10 || strings.Count(raw, `"previous":""`) != 10 {
		t.Error(raw)
	}
}

func TestEveryChangedByteOfAFileIsFoundAndItsLineNamed(t *testing.T) {
	for _, name := range logs {
		raw := file(t, name, 5)
		line := 1
		for i, b := range raw {
			for _, change := range []byte{1, 2, 32} {
				bad := bytes.Clone(raw)
				bad[i] ^= change
				_, err := ledger.VerifyFile(bytes.NewReader(bad), testKey.Public())
				if problem.KindOf(err) != problem.Conflict || !strings.HasPrefix(err.Error(), fmt.Sprintf("Line %d", line)) {
					t.Fatalf("%v: byte %d (%q) of line %d became %q: %v", name, i, b, line, bad[i], err)
				}
			}
			if b == '\n' {
				line++
			}
		}
	}
}

func TestMissingExchangedAndRepeatedLinesAreFoundAndNamed(t *testing.T) {
	for _, name := range logs {
		whole := strings.SplitAfter(string(file(t, name, 9)), "\n")
		whole = whole[:len(whole)-1]
		n := len(whole)
		for i := range n {
			without := strings.Join(append(append([]string{}, whole[:i]...), whole[i+1:]...), "")
			twice := strings.Join(append(append([]string{}, whole[:i+1]...), whole[i:]...), "")
			for what, text := range map[string]string{"missing": without, "twice": twice, "cut": strings.Join(whole[:i], "")} {
				_, err := ledger.VerifyFile(strings.NewReader(text), "")
				if problem.KindOf(err) != problem.Conflict || !strings.HasPrefix(err.Error(), "Line ") {
					t.Errorf("%v: line %d %s: %v", name, i+1, what, err)
				}
			}
			if i+1 < n-1 {
				swapped := append([]string{}, whole...)
				swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
				_, err := ledger.VerifyFile(strings.NewReader(strings.Join(swapped, "")), "")
				if err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("Line %d", i+1)) {
					t.Errorf("%v: lines %d and %d exchanged: %v", name, i+1, i+2, err)
				}
			}
		}
	}
}

func TestAFileCutAnywhereIsFound(t *testing.T) {
	raw := file(t, logs[0], 4)
	for i := range raw {
		if _, err := ledger.VerifyFile(bytes.NewReader(raw[:i]), ""); problem.KindOf(err) != problem.Conflict {
			t.Fatalf("cut after %d of %d bytes: %v", i, len(raw), err)
		}
	}
}

// lastLine is the end of a file.
func lastLine(raw []byte) []byte {
	return raw[bytes.LastIndexByte(raw[:len(raw)-1], '\n')+1:]
}

func TestNoFileIsEndedThatIsNotTheLogOfItsEnd(t *testing.T) {
	for _, name := range logs {
		g := grow(t, name, two(9))
		for what, entries := range map[string][]ledger.Entry{
			"one entry is gone":  append(append([]ledger.Entry{}, g.entries[:2]...), g.entries[3:]...),
			"the last is gone":   g.entries[:len(g.entries)-1],
			"one was changed":    changedAt(g.entries, 3),
			"two change places":  append([]ledger.Entry{g.entries[1], g.entries[0]}, g.entries[2:]...),
			"nothing is written": nil,
		} {
			var b bytes.Buffer
			x := ledger.NewExport(&b, name)
			var err error
			for _, e := range entries {
				if err = x.Entry(e); err != nil {
					break
				}
			}
			if err == nil {
				err = x.End(g.checkpoint(t, len(g.entries)), testKey.Public())
			}
			if problem.CodeOf(err) != "ledger_broken" || bytes.Contains(b.Bytes(), []byte(`"checkpoint"`)) {
				t.Errorf("%v, %s: %v", name, what, err)
			}
		}
	}
}

func TestNoFileIsEndedByTheCheckpointOfAnotherLog(t *testing.T) {
	x := ledger.NewExport(&bytes.Buffer{}, logs[0])
	if err := x.End(grow(t, logs[1], nil).checkpoint(t, 0), testKey.Public()); problem.CodeOf(err) != "other_log" {
		t.Errorf("got %v", err)
	}
}

// changedAt is a list of entries of which one tells of another run.
func changedAt(entries []ledger.Entry, i int) []ledger.Entry {
	out := append([]ledger.Entry{}, entries...)
	out[i].RunID = "run_other"
	return out
}

func TestAFileThatWasSealedAnewIsFoundByItsSignature(t *testing.T) {
	end := lastLine(file(t, logs[0], 6))
	var b bytes.Buffer
	x := ledger.NewExport(&b, logs[0])
	for _, e := range build(6).entries {
		if err := x.Entry(e); err != nil {
			t.Fatal(err)
		}
	}
	b.Write(end)
	if _, err := ledger.VerifyFile(&b, testKey.Public()); problem.CodeOf(err) != "log_rewritten" {
		t.Errorf("got %v", err)
	}
}

func TestAnEndThatWasRemovedIsToldFromARewrittenLog(t *testing.T) {
	gone := map[ledger.Name]int{logs[0]: 10, logs[1]: 7} // of 12 entries, 8 of them Rita's; of the first 9 she made 6
	for name, size := range gone {
		kept := grow(t, name, two(12)).checkpoint(t, size)
		if _, err := ledger.VerifyFile(bytes.NewReader(file(t, name, 9)), testKey.Public(), kept); problem.CodeOf(err) != "log_shorter" {
			t.Errorf("%v: %v", name, err)
		}
	}
	c := &chain{entries: two(9)}
	c.head = ledger.Head{Sequence: 9, Hash: c.entries[8].Hash}
	for name, size := range gone {
		if _, err := ledger.Check(context.Background(), c, "acme", grow(t, name, two(12)).checkpoint(t, size)); problem.CodeOf(err) != "log_shorter" {
			t.Errorf("%v: %v", name, err)
		}
	}
}

func TestTheServerThatANoteNamesIsReadOffIt(t *testing.T) {
	text := grow(t, logs[0], two(3)).checkpoint(t, 3).Note
	if got := ledger.Signer(text); got != testKey.Public().Server() {
		t.Errorf("%q", got)
	}
	for _, other := range []string{"", "nonsense", "kaoju-0123/acme\n", "\x1b[2Jkaoju-0123456789abcdef/acme", "kaoju-0123456789ABCDEF/acme"} {
		if got := ledger.Signer(other); got != "" {
			t.Errorf("%q names %q", other, got)
		}
	}
}

func TestAKeptCheckpointIsComparedWithFileAndStore(t *testing.T) {
	for _, name := range logs {
		g := grow(t, name, two(9))
		raw := file(t, name, 9)
		other := grow(t, name, build(9).entries)
		for size := range len(g.entries) + 1 {
			if _, err := ledger.VerifyFile(bytes.NewReader(raw), testKey.Public(), g.checkpoint(t, size)); err != nil {
				t.Errorf("%v at %d: %v", name, size, err)
			}
			if size > 1 {
				if _, err := ledger.VerifyFile(bytes.NewReader(raw), testKey.Public(), other.checkpoint(t, size)); problem.CodeOf(err) != "log_rewritten" {
					t.Errorf("%v, another's at %d: %v", name, size, err)
				}
			}
		}
	}
	c := &chain{entries: two(9)}
	last := c.entries[8]
	c.head = ledger.Head{Sequence: 9, Hash: last.Hash}
	rita := grow(t, logs[1], c.entries)
	if _, err := ledger.Check(context.Background(), c, "acme", rita.checkpoint(t, 2), grow(t, logs[0], c.entries).checkpoint(t, 7)); err != nil {
		t.Errorf("honest: %v", err)
	}
	if _, err := ledger.Check(context.Background(), c, "acme", grow(t, logs[1], build(9).entries).checkpoint(t, 3)); problem.CodeOf(err) != "log_rewritten" {
		t.Errorf("a person's: %v", err)
	}
	if _, err := ledger.Check(context.Background(), c, "acme", grow(t, ledger.Name{Tenant: "globex"}, nil).checkpoint(t, 0)); problem.CodeOf(err) != "other_log" {
		t.Errorf("another tenant's: %v", err)
	}
}

func TestALineBeyondAllBoundsIsAClearError(t *testing.T) {
	r := strings.NewReader(`{"sequence":1,"id":"` + strings.Repeat("a", 17<<20))
	if _, err := ledger.VerifyFile(r, ""); problem.CodeOf(err) != "ledger_broken" {
		t.Errorf("got %v", err)
	}
}

func FuzzVerifyFile(f *testing.F) {
	for _, name := range logs {
		f.Add(file(f, name, 4))
	}
	f.Add([]byte("{}\n"))
	f.Add([]byte(`{"checkpoint":"","key":""}` + "\n"))
	whole := map[string]bool{}
	for _, name := range logs {
		for n := range 12 {
			whole[string(file(f, name, n))] = true
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if _, err := ledger.VerifyFile(bytes.NewReader(raw), testKey.Public()); err == nil && !whole[string(raw)] {
			t.Fatalf("a file that the key never signed is accepted: %q", raw)
		}
	})
}

// A store whose tree says something else than its entries would give proofs of what never was.
func TestAStoredTreeThatIsNotThatOfTheEntriesIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "entries")
		c := &chain{entries: two(n)}
		g := grow(t, logs[0], c.entries)
		if err := ledger.CheckTrees(context.Background(), c, stored{grown: g}, "acme"); err != nil {
			t.Fatalf("honest: %v", err)
		}
		c.entries[rapid.IntRange(0, n-1).Draw(t, "which")].Hash = strings.Repeat("0", 64)
		if err := ledger.CheckTrees(context.Background(), c, stored{grown: g}, "acme"); problem.CodeOf(err) != "ledger_broken" {
			t.Fatalf("got %v", err)
		}
	})
}

// The trees by which people are proved their own are compared as well, whatever is wrong with one.
func TestAPersonsStoredTreeThatIsNotThatOfTheirEntriesIsFound(t *testing.T) {
	entries := two(9)
	changed := slices.Clone(entries)
	for i, e := range changed {
		if e.Actor == "sam" {
			changed[i].Hash = strings.Repeat("0", 64)
			break
		}
	}
	sam := ledger.Name{Tenant: "acme", Person: "sam"}
	for name, other := range map[string][]ledger.Entry{
		"another entry": changed, "an entry less": entries[:6], "nothing": nil, "an entry more": two(12), "another order": reversed(entries),
	} {
		c := &chain{entries: entries}
		s := stored{grow(t, logs[0], entries), map[ledger.Name][]ledger.Entry{sam: other}}
		err := ledger.CheckTrees(context.Background(), c, s, "acme")
		if problem.CodeOf(err) != "ledger_broken" || !strings.Contains(err.Error(), `"sam"`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func reversed(entries []ledger.Entry) []ledger.Entry {
	out := slices.Clone(entries)
	slices.Reverse(out)
	return out
}

// stored is the seam over the trees of a tenant in memory. Those of other entries than the tenant's are
// named.
type stored struct {
	*grown
	other map[ledger.Name][]ledger.Entry
}

func (s stored) Leaves(context.Context, ledger.Name, int64, int) ([]ledger.Entry, error) {
	return s.entries, nil
}
func (s stored) Checkpoint(_ context.Context, name ledger.Name, size int64) (ledger.Checkpoint, error) {
	entries, ok := s.other[name]
	if !ok {
		entries = s.entries
	}
	g := grow(panicking{}, name, entries)
	if size == ledger.Latest {
		size = int64(len(g.entries))
	}
	if size > int64(len(g.entries)) {
		return ledger.Checkpoint{}, problem.New(problem.Invalid, "invalid_size", "beyond")
	}
	return g.checkpoint(panicking{}, int(size)), nil
}
func (s stored) Inclusion(context.Context, ledger.Name, string, int64) (ledger.Inclusion, error) {
	return ledger.Inclusion{}, nil
}
func (s stored) Consistency(context.Context, ledger.Name, int64) (ledger.Consistency, error) {
	return ledger.Consistency{}, nil
}
func (s stored) Key() ledger.Key { return testKey }

type panicking struct{}

func (panicking) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }
