package ledger_test

import (
	"crypto/rand"
	"encoding/base64"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestAKeySurvivesItsFile(t *testing.T) {
	k := ledger.NewKey()
	back, err := ledger.ParseKey(k.Text() + "\n")
	if err != nil || back.Public() != k.Public() || back.Text() != k.Text() {
		t.Fatalf("%v, %v", back.Public(), err)
	}
	if k.Public() == ledger.NewKey().Public() {
		t.Error("two keys are one")
	}
	if s, err := note.NewSigner(k.Text()); err != nil || s.Name() != k.Public().Server() {
		t.Errorf("other tools can't read the key: %v", err)
	}
}

func TestWhatIsNoKeyIsRefused(t *testing.T) {
	k := testKey.Text()
	other := ledger.KeyOf([32]byte{9}).Text()
	for name, text := range map[string]string{
		"empty": "", "words": "not a key", "cut": k[:len(k)-4], "public": string(testKey.Public()),
		"another's name": strings.Replace(other, ledger.KeyOf([32]byte{9}).Public().Server(), testKey.Public().Server(), 1),
	} {
		if _, err := ledger.ParseKey(text); problem.CodeOf(err) != "invalid_key" {
			t.Errorf("%s: %v", name, err)
		}
		if name == "public" {
			continue
		}
		if p := ledger.Public(text); p.Server() != "" {
			t.Errorf("%s passes as the public key of %s", name, p.Server())
		}
	}
	p := string(testKey.Public())
	for i := range p {
		if 'a' <= p[i] && p[i] <= 'z' || 'A' <= p[i] && p[i] <= 'Z' {
			if other := ledger.Public(p[:i] + string(p[i]^32) + p[i+1:]); other.Server() != "" {
				t.Errorf("a key has two texts, %s and %s", p, other)
			}
		}
	}
	// A name that is not made of the key, as another signer would choose it.
	_, vkey, err := note.GenerateKey(rand.Reader, "kaoju-0000000000000000")
	if err != nil {
		t.Fatal(err)
	}
	if ledger.Public(vkey).Server() != "" {
		t.Error("a key goes by a name that is not its own")
	}
}

func TestANoteIsOpenedByItsOwnKeyAlone(t *testing.T) {
	text, err := testKey.Sign(testKey.Public().Server()+"/acme/bundle", "one", "two")
	if err != nil {
		t.Fatal(err)
	}
	origin, lines, err := testKey.Public().Open(text)
	if err != nil || origin != testKey.Public().Server()+"/acme/bundle" || strings.Join(lines, ",") != "one,two" {
		t.Fatalf("%q %q %v", origin, lines, err)
	}
	if _, _, err := ledger.KeyOf([32]byte{9}).Public().Open(text); problem.CodeOf(err) != "signature" {
		t.Errorf("another key: %v", err)
	}
	if _, _, err := ledger.Public("x").Open(text); problem.CodeOf(err) != "invalid_key" {
		t.Errorf("no key: %v", err)
	}
	for i := range text {
		b := []byte(text)
		b[i] ^= 1
		if _, _, err := testKey.Public().Open(string(b)); problem.CodeOf(err) != "signature" {
			t.Fatalf("with byte %d (%q) changed: %v", i, text[i], err)
		}
	}
	// A second signature, which nobody checks, is no part of what was signed.
	more := text + strings.Replace(text[strings.LastIndex(text, "\n\n")+2:], "acme", "acmf", 1)
	if _, _, err := testKey.Public().Open(more); problem.CodeOf(err) != "signature" {
		t.Errorf("a note with more than one signature: %v", err)
	}
}

func TestANoteOfAnotherKindIsNoCheckpoint(t *testing.T) {
	root := base64.StdEncoding.EncodeToString(make([]byte, 32))
	server := testKey.Public().Server()
	for name, c := range map[string]struct {
		origin string
		lines  []string
	}{
		"more lines": {server + "/acme", []string{"1", root, "more"}}, "fewer": {server + "/acme", []string{"1"}},
		"size": {server + "/acme", []string{"01", root}}, "negative": {server + "/acme", []string{"-1", root}},
		"root": {server + "/acme", []string{"1", root[:8]}}, "origin": {server + "/ac%zz", []string{"1", root}},
		"unescaped": {server + "/acme/rita/x", []string{"1", root}},
	} {
		text, err := testKey.Sign(c.origin, c.lines...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := testKey.Public().Checkpoint(text); problem.CodeOf(err) != "signature" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNoTwoLogsShareAnOrigin(t *testing.T) {
	seen := map[string]ledger.Name{}
	for _, n := range []ledger.Name{
		{Tenant: "acme"}, {Tenant: "acme", Person: "rita"}, {Tenant: "acme/rita"}, {Tenant: "a c", Person: "d+e"}, {Tenant: "公司", Person: "张三"},
		{Tenant: "a%20c", Person: "d%2Be"}, {Tenant: "acme", Person: "rita/"},
	} {
		origin := n.Origin("kaoju-x")
		if other, ok := seen[origin]; ok {
			t.Errorf("%v and %v are both %s", n, other, origin)
		}
		seen[origin] = n
		c, err := testKey.Checkpoint(n, ledger.Tree{Size: 0})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := testKey.Public().Checkpoint(c.Note); err != nil || got.Name != n {
			t.Errorf("%v came back as %v, %v", n, got.Name, err)
		}
	}
}
