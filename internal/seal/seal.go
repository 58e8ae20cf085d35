// Package seal holds commitments to texts: hashes that bind whoever made them to a text, and tell
// nothing of it to whoever has not been given more than the hash.
//
// The plain hash of a short text is no secret: whoever guesses the text sees by the hash that the guess
// is right. So every hash of a text that leaves to people who may not read the text, as those of the
// ledger do, is an HMAC under a random nonce. The nonce is kept beside the text, is shown to whoever may
// read that, and is erased with it. One key makes the nonces of a whole run, so that giving one nonce
// away tells nothing of the others, and equal texts of two runs have nothing in common.
package seal

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"maps"
)

// Seal makes the nonces of one thing with several texts, such as a run. The zero Seal is that of things
// from before there were nonces: its nonces are empty, and its hashes plain. A Seal never leaves the
// store that keeps it.
type Seal struct {
	Key string // 32 random bytes in hex; "" in the zero Seal
	// Kept are the nonces of texts that stayed when others were erased, and the key with them.
	Kept map[string]string
}

// New makes a Seal that has nothing in common with any other.
func New() Seal {
	var key [sha256.Size]byte
	_, _ = rand.Read(key[:]) // never fails
	return Seal{Key: hex.EncodeToString(key[:])}
}

// Plain reports whether hashes under this Seal are plain ones.
func (s Seal) Plain() bool { return s.Key == "" }

// Renewed reports whether texts were erased, and the key with them.
func (s Seal) Renewed() bool { return len(s.Kept) > 0 }

// Nonce returns the nonce of the text of a name, in hex; "" if hashes are plain.
func (s Seal) Nonce(name string) string {
	if n, ok := s.Kept[name]; ok {
		return n
	}
	if s.Plain() {
		return ""
	}
	return mac(s.Key, name)
}

// Hash returns the commitment to the text of a name.
func (s Seal) Hash(name, text string) string { return Hash(s.Nonce(name), text) }

// Anew returns a Seal with another key that has the nonces of some names as they were, and no way to
// those of any other: what was hashed under them can't be tried any more.
func (s Seal) Anew(names ...string) Seal {
	if s.Plain() {
		return s
	}
	out := New()
	out.Kept = map[string]string{}
	for _, name := range names {
		out.Kept[name] = s.Nonce(name)
	}
	return out
}

// Clone returns a Seal that shares nothing that could be changed.
func (s Seal) Clone() Seal { return Seal{s.Key, maps.Clone(s.Kept)} }

// Hash returns the commitment to a text under a nonce, in hex: HMAC-SHA-256, or the plain SHA-256 for
// the empty nonce.
func Hash(nonce, text string) string {
	if nonce == "" {
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:])
	}
	return mac(nonce, text)
}

func mac(key, text string) string {
	h := hmac.New(sha256.New, []byte(key))
	h.Write([]byte(text))
	return hex.EncodeToString(h.Sum(nil))
}
