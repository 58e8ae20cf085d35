package dir_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/ingest/source"
	"github.com/kaoju/kaoju/internal/ingest/source/dir"
	"github.com/kaoju/kaoju/internal/problem"
)

func markdown(name string) bool { return strings.HasSuffix(name, ".md") }

// tree makes a folder of files; names that end in a slash are folders.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, name := range names {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// reasons are the places that were skipped, each with the code of its error.
func reasons(skipped []source.Skipped) (out []string) {
	for _, s := range skipped {
		line := s.Place + ": " + problem.CodeOf(s.Err)
		if s.Harmless {
			line += ", harmless"
		}
		out = append(out, line)
	}
	slices.Sort(out)
	return out
}

func TestListKeysFilesByTheirPathInsideTheFolder(t *testing.T) {
	root := tree(t, "b.md", "policies/travel.md", "policies/差旅.md", ".git/config.md", ".hidden.md", "notes.xyz")
	if err := os.Symlink("/etc/passwd", filepath.Join(root, "link.md")); err != nil {
		t.Fatal(err)
	}
	files, skipped, err := dir.List(t.Context(), []string{root}, dir.Rules{Supported: markdown})
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, f := range files {
		keys = append(keys, f.Key)
	}
	if diff := cmp.Diff([]string{"b.md", "policies/travel.md", "policies/差旅.md"}, keys); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"link.md: link, harmless", "notes.xyz: unknown_type"}, reasons(skipped)); diff != "" {
		t.Error(diff)
	}
}

func TestListTakesANamedFileWhateverItsType(t *testing.T) {
	root := tree(t, "notes.xyz")
	files, _, err := dir.List(t.Context(), []string{filepath.Join(root, "notes.xyz")}, dir.Rules{Supported: markdown})
	if err != nil || len(files) != 1 || files[0].Key != "notes.xyz" {
		t.Errorf("files %v, error %v", files, err)
	}
}

func TestListNamesAPathThatDoesNotExist(t *testing.T) {
	_, _, err := dir.List(t.Context(), []string{"no/such/folder"}, dir.Rules{Supported: markdown})
	if problem.CodeOf(err) != "no_such_file" || !strings.Contains(err.Error(), "no/such/folder") {
		t.Errorf("error %v", err)
	}
}

func TestListReportsAnUnreadableFolderAndGoesOn(t *testing.T) {
	if os.Geteuid() == 0 {
		// The superuser reads everything; a folder that vanishes while it is walked stands in.
		t.Log("running as root: the permission itself cannot be tried, only the walk")
		return
	}
	root := tree(t, "a.md", "locked/b.md")
	locked := filepath.Join(root, "locked")
	if err := os.Chmod(locked, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(locked, 0o755) })
	files, skipped, err := dir.List(t.Context(), []string{root}, dir.Rules{Supported: markdown})
	if err != nil || len(files) != 1 || len(skipped) != 1 || problem.CodeOf(skipped[0].Err) != "unreadable" {
		t.Errorf("files %v, skipped %v, error %v", files, skipped, err)
	}
}
