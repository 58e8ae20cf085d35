package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/inquiry"
	"github.com/kaoju/kaoju/cmd/kaoju/record"
	"github.com/kaoju/kaoju/internal/ledger"
)

// done runs a command that must succeed and returns what it printed.
func done(t *testing.T, args ...string) string {
	t.Helper()
	status, out, errs := kaoju(t, args...)
	if status != exitDone {
		t.Fatalf("kaoju %q: status %d\n%s%s", args, status, out, errs)
	}
	return out
}

// fails runs a command that must fail with a status and returns all that it printed.
func fails(t *testing.T, want int, args ...string) string {
	t.Helper()
	status, out, errs := kaoju(t, args...)
	if status != want {
		t.Fatalf("kaoju %q: status %d, want %d\n%s%s", args, status, want, out, errs)
	}
	return out + errs
}

// kept writes a file and returns its name.
func keptAs(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// asked is a demonstration in which people have asked, and whose server has ended.
func asked(t *testing.T) (dir string, runs map[string]string) {
	t.Helper()
	dir, runs = t.TempDir(), map[string]string{}
	s := serveDemo(t, dir)
	for user, questions := range map[string][]string{
		"ALICE": {"上海住宿上限是多少？", "国内出差每天补助多少钱", "How long is the warranty?", "你好", "总结差旅政策", "Who founded the city of Rome?"},
		"BOB":   {"CANARY-RD-7f3a91", "研发手册讲了什么"},
		"CAROL": {"上海住宿上限是多少？"},
	} {
		for i, q := range questions {
			_, raw := s.call(user, "POST", "/api/chat", fmt.Sprintf(`{"question":%q,"conversation_id":"c"}`, q))
			var a chatAnswer
			if err := json.Unmarshal([]byte(raw), &a); err != nil || a.RunID == "" {
				t.Fatalf("%s: %s", q, raw)
			}
			runs[fmt.Sprint(user, i)] = a.RunID
		}
	}
	s.end()
	return dir, runs
}

func TestTheQuestionsOfTheDemonstrationAreReplayed(t *testing.T) {
	dir, runs := asked(t)
	for user, n := range map[string]int{"alice": 6, "bob": 2, "carol": 1} {
		out := done(t, "run", "replay", "--all", "--data", dir, "--tenant", "acme", "--as", user)
		if strings.Count(out, ": same\n") != n || strings.Count(out, "\n") != n {
			t.Errorf("%s: %s", user, out)
		}
	}
	alice := []string{"--data", dir, "--tenant", "acme", "--as", "alice"}
	var one []inquiry.Replayed
	if err := json.Unmarshal([]byte(done(t, append(alice, "run", "replay", runs["ALICE0"], "--json")...)), &one); err != nil || len(one) != 1 || !one[0].Same {
		t.Errorf("%+v, %v", one, err)
	}
	fails(t, exitRefused, append(alice, "run", "replay", runs["BOB0"])...)
	fails(t, exitUsage, append(alice, "run", "replay")...)
	fails(t, exitUsage, append(alice, "run", "replay", "--all", runs["ALICE0"])...)
}

// TestAReplayDoesNotTellWhatBecameOfADocument deletes what was read, and then erases it.
func TestAReplayDoesNotTellWhatBecameOfADocument(t *testing.T) {
	dir, runs := asked(t)
	on := []string{"--data", dir, "--tenant", "acme", "--as"}
	var w api.Why
	if err := json.Unmarshal([]byte(done(t, append(on, "alice", "run", "why", runs["ALICE2"], "--json")...)), &w); err != nil || len(w.Evidence) == 0 {
		t.Fatalf("%+v, %v", w, err)
	}
	lost := map[string]bool{}
	for _, e := range w.Evidence {
		lost[e.DocumentID] = true
	}
	var told []string
	for _, how := range [][]string{nil, {"--erase"}} {
		for id := range lost {
			done(t, append(append(on, "carol", "doc", "delete", id), how...)...)
		}
		one := fails(t, exitFailed, append(on, "alice", "run", "replay", runs["ALICE2"])...)
		told = append(told, one+done(t, append(on, "alice", "run", "replay", "--all")...))
	}
	if told[0] != told[1] || !strings.Contains(told[0], runs["ALICE2"]+": ") || strings.Contains(told[0], "eras") {
		t.Errorf("deleted:\n%s\nerased:\n%s", told[0], told[1])
	}
}

func TestWhyOpensWhatARunDid(t *testing.T) {
	dir, runs := asked(t)
	on := func(user string, args ...string) []string {
		return append(args, "--data", dir, "--tenant", "acme", "--as", user)
	}
	out := done(t, on("alice", "run", "why", runs["ALICE0"])...)
	for _, want := range []string{"prompt_hash", "<question>", "上海住宿上限是多少？", "search_knowledge", "run.completed", "supported", "entry led_", "the recordings are those of it"} {
		if !strings.Contains(out, want) {
			t.Errorf("why does not tell %q:\n%s", want, out)
		}
	}
	var w api.Why
	if err := json.Unmarshal([]byte(done(t, on("alice", "run", "why", runs["ALICE0"], "--json")...)), &w); err != nil {
		t.Fatal(err)
	}
	if w.Withheld || w.Proof == nil || len(w.Prompt) < 2 || w.PromptHash == "" || len(w.ToolCalls) == 0 || len(w.Evidence) == 0 || !w.RecordingsHold {
		t.Errorf("%+v", w)
	}
	fails(t, exitRefused, on("bob", "run", "why", runs["ALICE0"])...)
	// The auditor reads the policies, and the research handbook never.
	if out := done(t, on("dave", "run", "why", runs["ALICE0"])...); !strings.Contains(out, "650") {
		t.Errorf("the auditor, who may read all of it: %s", out)
	}
	if out := done(t, on("dave", "run", "why", runs["BOB0"])...); strings.Contains(out, "CANARY-RD-7f3a91") || !strings.Contains(out, "no longer available") {
		t.Errorf("the auditor, who may not read it: %s", out)
	}
}

func TestABundleIsVerifiedWithNothingButItself(t *testing.T) {
	dir, runs := asked(t)
	on := []string{"--data", dir, "--tenant", "acme", "--as", "alice"}
	key := strings.TrimSpace(done(t, append(on, "ledger", "key")...))
	file := filepath.Join(t.TempDir(), "bundle.json")
	for i := range 6 {
		run := runs[fmt.Sprint("ALICE", i)]
		done(t, append(on, "run", "bundle", run, "-o", file)...)
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, out := range [][]string{nil, {"-o", "-"}} {
			if again := done(t, append(append(on, "run", "bundle", run), out...)...); again != string(raw) {
				t.Errorf("run %d: a second bundle, by %v, has other bytes", i, out)
			}
		}
		if out := done(t, "bundle", "verify", file, "--key", key); !strings.Contains(out, run) || !strings.Contains(out, "signed by") && !strings.Contains(out, "签名") {
			t.Errorf("run %d: %s", i, out)
		}
		if out := done(t, "bundle", "verify", file); !strings.Contains(out, "not by whom") && !strings.Contains(out, "不能说明由谁签名") {
			t.Errorf("without a key: %s", out)
		}
	}
	done(t, append(on, "run", "bundle", runs["ALICE0"], "-o", file)...)
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	nowhere := filepath.Join(t.TempDir(), "no", "folder")
	if out := fails(t, exitFailed, append(on, "run", "bundle", runs["ALICE0"], "-o", nowhere)...); !strings.Contains(out, nowhere) {
		t.Error(out)
	}
	lie := keptAs(t, "lie.json", strings.ReplaceAll(string(raw), "650 元", "651 元"))
	if out := fails(t, exitFailed, "bundle", "verify", lie, "--key", key); !strings.Contains(out, "was changed after") {
		t.Error(out)
	}
	if out := fails(t, exitFailed, "bundle", "verify", lie, "--json"); !strings.Contains(out, `"valid": false`) {
		t.Error(out)
	}
	other := strings.TrimSpace(done(t, "ledger", "key", "--data", emptyFolder(t)))
	if out := fails(t, exitFailed, "bundle", "verify", file, "--key", other); !strings.Contains(out, "another key") {
		t.Error(out)
	}
	fails(t, exitUsage, "bundle", "verify", file, "--key", "nonsense")
	fails(t, exitRefused, "bundle", "verify", "no-such-file")
	fails(t, exitRefused, append(on, "run", "bundle", runs["BOB0"])...)
}

// emptyFolder makes another data folder.
func emptyFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	done(t, "kb", "create", "x", "--data", dir)
	return dir
}

func TestALedgerIsVerifiedFromAFileAndAgainstAKeptCheckpoint(t *testing.T) {
	dir, _ := asked(t)
	on := func(user string, args ...string) []string {
		return append(args, "--data", dir, "--tenant", "acme", "--as", user)
	}
	key := strings.TrimSpace(done(t, on("dave", "ledger", "key")...))
	for _, user := range []string{"dave", "alice"} {
		before := keptAs(t, "checkpoint", done(t, on(user, "ledger", "checkpoint")...))
		export := done(t, on(user, "ledger", "export")...)
		file := keptAs(t, "ledger.jsonl", export)
		for _, args := range [][]string{{}, {"--key", key}, {"--checkpoint", before}, {"--key", key, "--checkpoint", before}} {
			if out := done(t, append([]string{"ledger", "verify", file}, args...)...); !strings.Contains(out, "whole") {
				t.Errorf("%s %v: %s", user, args, out)
			}
		}
		if out := done(t, on(user, "ledger", "verify", "--checkpoint", before)...); !strings.Contains(out, "nothing but additions") {
			t.Error(out)
		}
		bad := bytes.Replace([]byte(export), []byte(`"actor":"alice"`), []byte(`"actor":"alicf"`), 1)
		if out := fails(t, exitFailed, "ledger", "verify", keptAs(t, "bad", string(bad))); !strings.Contains(out, "Line ") {
			t.Errorf("%s: %s", user, out)
		}
		lines := strings.SplitAfter(export, "\n")
		cut := strings.Join(lines[:len(lines)-2], "")
		if out := fails(t, exitFailed, "ledger", "verify", keptAs(t, "cut", cut), "--json"); !strings.Contains(out, "cut off") {
			t.Errorf("%s: %s", user, out)
		}
	}
	// Another folder's checkpoint is not this one's, and what was kept is believed by its key alone.
	foreign := keptAs(t, "foreign", done(t, "ledger", "checkpoint", "--data", emptyFolder(t)))
	fails(t, exitFailed, on("dave", "ledger", "verify", "--checkpoint", foreign)...)
	fails(t, exitRefused, "ledger", "verify", "no-such-file")
	fails(t, exitRefused, on("dave", "ledger", "verify", "--checkpoint", "no-such-file")...)
	fails(t, exitUsage, on("dave", "ledger", "verify", "--key", "nonsense")...)
	empty := keptAs(t, "empty", "")
	fails(t, exitFailed, "ledger", "verify", empty)
	// A person's export holds nothing of anybody else's.
	if out := done(t, on("alice", "ledger", "export")...); strings.Contains(out, `"actor":"bob"`) || strings.Contains(out, `"sequence":1,`) {
		t.Error("Alice's export tells of others")
	}
}

// verified is what a verification printed as JSON, whatever came of it.
func verified(t *testing.T, args ...string) (valid bool, code string) {
	t.Helper()
	status, out, errs := kaoju(t, append(args, "--json")...)
	var v record.Verdict
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatalf("kaoju %q: status %d\n%s%s", args, status, out, errs)
	}
	if v.Valid != (status == exitDone) || !v.Valid && status != exitFailed {
		t.Errorf("kaoju %q: status %d, %+v", args, status, v)
	}
	return v.Valid, v.Code
}

func TestWhatIsWrongWithAKeptCheckpointIsToldApart(t *testing.T) {
	dir := t.TempDir()
	s := serveDemo(t, dir)
	online := func(user string, args ...string) []string {
		return append(args, "--server", s.url, "--token", s.tokens[user])
	}
	raw, err := os.ReadFile(filepath.Join(dir, "ledger.key"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := ledger.ParseKey(string(raw))
	if err != nil {
		t.Fatal(err)
	}
	signed := func(name ledger.Name, size int64) string {
		c, err := key.Checkpoint(name, ledger.Tree{Size: size, Root: ledger.Hash{1}})
		if err != nil {
			t.Fatal(err)
		}
		return c.Note
	}
	acme := ledger.Name{Tenant: "acme"}
	right := done(t, online("DAVE", "ledger", "checkpoint")...)
	alices := done(t, online("ALICE", "ledger", "checkpoint")...)
	tests := map[string]struct{ note, server, folder string }{
		"right":                      {right, "", ""},
		"forked":                     {signed(acme, 3), "log_rewritten", "log_rewritten"},
		"shorter":                    {signed(acme, 1000000), "log_shorter", "log_shorter"},
		"a person's":                 {alices, "other_log", ""}, // the folder holds that log as well
		"a person's, longer":         {signed(ledger.Name{Tenant: "acme", Person: "alice"}, 1000000), "other_log", "log_shorter"},
		"a person's, forked":         {signed(ledger.Name{Tenant: "acme", Person: "alice"}, 1), "other_log", "log_rewritten"},
		"another tenant's":           {done(t, online("ERIN", "ledger", "checkpoint")...), "other_log", "other_log"},
		"another tenant's, longer":   {signed(ledger.Name{Tenant: "globex"}, 1000000), "other_log", "other_log"},
		"another server's":           {done(t, "ledger", "checkpoint", "--data", emptyFolder(t)), "other_log", "other_log"},
		"another server's, in acme":  {strings.Replace(right, key.Public().Server(), "kaoju-0123456789abcdef", 1), "other_log", "other_log"},
		"changed after it was kept":  {strings.Replace(right, "\n", "\n1", 1), "signature", "signature"},
		"nothing that can be a note": {"nonsense", "signature", "signature"},
	}
	files := map[string]string{}
	for name, tt := range tests {
		files[name] = keptAs(t, "checkpoint", tt.note)
		if valid, code := verified(t, online("DAVE", "ledger", "verify", "--checkpoint", files[name])...); code != tt.server || valid != (code == "") {
			t.Errorf("%s: the server's is valid: %v, %s; want %q", name, valid, code, tt.server)
		}
	}
	s.end()
	on := []string{"--data", dir, "--tenant", "acme", "--as", "dave"}
	export := keptAs(t, "ledger.jsonl", done(t, append([]string{"ledger", "export"}, on...)...))
	for name, tt := range tests {
		if valid, code := verified(t, append([]string{"ledger", "verify", "--checkpoint", files[name]}, on...)...); code != tt.folder || valid != (code == "") {
			t.Errorf("%s: the folder's is valid: %v, %s; want %q", name, valid, code, tt.folder)
		}
		if valid, code := verified(t, "ledger", "verify", export, "--checkpoint", files[name]); code != tt.folder || valid != (code == "") {
			t.Errorf("%s: the file's is valid: %v, %s; want %q", name, valid, code, tt.folder)
		}
	}
}

func TestAServerProvesItsLedgerAgainstAKeptCheckpoint(t *testing.T) {
	dir := t.TempDir()
	s := serveDemo(t, dir)
	on := func(user string, args ...string) []string {
		return append(args, "--server", s.url, "--token", s.tokens[user])
	}
	key := strings.TrimSpace(done(t, on("DAVE", "ledger", "key")...))
	for _, user := range []string{"DAVE", "ALICE"} {
		before := keptAs(t, "checkpoint", done(t, on(user, "ledger", "checkpoint")...))
		run := s.ok(user, "POST", "/api/chat", `{"question":"上海住宿上限是多少？"}`, 200)["run_id"].(string)
		if out := done(t, on(user, "ledger", "verify", "--checkpoint", before, "--key", key)...); !strings.Contains(out, "nothing but additions") {
			t.Errorf("%s: %s", user, out)
		}
		log := keptAs(t, "ledger.jsonl", done(t, on(user, "ledger", "export")...))
		if out := done(t, "ledger", "verify", log, "--key", key, "--checkpoint", before); !strings.Contains(out, "whole") {
			t.Errorf("%s: %s", user, out)
		}
		file := filepath.Join(t.TempDir(), "bundle.json")
		done(t, on(user, "run", "bundle", run, "-o", file)...)
		done(t, "bundle", "verify", file, "--key", key)
		if out := done(t, on(user, "run", "why", run, "--json")...); !strings.Contains(out, `"recordings_hold": true`) {
			t.Error(out)
		}
	}
	fails(t, exitUsage, on("DAVE", "ledger", "verify")...)
	fails(t, exitFailed, on("DAVE", "ledger", "verify", "--checkpoint", keptAs(t, "x", "nonsense"))...)
}
