package ledger_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// chain is a ledger in memory that returns what it holds, true or not.
type chain struct {
	entries []ledger.Entry
	head    ledger.Head
	broken  error
}

func (c *chain) Entries(_ context.Context, _ string, after int64, limit int) (out []ledger.Entry, err error) {
	for _, e := range c.entries {
		if e.Sequence > after && len(out) < limit {
			out = append(out, e)
		}
	}
	return out, c.broken
}

func (c *chain) Entry(_ context.Context, _, id string) (ledger.Entry, error) {
	for _, e := range c.entries {
		if e.ID == id {
			return e, c.broken
		}
	}
	return ledger.Entry{}, problem.Missing()
}

func (c *chain) OfRun(_ context.Context, _, run string) (out []ledger.Entry, err error) {
	for _, e := range c.entries {
		if e.RunID == run {
			out = append(out, e)
		}
	}
	return out, c.broken
}

func (c *chain) Head(context.Context, string) (ledger.Head, error) { return c.head, c.broken }

func (c *chain) Append(_ context.Context, e ledger.Entry) (ledger.Entry, error) {
	e = ledger.Seal(c.head, e)
	c.entries, c.head = append(c.entries, e), ledger.Head{Sequence: e.Sequence, Hash: e.Hash}
	return e, nil
}

func build(n int) *chain {
	c := &chain{}
	for i := range n {
		_, _ = c.Append(context.Background(), ledger.Entry{
			ID: fmt.Sprint("led_", i), Tenant: "acme", Kind: ledger.Security, RunID: "run_1", Actor: "rita",
			Time: time.Date(2026, 3, 1, 12, i, 0, 999999999, time.FixedZone("CST", 8*3600)), Body: json.RawMessage(`{"n":` + strconv.Itoa(i) + `}`),
		})
	}
	return c
}

// digest is the hash as the format's description says it, written a second time.
func digest(e ledger.Entry) string {
	var b []byte
	for _, part := range []string{
		"kaoju-ledger-1", strconv.FormatInt(e.Sequence, 10), e.ID, e.Tenant, string(e.Kind), e.RunID, e.Actor,
		e.Time.UTC().Format("2006-01-02T15:04:05.999999999Z07:00"), string(e.Body), e.Previous,
	} {
		b = append(binary.BigEndian.AppendUint64(b, uint64(len(part))), part...)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func TestSealGivesPlaceTimeAndHash(t *testing.T) {
	first := ledger.Seal(ledger.Head{}, ledger.Entry{ID: "a", Tenant: "acme", Time: time.Date(2026, 3, 1, 8, 0, 0, 1999, time.FixedZone("CST", 8*3600))})
	if first.Sequence != 1 || first.Previous != ledger.Genesis || string(first.Body) != `{}` || first.Hash != digest(first) {
		t.Fatalf("%+v", first)
	}
	if want := time.Date(2026, 3, 1, 0, 0, 0, 1000, time.UTC); first.Time != want {
		t.Fatalf("the time is %v, want %v in UTC cut to microseconds", first.Time, want)
	}
	second := ledger.Seal(ledger.Head{Sequence: 1, Hash: first.Hash}, ledger.Entry{Body: json.RawMessage(`{"a":1}`)})
	if second.Sequence != 2 || second.Previous != first.Hash || second.Hash != digest(second) {
		t.Fatalf("%+v", second)
	}
}

func TestTheHashOfAnEntryIsFixedForEver(t *testing.T) {
	e := ledger.Seal(ledger.Head{}, ledger.Entry{
		ID: "led_1", Tenant: "acme", Kind: ledger.DocumentPublished, RunID: "run_1", Actor: "carol",
		Time: time.Date(2026, 3, 1, 12, 0, 0, 500000, time.UTC), Body: json.RawMessage(`{"document":"doc-1","version":2}`),
	})
	const want = "790fb7811ef10a60d26cda369697bfea7a7e0df289972f7a9dbab9255fac72ca"
	if e.Hash != want {
		t.Fatalf("the hash became %s: every chain that was written before would be broken", e.Hash)
	}
}

func TestAnEntrySurvivesJSON(t *testing.T) {
	for _, e := range build(3).entries {
		raw, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var back ledger.Entry
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(e, back); d != "" || digest(back) != e.Hash {
			t.Fatal(d)
		}
	}
}

func TestATrueChainVerifies(t *testing.T) {
	for _, n := range []int{0, 1, 7, 499, 500, 501, 1203} {
		c := build(n)
		head, err := ledger.Check(context.Background(), c, "acme")
		if err != nil || head.Sequence != int64(n) || n > 0 && head.Hash != c.entries[n-1].Hash {
			t.Errorf("%d entries: %+v, %v", n, head, err)
		}
	}
}

// tampering changes one thing of a chain of at least three entries at a place.
var tampering = map[string]func(c *chain, i int){
	"sequence": func(c *chain, i int) { c.entries[i].Sequence += 1000 },
	"id":       func(c *chain, i int) { c.entries[i].ID += "x" },
	"tenant":   func(c *chain, i int) { c.entries[i].Tenant = "globex" },
	"kind":     func(c *chain, i int) { c.entries[i].Kind = ledger.RunEnded },
	"run":      func(c *chain, i int) { c.entries[i].RunID = "" },
	"actor":    func(c *chain, i int) { c.entries[i].Actor = "nobody" },
	"time":     func(c *chain, i int) { c.entries[i].Time = c.entries[i].Time.Add(time.Microsecond) },
	"body":     func(c *chain, i int) { c.entries[i].Body = json.RawMessage(`{}`) },
	"space":    func(c *chain, i int) { c.entries[i].Body = append(json.RawMessage(` `), c.entries[i].Body...) },
	"previous": func(c *chain, i int) { c.entries[i].Previous = ledger.Genesis[1:] + "1" },
	"hash":     func(c *chain, i int) { c.entries[i].Hash = strings.Repeat("a", 64) },
	"missing":  func(c *chain, i int) { c.entries = slices.Delete(c.entries, i, i+1) },
	"cut off":  func(c *chain, i int) { c.entries = c.entries[:i] },
	"twice":    func(c *chain, i int) { c.entries = slices.Insert(c.entries, i, c.entries[i]) },
	"moved field": func(c *chain, i int) {
		c.entries[i].Actor, c.entries[i].RunID = c.entries[i].RunID+c.entries[i].Actor, ""
	},
	"sealed anew without the rest": func(c *chain, i int) {
		e := c.entries[i]
		e.Actor = "nobody"
		c.entries[i] = ledger.Seal(ledger.Head{Sequence: e.Sequence - 1, Hash: e.Previous}, e)
	},
	"head sequence": func(c *chain, _ int) { c.head.Sequence-- },
	"head hash":     func(c *chain, _ int) { c.head.Hash = strings.Repeat("b", 64) },
	"no head":       func(c *chain, _ int) { c.head = ledger.Head{} },
}

func TestEveryTamperingIsFound(t *testing.T) {
	names := make([]string, 0, len(tampering))
	for name := range tampering {
		names = append(names, name)
	}
	slices.Sort(names)
	rapid.Check(t, func(t *rapid.T) {
		c := build(rapid.IntRange(3, 12).Draw(t, "entries"))
		name := rapid.SampledFrom(names).Draw(t, "tampering")
		tampering[name](c, rapid.IntRange(0, len(c.entries)-1).Draw(t, "place"))
		if _, err := ledger.Check(context.Background(), c, "acme"); problem.CodeOf(err) != "ledger_broken" || !problem.Is(err, problem.Conflict) {
			t.Fatalf("%s: %v", name, err)
		}
	})
}

func TestExchangedNeighboursAreFound(t *testing.T) {
	c := build(4)
	c.entries[1], c.entries[2] = c.entries[2], c.entries[1]
	c.entries[1].Sequence, c.entries[2].Sequence = 2, 3
	if _, err := ledger.Check(context.Background(), c, "acme"); problem.CodeOf(err) != "ledger_broken" {
		t.Fatalf("got %v", err)
	}
}

func TestTheBrokenEntryIsNamed(t *testing.T) {
	c := build(5)
	c.entries[3].Actor = "nobody"
	head, err := ledger.Check(context.Background(), c, "acme")
	if err == nil || !strings.Contains(err.Error(), "entry 4 was changed") || head.Sequence != 3 {
		t.Fatalf("head %+v, %v", head, err)
	}
}

func TestAVerifierGoesOnFromWhatItAccepted(t *testing.T) {
	c := build(3)
	var v ledger.Verifier
	if v.Head() != (ledger.Head{}) {
		t.Fatal("the zero verifier has seen something")
	}
	if err := v.Next(c.entries[1]); err == nil {
		t.Fatal("a chain began with its second entry")
	}
	for _, e := range c.entries {
		if err := v.Next(e); err != nil {
			t.Fatal(err)
		}
	}
	if v.Head() != c.head {
		t.Fatalf("head %+v, want %+v", v.Head(), c.head)
	}
	if err := v.Next(c.entries[2]); err == nil {
		t.Fatal("an entry was accepted twice")
	}
}

func TestAFailingLogIsNoVerdict(t *testing.T) {
	c := build(2)
	c.broken = errors.New("disk")
	if _, err := ledger.Check(context.Background(), c, "acme"); !errors.Is(err, c.broken) {
		t.Fatalf("got %v", err)
	}
}
