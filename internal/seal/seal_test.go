package seal_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/seal"
)

// sha is the hash that a guesser makes.
func sha(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func TestAHashTellsNothingToWhoeverGuessesTheText(t *testing.T) {
	const limit = "The lodging limit is 650 yuan."
	a, b := seal.New(), seal.New()
	hashes := map[string]string{}
	for what, hash := range map[string]string{
		"the plain hash": sha(limit), "a run": a.Hash("goal", limit), "another run": b.Hash("goal", limit),
		"another text of the run": a.Hash("answer", limit), "under no key": seal.Hash("", "goal"+limit),
	} {
		if other, taken := hashes[hash]; taken || len(hash) != 64 {
			t.Errorf("%s and %s have one hash: %s", what, other, hash)
		}
		hashes[hash] = what
	}
}

func TestANonceOpensItsTextAndNoOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, text, other := seal.New(), rapid.String().Draw(t, "text"), rapid.String().Draw(t, "other")
		hash := s.Hash("excerpt/S1", text)
		if seal.Hash(s.Nonce("excerpt/S1"), text) != hash {
			t.Fatal("the nonce does not open its own text")
		}
		if text != other && seal.Hash(s.Nonce("excerpt/S1"), other) == hash {
			t.Fatal("another text has the hash")
		}
		if seal.Hash(s.Nonce("excerpt/S2"), text) == hash {
			t.Fatal("the nonce of another passage opens this one")
		}
	})
}

func TestErasingLeavesNoWayToWhatWasHashed(t *testing.T) {
	s := seal.New()
	goal, answer := s.Hash("goal", "q"), s.Hash("answer", "a")
	after := s.Anew("goal")
	if after.Hash("goal", "q") != goal {
		t.Error("what stayed can't be shown any more")
	}
	if after.Key == s.Key || after.Hash("answer", "a") == answer {
		t.Error("what was erased can still be tried")
	}
	if again := after.Anew("goal"); again.Hash("goal", "q") != goal || again.Key == after.Key {
		t.Error("a second erasing lost what stayed, or kept the key")
	}
	if copied := after.Clone(); copied.Kept["goal"] != after.Kept["goal"] || copied.Key != after.Key {
		t.Error("a copy is another seal")
	}
}

func TestWhatIsOlderThanNoncesKeepsItsPlainHashes(t *testing.T) {
	var old seal.Seal
	if !old.Plain() || old.Nonce("goal") != "" || old.Hash("goal", "q") != sha("q") {
		t.Error("an old hash has changed its form")
	}
	if after := old.Anew("goal"); !after.Plain() || after.Hash("goal", "q") != sha("q") {
		t.Error("erasing gave an old thing another form")
	}
	if seal.New().Plain() {
		t.Error("a new seal is plain")
	}
}
