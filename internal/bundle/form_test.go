package bundle_test

import (
	"bytes"
	"encoding/json"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/bundle"
	"github.com/kaoju/kaoju/internal/canonical"
	"github.com/kaoju/kaoju/internal/seal"
)

var nonces = seal.Seal{Key: "test"}

// sealedSample is the sample with its hashes under nonces, and what the ledger says of it.
func sealedSample(t failing) (bundle.Bundle, json.RawMessage) {
	b := sample()
	b.Run.GoalNonce, b.Answer.Nonce = nonces.Nonce("goal"), nonces.Nonce("answer")
	for i := range b.Evidence {
		e := &b.Evidence[i]
		e.Nonce = nonces.Nonce(e.Label)
		e.Hash = seal.Hash(e.Nonce, e.Excerpt)
	}
	members := map[string]any{}
	if err := json.Unmarshal(body(t, b), &members); err != nil {
		t.Fatalf("%v", err)
	}
	members["form"], members["goal_hash"], members["answer_hash"] = 2, nonces.Hash("goal", b.Run.Goal), nonces.Hash("answer", b.Answer.Text)
	raw, err := json.Marshal(members)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return b, raw
}

func sealedFile(t failing) []byte {
	b, content := sealedSample(t)
	return signed(t, recorded(t, b, own, content))
}

func TestABundleMayBeWrittenAnew(t *testing.T) {
	for name, raw := range map[string][]byte{"plain hashes": file(t), "nonces": sealedFile(t)} {
		var indented bytes.Buffer
		if err := json.Indent(&indented, raw, " ", "\t"); err != nil {
			t.Fatal(err)
		}
		one, err := canonical.JSON(raw) // other order, other escapes
		if err != nil {
			t.Fatal(err)
		}
		text := string(raw)
		for how, again := range map[string]string{
			"as it was": text, "indented": indented.String(), "in another order": string(one), "without its end": strings.TrimSuffix(text, "\n"),
			"trailing": text + "\n\n", "escaped otherwise": strings.Replace(text, "alice", `\u0061lice`, 1), "spaced": strings.Replace(text, `{"format"`, `{ "format"`, 1),
		} {
			if r, err := verify([]byte(again)); err != nil || r.Bundle.Run.ID != "run_1" {
				t.Errorf("%s, %s: %v", name, how, err)
			}
		}
	}
}

func TestBundlesOfTheFirstFormatAreVerifiedToTheByte(t *testing.T) {
	raw, err := os.ReadFile("testdata/bundle.v1.json")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := verify(raw); err != nil || r.Bundle.Format != bundle.FirstFormat {
		t.Fatalf("%+v, %v", r.Bundle, err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, raw, "", "  "); err != nil {
		t.Fatal(err)
	}
	if _, err := verify(indented.Bytes()); code(err) != "bundle_broken" || !strings.Contains(err.Error(), "re-formatted") {
		t.Errorf("indented: %v", err)
	}
	for i := range raw {
		bad := bytes.Clone(raw)
		bad[i] ^= 1
		if _, err := verify(bad); code(err) == "" {
			t.Fatalf("byte %d (%q) was changed: %v", i, raw[i], err)
		}
	}
	claimed := bytes.Replace(raw, []byte("kaoju-bundle-1"), []byte("kaoju-bundle-2"), 1)
	if _, err := verify(claimed); code(err) != "bundle_broken" {
		t.Errorf("under the other format: %v", err)
	}
}

func TestEveryByteOfABundleWithNoncesCounts(t *testing.T) {
	raw := sealedFile(t)
	for i := range raw[:len(raw)-1] {
		bad := bytes.Clone(raw)
		bad[i] ^= 1
		if _, err := verify(bad); code(err) == "" {
			t.Fatalf("byte %d (%q) was changed: %v", i, raw[i], err)
		}
	}
}

func TestHashesUnderNoncesTakeTheirNonces(t *testing.T) {
	for name, change := range map[string]func(*bundle.Bundle){
		"no nonce of the question": func(b *bundle.Bundle) { b.Run.GoalNonce = "" },
		"no nonce of the answer":   func(b *bundle.Bundle) { b.Answer.Nonce = "" },
		"no nonce of a passage":    func(b *bundle.Bundle) { b.Evidence[1].Nonce = "" },
		"another's nonce":          func(b *bundle.Bundle) { b.Evidence[0].Nonce = b.Evidence[1].Nonce },
		"a short nonce":            func(b *bundle.Bundle) { b.Run.GoalNonce = "x" },
		"a plain hash": func(b *bundle.Bundle) {
			b.Evidence[1].Nonce, b.Evidence[1].Hash = "", hash(b.Evidence[1].Excerpt)
		},
	} {
		b, content := sealedSample(t)
		change(&b)
		if _, err := verify(signed(t, recorded(t, b, own, content))); code(err) != "bundle_broken" {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Nor does an entry with plain hashes take nonces.
	b := sample()
	content := body(t, b)
	b.Run.GoalNonce = nonces.Nonce("goal")
	if _, err := verify(signed(t, recorded(t, b, own, content))); code(err) != "bundle_broken" {
		t.Errorf("a nonce for a plain hash: %v", err)
	}
}

// Whoever lost a source is given an entry that does not name it, and a file that still holds.
func TestABundleWithoutASourceDoesNotNameIt(t *testing.T) {
	b, content := sealedSample(t)
	b.Answer = bundle.Answer{Reduced: true}
	b.Checks, b.Documents = nil, nil
	b.Evidence[0] = bundle.Evidence{Label: "S1", Cited: true, Withheld: true}
	b = recorded(t, b, own, content)
	less, whole := b.Entry.Withholding(func(ref string) bool { return ref == "S1" })
	b.Entry = less
	raw := signed(t, b)
	if _, err := verify(raw); err != nil || !whole {
		t.Errorf("whole %t, %v", whole, err)
	}
	if !bytes.Contains(raw, []byte(`"doc-1"`)) { // S2 is of the same document, and shown
		t.Error("the passage that may be read is missing")
	}
	if strings.Contains(string(b.Entry.Body), "doc-1") {
		t.Errorf("the entry names the source: %s", b.Entry.Body)
	}
	// A passage that the entry does not show can't be slipped in.
	b.Evidence[0] = sample().Evidence[0]
	if _, err := verify(signed(t, b)); code(err) != "bundle_broken" {
		t.Errorf("a passage that the entry withholds: %v", err)
	}
}

// Anybody may write the body of an entry into a file: what it costs to find that it is not the ledger's does
// not grow with how deep it is.
func TestADeepEntryCostsNoMoreThanItsFile(t *testing.T) {
	inner := `"` + strings.Repeat("x", 1<<20) + `"`
	deep := strings.Repeat("[", 9_000) + inner + strings.Repeat("]", 9_000)
	spent := func(member string) uint64 {
		t.Helper()
		raw := strings.Replace(string(sealedFile(t)), `"body":{`, `"body":{"more":`+member+`,`, 1)
		var a, b runtime.MemStats
		runtime.ReadMemStats(&a)
		if _, err := verify([]byte(raw)); code(err) != "bundle_broken" {
			t.Fatalf("%.100s: %v", member, err)
		}
		runtime.ReadMemStats(&b)
		return b.TotalAlloc - a.TotalAlloc
	}
	if flat, got := spent(inner), spent(deep); got > 2*flat {
		t.Errorf("%d bytes, %d without any depth", got, flat)
	}
}
