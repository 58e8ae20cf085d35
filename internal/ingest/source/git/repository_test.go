package git_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/kaoju/kaoju/internal/ingest/source"
	"github.com/kaoju/kaoju/internal/ingest/source/git"
	"github.com/kaoju/kaoju/internal/ingest/source/git/gittest"
	"github.com/kaoju/kaoju/internal/problem"
)

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// repository is one of a test, with what it lists.
type repository struct{ *gittest.Repository }

func odd(mode, name string, h plumbing.Hash) gittest.Entry {
	return gittest.Entry{Mode: mode, Name: name, Hash: h}
}

func newRepository(t *testing.T, bare bool) *repository {
	t.Helper()
	return &repository{gittest.New(t, bare)}
}

func options() git.Options {
	return git.Options{MaxFile: 1000, Supported: func(name string) bool { return strings.HasSuffix(name, ".md") }}
}

// open opens what an address names; $PATH in it is that of the repository.
func (r *repository) open(address string) *git.Repository {
	r.T.Helper()
	a, err := git.Parse(strings.ReplaceAll(address, "$PATH", r.Path))
	do(r.T, err)
	return git.Open(a, options())
}

func list(t *testing.T, r *git.Repository) source.Listing {
	t.Helper()
	l, err := r.List(t.Context())
	do(t, err)
	return l
}

// told is a listing as "PLACE: TEXT" and "PLACE: CODE", each in order.
func told(t *testing.T, l source.Listing) (out []string) {
	t.Helper()
	for _, f := range l.Files {
		body, err := f.Open()
		do(t, err)
		text, err := io.ReadAll(body)
		do(t, err)
		do(t, body.Close())
		if f.Key != f.Place || f.Size != int64(len(text)) {
			t.Errorf("%s has the key %s and %d bytes", f.Place, f.Key, f.Size)
		}
		out = append(out, f.Place+": "+string(text))
	}
	for _, s := range l.Skipped {
		word := "!" + s.Place + ": " + problem.CodeOf(s.Err)
		if s.Harmless {
			word += ", harmless"
		}
		out = append(out, word)
	}
	return out
}

func wants(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestTheFilesOfARepositoryAreListed(t *testing.T) {
	for name, bare := range map[string]bool{"bare": true, "with a work tree": false} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t, bare)
			h := r.Commit("main", r.Tree([]string{"a.md: one", "差旅/b.md: 650 元", "docs/c d.md: three", ".hidden.md: x", ".github/x.md: x", "main.go: x", "util.go: x", "LICENSE: x"}))
			l := list(t, r.open("git+file://$PATH"))
			wants(t, told(t, l), "a.md: one", "docs/c d.md: three", "差旅/b.md: 650 元", "!: unknown_type, harmless", "!: unknown_type, harmless")
			if got, want := l.Files[1].URI, "git+file://"+r.Path+"@"+h.String()+"//docs/c%20d.md"; got != want {
				t.Errorf("the file is from %s, want %s", got, want)
			}
			if got, want := l.Files[1].Path, "file://"+r.Path+"/docs/c d.md"; got != want {
				t.Errorf("the file is called %s, want %s", got, want)
			}
			if !strings.Contains(l.Skipped[1].Err.Error(), "there are 2") {
				t.Errorf("of other files it says %v", l.Skipped[1].Err)
			}
		})
	}
}

func TestBranchTagCommitAndFolderAreChosen(t *testing.T) {
	r := newRepository(t, true)
	first := r.Commit("main", r.Tree([]string{"docs/a.md: one"}))
	tag := r.Object(plumbing.TagObject, fmt.Sprintf("object %s\ntype commit\ntag v1\n", first))
	again := r.Object(plumbing.TagObject, fmt.Sprintf("object %s\ntype tag\ntag v1\n", tag))
	do(t, r.Store.SetReference(plumbing.NewHashReference("refs/tags/v1", again)))
	r.Commit("main", r.Tree([]string{"docs/a.md: two", "docs/in/b.md: b", "c.md: c"}))
	r.Commit("feature/x@y", r.Tree([]string{"docs/a.md: three"}))
	for address, want := range map[string][]string{
		"git+file://$PATH//docs":                        {"a.md: two", "in/b.md: b"},
		"git+file://$PATH//docs/in/":                    {"b.md: b"},
		"git+file://$PATH@v1":                           {"docs/a.md: one"},
		"git+file://$PATH@refs/tags/v1//docs":           {"a.md: one"},
		"git+file://$PATH@" + first.String():            {"docs/a.md: one"},
		"git+file://$PATH@refs/heads/feature%2Fx//docs": nil,
	} {
		t.Run(address, func(t *testing.T) {
			l, err := r.open(address).List(t.Context())
			if want == nil {
				if problem.CodeOf(err) != "no_such_ref" {
					t.Errorf("error %v", err)
				}
				return
			}
			do(t, err)
			wants(t, told(t, l), want...)
		})
	}
}

func TestARepositoryHasOneNameInAllItsStates(t *testing.T) {
	r := newRepository(t, true)
	one, two := r.open("git+file://$PATH@v1//docs").Name(), r.open("git+file://$PATH//docs/").Name()
	if one != two || one != "git+file://"+r.Path+"//docs" {
		t.Errorf("it is called %s and %s", one, two)
	}
}

func TestWhatIsNoDocumentOfARepositoryIsLeftAloneAndSaid(t *testing.T) {
	r := newRepository(t, true)
	text := r.Object(plumbing.BlobObject, "x")
	link := r.Object(plumbing.BlobObject, "/etc/passwd")
	lfs := r.Object(plumbing.BlobObject, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n")
	big := r.Object(plumbing.BlobObject, strings.Repeat("x", 1001))
	r.Commit("main", r.Tree([]string{"ok.md: fine"},
		odd("120000", "link.md", link), odd("160000", "module", text), odd("100644", "lfs.md", lfs), odd("100755", "program.md", text), odd("100644", "big.md", big),
		odd("100644", "gone.md", plumbing.NewHash("0123456789012345678901234567890123456789")), odd("060000", "device.md", text),
		odd("100644", ".", text), odd("100644", "..", text), odd("100644", "../up.md", text), odd("100644", "a/b.md", text), odd("100644", `a\b.md`, text),
		odd("100644", "new\nline.md", text), odd("100644", "\xff.md", text), odd("100644", "turned\u202e.md", text), odd("100644", "ok.md", big), odd("40000", ".git", text)))
	wants(t, told(t, list(t, r.open("git+file://$PATH"))),
		"ok.md: fine", "program.md: x",
		"!: bad_name", "!: bad_name", "!: bad_name", "!: bad_name", "!: bad_name", "!big.md: file_too_large", "!device.md: no_file, harmless",
		"!gone.md: file_missing", "!lfs.md: lfs_pointer", "!link.md: link, harmless", "!module: submodule, harmless", "!: bad_name",
		"!ok.md: bad_name", "!: bad_name", "!: bad_name")
}

func TestANameThatNoFileCanHaveIsToldQuotedAndStandsForNoPlace(t *testing.T) {
	r := newRepository(t, true)
	text := r.Object(plumbing.BlobObject, "x")
	below := r.Tree(nil, odd("100644", "\x1b[2Jb.md", text))
	r.Commit("main", r.Tree([]string{"ok.md: fine"}, odd("100644", ".", text), odd("100644", "x\nfailed: ok.md", text), odd("40000", "in", below)))
	l := list(t, r.open("git+file://$PATH"))
	if len(l.Skipped) != 3 || l.Left("gone.md") {
		t.Errorf("it leaves %v alone", l.Skipped)
	}
	for _, s := range l.Skipped {
		if text := s.Path + s.Err.Error(); strings.ContainsFunc(text, unicode.IsControl) {
			t.Errorf("it tells %q", text)
		}
	}
}

func TestWhatIsNoRepositoryIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		make func(r *repository) error
		code string
	}{
		"nothing":              {func(r *repository) error { return os.RemoveAll(r.Path) }, "no_repository"},
		"a folder without one": {func(r *repository) error { return os.RemoveAll(filepath.Join(r.Path, ".git")) }, "no_repository"},
		"a work tree of one that is elsewhere": {func(r *repository) error {
			do(r.T, os.RemoveAll(filepath.Join(r.Path, ".git")))
			return os.WriteFile(filepath.Join(r.Path, ".git"), []byte("gitdir: /somewhere/else\n"), 0o600)
		}, "linked_repository"},
		"a link instead of one": {func(r *repository) error {
			do(r.T, os.Rename(filepath.Join(r.Path, ".git"), filepath.Join(r.Path, "other")))
			return os.Symlink("other", filepath.Join(r.Path, ".git"))
		}, "linked_repository"},
		"objects of another": {func(r *repository) error {
			info := filepath.Join(r.Path, ".git", "objects", "info")
			do(r.T, os.MkdirAll(info, 0o700))
			return os.WriteFile(filepath.Join(info, "alternates"), []byte("/somewhere/else\n"), 0o600)
		}, "linked_repository"},
		"one without a state": {func(*repository) error { return nil }, "no_such_ref"},
		"a reference that names itself": {func(r *repository) error {
			return r.Store.SetReference(plumbing.NewSymbolicReference(plumbing.HEAD, plumbing.HEAD))
		}, "no_such_ref"},
		"a pipe for a reference": {func(r *repository) error {
			head := filepath.Join(r.Path, ".git", "HEAD")
			do(r.T, os.Remove(head))
			return exec.Command("mkfifo", head).Run()
		}, "no_such_ref"},
		"a commit of nothing": {func(r *repository) error {
			h := r.Object(plumbing.CommitObject, "no tree\n")
			return r.Store.SetReference(plumbing.NewHashReference("refs/heads/main", h))
		}, "repository_malformed"},
		"a tree that ends early": {func(r *repository) error {
			r.Commit("main", r.Object(plumbing.TreeObject, "100644 a.md\x00short"))
			return nil
		}, "repository_malformed"},
		"a folder that is missing": {func(r *repository) error {
			r.Commit("main", r.Tree(nil, odd("40000", "a", plumbing.NewHash("0123456789012345678901234567890123456789"))))
			return nil
		}, "repository_malformed"},
		"a commit that is a file": {func(r *repository) error {
			h := r.Object(plumbing.BlobObject, "x")
			return r.Store.SetReference(plumbing.NewHashReference("refs/heads/main", h))
		}, "repository_malformed"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t, false)
			do(t, c.make(r))
			_, err := r.open("git+file://$PATH").List(t.Context())
			if problem.CodeOf(err) != c.code || !strings.Contains(err.Error(), r.Path) {
				t.Errorf("error %v, want %s", err, c.code)
			}
		})
	}
}

func TestALinkInARepositoryLeadsNowhereElse(t *testing.T) {
	other := newRepository(t, false)
	other.Commit("main", other.Tree([]string{"secret.md: secret"}))
	r := newRepository(t, false)
	head := other.Commit("main", other.Tree([]string{"secret.md: secret"}))
	do(t, r.Store.SetReference(plumbing.NewHashReference("refs/heads/main", head)))
	objects := filepath.Join(r.Path, ".git", "objects")
	do(t, os.RemoveAll(objects))
	do(t, os.Symlink(filepath.Join(other.Path, ".git", "objects"), objects))
	if l, err := r.open("git+file://$PATH").List(t.Context()); problem.CodeOf(err) != "repository_malformed" {
		t.Errorf("it listed %v, error %v", l.Files, err)
	}
}

func TestARepositoryOfManyFoldersIsBounded(t *testing.T) {
	r := newRepository(t, true)
	tree := r.Tree([]string{"a.md: x"})
	for range 40 { // each folder holds the one before it twice: a million million files in few bytes
		tree = r.Tree(nil, odd("40000", "a", tree), odd("40000", "b", tree))
	}
	r.Commit("main", tree)
	a, err := git.Parse("git+file://" + r.Path)
	do(t, err)
	for name, l := range map[string]git.Limits{"by their number": {Entries: 1000}, "by their depth": {Depth: 10}} {
		t.Run(name, func(t *testing.T) {
			o := options()
			o.Limits = l
			if _, err := git.Open(a, o).List(t.Context()); problem.CodeOf(err) != "repository_too_large" {
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestNamesAreCountedBeforeTheyAreKept nests folders of many names, which are kept while those below them are read.
func TestNamesAreCountedBeforeTheyAreKept(t *testing.T) {
	r := newRepository(t, true)
	tree := r.Tree([]string{"a.md: x"})
	for range 3 {
		tree = r.Object(plumbing.TreeObject, "40000 d\x00"+string(tree[:])+strings.Repeat("1 .\x00"+strings.Repeat("a", 20), 600))
	}
	r.Commit("main", tree)
	a, err := git.Parse("git+file://" + r.Path)
	do(t, err)
	o, read := options(), 0
	o.Supported = func(string) bool { read++; return true }
	for most, few := range map[int]bool{1000: true, 2000: false} {
		read, o.Limits.Entries = 0, most
		_, err := git.Open(a, o).List(t.Context())
		if few != (problem.CodeOf(err) == "repository_too_large") || few != (read == 0) || !few && err != nil {
			t.Errorf("%d: error %v, and %d files were met", most, err, read)
		}
	}
}

func TestAnotherStateIsSeenAndTheSameIsNot(t *testing.T) {
	r := newRepository(t, true)
	r.Commit("main", r.Tree([]string{"a.md: one", "b.md: two"}))
	repo := r.open("git+file://$PATH")
	first := list(t, repo)
	if second := list(t, repo); first.Files[0].Stamp != second.Files[0].Stamp {
		t.Error("the same file has another stamp")
	}
	r.Commit("main", r.Tree([]string{"a.md: another", "b.md: two"}))
	third := list(t, repo)
	wants(t, told(t, third), "a.md: another", "b.md: two")
	if first.Files[0].Stamp == third.Files[0].Stamp || first.Files[1].Stamp != third.Files[1].Stamp {
		t.Error("stamps do not tell which file is another")
	}
}
