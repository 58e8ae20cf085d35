package git_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/ingest/source/git"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestAddressesNameARepositoryAStateAndAFolder(t *testing.T) {
	for raw, want := range map[string]string{
		"git+https://host.example/o/r.git":            "git+https://host.example/o/r.git",
		"git+https://host.example/o/r.git@feature/x":  "git+https://host.example/o/r.git",
		"git+https://host.example/o/r.git@v1//docs/a": "git+https://host.example/o/r.git//docs/a",
		"git+HTTPS://host.example:8443/o/r/":          "git+https://host.example:8443/o/r",
		"git+http://host.example/o/差旅.git//制度":        "git+http://host.example/o/%E5%B7%AE%E6%97%85.git//%E5%88%B6%E5%BA%A6",
		"git+file:///srv/my%20docs@main//a":           "git+file:///srv/my%20docs//a",
		"git+file:///srv/a/../b":                      "git+file:///srv/b",
	} {
		a, err := git.Parse(raw)
		if err != nil || a.Name() != want {
			t.Errorf("%s is called %s, want %s, error %v", raw, a.Name(), want, err)
		}
	}
	a, err := git.Parse("git+https://host.example/o/r.git@feature/x//docs")
	do(t, err)
	if a.Ref != "feature/x" || a.Folder != "docs" || a.Remote.String() != "https://host.example/o/r.git" {
		t.Errorf("it is %+v", a)
	}
}

func TestAddressesThatCannotBeUsedAreRefusedWithoutBeingRepeated(t *testing.T) {
	for _, raw := range []string{
		"https://host.example/r", "git+ssh://git@host.example/r", "git+", "git+https:host", "git+file://host/r", "git+file:relative",
		"git+https://user:sesame@host.example/r", "git+https://sesame@host.example/r", "git+https://host.example/r?token=sesame", "git+https://host.example/r#sesame",
		"git+https://host.example/r//../../etc", "git+file:///r//a/../b", "git+file:///r@ma\nin", "git+https://host.example/%zz", "git+https:///r", "git+https://0x7f.1/r",
	} {
		a, err := git.Parse(raw)
		if problem.CodeOf(err) != "invalid_url" || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%q is %+v, error %v", raw, a, err)
		}
	}
}

func TestAPathThatExistsIsTakenAsItStands(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "notes@home")
	for text, want := range map[string]git.Address{
		path:                                   {Path: path},
		filepath.Join(folder, "r@main"):        {Path: filepath.Join(folder, "r"), Ref: "main"},
		filepath.Join(folder, "r@v1") + "//in": {Path: filepath.Join(folder, "r"), Ref: "v1", Folder: "in"},
	} {
		a, err := git.Local(text, func(p string) bool { return p == path })
		if err != nil || a != want {
			t.Errorf("%s is %+v, error %v", text, a, err)
		}
	}
	if a, err := git.Local(".", func(string) bool { return true }); err != nil || !filepath.IsAbs(a.Path) {
		t.Errorf("here is %+v, error %v", a, err)
	}
}

func TestTheAddressOfAFileIsKeptAsFarAsItFits(t *testing.T) {
	a, err := git.Parse("git+https://host.example/r//docs")
	do(t, err)
	if got := a.URI("abc", "差旅 a.md"); got != "git+https://host.example/r@abc//docs/%E5%B7%AE%E6%97%85%20a.md" {
		t.Errorf("the file is at %s", got)
	}
	if got := a.URI("abc", strings.Repeat("长", 300)); got != "git+https://host.example/r@abc" {
		t.Errorf("a long one is at %s", got)
	}
}
