package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/api"
)

// watching is `kaoju add --watch` in this process.
type watching struct {
	t     *testing.T
	lines *bufio.Scanner
	stop  func() (status int, errs string)
}

func watch(t *testing.T, args ...string) *watching {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	var errs strings.Builder
	done := make(chan int, 1)
	go func() {
		status := execute(ctx, with([]string{"add", "--watch"}, args...), map[string]string{}, strings.NewReader(""), in, &errs)
		_ = in.Close() // It never fails.
		done <- status
	}()
	w := &watching{t: t, lines: bufio.NewScanner(out)}
	w.stop = func() (int, string) {
		stop()
		go func() { _, _ = io.Copy(io.Discard, out) }()
		return <-done, errs.String()
	}
	return w
}

func (w *watching) says(want string) {
	w.t.Helper()
	if !w.lines.Scan() {
		status, errs := w.stop()
		w.t.Fatalf("it ended with %d instead of saying %q: %s", status, want, errs)
	}
	if got := w.lines.Text(); !strings.Contains(got, want) {
		w.t.Errorf("it says %q, want %q", got, want)
	}
}

func put(t *testing.T, folder, name, text string) {
	t.Helper()
	beside := filepath.Join(t.TempDir(), "new")
	if err := os.WriteFile(beside, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(beside, filepath.Join(folder, name)); err != nil {
		t.Fatal(err)
	}
}

func TestAWatchedFolderIsFollowedUntilItIsInterrupted(t *testing.T) {
	data, docs := filepath.Join(t.TempDir(), "data"), t.TempDir()
	if status, _, errs := kaoju(t, "kb", "create", "kb", "--data", data); status != exitDone {
		t.Fatal(errs)
	}
	put(t, docs, "a.md", "# A\n\nThe lodging limit is 500 yuan.\n")
	w := watch(t, docs, "--kb", "kb", "--publish", "--data", data)
	w.says("added: " + docs + "/a.md")
	put(t, docs, "a.md", "# A\n\nThe lodging limit is 650 yuan.\n")
	w.says("new version 2: " + docs + "/a.md")
	if status, out, errs := kaoju(t, "search", "lodging limit", "--data", data); status != exitDone || !strings.Contains(out, "650") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	if err := os.Rename(filepath.Join(docs, "a.md"), filepath.Join(docs, "差旅.md")); err != nil {
		t.Fatal(err)
	}
	w.says("moved: " + docs + "/差旅.md, which was a.md")
	if status, errs := w.stop(); status != exitDone || errs != "" {
		t.Errorf("interrupted, it ended with %d: %s", status, errs)
	}
}

func TestAFolderIsWatchedForAServer(t *testing.T) {
	s := serveDemo(t, t.TempDir())
	docs := t.TempDir()
	put(t, docs, "a.md", "# A\n\nOne.\n")
	put(t, docs, "b.md", "# B\n\nTwo.\n")
	w := watch(t, docs, "--kb", "kb-support", "--publish", "--json", "--server", s.url, "--token", s.tokens["CAROL"])
	w.says(`{"event":"added","file":"` + docs + `/a.md","doc_key":"a.md","version":1`)
	w.says(`"doc_key":"b.md"`)
	if err := os.Remove(filepath.Join(docs, "a.md")); err != nil {
		t.Fatal(err)
	}
	w.says(`{"event":"archived","file":"` + docs + `/a.md","doc_key":"a.md"`)
	if status, errs := w.stop(); status != exitDone || errs != "" {
		t.Errorf("interrupted, it ended with %d: %s", status, errs)
	}
}

func TestArchivingIsProposedOnceToAServerThatPublishesByProposal(t *testing.T) {
	s := serveDemo(t, t.TempDir())
	docs := t.TempDir()
	put(t, docs, "a.md", "# A\n\nOne.\n")
	put(t, docs, "b.md", "# B\n\nTwo.\n")
	add := func(want string) {
		t.Helper()
		status, out, errs := kaoju(t, "add", docs, "--kb", "kb-policies", "--publish", "--server", s.url, "--token", s.tokens["CAROL"])
		if status != exitDone || !strings.Contains(out, want) {
			t.Errorf("status %d, want %q: %s%s", status, want, out, errs)
		}
	}
	add("added 2, new versions 0, unchanged 0, failed 0")
	if err := os.Remove(filepath.Join(docs, "a.md")); err != nil {
		t.Fatal(err)
	}
	add("proposed to archive 1")
	add("proposed to archive 1")
	list, err := s.as("CAROL").Approvals(t.Context(), "pending", api.Page{})
	if err != nil || len(list.Items) != 1 || list.Items[0].Kind != "archive" || list.Items[0].DocKey != "a.md" {
		t.Fatalf("approvals %v, error %v", list.Items, err)
	}
	done, err := s.as("CAROL").DecideApproval(t.Context(), list.Items[0].ProposalID, true, "")
	if err != nil || done.Status != "archived" {
		t.Errorf("decided %v, error %v", done, err)
	}
	add("added 0, new versions 0, unchanged 1, failed 0")
	// A source is whose who brings it: for anybody else the name holds nothing.
	list2, err := s.as("DAVE").Documents(t.Context(), "kb-policies", api.DocumentFilter{Source: "folder:" + docs}, api.Page{})
	if err != nil || len(list2.Items) != 0 {
		t.Errorf("another finds %v in the source, error %v", list2.Items, err)
	}
}
