package auth_test

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestABrowserGoesOnToAPathOfThisServerAlone(t *testing.T) {
	for _, good := range []string{
		"/", "/runs/run_1", "/runs/", "/search?q=a%20b&x=//y", "/#/runs/1", "/kb/手册?标题=年假", "/a%20b", "/x?next=https://evil.example", "/a.b/c..d", "/authors",
	} {
		if got := auth.LocalPath(good); got != good {
			t.Errorf("%q leads to %q", good, got)
		}
	}
	for _, bad := range []string{
		"", "runs", "//evil", "//evil.example/", "///evil", "/\\evil", "\\/evil", "\\\\evil", "/\\/evil", "https:evil", "https://evil.example", "https:/evil", "HTTPS://evil", "http:evil",
		"%2f%2fevil", "/%2f%2fevil", "/%2fevil", "/%2F/evil", "/%252fevil", "/%25252fevil", "/%5cevil", "/%255cevil", "/\tevil", "/\t/evil", "/%09/evil", "/%0d%0aSet-Cookie:x", "/\nevil", "\t//evil", " //evil", "/ /evil",
		"javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x", "blob:x", "../", "/../evil", "/..", "/a/../..//evil", "/%2e%2e/evil", "/.//evil", "/./evil", "/a//evil", "/..;/evil/../..",
		"@evil.example", "/@evil\x00", ":80", "?next=//evil", "#//evil", ".evil.example", "/%", "/%zz", "/\u0085evil", "/\ufeff\u007f", "/\xff", "／evil", "//evil%00", "/%00", "/auth/oidc/login", "/auth/oidc/callback?code=x",
		"/%61uth/oidc/login", "/" + strings.Repeat("x", 1024),
	} {
		if got := auth.LocalPath(bad); got != "/" {
			t.Errorf("%q leads to %q", bad, got)
		}
	}
}

// Whatever is asked for, a browser that resolves the answer stays with this server.
func TestNoPathLeadsToAnotherServer(t *testing.T) {
	base, err := url.Parse("https://kaoju.example/auth/oidc/callback")
	ok(t, err)
	part := rapid.SampledFrom([]string{"/", "\\", "evil.example", "%2f", "%5c", "%25", "2f", ":", "@", "?", "#", ".", "..", "\t", "\n", " ", "https:", "a", "%09", "//", "手"})
	rapid.Check(t, func(rt *rapid.T) {
		asked := strings.Join(rapid.SliceOfN(part, 0, 8).Draw(rt, "parts"), "")
		got := auth.LocalPath(asked)
		u, err := url.Parse(got)
		if err != nil {
			rt.Fatalf("%q leads to %q: %v", asked, got, err)
		}
		to := base.ResolveReference(u)
		second := got + " "
		if to.Host != base.Host || to.Scheme != base.Scheme || got[0] != '/' || second[1] == '/' || second[1] == '\\' || strings.ContainsFunc(got, unicode.IsControl) {
			rt.Fatalf("%q leads to %q, which is %s", asked, got, to)
		}
	})
}

func TestAProvidersNameIsFitToBeShown(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "王芳": "王芳", "  Ann  Lee ": "Ann  Lee", "\u202eevil\u2066": "evil", "a\x1b[31mb\r\n": "a[31mb", "\u200b\u200b": "", "a\xffb": "ab",
		strings.Repeat("名", 300): strings.Repeat("名", 100),
	} {
		if got := auth.DisplayName(in); got != want {
			t.Errorf("%q is shown as %q", in, got)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		got := auth.DisplayName(rapid.String().Draw(rt, "name"))
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > 100 || strings.ContainsFunc(got, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }) {
			rt.Fatalf("%q", got)
		}
	})
}

func TestTheKeyIsMadeOnceAndPrivate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "oidc.key")
	key, err := auth.OpenKey(path)
	ok(t, err)
	again, err := auth.OpenKey(path)
	ok(t, err)
	info, err := os.Stat(path)
	ok(t, err)
	if len(key) != 32 || !bytes.Equal(key, again) || info.Mode().Perm() != 0o600 {
		t.Fatalf("%x, then %x, mode %v", key, again, info.Mode())
	}
	other, err := auth.OpenKey(path + "2")
	ok(t, err)
	if bytes.Equal(other, key) {
		t.Error("two keys are the same")
	}
	ok(t, os.WriteFile(path, []byte("short"), 0o600))
	if _, err := auth.OpenKey(path); !problem.Is(err, problem.Unavailable) || !strings.Contains(err.Error(), "oidc.key") {
		t.Errorf("%v", err)
	}
	if _, err := auth.OpenKey(filepath.Join(path, "x")); !problem.Is(err, problem.Unavailable) {
		t.Errorf("%v", err)
	}
}
