package storetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/memory"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/tool"
)

// canaries are words that stand where a version keeps text: in the original and the text, the
// title, the address, a heading, a repeated context, and a label.
var canaries = []string{
	"canarytext91", "金丝雀正文", "canarytitle92", "canaryuri93", "canaryheading94", "canarycontext95", "canarylabel96",
}

// derived are words that stand in what a run makes of a version: its answer, the sections, what is
// missing, a check, and a search that a model worded after reading.
var derived = []string{"canaryanswer81", "canarysection82", "canarymissing83", "canarycheck84", "canaryquote85", "canaryquery86", "canaryconflict87"}

// laden publishes a version that holds every canary.
func (w *World) laden(key corpus.Key) corpus.Document {
	w.t.Helper()
	body := strings.Repeat(canaries[0]+" "+canaries[1]+"\n", 40) + string(key)
	res := w.reserved("carol", body, corpus.Upload{Key: key, Title: canaries[2], SourceURI: canaries[3], Publish: true})
	job := w.claim()
	v := parse(res.Document, body)
	for i := range v.Chunks {
		v.Chunks[i].HeadingPath, v.Chunks[i].Context = []string{canaries[4]}, canaries[5]
		v.Blocks[i].HeadingPath = []string{canaries[4]}
	}
	v.Segment = []byte(body)
	_, err := w.Publisher.Publish(w.ctx, v, job.ID, job.Token)
	w.ok(err)
	d, err := w.Catalog.Edit(w.ctx, w.scope("carol", access.Catalog), res.Document, corpus.Change{Labels: &[]string{canaries[6]}})
	w.ok(err)
	return d
}

// readBy makes evidence of a laden version.
func readBy(ref string, d corpus.Document, at corpus.Locator) citation.Evidence {
	return citation.New(ref, nonce(ref), corpus.Passage{
		Document: d.ID, KnowledgeBase: d.KnowledgeBase, Key: d.Key, Version: d.Version, Status: d.Status, Title: d.Title, SourceURI: d.SourceURI,
		Chunk: "c_1", Locator: at, Span: corpus.Span{End: 9}, Text: canaries[0], Context: canaries[5],
		Segments: []corpus.Segment{{Span: corpus.Span{End: 9}, Locator: at}},
	}, d.CreatedAt)
}

// leaned commits a step of a run of rita's that read a version and wrote from it.
func (w *World) leaned(r *run.Run, l run.Lease, d corpus.Document, refs ...string) {
	w.t.Helper()
	w.filled(r)
	r.Hits = []tool.Hit{{Document: d.ID, Version: d.Version, Title: d.Title, Chunk: "c_1"}, {Document: "another", Title: "Another title"}}
	r.Searches = []tool.Search{{Query: derived[5], Page: 1, Hits: 2}}
	r.Answer = citation.Answer{Text: derived[0], Sections: citation.Sections{Conclusion: derived[1]}, Refs: []string{"S1"}, Missing: []string{derived[2]}}
	r.Checks = []citation.Check{{Sentence: derived[3], Labels: []string{"S1"}, Verdict: citation.Supported, Quote: derived[4]}}
	r.Conflicts = []citation.Conflict{{Refs: [2]string{"S1", "S2"}, Quotes: [2]string{derived[6], derived[6]}, Kind: "value"}}
	c := run.Commit{Lease: l, Run: r, Events: []event.Event{event.New(event.StepCompleted, struct{}{})}}
	for _, ref := range refs {
		c.Evidence = append(c.Evidence, readBy(ref, d, heading))
	}
	w.ok(w.Journal.Commit(w.ctx, c))
}

// taped is leaned with a recording of it.
func (w *World) taped(r *run.Run, l run.Lease, d corpus.Document, refs ...string) {
	w.t.Helper()
	w.leaned(r, l, d, refs...)
	p := run.Recording{Attempt: 1, Step: r.Step, Began: &run.Began{Memory: derived[0]}}.Pack(r.Seal)
	r.TapeHash = run.Fold(r.TapeHash, p.Hash)
	w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Recordings: []run.Packed{p}}))
}

// heading is where a laden version was read.
var heading = corpus.TextLocator{Format: "md", Heading: []string{canaries[4]}, Line: 1}

// ended commits the end of a run, told of by a worker that knows what it read.
func (w *World) ended(r *run.Run, l run.Lease, read ...citation.Evidence) {
	w.t.Helper()
	r.State, r.Reason, r.EndedAt = run.Completed, run.Success, w.clock.Now()
	w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Entries: []ledger.Entry{
		{Kind: ledger.RunEnded, Actor: string(r.Actor), Time: w.clock.Now(), Body: run.EndedBody(r, read)},
	}}))
}

// heldNow checks that a run is what the ledger tells of, to the last word.
func (w *World) heldNow(t *testing.T, what string, r *run.Run) {
	t.Helper()
	stored, kept, err := w.Journal.Run(w.ctx, r.Tenant, r.Actor, r.ID)
	w.ok(err)
	entries, err := w.Ledger.OfRun(w.ctx, string(r.Tenant), string(r.ID))
	w.ok(err)
	tape, err := w.Tapes.Tape(w.ctx, r.Tenant, r.Actor, r.ID)
	w.ok(err)
	told := run.ToldOf(entries, stored.Attempt)
	if held := told.Hold(stored, kept, false); !held.Verified() || !told.HoldTape(stored, tape, false) {
		t.Errorf("%s: %+v", what, held)
	}
}

// found checks that every word is kept somewhere, or that none is kept anywhere.
func (w *World) found(t *testing.T, words []string, want bool) {
	t.Helper()
	for _, word := range words {
		if places := w.Holds(t, word); (len(places) > 0) != want {
			t.Errorf("%q is kept in %v", word, places)
		}
	}
}

func (w *World) erase(user access.UserID, id corpus.DocumentID) error {
	return w.Catalog.Erase(w.ctx, w.scope(user, access.Catalog), id)
}

var eraseTests = []test{
	{"ErasedTextIsNowhere", func(t *testing.T, w *World) {
		d := w.laden("k")
		other := w.add("carol", "other", "other text", published)
		r, l := w.started("run_1")
		w.leaned(r, l, d, "S1", "S2")
		r.State, r.Reason, r.EndedAt = run.Completed, run.Success, w.clock.Now()
		w.ok(w.Journal.Commit(w.ctx, run.Commit{Lease: l, Run: r, Evidence: []citation.Evidence{evidence("S3", w.clock.Now())}}))
		w.found(t, append(canaries, derived...), true)
		added := w.changes(func() error { return w.erase("carol", d.ID) }, ledger.RunReduced, ledger.DocumentErased)
		is(w, "actor", added[1].Actor, "carol")
		is(w, "whose the entry of the run is", added[0].Actor, "")
		w.found(t, append(canaries, derived...), false)
		for _, s := range []access.Scope{w.scope("carol", access.Catalog), w.scope("carol", access.Cited), unscopedScope(acme)} {
			w.hidden(s, d.ID)
		}
		_, err := w.Blobs.Open(w.ctx, d.Checksum)
		w.want(err, "not_found")
		is(w, "another version", w.text("rita", other.ID), "other text")
	}},
	{"WhatIsLeftOfARunIsHeldByTheLedger", func(t *testing.T, w *World) {
		d, other := w.laden("k"), w.laden("l")
		r, l := w.started("run_1")
		w.taped(r, l, d, "S1")
		w.taped(r, l, other, "S2")
		w.ended(r, l, readBy("S1", d, heading), readBy("S2", other, heading))
		late, lease := w.started("run_2")
		w.taped(late, lease, d, "S1")
		held := func(what string) {
			t.Helper()
			for _, id := range []run.ID{"run_1", "run_2"} {
				if stored := w.stored(id); stored.State.Final() {
					w.heldNow(t, what+": "+string(id), stored)
				}
			}
		}
		held("as it ended")
		w.ok(w.erase("carol", d.ID))
		held("after an erasure")
		w.ended(late, lease, readBy("S1", d, heading)) // its worker still has what it read before
		held("erased while it was under way")
		w.ok(w.erase("carol", other.ID))
		held("after two erasures")
		w.ok(w.erase("carol", d.ID))
		held("after one was erased again")
		// An attempt that was interrupted ends with an entry too.
		cut, lease := w.started("run_3")
		third := w.laden("m")
		w.taped(cut, lease, third, "S1")
		w.ok(w.erase("carol", third.ID))
		_, err := w.Journal.Interrupt(w.ctx, w.clock.Now().Add(1000*time.Hour))
		w.ok(err)
		w.heldNow(t, "erased and then interrupted", w.stored("run_3"))
	}},
	{"TheRunThatReadItKeepsIdsAndHashes", func(t *testing.T, w *World) {
		d := w.laden("k")
		r, l := w.started("run_1")
		w.leaned(r, l, d, "S1")
		events := len(w.log("run_1"))
		w.ok(w.erase("carol", d.ID))
		got, kept, err := w.Journal.Run(w.ctx, acme, "rita", "run_1")
		w.ok(err)
		want := *r
		want.Hits = []tool.Hit{{Document: d.ID, Version: 1, Chunk: "c_1"}, {Document: "another", Title: "Another title"}}
		want.Searches = []tool.Search{{Page: 1, Hits: 2}}
		want.Answer, want.Checks, want.Conflicts = citation.Answer{Refs: []string{"S1"}}, nil, nil
		want.Notices = []string{"source_truncated", "erased"}
		// The question can still be held against its hash, and nothing else can be tried any more.
		is(w, "hash of the question", got.Seal.Hash(run.NameGoal, r.Goal), r.Seal.Hash(run.NameGoal, r.Goal))
		for _, name := range []string{run.NameAnswer, run.NamePrompt, run.NameRecording, run.NameArguments, run.NameResult, run.NameExcerpt("S1"), run.NameRecord, run.NameSentence} {
			if got.Seal.Nonce(name) == r.Seal.Nonce(name) {
				t.Errorf("the nonce of %s was kept", name)
			}
		}
		want.Seal = got.Seal
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Fatal(diff)
		}
		blank := readBy("S1", d, nil)
		blank.Title, blank.SourceURI, blank.Excerpt, blank.Context, blank.Nonce, blank.Segments = "", "", "", "", "", nil
		if diff := cmp.Diff([]citation.Evidence{blank}, kept); diff != "" {
			t.Fatal(diff)
		}
		is(w, "hash", kept[0].Hash, testSeal.Hash("S1", canaries[0]))
		is(w, "events", len(w.log("run_1")), events)
	}},
	{"ARunUnderWayBringsNothingBack", func(t *testing.T, w *World) {
		d := w.laden("k")
		reading, l := w.started("run_1")
		w.leaned(reading, l, d, "S1")
		finding, other := w.started("run_2")
		w.ok(w.erase("carol", d.ID))
		// Both workers still hold what they read before.
		w.leaned(reading, l, d, "S2")
		w.leaned(finding, other, d)
		w.found(t, canaries, false)
		// A query may repeat what a hit said, whether or not that was read.
		if q := w.stored("run_2").Searches; len(q) != 1 || q[0].Query != "" || q[0].Hits != 2 {
			t.Errorf("the queries are %+v", q)
		}
		if w.stored("run_1").Answer.Text != "" || w.stored("run_2").Answer.Text == "" {
			t.Fatal("the answer from the erased version must go, and the other stay")
		}
	}},
	{"ADeletedVersionCanBeErased", func(t *testing.T, w *World) {
		d := w.laden("k")
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), d.ID))
		w.found(t, canaries, true)
		w.ok(w.erase("carol", d.ID))
		w.found(t, canaries, false)
		is(w, "next version", w.add("carol", "k", "again", published).Version, 2)
	}},
	{"WhatWasAskedOfToolsAboutItIsErased", func(t *testing.T, w *World) {
		d := w.laden("k")
		other := w.add("carol", "other", "other text", published)
		r, l := w.started("run_1")
		w.leaned(r, l, d, "S1")
		asked := func(id corpus.DocumentID, evidence, word string) approval.Proposal {
			c := called(approval.Outside)
			c.Args, c.Evidence = json.RawMessage(`{"title":"`+word+`"}`), evidence
			p, err := w.call("rita", id, c)
			w.ok(err)
			return p
		}
		words := []string{"canarywaits71", "canaryruns72", "canarydone73", "canarysays74", "canaryleans75"}
		waits, runs, done := asked(d.ID, "run_e", words[0]), asked(d.ID, "run_e", words[1]), asked(d.ID, "run_e", words[2])
		leans, stays := asked(other.ID, "run_1", words[4]), asked(other.ID, "run_e", "canarystays76")
		hashes := map[approval.ID]string{}
		for _, p := range []approval.Proposal{waits, runs, done, leans, stays} {
			hashes[p.ID] = p.Call.ArgsHash()
		}
		claimed := map[approval.ID]approval.Task{}
		for _, p := range []approval.Proposal{runs, done} {
			approved, err := w.decide("rita", p.ID, true)
			w.ok(err)
			claimed[p.ID], err = w.claimTask("rita", w.taskOf("rita", approved.Task.ID))
			w.ok(err)
		}
		ended := func(id approval.ID) {
			k := claimed[id]
			_, err := w.Tasks.Finish(w.ctx, k.ID, k.Token, approval.Result{Status: approval.Succeeded, Answer: json.RawMessage(`{"a":"` + words[3] + `"}`)})
			w.ok(err)
		}
		ended(done.ID)
		w.found(t, words, true)
		w.ok(w.erase("carol", d.ID))
		ended(runs.ID) // its call was under way
		w.found(t, words, false)
		w.found(t, []string{"canarystays76"}, true)
		for id, hash := range hashes {
			p, err := w.Approvals.Proposal(w.ctx, acme, "rita", id)
			w.ok(err)
			is(w, "hash of the arguments", p.Call.ArgsHash(), hash)
			is(w, "arguments are gone", len(p.Call.Args) == 0, id != stays.ID)
		}
		for _, id := range []approval.ID{runs.ID, done.ID} {
			k := w.taskOf("rita", claimed[id].ID)
			is(w, "task", fmt.Sprint(k.Status, string(k.Result)), fmt.Sprint(approval.Succeeded))
		}
		_, err := w.decide("rita", leans.ID, true)
		w.want(err, "lock_conflict")
		_, err = w.decide("rita", stays.ID, true)
		w.ok(err)
		_, err = ledger.Check(w.ctx, w.Ledger, string(acme))
		w.ok(err)
		w.ok(w.erase("carol", d.ID))
	}},
	{"ErasingAgainIsNoErrorAndNoChange", func(_ *testing.T, w *World) {
		d := w.laden("k")
		w.ok(w.erase("carol", d.ID))
		w.changes(func() error { return w.erase("carol", d.ID) })
	}},
	{"NothingIsLeftAmongManyVersions", func(t *testing.T, w *World) {
		var ids []corpus.DocumentID
		for i := range 8 {
			ids = append(ids, w.laden(corpus.Key(fmt.Sprint("laden ", i))).ID)
			w.add("carol", corpus.Key(fmt.Sprint("plain ", i)), strings.Repeat(fmt.Sprintf("plain %d\n", i), 5+i), published)
		}
		for _, i := range []int{3, 0, 7, 1, 2, 4, 5, 6} {
			w.ok(w.erase("carol", ids[i]))
		}
		w.found(t, canaries, false)
	}},
	{"EraseNeedsManagerAndTheRole", func(t *testing.T, w *World) {
		w.ok(w.Admin.PutUser(w.ctx, acme, "root", access.Identity{User: "ed", Roles: []access.Role{access.KnowledgeAdmin}}))
		d := w.add("carol", "k", "text", published)
		gone := w.add("carol", "l", "text 2", published)
		w.ok(w.Catalog.Delete(w.ctx, w.scope("mia", access.Catalog), gone.ID))
		for _, id := range []corpus.DocumentID{d.ID, gone.ID, "doc_unknown"} {
			for _, user := range []access.UserID{"mia", "ed", "rita", "olga", "erin"} {
				w.changes(func() error { same(t, "Erase by "+string(user), w.erase(user, id)); return nil })
			}
		}
		deny := access.Policy{Deny: []access.Principal{access.User("carol")}}
		_, err := w.Catalog.Edit(w.ctx, w.scope("mia", access.Catalog), d.ID, corpus.Change{Policy: &deny})
		w.ok(err)
		same(t, "Erase past a denial", w.erase("carol", d.ID))
		is(w, "original", w.original(d.Checksum), "text")
	}},
	{"BytesThatAnotherVersionHasStay", func(_ *testing.T, w *World) {
		d := w.add("carol", "k", "text", published)
		twin := w.add("carol", "l", "text", published)
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), twin.ID))
		w.ok(w.erase("carol", d.ID))
		is(w, "original of the deleted twin", w.original(d.Checksum), "text")
		w.ok(w.erase("carol", twin.ID))
		_, err := w.Blobs.Open(w.ctx, d.Checksum)
		w.want(err, "not_found")
	}},
	{"AConversationKeepsItsMemory", func(_ *testing.T, w *World) {
		d := w.laden("k")
		w.ok(w.Memory.Remember(w.ctx, acme, "rita", memory.Memory{Conversation: "conv-1", Summary: "住宿"}))
		w.ok(w.erase("carol", d.ID))
		m, err := w.Memory.Memory(w.ctx, acme, "rita", "conv-1")
		w.ok(err)
		is(w, "summary", m.Summary, "住宿")
	}},
	{"AnotherTenantsRunsAreNotTouched", func(_ *testing.T, w *World) {
		d := w.laden("k")
		r := w.newRun("run_g")
		r.Tenant, r.Actor = globex, "erin"
		w.ok(w.Journal.Create(w.ctx, r, nil))
		l, err := w.Journal.Claim(w.ctx, r.ID, lease)
		w.ok(err)
		r.State = run.Running
		w.leaned(r, l, d, "S1")
		w.ok(w.erase("carol", d.ID))
		got, kept, err := w.Journal.Run(w.ctx, globex, "erin", r.ID)
		w.ok(err)
		is(w, "answer", got.Answer.Text, derived[0])
		is(w, "excerpt", kept[0].Excerpt, canaries[0])
	}},
	{"RemovingABaseErasesWhatItHeld", func(t *testing.T, w *World) {
		d, gone := w.laden("k"), w.laden("l")
		w.ok(w.Catalog.Delete(w.ctx, w.scope("carol", access.Catalog), gone.ID))
		r, l := w.started("run_1")
		w.leaned(r, l, d, "S1")
		w.ok(w.Bases.Remove(w.ctx, w.scope("carol", access.Catalog), "kb"))
		is(w, "answer", w.stored("run_1").Answer.Text, "")
		for _, sum := range []corpus.Checksum{d.Checksum, gone.Checksum} {
			_, err := w.Blobs.Open(w.ctx, sum)
			w.want(err, "not_found")
		}
	}},
}
