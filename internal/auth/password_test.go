package auth_test

import (
	"encoding/base64"
	"regexp"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/argon2"

	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestPasswordsHaveALengthAndAreNotTheId(t *testing.T) {
	for name, c := range map[string]struct {
		user, password string
		good           bool
	}{
		"eleven": {"u", "abcdefghijk", false}, "twelve": {"u", "abcdefghijkl", true}, "twelve Chinese": {"u", "一二三四五六七八九十百千", true},
		"eleven Chinese": {"u", "一二三四五六七八九十百", false}, "200": {"u", strings.Repeat("字", 200), true}, "201": {"u", strings.Repeat("字", 201), false},
		"empty": {"u", "", false}, "the id": {"administrator", "administrator", false}, "the id in capitals": {"administrator", "ADMINISTRATOR", false},
		"the id and more": {"administrator", "administrator1", true}, "not text": {"u", "abcdefghijkl\xff", false}, "spaces": {"u", "            ", true},
	} {
		err := auth.CheckPassword("", c.password)
		if c.user != "u" {
			err = auth.CheckPassword("administrator", c.password)
		}
		if (err == nil) != c.good || err != nil && problem.CodeOf(err) != "weak_password" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The stored form is checked with the library itself, so that any other program can check it too.
func TestAStoredPasswordIsArgon2idInPHCForm(t *testing.T) {
	phc, err := auth.HashPassword(t.Context(), "rita", good)
	ok(t, err)
	m := regexp.MustCompile(`^\$argon2id\$v=19\$m=19456,t=2,p=1\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$`).FindStringSubmatch(phc)
	if m == nil {
		t.Fatalf("stored as %q", phc)
	}
	salt, err := base64.RawStdEncoding.DecodeString(m[1])
	ok(t, err)
	if want := base64.RawStdEncoding.EncodeToString(argon2.IDKey([]byte(good), salt, 2, 19456, 1, 32)); m[2] != want {
		t.Errorf("%q is not the hash %q", m[2], want)
	}
	again, err := auth.HashPassword(t.Context(), "rita", good)
	ok(t, err)
	if again == phc {
		t.Error("two hashes have one salt")
	}
	if _, err := auth.HashPassword(t.Context(), "rita", "short"); problem.CodeOf(err) != "weak_password" {
		t.Errorf("%v", err)
	}
}

func TestHashesOfOtherCostsAreCheckedAndBrokenOnesMatchNothing(t *testing.T) {
	g := newHouse().gate()
	salt := []byte("0123456789abcdef")
	enc := base64.RawStdEncoding.EncodeToString
	other := "$argon2id$v=19$m=64,t=3,p=2$" + enc(salt) + "$" + enc(argon2.IDKey([]byte(good), salt, 3, 64, 2, 24))
	if match, err := g.Check(t.Context(), other, good); err != nil || !match {
		t.Errorf("%v, %v", match, err)
	}
	if match, err := g.Check(t.Context(), other, good+"x"); err != nil || match {
		t.Errorf("%v, %v", match, err)
	}
	sum := "$" + enc(salt) + "$" + enc(make([]byte, 32))
	for _, bad := range []string{
		"x", "$", "$argon2i$v=19$m=64,t=3,p=2" + sum, "$argon2id$v=18$m=64,t=3,p=2" + sum, "$argon2id$v=19$m=99999999,t=3,p=2" + sum,
		"$argon2id$v=19$m=64,t=0,p=2" + sum, "$argon2id$v=19$m=64,t=99,p=2" + sum, "$argon2id$v=19$m=64,t=3,p=0" + sum, "$argon2id$v=19$m=64" + sum,
		"$argon2id$v=19$m=64,t=3,p=2$!$" + enc(make([]byte, 32)), "$argon2id$v=19$m=64,t=3,p=2$" + enc(salt) + "$", "$argon2id$v=19$m=64,t=3,p=2$$" + enc(make([]byte, 32)),
		"$argon2id$v=19$m=64,t=3,p=2" + sum + "$more",
	} {
		if match, err := g.Check(t.Context(), bad, good); match || !problem.Is(err, problem.Internal) || problem.CodeOf(err) != "bad_password_hash" {
			t.Errorf("%q: %v, %v", bad, match, err)
		}
	}
	if g.Work() != 2 {
		t.Errorf("%d hashes were computed, some of them with costs that nobody chose", g.Work())
	}
}

func TestManyChecksAtOnceAllComeToTheirTurn(t *testing.T) {
	h := newHouse()
	h.set(t, good, "rita")
	g := h.gate()
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if match, err := g.Check(t.Context(), h.passwords["rita"], good); err != nil || !match {
				t.Errorf("%v, %v", match, err)
			}
		})
	}
	wait.Wait()
}
