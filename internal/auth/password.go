package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// The cost of a hash: 19 MiB, two passes, one lane.
const (
	hashMemory = 19 << 10 // KiB
	hashPasses = 2
	hashLanes  = 1
	saltBytes  = 16
	hashBytes  = 32
	// hashesAtOnce bounds the memory that passwords can take from the server.
	hashesAtOnce = 2
)

// Bounds of a password, in code points.
const (
	minPassword = 12
	maxPassword = 200
)

// CheckPassword returns what is wrong with the password that somebody chose for a user, as
// problem.Invalid "weak_password"; nil if nothing is.
func CheckPassword(user access.UserID, password string) error {
	switch n := utf8.RuneCountInString(password); {
	case !utf8.ValidString(password):
		return weak("The password is not valid text.")
	case n < minPassword:
		return weak("The password must have at least %d characters.", minPassword)
	case n > maxPassword:
		return weak("The password must have at most %d characters.", maxPassword)
	case strings.EqualFold(password, string(user)):
		return weak("The password must not be the user's id.")
	}
	return nil
}

// HashPassword checks the password that the operator chose for a user and returns what
// Logins.SetPassword stores. Doors that strangers reach go through a Gate, which bounds the work.
func HashPassword(ctx context.Context, user access.UserID, password string) (string, error) {
	if err := CheckPassword(user, password); err != nil {
		return "", err
	}
	return newHasher().hash(ctx, password)
}

func weak(format string, args ...any) error {
	return problem.New(problem.Invalid, "weak_password", format, args...)
}

// hasher makes and checks password hashes, a bounded number at once.
type hasher struct {
	slots chan struct{}
	// decoy is nobody's hash, checked where there is none, so that the work is the same.
	decoy string
	work  atomic.Int64 // hashes computed
}

func newHasher() *hasher {
	h := &hasher{slots: make(chan struct{}, hashesAtOnce)}
	salt, sum := make([]byte, saltBytes), make([]byte, hashBytes)
	rand.Read(salt)
	rand.Read(sum)
	h.decoy = phc(salt, sum)
	return h
}

// derive computes one hash once a slot is free.
func (h *hasher) derive(ctx context.Context, password string, salt []byte, memory, passes uint32, lanes uint8, size uint32) ([]byte, error) {
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-h.slots }()
	h.work.Add(1)
	return argon2.IDKey([]byte(password), salt, passes, memory, lanes, size), nil
}

// hash returns the PHC string of a password under a new salt.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	salt := make([]byte, saltBytes)
	rand.Read(salt)
	sum, err := h.derive(ctx, password, salt, hashMemory, hashPasses, hashLanes, hashBytes)
	if err != nil {
		return "", err
	}
	return phc(salt, sum), nil
}

// check compares a password with a stored hash. Without one ("") it does the same work and
// returns false. A stored hash that cannot be read is an error, never a match.
func (h *hasher) check(ctx context.Context, stored, password string) (bool, error) {
	against := stored
	if stored == "" {
		against = h.decoy
	}
	p, err := parsePHC(against)
	if err != nil {
		return false, err
	}
	sum, err := h.derive(ctx, password, p.salt, p.memory, p.passes, p.lanes, uint32(len(p.sum)))
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(sum, p.sum) == 1 && stored != "", nil
}

func phc(salt, sum []byte) string {
	enc := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hashMemory, hashPasses, hashLanes, enc(salt), enc(sum))
}

// stretched is a hash with what it was made with.
type stretched struct {
	memory, passes uint32
	lanes          uint8
	salt, sum      []byte
}

// parsePHC reads what phc writes, also with other costs, up to bounds that keep a stored value
// from taking the server's memory.
func parsePHC(s string) (stretched, error) {
	var out stretched
	var version int
	parts := strings.Split(s, "$")
	bad := problem.New(problem.Internal, "bad_password_hash", "A stored password hash cannot be read.")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" {
		return out, bad
	}
	if n, err := fmt.Sscanf(parts[2], "v=%d", &version); n != 1 || err != nil || version != argon2.Version {
		return out, bad
	}
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &out.memory, &out.passes, &out.lanes); n != 3 || err != nil {
		return out, bad
	}
	var err error
	if out.salt, err = base64.RawStdEncoding.DecodeString(parts[4]); err != nil || len(out.salt) < 8 {
		return out, bad
	}
	if out.sum, err = base64.RawStdEncoding.DecodeString(parts[5]); err != nil || len(out.sum) < 16 || len(out.sum) > 128 {
		return out, bad
	}
	if out.memory < 8 || out.memory > 256<<10 || out.passes < 1 || out.passes > 16 || out.lanes < 1 || out.lanes > 8 {
		return out, bad
	}
	return out, nil
}
