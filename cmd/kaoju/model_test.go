package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/run"
)

func TestTheModelIsMadeAsTheSettingsSay(t *testing.T) {
	for name, c := range map[string]struct {
		url, tools, place string
		kind              string
		remote            bool
	}{
		"by itself":           {"http://127.0.0.1:9/v1", "auto", "auto", "*textcall.Generator", false},
		"tools as text":       {"https://api.example/v1", "text", "auto", "*textcall.Generator", true},
		"tools of its own":    {"https://api.example/v1", "native", "local", "*openai.Model", false},
		"a relay on loopback": {"http://127.0.0.1:9/v1", "native", "remote", "*openai.Model", true},
	} {
		conf := settingsOf(t, map[string]string{"KAOJU_MODEL_URL": c.url, "KAOJU_MODEL": "m", "KAOJU_MODEL_TOOLS": c.tools, "KAOJU_MODEL_PLACE": c.place})
		g, err := wiring.GeneratorOf(conf)
		if err != nil || typeOf(g) != c.kind || g.Info().Remote != c.remote {
			t.Errorf("%s: %s %+v, %v", name, typeOf(g), g.Info(), err)
		}
	}
}

func TestTheVerifierIsWhereTheSettingsSay(t *testing.T) {
	for name, c := range map[string]struct {
		verifier, url, model, place string
		remote                      bool
	}{
		"this machine":               {"endpoint", "http://127.0.0.1:9/v1", "remote", "auto", false},
		"another":                    {"endpoint", "https://judge.example/v1", "local", "auto", true},
		"a host of one's own":        {"endpoint", "https://judge.example/v1", "remote", "local", false},
		"a relay on loopback":        {"endpoint", "http://127.0.0.1:9/v1", "local", "remote", true},
		"the model that answers":     {"model", "", "local", "remote", false},
		"the relay that answers":     {"model", "", "remote", "local", true},
		"the model where it answers": {"model", "", "auto", "auto", true},
	} {
		env := map[string]string{
			"KAOJU_MODEL_URL": "https://api.example/v1", "KAOJU_MODEL": "m", "KAOJU_MODEL_PLACE": c.model,
			"KAOJU_VERIFIER": c.verifier, "KAOJU_VERIFIER_URL": c.url, "KAOJU_VERIFIER_PLACE": c.place,
		}
		if c.url != "" {
			env["KAOJU_VERIFIER_MODEL"] = "v"
		}
		conf := settingsOf(t, env)
		g, err := wiring.VerifierOf(conf)
		if err != nil || g.Info().Remote != c.remote {
			t.Errorf("%s: %+v, %v", name, g, err)
		}
	}
}

func typeOf(v any) string { return fmt.Sprintf("%T", v) }

// TestAskingSaysFirstWhereTheTextGoes asks with a model that counts as elsewhere, and with one that
// does not.
func TestAskingSaysFirstWhereTheTextGoes(t *testing.T) {
	note := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(note, []byte("# Pump\n\nThe pump runs at 50 Hz.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for place, said := range map[string]bool{"remote": true, "auto": false, "local": false} {
		e := llmtest.NewEndpoint(t, llmtest.Status(400, "{}")).Forever()
		env := map[string]string{"KAOJU_MODEL_URL": e.URL, "KAOJU_MODEL": "m", "KAOJU_MODEL_PLACE": place}
		for _, args := range [][]string{{"ask", "--in", note, "How fast does the pump run?"}, {"ask", "--data", folder(t, note), "How fast does the pump run?"}} {
			var out, errs strings.Builder
			status := execute(t.Context(), args, env, strings.NewReader(""), &out, &errs)
			told := strings.Contains(errs.String(), "passages that are read go to "+e.HostPort())
			if told != said || status != exitFailed || e.Requests() == 0 {
				t.Errorf("%s, %v: status %d, told %t after %d requests: %s", place, args[:2], status, told, e.Requests(), errs.String())
			}
		}
	}
}

// TestWhateverLetsAModelWorkSaysFirstWhereTheTextGoes names whoever answers and whoever checks, for
// the commands beside asking on files and folders.
func TestWhateverLetsAModelWorkSaysFirstWhereTheTextGoes(t *testing.T) {
	note := written(t, "a.md", "# Pump\n\nThe pump runs at 50 Hz.\n")
	questions := written(t, "q.yaml", "cases: [{id: a, question: How fast does the pump run?}]\n")
	e := llmtest.NewEndpoint(t, llmtest.Status(400, "{}")).Forever()
	for place, said := range map[string]bool{"remote": true, "local": false} {
		of := []string{"--model-url", e.URL, "--model", "m", "--model-place", place, "--verifier", "model"}
		inChinese := []string{"上海住宿上限是多少？", "run_zh"}
		told := func(status int, line ...string) {
			t.Helper()
			got, _, errs := kaoju(t, line...)
			answers := strings.Contains(errs, "passages that are read go to "+e.HostPort()) || strings.Contains(errs, "读到的段落将发送至 "+e.HostPort())
			checks := strings.Contains(errs, "they cite go to "+e.HostPort()+", to be checked") || strings.Contains(errs, "引用的段落将发送至 "+e.HostPort()+"，用于核对")
			if han := strings.Contains(errs, "将发送至"); said && han != slices.ContainsFunc(line, func(word string) bool { return slices.Contains(inChinese, word) }) {
				t.Errorf("%v: in Chinese: %t: %s", line[:2], han, errs)
			}
			if got != status || answers != said || checks != said {
				t.Errorf("%s, %v: status %d, %t, %t: %s", place, line[:2], got, answers, checks, errs)
			}
		}
		data := folder(t, note)
		told(exitFailed, append([]string{"eval", questions, "--in", note}, of...)...)
		told(exitFailed, append([]string{"eval", questions, "--data", data}, of...)...)
		for id, goal := range map[string]string{"run_en": "How fast does the pump run?", "run_zh": "水泵转得多快？"} {
			leave(t, data, run.ID(id), goal)
			told(exitFailed, append([]string{"run", "resume", id, "--data", data}, of...)...)
		}
		if status, _, errs := kaoju(t, append([]string{"run", "resume", "run_unknown", "--data", data}, of...)...); status != exitRefused || strings.Contains(errs, e.HostPort()) {
			t.Errorf("a run that is not there: %d %s", status, errs)
		}
		s := serveDemo(t, t.TempDir(), of...)
		at := []string{"--server", s.url, "--token", s.tokens["ALICE"]}
		told(exitFailed, append([]string{"ask", "上海住宿上限是多少？", "--json"}, at...)...)
		status, body := s.call("ALICE", "GET", "/api/runs", "")
		_, rest, found := strings.Cut(body, `"run_id":"`)
		id, _, _ := strings.Cut(rest, `"`)
		if status != 200 || !found {
			t.Fatalf("%d %s", status, body)
		}
		inChinese = append(inChinese, id)
		told(exitFailed, append([]string{"run", "resume", id}, at...)...)
	}
}

func TestWhateverLetsAModelWorkHasTheSameFlags(t *testing.T) {
	for _, line := range []string{"serve", "ask", "eval", "run resume"} {
		status, out, errs := kaoju(t, append(strings.Fields(line), "--help")...)
		for _, name := range setting.ForModels {
			if flag := "--" + setting.FlagName(name) + " "; status != exitDone || !strings.Contains(out, flag) {
				t.Errorf("%s has no %s: %d %s", line, flag, status, errs)
			}
		}
	}
	for _, s := range setting.Table {
		ofModel := strings.HasPrefix(s.Name, "model") || strings.HasPrefix(s.Name, "verifier") || strings.HasPrefix(s.Name, "embedding") || s.Name == "similarity" || strings.HasPrefix(s.Name, "rerank")
		if ofModel && s.Secret == slices.Contains(setting.ForModels, s.Name) {
			t.Errorf("%s: a flag %t, a secret %t", s.Name, !s.Secret, s.Secret)
		}
	}
}

// TestALocalOnlyTenantIsAskedWithoutAWarning since nothing of it goes anywhere.
func TestALocalOnlyTenantIsAskedWithoutAWarning(t *testing.T) {
	note := filepath.Join(t.TempDir(), "a.md")
	if err := os.WriteFile(note, []byte("# Pump\n\nThe pump runs at 50 Hz.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	data := folder(t, note)
	if status, out, errs := kaoju(t, "tenant", "set", "--local-only", "--data", data); status != exitDone {
		t.Fatalf("%d %s %s", status, out, errs)
	}
	e := llmtest.NewEndpoint(t).Forever()
	var out, errs strings.Builder
	env := map[string]string{"KAOJU_MODEL_URL": e.URL, "KAOJU_MODEL": "m", "KAOJU_MODEL_PLACE": "remote"}
	questions := written(t, "q.yaml", "cases: [{id: a, question: How fast does the pump run?}]\n")
	execute(t.Context(), []string{"eval", questions, "--data", data}, env, strings.NewReader(""), &out, &errs)
	leave(t, data, "run_en", "How fast does the pump run?")
	resumed := execute(t.Context(), []string{"run", "resume", "run_en", "--data", data}, env, strings.NewReader(""), &out, &errs)
	status := execute(t.Context(), []string{"ask", "--data", data, "--json", "How fast does the pump run?"}, env, strings.NewReader(""), &out, &errs)
	if resumed != exitDone || status != exitDone || e.Requests() != 0 || strings.Contains(errs.String(), "go to") || !strings.Contains(out.String(), "local_only") || !strings.Contains(out.String(), "50 Hz") {
		t.Errorf("status %d and %d after %d requests: %s%s", resumed, status, e.Requests(), out.String(), errs.String())
	}
}

// folder is a data folder that holds a file.
func folder(t *testing.T, file string) string {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	for _, args := range [][]string{{"kb", "create", "kb", "--data", data}, {"add", file, "--kb", "kb", "--publish", "--data", data}} {
		if status, out, errs := kaoju(t, args...); status != exitDone {
			t.Fatalf("%v: %d %s %s", args, status, out, errs)
		}
	}
	return data
}
