package run_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files anew")

var (
	hashA = strings.Repeat("a1", 32)
	hashB = strings.Repeat("b2", 32)
)

// sampleCheckpoint has every field set.
func sampleCheckpoint() run.Checkpoint {
	return run.Checkpoint{
		Attempt: 2, Step: 3, Next: run.Calling, Kept: []run.Mark{{Ref: "S1", Hash: hashA}, {Ref: "S3", Hash: hashB}}, Dropped: []string{"S2"},
		Planned: []run.Plan{{Call: "call_1", Tool: "search_knowledge", ArgsHash: hashA}, {Call: "call_2", ArgsHash: hashB}}, Proposal: "prop_1", SearchFailed: true,
	}
}

func TestACheckpointIsWrittenAsItsGoldenFile(t *testing.T) {
	got, err := sampleCheckpoint().Encode()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", fmt.Sprintf("checkpoint.v%d.json", run.CheckpointVersion))
	if *update {
		if err := os.WriteFile(path, []byte(got+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got+"\n"); d != "" {
		t.Fatalf("%s differs (go test -update writes it anew): %s", path, d)
	}
}

func TestEveryVersionOfACheckpointCanBeRead(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "checkpoint.v*.json"))
	if err != nil || len(files) != run.CheckpointVersion {
		t.Fatalf("%d golden files for %d versions, %v", len(files), run.CheckpointVersion, err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := run.DecodeCheckpoint(strings.TrimSuffix(string(b), "\n"))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(sampleCheckpoint(), got); d != "" {
			t.Errorf("%s: %s", f, d)
		}
	}
}

// refused checks that a text is no checkpoint, and that the refusal repeats nothing of it.
func refused(t *testing.T, name, text string) {
	t.Helper()
	_, err := run.DecodeCheckpoint(text)
	if !problem.Is(err, problem.Internal) || problem.CodeOf(err) != "checkpoint" {
		t.Errorf("%s: %v", name, err)
	}
	if err != nil && strings.Contains(err.Error(), "CANARY") {
		t.Errorf("%s: the refusal repeats what was there: %v", name, err)
	}
}

func TestWhatIsNoCheckpointIsRefused(t *testing.T) {
	good, err := sampleCheckpoint().Encode()
	if err != nil {
		t.Fatal(err)
	}
	put := func(old, now string) string {
		out := strings.Replace(good, old, now, 1)
		if out == good {
			t.Fatalf("%q is not in %s", old, good)
		}
		return out
	}
	for name, text := range map[string]string{
		"nothing": "", "no object": "[]", "null": "null", "cut short": good[:len(good)-1], "two": good + good, "a line end": good + "\n",
		"white space": " " + good, "no version": put(`{"v":1,`, `{`), "version 0": put(`"v":1`, `"v":0`), "a later version": put(`"v":1`, `"v":2`),
		"version as text": put(`"v":1`, `"v":"1"`), "an unknown field": put(`"step":3`, `"step":3,"roles":["tenant_admin"]`),
		"a field twice": put(`"step":3`, `"step":3,"step":3`), "a field in other letters": put(`"step"`, `"Step"`), "a field missing": put(`"step":3,`, ``),
		"no attempt": put(`"attempt":2`, `"attempt":0`), "a step back": put(`"step":3`, `"step":-1`), "a fraction": put(`"step":3`, `"step":3.5`),
		"an unknown phase": put(`"next":"call"`, `"next":"CANARY"`), "no phase": put(`"next":"call"`, `"next":""`),
		"a text as reference": put(`"ref":"S1"`, `"ref":"CANARY says 650"`), "a reference twice": put(`"ref":"S3"`, `"ref":"S1"`),
		"a reference kept and dropped": put(`"dropped":["S2"]`, `"dropped":["S1"]`), "a text as hash": put(hashA, "CANARY"),
		"a hash in capitals": put(hashA, strings.ToUpper(hashA)), "a text as call": put(`"call_id":"call_1"`, `"call_id":"the CANARY is"`),
		"a text as tool": put(`"tool":"search_knowledge"`, `"tool":"search CANARY"`), "a text as proposal": put(`"prop_1"`, `"a CANARY"`),
		"null for a list": put(`"dropped":["S2"]`, `"dropped":null,`), "too long": strings.Repeat("x", run.MaxCheckpoint+1),
	} {
		refused(t, name, text)
	}
}

func TestNoTextFitsIntoACheckpoint(t *testing.T) {
	for name, spoil := range map[string]func(*run.Checkpoint){
		"a reference": func(c *run.Checkpoint) { c.Kept[0].Ref = "差旅标准" }, "a hash": func(c *run.Checkpoint) { c.Kept[0].Hash = "the limit is 650 yuan" },
		"a dropped reference": func(c *run.Checkpoint) { c.Dropped[0] = "a sentence" }, "a call": func(c *run.Checkpoint) { c.Planned[0].Call = "a sentence" },
		"a tool": func(c *run.Checkpoint) { c.Planned[0].Tool = "a sentence" }, "arguments": func(c *run.Checkpoint) { c.Planned[0].ArgsHash = `{"query":"x"}` },
		"a proposal": func(c *run.Checkpoint) { c.Proposal = "a sentence" }, "a phase": func(c *run.Checkpoint) { c.Next = "a sentence" },
		"an attempt": func(c *run.Checkpoint) { c.Attempt = 0 },
	} {
		c := sampleCheckpoint()
		spoil(&c)
		if text, err := c.Encode(); problem.CodeOf(err) != "checkpoint" || text != "" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

func TestACheckpointHasASize(t *testing.T) {
	c := run.Checkpoint{Attempt: 1, Next: run.Asking}
	for i := range 2000 {
		c.Kept = append(c.Kept, run.Mark{Ref: fmt.Sprintf("S%d", i+1), Hash: hashA})
	}
	if _, err := c.Encode(); problem.CodeOf(err) != "checkpoint" {
		t.Errorf("a checkpoint of 2,000 marks: %v", err)
	}
	c.Kept = c.Kept[:600]
	text, err := c.Encode()
	if err != nil || len(text) > run.MaxCheckpoint {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

func TestACheckpointComesBackAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		refs := rapid.SliceOfNDistinct(rapid.StringMatching(`[SC][1-9][0-9]{0,3}`), 0, 12, rapid.ID[string]).Draw(t, "refs")
		cut := rapid.IntRange(0, len(refs)).Draw(t, "cut")
		want := run.Checkpoint{
			Attempt: rapid.IntRange(1, 99).Draw(t, "attempt"), Step: rapid.IntRange(0, 99).Draw(t, "step"), SearchFailed: rapid.Bool().Draw(t, "failed"),
			Next:     rapid.SampledFrom([]run.Phase{run.Retrieving, run.Asking, run.Calling}).Draw(t, "next"),
			Proposal: rapid.StringMatching(`(prop_[a-z0-9]{1,20})?`).Draw(t, "proposal"),
		}
		hash := rapid.StringMatching(`[0-9a-f]{64}`)
		for _, ref := range refs[:cut] {
			want.Kept = append(want.Kept, run.Mark{Ref: ref, Hash: hash.Draw(t, "hash")})
		}
		if cut < len(refs) {
			want.Dropped = refs[cut:]
		}
		for range rapid.IntRange(0, 4).Draw(t, "plans") {
			want.Planned = append(want.Planned, run.Plan{
				Call: rapid.StringMatching(`[A-Za-z0-9_.:-]{1,64}`).Draw(t, "call"), Tool: rapid.StringMatching(`([a-z_]{1,20})?`).Draw(t, "tool"), ArgsHash: hash.Draw(t, "args"),
			})
		}
		text, err := want.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := run.DecodeCheckpoint(text)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
		// One byte of it changed is another checkpoint, or none; it is never read as the same.
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		other := text[:at] + string(rapid.SampledFrom([]byte(`x"{}[]0 ,`)).Draw(t, "byte")) + text[at+1:]
		if got, err := run.DecodeCheckpoint(other); err == nil && other != text && cmp.Equal(got, want) {
			t.Fatalf("%s is read as %s", other, text)
		}
	})
}

func FuzzDecodeCheckpoint(f *testing.F) {
	good, err := sampleCheckpoint().Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(`{"v":1}`)
	f.Add(``)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := run.DecodeCheckpoint(text)
		if err != nil {
			return
		}
		if again, err := c.Encode(); err != nil || again != text {
			t.Fatalf("%q was read and is written as %q, %v", text, again, err)
		}
	})
}
