package auth

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/problem"
)

// transaction is one sign-in under way. It is kept by the browser that began it, sealed, so that
// whoever asks to sign in makes the server store nothing.
type transaction struct {
	ID        string    `json:"id"`
	Challenge Challenge `json:"challenge"`
	Return    string    `json:"return"`
	Expires   time.Time `json:"expires"`
	// Session is the hash of the session that asks to be linked; "" for signing in.
	Session string `json:"session,omitempty"`
}

// sealer seals transactions with a key that never leaves the data folder. What was sealed for one
// provider and client opens for no other.
type sealer struct {
	aead cipher.AEAD
	use  []byte
}

func newSealer(key []byte, purpose string) (*sealer, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, err
	}
	return &sealer{aead, []byte(purpose)}, nil
}

func (s *sealer) seal(t transaction) (string, error) {
	plain, err := json.Marshal(t)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(s.aead.Seal(nil, nil, plain, s.use)), nil
}

// open returns a transaction that this server sealed and whose time is not over.
func (s *sealer) open(sealed string, now time.Time) (t transaction, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil || len(sealed) > maxSealed {
		return transaction{}, false
	}
	plain, err := s.aead.Open(nil, nil, raw, s.use)
	if err != nil || json.Unmarshal(plain, &t) != nil || !now.Before(t.Expires) {
		return transaction{}, false
	}
	return t, true
}

// maxSealed bounds what is opened: browsers keep cookies of up to 4 KiB.
const maxSealed = 4 << 10

// keySize is that of AES-256.
const keySize = 32

// OpenKey reads the key of sealed transactions from a file of its own, or makes it whole. It
// outlasts restarts, so that whoever is at the provider meanwhile can come back. To lose it is
// harmless. One process at a time may call it: the one that serves the folder.
func OpenKey(file string) ([]byte, error) {
	file = filepath.Clean(file)
	key, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		key = make([]byte, keySize)
		rand.Read(key)
		temp := file + ".new"
		if err = os.WriteFile(temp, key, 0o600); err == nil {
			err = os.Rename(temp, file)
		}
		return key, unwritten(err)
	case err != nil:
		return nil, unwritten(err)
	case len(key) != keySize:
		return nil, problem.New(problem.Unavailable, "storage", "%s does not hold a key of %d bytes; remove it, and a new one is made.", file, keySize)
	}
	return key, nil
}

// localPath returns where a browser goes after signing in: what was asked for if it is a path of
// this server, and else "/". A path begins with exactly one slash however often it is unescaped,
// and holds nothing that a browser or a proxy would read otherwise than it stands.
func localPath(asked string) string {
	u, err := url.Parse(asked)
	if err != nil || len(asked) > 1024 || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" ||
		strings.ContainsAny(asked, " \\") || !printed(asked) || strings.HasPrefix(u.Path, "/auth/") {
		return "/"
	}
	way, _, _ := strings.Cut(asked, "#")
	way, _, _ = strings.Cut(way, "?")
	for {
		if !straight(way) {
			return "/"
		}
		next, err := url.PathUnescape(way)
		if err != nil {
			return "/"
		}
		if next == way {
			return asked
		}
		way = next
	}
}

// straight reports whether one form of a path leads to this server and to where it says.
func straight(way string) bool {
	if !strings.HasPrefix(way, "/") || strings.HasPrefix(way, "//") || strings.Contains(way, "\\") || !printed(way) {
		return false
	}
	clean := path.Clean(way)
	return clean == way || clean+"/" == way
}

// printed reports whether a text holds no control characters and is valid.
func printed(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}
