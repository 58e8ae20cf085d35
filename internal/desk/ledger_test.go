package desk

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

func jsonInto(b []byte, v any) error { return json.Unmarshal(b, v) }

// Read page by page, the ledger gives exactly the entries that a plain filter of all gives.
func TestPagesOfTheLedgerAreTheWholeOfWhatOneMaySee(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		o := newOffice()
		auditor := rapid.Bool().Draw(rt, "auditor")
		if auditor {
			o.snap.Identity.Roles = []access.Role{access.Auditor}
		}
		f := LedgerFilter{
			RunID: rapid.SampledFrom([]string{"", "r1"}).Draw(rt, "run"), Actor: rapid.SampledFrom([]string{"", "alice", "bob"}).Draw(rt, "actor"),
			Limit: rapid.IntRange(1, 5).Draw(rt, "limit"),
		}
		if rapid.Bool().Draw(rt, "bounded") {
			f.From, f.To = noon.Add(2*time.Hour), noon.Add(9*time.Hour)
		}
		var want []string
		var mine int64
		for i := range rapid.IntRange(0, 30).Draw(rt, "entries") {
			e := ledger.Entry{
				Sequence: int64(i + 1), ID: fmt.Sprint("led_", i), Previous: "hash", Tenant: "acme", Actor: rapid.SampledFrom([]string{"alice", "bob"}).Draw(rt, "by"),
				RunID: rapid.SampledFrom([]string{"", "r1", "r2"}).Draw(rt, "of"), Time: noon.Add(time.Duration(i) * time.Hour),
			}
			o.entries = append(o.entries, e)
			own := auditor || e.Actor == "alice"
			if e.Actor == "alice" {
				mine++
			}
			picked := (f.RunID == "" || f.RunID == e.RunID) && (f.Actor == "" || f.Actor == e.Actor)
			timely := f.From.IsZero() || i >= 2 && i < 9
			if own && picked && timely {
				want = append(want, e.ID)
			}
		}
		var got []string
		for range 100 {
			entries, after, err := o.desk().Ledger(t.Context(), alice, f)
			must(t, err)
			if len(entries) > f.Limit {
				rt.Fatalf("a page of %d", len(entries))
			}
			for _, e := range entries {
				got = append(got, e.ID)
				if told := e.Sequence != 0 || e.Previous != ""; told != auditor {
					rt.Fatalf("the place of an entry was told: %v, to an auditor: %v", told, auditor)
				}
			}
			if after > int64(len(o.entries)) || !auditor && after > mine {
				rt.Fatalf("a page says to go on after %d, and the list has %d", after, mine)
			}
			if f.After = after; after == 0 {
				break
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func TestACursorBeforeTheLedgerIsRefused(t *testing.T) {
	o := newOffice()
	if _, _, err := o.desk().Ledger(t.Context(), alice, LedgerFilter{After: -1, Limit: 1}); problem.CodeOf(err) != "invalid_cursor" {
		t.Errorf("got %v", err)
	}
}

// What others do moves neither the pages of one's own entries nor what they say to go on after.
func TestPagesOfOnesOwnEntriesTellNothingOfOthers(t *testing.T) {
	pages := func(others int) (told []string) {
		o := newOffice()
		for i := range 6 {
			for range others {
				o.enter("bob", ledger.Security, "r1", nil)
			}
			o.enter("alice", ledger.Security, "r1", body(map[string]any{"no": i}))
		}
		for f := (LedgerFilter{Limit: 2, RunID: "r1"}); ; {
			page, after, err := o.desk().Ledger(t.Context(), alice, f)
			must(t, err)
			told = append(told, fmt.Sprint(after))
			for _, e := range page {
				told = append(told, string(e.Body))
			}
			if f.After = after; after == 0 {
				return told
			}
		}
	}
	if d := cmp.Diff(pages(0), pages(700)); d != "" {
		t.Errorf("between entries of others: %s", d)
	}
	for _, after := range []int64{6, 7, 4000} { // the end, or a place among all entries
		o := newOffice()
		for range 6 {
			o.enter("alice", ledger.Security, "", nil)
			o.enter("bob", ledger.Security, "", nil)
		}
		page, next, err := o.desk().Ledger(t.Context(), alice, LedgerFilter{After: after, Limit: 2})
		if err != nil || len(page) != 0 || next != 0 {
			t.Errorf("after %d: %d entries, then %d, %v", after, len(page), next, err)
		}
	}
}
