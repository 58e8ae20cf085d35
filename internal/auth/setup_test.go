package auth_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/problem"
)

func openSetup(t *testing.T, h *house, g *auth.Gate, path string) (*auth.Setup, string) {
	t.Helper()
	s, secret, err := auth.OpenSetup(t.Context(), g, path, "acme", "ada")
	ok(t, err)
	return s, secret
}

func TestSetupWorksOnceAndOutlastsRestarts(t *testing.T) {
	h := newHouse()
	g, path := h.gate(), filepath.Join(t.TempDir(), "setup.token")
	_, secret := openSetup(t, h, g, path)
	info, err := os.Stat(path)
	ok(t, err)
	raw, err := os.ReadFile(path)
	ok(t, err)
	if info.Mode().Perm() != 0o600 || strings.Contains(string(raw), secret[3:]) || len(secret) != 3+43 {
		t.Fatalf("%v %q", info.Mode(), raw)
	}
	s, again := openSetup(t, h, g, path)
	if again != "" {
		t.Fatal("a restart made another secret")
	}
	for name, c := range map[string]struct{ secret, password, code string }{
		"wrong": {"kf_wrong", good, "unauthenticated"}, "empty": {"", good, "unauthenticated"}, "the hash": {auth.HashToken(secret), good, "unauthenticated"},
		"weak": {secret, "short", "weak_password"},
	} {
		if err := s.Complete(t.Context(), c.secret, c.password, "192.0.2.1:1"); problem.CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	ok(t, s.Complete(t.Context(), secret, good, "192.0.2.1:1"))
	if err := s.Complete(t.Context(), secret, "another password", "192.0.2.1:1"); !problem.Is(err, problem.NotFound) {
		t.Errorf("twice: %v", err)
	}
	if err := s.Complete(t.Context(), "kf_wrong", good, "192.0.2.1:1"); !problem.Is(err, problem.NotFound) {
		t.Errorf("a done setup tells a wrong secret from the right one: %v", err)
	}
	_, _, err = g.SignIn(t.Context(), entry("ada", good))
	ok(t, err)
	if _, secret := openSetup(t, h, g, path); secret != "" {
		t.Error("a start after the setup opens it again")
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is there still: %v", err)
	}
}

func TestOfManySetupsAtOnceOneSucceeds(t *testing.T) {
	h := newHouse()
	g, path := h.gate(), filepath.Join(t.TempDir(), "setup.token")
	one, secret := openSetup(t, h, g, path)
	other, _ := openSetup(t, h, g, path) // as another process on the folder would
	var wait sync.WaitGroup
	var done atomic.Int32
	for i := range 50 {
		s := one
		if i%2 == 1 {
			s = other
		}
		wait.Go(func() {
			switch err := s.Complete(t.Context(), secret, good, "192.0.2.1:1"); {
			case err == nil:
				done.Add(1)
			case !problem.Is(err, problem.NotFound):
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if done.Load() != 1 || h.calls["SetPassword"] != 1 {
		t.Errorf("%d succeeded, %d passwords were set", done.Load(), h.calls["SetPassword"])
	}
}

func TestAPasswordSetMeanwhileEndsTheSetup(t *testing.T) {
	h := newHouse()
	g, path := h.gate(), filepath.Join(t.TempDir(), "setup.token")
	s, secret := openSetup(t, h, g, path)
	h.set(t, "the operator's own", "ada")
	had := h.passwords["ada"]
	if err := s.Complete(t.Context(), secret, good, ""); !problem.Is(err, problem.NotFound) || h.passwords["ada"] != had {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is there still: %v", err)
	}
}

func TestAFailedSetupLeavesTheSecretGood(t *testing.T) {
	h := newHouse()
	g, path := h.gate(), filepath.Join(t.TempDir(), "setup.token")
	s, secret := openSetup(t, h, g, path)
	h.failing = errors.New("disk")
	if err := s.Complete(t.Context(), secret, good, ""); !errors.Is(err, h.failing) {
		t.Fatalf("%v", err)
	}
	h.failing = nil
	ok(t, s.Complete(t.Context(), secret, good, ""))
}

func TestGuessingTheSetupIsSlowed(t *testing.T) {
	h := newHouse()
	g := h.gate(func(d *auth.GateDeps) { d.PerAddress = auth.Rate{Burst: 2, Every: time.Minute} })
	s, secret := openSetup(t, h, g, filepath.Join(t.TempDir(), "setup.token"))
	for range 2 {
		if err := s.Complete(t.Context(), "kf_wrong", good, "192.0.2.1:1"); !problem.Is(err, problem.Denied) {
			t.Fatal(err)
		}
	}
	if err := s.Complete(t.Context(), "kf_wrong", good, "192.0.2.1:1"); !problem.Is(err, problem.Exhausted) {
		t.Fatal(err)
	}
	ok(t, s.Complete(t.Context(), secret, good, "192.0.2.1:1"))
}

func TestAFolderThatCannotBeWrittenOpensNoSetup(t *testing.T) {
	h := newHouse()
	if _, secret, err := auth.OpenSetup(t.Context(), h.gate(), filepath.Join(t.TempDir(), "none", "setup.token"), "acme", "ada"); !problem.Is(err, problem.Unavailable) {
		t.Errorf("%q, %v", secret, err)
	}
}
