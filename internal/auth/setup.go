package auth

import (
	"context"
	"crypto/subtle"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
)

// Setup lets the first administrator choose a password with a secret that works once.
//
// The secret's hash is a file in the data folder that only its owner can read. The file is what
// makes it work: it outlasts restarts, and whoever removes it first has used the secret up.
type Setup struct {
	gate  *Gate
	path  string
	admin access.Actor
	mu    sync.Mutex
}

// OpenSetup prepares the setup of a user without a password. The secret is returned when it was
// made now; "" when it was made at an earlier start and is waiting still, and when there is
// nothing to set up because the user has a password.
func OpenSetup(ctx context.Context, gate *Gate, path string, tenant access.TenantID, user access.UserID) (s *Setup, secret string, err error) {
	s = &Setup{gate: gate, path: filepath.Clean(path), admin: access.Actor{Tenant: tenant, User: user}}
	stored, err := gate.password(ctx, tenant, user)
	if err != nil {
		return nil, "", err
	}
	if stored != "" {
		return s, "", s.remove()
	}
	if hash, err := s.hash(); err != nil || hash != "" {
		return s, "", err
	}
	secret = secretOf(setupPrefix)
	return s, secret, s.write(HashToken(secret))
}

// Complete sets the administrator's password, once. A wrong secret is problem.Denied; a setup
// that is done, or was never open, is problem.NotFound. Wrong secrets are counted by address.
func (s *Setup) Complete(ctx context.Context, secret, password, address string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	hash, err := s.hash()
	if err != nil {
		return err
	}
	if hash == "" {
		return problem.Missing()
	}
	if subtle.ConstantTimeCompare([]byte(hash), []byte(HashToken(secret))) != 1 {
		if err := s.gate.networks.Take(network(address), s.gate.deps.Clock()); err != nil {
			return err
		}
		return problem.New(problem.Denied, "unauthenticated", "This is not the setup link of this server.")
	}
	if err := CheckPassword(s.admin.User, password); err != nil {
		return err
	}
	// The operator may have set a password meanwhile; then the link is worth nothing.
	if stored, err := s.gate.password(ctx, s.admin.Tenant, s.admin.User); err != nil {
		return err
	} else if stored != "" {
		if err := s.remove(); err != nil {
			return err
		}
		return problem.Missing()
	}
	// Whoever removes the file goes on, in this process or another on the folder.
	if err := os.Remove(s.path); errors.Is(err, fs.ErrNotExist) {
		return problem.Missing()
	} else if err != nil {
		return unwritten(err)
	}
	if err := s.gate.store(ctx, s.admin, s.admin.User, password); err != nil {
		return errors.Join(err, s.write(hash))
	}
	return nil
}

// hash reads the stored hash; "" if there is none.
func (s *Setup) hash() (string, error) {
	raw, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", unwritten(err)
	}
	return strings.TrimSpace(string(raw)), nil
}

// write puts the file there whole or not at all.
func (s *Setup) write(hash string) error {
	temp := s.path + ".new"
	err := os.WriteFile(temp, []byte(hash+"\n"), 0o600)
	if err == nil {
		err = os.Rename(temp, s.path)
	}
	return unwritten(err)
}

func (s *Setup) remove() error {
	if err := os.Remove(s.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unwritten(err)
	}
	return nil
}

func unwritten(err error) error {
	if err == nil {
		return nil
	}
	return problem.Wrap(err, problem.Unavailable, "storage", "The data folder can't be read or written.")
}
