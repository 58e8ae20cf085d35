package lexicon_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/cmd/kaoju/lexicon"
	"github.com/kaoju/kaoju/internal/access"
)

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lexicon.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEachTenantHasItsOwnWordsAndSynonyms(t *testing.T) {
	lexicons, err := lexicon.Open(file(t, "acme:\n  words: [范廷颂]\n  synonyms: [[VPN, 虚拟专网]]\nglobex:\n  words: [赛摩乐]\nempty:\n"))
	if err != nil {
		t.Fatal(err)
	}
	added := func(tenant access.TenantID) bool {
		for _, k := range lexicons(tenant).Query("vpn") {
			if k.Synonym > 0 {
				return true
			}
		}
		return false
	}
	whole := func(tenant access.TenantID, word string) bool {
		for _, k := range lexicons(tenant).Tokens(word) {
			if strings.HasSuffix(k.Term, word) {
				return true
			}
		}
		return false
	}
	for tenant, want := range map[access.TenantID][3]bool{"acme": {true, true, false}, "globex": {false, false, true}, "empty": {}, "unknown": {}} {
		if got := [3]bool{added(tenant), whole(tenant, "范廷颂"), whole(tenant, "赛摩乐")}; got != want {
			t.Errorf("%s: %v, want %v", tenant, got, want)
		}
	}
}

func TestWithoutAFileNobodyHasALexicon(t *testing.T) {
	for _, path := range []string{"", file(t, "")} {
		lexicons, err := lexicon.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if lexicons != nil && lexicons("acme") != nil {
			t.Errorf("%q gives a lexicon", path)
		}
	}
}

func TestAFileThatIsTooLongIsRefused(t *testing.T) {
	if _, err := lexicon.Open(file(t, "# "+strings.Repeat("x", 4<<20))); err == nil || !strings.Contains(err.Error(), "longer than") {
		t.Errorf("the error is %v", err)
	}
}
