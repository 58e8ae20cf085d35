package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// withLexicon runs a command with a lexicon file.
func withLexicon(path string, args ...string) (status int, stdout, stderr string) {
	var out, errs strings.Builder
	status = execute(context.Background(), args, map[string]string{"KAOJU_LEXICON_FILE": path}, strings.NewReader(""), &out, &errs)
	return status, out.String(), errs.String()
}

func TestSynonymsOfTheLexiconFileFindWhatAQueryDoesNotSay(t *testing.T) {
	dir, folder := t.TempDir(), t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	note := write("net.md", "# 网络\n\n虚拟专网每天晚上维护一次，由甲方乙负责。\n")
	mine := write("mine.yaml", "default:\n  words: [甲方乙]\n  synonyms:\n    - [VPN, virtual private network, 虚拟专网]\n")
	others := write("others.yaml", "globex:\n  synonyms:\n    - [VPN, 虚拟专网]\n")
	for _, line := range [][]string{{"kb", "create", "notes", "--data", dir}, {"add", note, "--kb", "notes", "--publish", "--data", dir}} {
		if status, out, errs := withLexicon(mine, line...); status != exitDone {
			t.Fatalf("kaoju %q: status %d\n%s%s", line, status, out, errs)
		}
	}
	for _, c := range []struct {
		file, query string
		found       bool
	}{{mine, "vpn", true}, {mine, "Virtual Private Network", true}, {mine, "甲方乙", true}, {others, "vpn", false}, {"", "vpn", false}} {
		_, out, errs := withLexicon(c.file, "search", c.query, "--data", dir)
		if strings.Contains(out, "net.md") != c.found {
			t.Errorf("%q with %q: found must be %v\n%s%s", c.query, filepath.Base(c.file), c.found, out, errs)
		}
	}
}

func TestALexiconFileThatIsWrongIsNamedWithItsEntry(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ text, says string }{
		"unknown key":      {"default: {word: [甲方]}", "word"},
		"no such word":     {"default: {words: [B超]}", "B超"},
		"a group of one":   {"acme: {synonyms: [[VPN]]}", "acme: The group"},
		"no yaml":          {"default: [", "lexicon file"},
		"too long a group": {"default: {synonyms: [[a1, b1, c1, d1, e1, f1, g1, h1, i1, j1, k1, l1, m1, n1, o1, p1, q1]]}", "2 to 16"},
	} {
		path := filepath.Join(t.TempDir(), "lexicon.yaml")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		status, _, errs := withLexicon(path, "kb", "create", "notes", "--data", dir)
		if status != exitUsage || !strings.Contains(errs, c.says) || !strings.Contains(errs, path) {
			t.Errorf("%s: status %d, %s", name, status, errs)
		}
	}
	if status, _, errs := withLexicon(filepath.Join(dir, "none.yaml"), "kb", "create", "notes", "--data", dir); status != exitUsage {
		t.Errorf("a file that is not there: status %d, %s", status, errs)
	}
}
