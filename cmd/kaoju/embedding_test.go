package main

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/doctor"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
	"github.com/kaoju/kaoju/internal/problem"
)

// thesaurus holds two words to mean the same.
func thesaurus() *llmtest.Lexicon {
	return &llmtest.Lexicon{Name: "thesaurus", Untold: true, Same: map[string]string{"compressor": "pump", "leave": "请假"}}
}

// at are the settings of an embedding endpoint as flags.
func at(e *llmtest.Endpoint, model string, more ...string) []string {
	return append([]string{"--embedding-url", e.URL, "--embedding-model", model}, more...)
}

// with joins a line of arguments and flags.
func with(line []string, flags ...string) []string {
	return append(append([]string{}, line...), flags...)
}

// searched runs a search that ends well and reads its JSON.
func searched(t *testing.T, args ...string) (api.SearchResult, string) {
	t.Helper()
	status, out, errs := kaoju(t, append([]string{"search", "--json"}, args...)...)
	var got api.SearchResult
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != exitDone {
		t.Fatalf("status %d, %v: %s%s", status, err, out, errs)
	}
	return got, errs
}

func TestAFolderIsSearchedByMeaningOnceItsVectorsAreThere(t *testing.T) {
	note := written(t, "a.md", "# Compressor\n\nCompressor.\n")
	e := thesaurus().Serve(t)
	data := folder(t, note)
	flags := at(e, "m")
	if got, _ := searched(t, with([]string{"pump", "--data", data}, flags...)...); len(got.Items) != 0 {
		t.Fatalf("before there are vectors it found %+v", got.Items)
	}
	if status, out, errs := kaoju(t, with([]string{"add", note, "--kb", "kb", "--publish", "--wait", "vectors", "--data", data}, flags...)...); status != exitDone {
		t.Fatalf("%d %s %s", status, out, errs)
	}
	got, _ := searched(t, with([]string{"pump", "--data", data}, flags...)...)
	if len(got.Items) != 1 || got.Items[0].Ranks.Keyword != nil || got.Items[0].Ranks.Semantic == nil || *got.Items[0].Ranks.Semantic != 1 ||
		strings.Join(got.Legs, " ") != "keyword semantic" || len(got.Skipped) != 0 {
		t.Errorf("found %+v", got)
	}
	for query, want := range map[string]string{"pump": "   meaning 1\n", "compressor": "   words 1 · meaning 1 · reranked 1\n", "泵 compressor": "   词语 1 · 语义 1 · 重排 1\n"} {
		if status, out, errs := kaoju(t, with([]string{"search", query, "--data", data}, flags...)...); status != exitDone || !strings.Contains(out, want) {
			t.Errorf("%s: %d %q %s", query, status, out, errs)
		}
	}
	if got, _ := searched(t, with([]string{"pump", "--data", data, "--similarity", "1"}, flags...)...); len(got.Items) != 0 {
		t.Errorf("above the highest threshold it found %+v", got.Items)
	}
	if got, _ := searched(t, "compressor", "--data", data, "--embedding", "off"); len(got.Items) != 1 || strings.Join(got.Legs, " ") != "keyword" {
		t.Errorf("by words alone it found %+v", got)
	}
	status, out, errs := kaoju(t, "doctor", "--data", data)
	if status != exitDone || !strings.Contains(out, "1 versions, 1 chunks by m, 0 versions wait for theirs") {
		t.Errorf("doctor says %d %s %s", status, out, errs)
	}
}

func TestASearchWhoseModelIsAwayIsByWordsAndSaysSo(t *testing.T) {
	var away atomic.Bool
	l := thesaurus()
	l.Before = func(context.Context, []string) error {
		if away.Load() {
			return errors.New("away")
		}
		return nil
	}
	e := l.Serve(t)
	note := written(t, "a.md", "# Compressor\n\nThe compressor runs at 50 Hz.\n")
	data := folder(t, note)
	if status, out, errs := kaoju(t, with([]string{"add", note, "--kb", "kb", "--publish", "--wait", "vectors", "--data", data}, at(e, "m")...)...); status != exitDone {
		t.Fatalf("%d %s %s", status, out, errs)
	}
	away.Store(true)
	for query, said := range map[string]string{"compressor": "Not searched by meaning: the embedding model ", "压缩机 compressor": "未按语义搜索：嵌入模型"} {
		status, out, errs := kaoju(t, with([]string{"search", query, "--data", data}, at(e, "m")...)...)
		if said = strings.ReplaceAll(said, "：", ": "); status != exitDone || !strings.Contains(out, "50 Hz") || !strings.Contains(errs, said) {
			t.Errorf("%d %q %q", status, out, errs)
		}
	}
	got, _ := searched(t, with([]string{"compressor", "--data", data}, at(e, "m")...)...)
	if len(got.Items) != 1 || len(got.Skipped) != 1 || got.Skipped[0].Leg != "semantic" {
		t.Errorf("result %+v", got)
	}
}

func TestSettingsOfAnEmbeddingModelGoTogether(t *testing.T) {
	data := folder(t, written(t, "a.md", "# Pump\n\nThe pump.\n"))
	for want, lines := range map[int][][]string{
		exitUsage: {
			{"--embedding-url", "http://127.0.0.1:1/v1"}, {"--embedding-model", "m"}, {"--embedding", "maybe"}, {"--embedding-url", "ftp://x", "--embedding-model", "m"},
			{"--embedding", "off", "--embedding-url", "http://127.0.0.1:1/v1", "--embedding-model", "m"}, {"--embedding", "off", "--embedding-model", "m"},
			{"--similarity", "2"}, {"--similarity", "NaN"}, {"--similarity", "much"}, {"--embedding-place", "moon"},
		},
		exitDone: {{}, {"--embedding", "off"}, {"--similarity", "0"}, {"--similarity", "-1"}},
	} {
		for _, line := range lines {
			if status, out, errs := kaoju(t, with([]string{"search", "pump", "--data", data}, line...)...); status != want {
				t.Errorf("%v: status %d %s %s", line, status, out, errs)
			}
		}
	}
}

// TestTextGoesToAnEmbeddingEndpointAsSaid looks at what an endpoint that counts as elsewhere is sent,
// and that nothing of a local-only tenant is.
func TestTextGoesToAnEmbeddingEndpointAsSaid(t *testing.T) {
	const key = "sk-embedding-0123456789"
	note := written(t, "a.md", "# Compressor\n\nThe compressor runs at 50 Hz.\n")
	for place, far := range map[string]bool{"remote": true, "auto": false, "local": false} {
		e := thesaurus().Serve(t)
		data := folder(t, note)
		env := map[string]string{"KAOJU_EMBEDDING_URL": e.URL, "KAOJU_EMBEDDING_MODEL": "m", "KAOJU_EMBEDDING_KEY": key, "KAOJU_EMBEDDING_PLACE": place, "KAOJU_DATA": data}
		run := func(line ...string) (int, string) {
			var out, errs strings.Builder
			return execute(t.Context(), line, env, strings.NewReader(""), &out, &errs), errs.String()
		}
		status, errs := run("add", note, "--kb", "kb", "--publish", "--wait", "vectors")
		if told := strings.Contains(errs, "The text of the documents goes to "+e.HostPort()); told != far || status != exitDone {
			t.Errorf("%s: status %d, %s", place, status, errs)
		}
		if e.Header(0).Get("Authorization") != "Bearer "+key || strings.Contains(string(e.Body(0)), key) || !strings.Contains(string(e.Body(0)), "50 Hz") {
			t.Errorf("%s: it was sent %v %s", place, e.Header(0), e.Body(0))
		}
		status, errs = run("ask", "What runs at 50 Hz?")
		if told := strings.Contains(errs, "What is searched for goes to "+e.HostPort()); told != far || status != exitDone {
			t.Errorf("%s: asking gave status %d, %s", place, status, errs)
		}
		if status, errs := run("tenant", "set", "--local-only"); status != exitDone {
			t.Fatal(status, errs)
		}
		before := e.Requests()
		if status, errs := run("search", "compressor"); status != exitDone || far != strings.Contains(errs, "goes to no model elsewhere") {
			t.Errorf("%s: local-only search gave status %d, %s", place, status, errs)
		}
		more := written(t, "b.md", "# Fan\n\nThe fan.\n")
		status, errs = run("add", more, "--kb", "kb", "--publish", "--wait", "vectors")
		if far && (status != exitRefused || e.Requests() != before || strings.Contains(errs, "goes to "+e.HostPort())) {
			t.Errorf("%s: a local-only tenant: status %d after %d requests, %s", place, status, e.Requests()-before, errs)
		}
		if !far && (status != exitDone || e.Requests() == before) {
			t.Errorf("%s: a local-only tenant with a model on the premises: status %d, %s", place, status, errs)
		}
	}
}

func TestAServerEmbedsWhatItPublishesAndCountsWhatIsToCome(t *testing.T) {
	e := thesaurus().Serve(t)
	s := serveDemo(t, t.TempDir(), at(e, "m", "--embedding-place", "local")...)
	on := []string{"--server", s.url, "--token", s.tokens["CAROL"]}
	note := written(t, "note.md", "# Compressor\n\nCompressor.\n")
	status, out, errs := kaoju(t, with([]string{"add", note, "--kb", "kb-policies", "--wait", "vectors"}, on...)...)
	if status != exitDone {
		t.Fatalf("%d %s %s", status, out, errs)
	}
	_, body := s.call("ALICE", "GET", "/api/system", "")
	var system api.System
	if err := json.Unmarshal([]byte(body), &system); err != nil {
		t.Fatal(err)
	}
	if want := (api.Embedding{Configured: true, Name: "m", Host: e.HostPort()}); system.Embedding != want {
		t.Errorf("embedding %+v", system.Embedding)
	}
	_, body = s.call("ALICE", "POST", "/api/search", `{"query": "上海住宿"}`)
	var result api.SearchResult
	if err := json.Unmarshal([]byte(body), &result); err != nil || len(result.Items) == 0 || len(result.Legs) != 2 {
		t.Errorf("%v: %s", err, body)
	}
}

func TestASystemWithoutAModelHasNoVectorsToWaitFor(t *testing.T) {
	s := serveDemo(t, t.TempDir(), "--embedding", "off")
	_, body := s.call("ALICE", "GET", "/api/system", "")
	if !strings.Contains(body, `"embedding":{"configured":false,"name":"","pending":0,"refused":0,"host":"","remote":false}`) {
		t.Errorf("system %s", body)
	}
	note := written(t, "note.md", "# Compressor\n\nCompressor.\n")
	status, _, errs := kaoju(t, "add", note, "--kb", "kb-policies", "--wait", "vectors", "--server", s.url, "--token", s.tokens["CAROL"])
	if status != exitRefused || !strings.Contains(errs, "no embedding model is configured") {
		t.Errorf("%d %s", status, errs)
	}
	if status, _, _ := kaoju(t, "add", note, "--kb", "kb-policies", "--wait", "forever", "--server", s.url, "--token", "x"); status != exitUsage {
		t.Errorf("waiting for nonsense: %d", status)
	}
}

func TestANewModelTakesOverWhenAllIsEmbedded(t *testing.T) {
	former, next := thesaurus().Serve(t), (&llmtest.Lexicon{Name: "next", Dimensions: 32, Same: map[string]string{"compressor": "pump"}}).Serve(t)
	note := written(t, "a.md", "# Compressor\n\nCompressor.\n")
	data := folder(t, note)
	add := []string{"add", note, "--kb", "kb", "--publish", "--wait", "vectors", "--data", data}
	if status, _, errs := kaoju(t, with(add, at(former, "former")...)...); status != exitDone {
		t.Fatal(status, errs)
	}
	got, _ := searched(t, with([]string{"pump", "--data", data}, at(next, "next")...)...)
	if len(got.Items) != 0 || len(got.Skipped) != 1 || got.Skipped[0].Reason != "rebuilding" || next.Requests() != 0 {
		t.Errorf("before: %+v after %d requests", got, next.Requests())
	}
	if status, _, errs := kaoju(t, with(add, at(next, "next")...)...); status != exitDone {
		t.Fatal(status, errs)
	}
	if got, _ := searched(t, with([]string{"pump", "--data", data}, at(next, "next")...)...); len(got.Items) != 1 || len(got.Skipped) != 0 {
		t.Errorf("after: %+v", got)
	}
}

// TestDoctorTriesTheEmbeddingModel lets it answer, refuse, and be gone.
func TestDoctorTriesTheEmbeddingModel(t *testing.T) {
	for name, c := range map[string]struct {
		url     string
		healthy bool
		says    string
	}{
		"it makes vectors":        {thesaurus().Serve(t).URL, true, "a vector of 64 dimensions"},
		"it refuses":              {llmtest.NewEndpoint(t, llmtest.Status(401, "no")).Forever().URL, false, "does not accept the key"},
		"it answers with no list": {llmtest.NewEndpoint(t, llmtest.Raw(`{"data":[]}`)).Forever().URL, false, "makes no vectors"},
		"it is built in":          {"", true, "a vector of 384 dimensions"},
		"it is off":               {"off", true, ""},
	} {
		env := map[string]string{}
		switch c.url {
		case "":
		case "off":
			env["KAOJU_EMBEDDING"] = "off"
		default:
			env["KAOJU_EMBEDDING_URL"], env["KAOJU_EMBEDDING_MODEL"] = c.url, "m"
		}
		var out, errs strings.Builder
		status := execute(t.Context(), []string{"doctor", "--data", filepath.Join(t.TempDir(), "none"), "--json"}, env, strings.NewReader(""), &out, &errs)
		var got struct{ Checks []doctor.Finding }
		if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
			t.Fatalf("%s: %v %s", name, err, errs.String())
		}
		told := ""
		for _, f := range got.Checks {
			if f.Check == "embedding model" {
				told = f.Detail
				if f.OK != c.healthy {
					t.Errorf("%s: %+v", name, f)
				}
			}
		}
		if (status == exitDone) != c.healthy || !strings.Contains(told, c.says) || (told == "") != (c.says == "") {
			t.Errorf("%s: status %d, %q", name, status, told)
		}
	}
}

// One passage that the new model's endpoint refuses is found by its words; all else, and the model, come
// into force.
func TestANewModelTakesOverThoughItRefusesAPassage(t *testing.T) {
	next := &llmtest.Lexicon{Name: "next", Dimensions: 32, Same: map[string]string{"compressor": "pump"}, Before: func(_ context.Context, texts []string) error {
		if strings.Contains(strings.Join(texts, " "), "gasket") {
			return problem.New(problem.Invalid, "embedding_refused", "No.")
		}
		return nil
	}}
	former, e := thesaurus().Serve(t), next.Serve(t)
	data := folder(t, written(t, "b.md", "# Gasket\n\nThe gasket is blue.\n"))
	add := []string{"add", written(t, "a.md", "# Compressor\n\nCompressor.\n"), "--kb", "kb", "--publish", "--wait", "vectors", "--data", data}
	for _, flags := range [][]string{at(former, "former"), at(e, "next")} {
		if status, _, errs := kaoju(t, with(add, flags...)...); status != exitDone {
			t.Fatal(status, errs)
		}
	}
	flags := at(e, "next")
	if got, _ := searched(t, with([]string{"pump", "--data", data}, flags...)...); len(got.Items) != 1 || got.Items[0].Ranks.Semantic == nil || len(got.Skipped) != 0 {
		t.Errorf("by meaning: %+v", got)
	}
	if got, _ := searched(t, with([]string{"blue", "--data", data}, flags...)...); len(got.Items) != 1 || got.Items[0].Ranks.Semantic != nil || got.Items[0].Ranks.Keyword == nil {
		t.Errorf("by words: %+v", got)
	}
	status, out, errs := kaoju(t, "doctor", "--data", data)
	if status != exitDone || !strings.Contains(out, "2 versions, 1 chunks by next, 0 versions wait for theirs, of 1 a passage was refused") {
		t.Errorf("doctor says %d %s %s", status, out, errs)
	}
}

// TestAParaphraseThatSharesNoWordIsFoundByDefault holds the default of the similarity: a higher one that
// would lose this passage is as good as none for everyday questions.
func TestAParaphraseThatSharesNoWordIsFoundByDefault(t *testing.T) {
	note := written(t, "a.md", "Refund requests are granted within 14 days of purchase.\n")
	data := folder(t, note)
	if status, out, errs := kaoju(t, "add", note, "--kb", "kb", "--publish", "--wait", "vectors", "--data", data); status != exitDone {
		t.Fatalf("%d %s %s", status, out, errs)
	}
	for _, c := range []struct {
		question string
		flags    []string
		want     int
	}{
		{"How do I get my money back?", nil, 1},
		{"How do I get my money back?", []string{"--similarity", "0.5"}, 0},
		{"Which gasket does the old pump need?", nil, 0},
	} {
		if got, _ := searched(t, with([]string{c.question, "--data", data}, c.flags...)...); len(got.Items) != c.want {
			t.Errorf("%s %v: found %+v", c.question, c.flags, got.Items)
		}
	}
}
