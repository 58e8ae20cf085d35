package ledger

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"github.com/kaoju/kaoju/internal/problem"
)

// Key signs what a server says of its logs. It is an Ed25519 key, and the server's name is made
// of its public half, so that no other key can go by that name. The zero Key signs nothing.
type Key struct {
	private ed25519.PrivateKey
	name    string
}

// Public is the public half of a key as text, in the form of C2SP signed-note verifier keys:
// NAME+HASH+BASE64. Whoever keeps it can check, without the server, what the server signed.
type Public string

// ed25519Note is the byte by which signed notes tell that a key is of Ed25519.
const ed25519Note = 1

// NewKey makes a key.
func NewKey() Key {
	var seed [ed25519.SeedSize]byte
	// The system's source of randomness does not fail: the program ends if it does.
	_, _ = rand.Read(seed[:])
	return KeyOf(seed)
}

// KeyOf returns the key of a seed.
func KeyOf(seed [ed25519.SeedSize]byte) Key {
	k := Key{private: ed25519.NewKeyFromSeed(seed[:])}
	sum := sha256.Sum256(k.public())
	k.name = "kaoju-" + hex.EncodeToString(sum[:8])
	return k
}

// ParseKey reads what Text wrote. Anything else is problem.Invalid "invalid_key".
func ParseKey(text string) (Key, error) {
	text = strings.TrimSpace(text)
	parts := strings.SplitN(text, "+", 5)
	if _, err := note.NewSigner(text); err != nil || len(parts) != 5 {
		return Key{}, problem.New(problem.Invalid, "invalid_key", "This is not a key that signs the ledger.")
	}
	raw, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil || len(raw) != 1+ed25519.SeedSize {
		return Key{}, problem.New(problem.Invalid, "invalid_key", "This is not a key that signs the ledger.")
	}
	k := KeyOf([ed25519.SeedSize]byte(raw[1:]))
	if k.name != parts[2] {
		return Key{}, problem.New(problem.Invalid, "invalid_key", "The key that signs the ledger has another name than its own.")
	}
	return k, nil
}

// Text writes the key with its secret, in the form of signed-note signer keys.
func (k Key) Text() string {
	parts := strings.SplitN(string(k.Public()), "+", 3)
	raw := append([]byte{ed25519Note}, k.private.Seed()...)
	return "PRIVATE+KEY+" + k.name + "+" + parts[1] + "+" + base64.StdEncoding.EncodeToString(raw)
}

func (k Key) public() ed25519.PublicKey { return ed25519.PublicKey(k.private[ed25519.SeedSize:]) }

// Public returns the public half, by the server's name.
func (k Key) Public() Public { return named(k.name, k.public()) }

func named(name string, public ed25519.PublicKey) Public {
	text, err := note.NewEd25519VerifierKey(name, public)
	if err != nil {
		// Only a key of another length is refused.
		panic(err)
	}
	return Public(text)
}

// Server returns the name of the server that the key belongs to; "" if this is no key.
func (p Public) Server() string {
	if _, err := p.key(); err != nil {
		return ""
	}
	name, _, _ := strings.Cut(string(p), "+")
	return name
}

// key takes a public key apart and refuses one by another name than its own.
func (p Public) key() (ed25519.PublicKey, error) {
	bad := problem.New(problem.Invalid, "invalid_key", "This is not a public key of a ledger: it looks like kaoju-0123456789abcdef+89abcdef+BASE64.")
	parts := strings.SplitN(string(p), "+", 3)
	if _, err := note.NewVerifier(string(p)); err != nil || len(parts) != 3 {
		return nil, bad
	}
	raw, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(raw) != 1+ed25519.PublicKeySize || raw[0] != ed25519Note {
		return nil, bad
	}
	sum := sha256.Sum256(raw[1:])
	// One key has one text, to the letter.
	if name := "kaoju-" + hex.EncodeToString(sum[:8]); p != named(name, raw[1:]) {
		return nil, bad
	}
	return raw[1:], nil
}

// signer signs notes of one origin.
type signer struct {
	note.Verifier
	private ed25519.PrivateKey
}

// Sign implements note.Signer.
func (s signer) Sign(msg []byte) ([]byte, error) { return ed25519.Sign(s.private, msg), nil }

// Sign writes a signed note: the origin, the lines, and the signature of the origin.
func (k Key) Sign(origin string, lines ...string) (string, error) {
	v, err := note.NewVerifier(string(named(origin, k.public())))
	if err != nil {
		return "", problem.Wrap(err, problem.Internal, "sign", "The note can't be signed.")
	}
	text := origin + "\n" + strings.Join(lines, "\n") + "\n"
	signed, err := note.Sign(&note.Note{Text: text}, signer{v, k.private})
	if err != nil {
		return "", problem.Wrap(err, problem.Internal, "sign", "The note can't be signed.")
	}
	return string(signed), nil
}

// maxNote bounds a note that is read.
const maxNote = 1 << 20

// Open checks a note's signature by this key and returns its origin and lines. A note that is none,
// that another key signed, or whose origin is not of this key's server, is problem.Conflict
// "signature".
func (p Public) Open(text string) (origin string, lines []string, err error) {
	key, err := p.key()
	if err != nil {
		return "", nil, err
	}
	bad := problem.New(problem.Conflict, "signature", "The signature is not one that the key %s made of this text.", p.Server())
	origin, _, _ = strings.Cut(text, "\n")
	if len(text) > maxNote || !strings.HasPrefix(origin, p.Server()+"/") {
		return "", nil, bad
	}
	v, err := note.NewVerifier(string(named(origin, key)))
	if err != nil {
		return "", nil, bad
	}
	n, err := note.Open([]byte(text), note.VerifierList(v))
	// One signature and nothing beside it: what is not checked is not let through.
	if err != nil || len(n.Sigs) != 1 || len(n.UnverifiedSigs) != 0 {
		return "", nil, bad
	}
	all := strings.Split(strings.TrimSuffix(n.Text, "\n"), "\n")
	return origin, all[1:], nil
}

// Signer returns the server that a note names as its own in its first line; "" if it names none. It
// shows nothing: only Open does.
func Signer(note string) string {
	server, _, _ := strings.Cut(note, "/")
	if !serverName.MatchString(server) {
		return ""
	}
	return server
}

// serverName is what the name of a server looks like.
var serverName = regexp.MustCompile(`^kaoju-[0-9a-f]{16}$`)

// Name names one log of a server: all entries of a tenant, or those that one person of it made. A
// person's log counts nothing that others do.
type Name struct {
	Tenant string
	Person string // "" for the whole tenant
}

// Origin returns the name under which a server signs for a log.
func (n Name) Origin(server string) string {
	escape := func(s string) string { return strings.ReplaceAll(url.PathEscape(s), "+", "%2B") }
	origin := server + "/" + escape(n.Tenant)
	if n.Person != "" {
		origin += "/" + escape(n.Person)
	}
	return origin
}

// nameOf takes an origin apart; false if it is none of this server's.
func nameOf(server, origin string) (Name, bool) {
	rest, ok := strings.CutPrefix(origin, server+"/")
	tenant, person, _ := strings.Cut(rest, "/")
	t, err := url.PathUnescape(tenant)
	if !ok || err != nil {
		return Name{}, false
	}
	p, err := url.PathUnescape(person)
	n := Name{Tenant: t, Person: p}
	return n, err == nil && n.Origin(server) == origin
}
