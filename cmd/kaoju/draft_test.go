package main

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/record"
)

// as is a typed client of the served product in a user's name.
func (s *served) as(user string) *api.Client {
	return api.NewClient(http.DefaultClient, s.url, s.tokens[user])
}

// written asks for a draft and waits until its run has ended.
func (s *served) written(user, goal string) api.Run {
	s.t.Helper()
	ctx, client := s.t.Context(), s.as(user)
	started, err := client.CreateRun(ctx, api.RunRequest{Kind: "draft", Goal: goal}, "draft of "+goal)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := client.Follow(ctx, started.RunID, 0, func(api.Event) error { return nil }); err != nil {
		s.t.Fatal(err)
	}
	r, err := client.Run(ctx, started.RunID)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// A draft is written by the loop itself, with the rule-based engine, saved, edited and exported, and
// a server that starts again knows what was saved under which key.
func TestADraftOutlivesTheServerThatSavedIt(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	s := serveDemo(t, dir)
	r := s.written("ALICE", "写一份上海住宿标准的说明")
	if r.State != "awaiting_review" || r.FinishReason != "draft_ready" || r.Sections.Conclusion == "" || r.Sections.Basis == "" || len(r.Citations) == 0 || !r.NeedsConfirmation {
		t.Fatalf("%+v", r)
	}
	first, err := s.as("ALICE").SaveDraft(ctx, r.RunID, api.SaveDraft{}, "k")
	if err != nil {
		t.Fatal(err)
	}
	s.end()
	s = serveDemo(t, dir)
	alice := s.as("ALICE")
	again, err := alice.SaveDraft(ctx, r.RunID, api.SaveDraft{}, "k")
	if err != nil || again != first || first.Version != 1 {
		t.Errorf("after a restart: %+v %v, want %+v", again, err, first)
	}
	var p *api.Problem
	if _, err := alice.SaveDraft(ctx, r.RunID, api.SaveDraft{BaseVersion: 1}, "k"); !errors.As(err, &p) || p.Code != "idempotency_key_reused" {
		t.Errorf("%v", err)
	}
	if same, err := alice.CreateRun(ctx, api.RunRequest{Kind: "draft", Goal: "写一份上海住宿标准的说明"}, "draft of 写一份上海住宿标准的说明"); err != nil || same.RunID != r.RunID {
		t.Errorf("the run is started again: %+v %v", same, err)
	}
	title := "住宿说明"
	edited, err := alice.EditDraft(ctx, first.DraftID, api.DraftChange{Title: &title}, api.ETag(1))
	if err != nil || edited.Version != 2 || edited.Body != r.Answer.Answer || edited.Title != title {
		t.Errorf("%+v %v", edited, err)
	}
	versions, err := alice.DraftVersions(ctx, first.DraftID)
	if err != nil || len(versions.Items) != 2 {
		t.Errorf("%+v %v", versions, err)
	}
	said, err := alice.GiveFeedback(ctx, api.NewFeedback{RunID: r.RunID, Sentence: r.Checks[0].Sentence, Verdict: "correct", Note: "核对过"}, "f")
	list, err2 := alice.Feedback(ctx, r.RunID, api.Page{})
	if err != nil || err2 != nil || len(list.Items) != 1 || list.Items[0] != said {
		t.Errorf("%+v %v %v", list, err, err2)
	}
	if _, err := s.as("BOB").Draft(ctx, first.DraftID, 0); !errors.As(err, &p) || p.Status != http.StatusNotFound {
		t.Errorf("another user: %v", err)
	}
	s.end()
	folderAndServerExportTheSame(t, dir, first.DraftID, r.RunID)
	aChangedDraftIsNamed(t, dir, first.DraftID)
}

// aChangedDraftIsNamed holds the drafts of a folder before and after one was changed beside the product.
func aChangedDraftIsNamed(t *testing.T, dir, draft string) {
	t.Helper()
	done(t, "doc", "propose", "doc-travel-v3", "--data", dir, "--as", "carol", "--tenant", "acme")
	verify := []string{"ledger", "verify", "--runs", "--data", dir, "--as", "dave", "--tenant", "acme"}
	if out := done(t, verify...); !strings.Contains(out, "\n1 drafts are what the ledger tells of\n1 proposals are decided as the ledger tells\n") {
		t.Error(out)
	}
	changeBeside(t, dir, `UPDATE draft_versions SET body = replace(body, '650', '950') WHERE no = 1`)
	if out := fails(t, exitFailed, verify...); !strings.Contains(out, draft+" was changed since it was saved: version/1/body_hash\n") || !strings.Contains(out, "Of 1 drafts, 1 are not what the ledger tells of.") {
		t.Error(out)
	}
	var v record.Verdict
	if err := json.Unmarshal([]byte(fails(t, exitFailed, append(verify, "--json")...)), &v); err != nil {
		t.Fatal(err)
	}
	if v.Valid || v.Code != "record_changed" || v.Runs == nil || v.Runs.Changed != 0 || v.Drafts == nil || v.Drafts.Changed != 1 || len(v.Drafts.Names) != 1 || string(v.Drafts.Names[0].ID) != draft {
		t.Errorf("%+v %+v", v, v.Drafts)
	}
	changeBeside(t, dir, `UPDATE proposals SET document = 'doc-travel-v1'`)
	if out := fails(t, exitFailed, verify...); !strings.Contains(out, "Of 1 proposals, 1 are not what the ledger tells of: prop_") || !strings.Contains(out, "Of 1 drafts, 1 are") {
		t.Error(out)
	}
	if out := fails(t, exitFailed, "doctor", "--data", dir); !strings.Contains(out, "Of 1 drafts, 1 are not what the ledger tells of.") {
		t.Error(out)
	}
}

// folderAndServerExportTheSame exports by command from the folder and from a server on it.
func folderAndServerExportTheSame(t *testing.T, dir, draft, run string) {
	t.Helper()
	s := serveDemo(t, dir)
	on := map[string][]string{
		"folder": {"--data", dir, "--as", "alice", "--tenant", "acme"}, "server": {"--server", s.url, "--token", s.tokens["ALICE"]},
	}
	outputs := map[string]string{}
	for where, flags := range on {
		do := func(want int, line ...string) string {
			status, out, errs := kaoju(t, append(line, flags...)...)
			if status != want {
				t.Fatalf("%s: kaoju %q: status %d\n%s%s", where, line, status, out, errs)
			}
			outputs[where] += out
			return out
		}
		if out := do(exitDone, "draft", "list"); !strings.Contains(out, draft+"\tv2") || !strings.Contains(out, "住宿说明") {
			t.Errorf("%s", out)
		}
		if out := do(exitDone, "draft", "show", draft); !strings.Contains(out, "[S1]") || !strings.Contains(out, "来源") || !strings.Contains(out, "此回答需要确认") {
			t.Errorf("%s", out)
		}
		var d api.Draft
		if err := json.Unmarshal([]byte(do(exitDone, "draft", "show", draft, "--version", "1", "--json")), &d); err != nil || d.Version != 1 || d.LatestVersion != 2 {
			t.Errorf("%+v %v", d, err)
		}
		if out := do(exitDone, "draft", "export", draft); !strings.HasPrefix(out, "# 住宿说明\n") || !strings.Contains(out, "[^S1]: S1: ") {
			t.Errorf("%s", out)
		}
		file := filepath.Join(t.TempDir(), "a.docx")
		do(exitDone, "draft", "export", draft, "--format", "docx", "-o", file)
		z, err := zip.OpenReader(file)
		if err != nil {
			t.Fatal(err)
		}
		z.Close()
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v %v", info, err)
		}
		do(exitDone, "run", "export", run)
		paged := filepath.Join(t.TempDir(), "a.PDF")
		do(exitDone, "draft", "export", draft, "-o", paged)
		if raw, err := os.ReadFile(paged); err != nil || !strings.HasPrefix(string(raw), "%PDF-") {
			t.Errorf("%v: %.20q", err, raw)
		}
		do(exitUsage, "draft", "export", draft, "--format", "odt")
		do(exitFailed, "draft", "export", draft, "-o", filepath.Join(t.TempDir(), "none", "a.md"))
		do(exitUsage, "draft", "show")
	}
	if outputs["folder"] != outputs["server"] {
		t.Errorf("the folder prints\n%s\nand the server\n%s", outputs["folder"], outputs["server"])
	}
	for _, line := range [][]string{{"draft", "show", draft}, {"draft", "export", draft}, {"run", "export", run}} {
		line = append(line, "--data", dir, "--as", "bob", "--tenant", "acme")
		if status, out, errs := kaoju(t, line...); status != exitRefused || out != "" || !strings.Contains(errs, "no such thing") {
			t.Errorf("kaoju %q as Bob: %d\n%s%s", line, status, out, errs)
		}
	}
	status, out, _ := kaoju(t, "feedback", "export", "--data", dir, "--as", "carol", "--tenant", "acme")
	var f api.Feedback
	if err := json.Unmarshal([]byte(out), &f); err != nil || status != exitDone || f.UserID != "alice" || f.Verdict != "correct" || f.Note != "核对过" || f.Withheld {
		t.Errorf("%d %s %v", status, out, err)
	}
	if status, out, _ := kaoju(t, "feedback", "export", "--data", dir, "--as", "erin", "--tenant", "globex"); status != exitDone || out != "" {
		t.Errorf("the other tenant's operator reads %q", out)
	}
}
