package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/cmd/kaoju/doctor"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
)

const canary = "sk-canary-0123456789"

// TestCommandsRefuseAStoredKeyForAnotherHost is the same through the command line.
func TestCommandsRefuseAStoredKeyForAnotherHost(t *testing.T) {
	e := llmtest.NewEndpoint(t).Forever()
	file := filepath.Join(t.TempDir(), "kaoju.yaml")
	if err := os.WriteFile(file, []byte("model_url: https://api.example/v1\nmodel: m\nmodel_key: "+canary+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	status := execute(t.Context(), []string{"doctor", "--data", t.TempDir(), "--config", file}, map[string]string{"KAOJU_MODEL_URL": e.URL}, strings.NewReader(""), &out, &errs)
	if status != exitUsage || e.Requests() != 0 || strings.Contains(out.String()+errs.String(), canary) || !strings.Contains(errs.String(), "model_key") {
		t.Errorf("status %d after %d requests: %s%s", status, e.Requests(), out.String(), errs.String())
	}
}

// TestDoctorAsksTheModelsEndpoint lets it answer, refuse the key, and be gone.
func TestDoctorAsksTheModelsEndpoint(t *testing.T) {
	for name, c := range map[string]struct {
		code    int
		healthy bool
		says    string
	}{
		"it answers": {200, true, "it answers"}, "it has no list of models": {404, true, "it answers"}, "it refuses the key": {401, false, "does not accept the key"},
		"it wants to be paid": {402, false, "wants to be paid"}, "it is down": {503, false, "status 503"}, "it is gone": {0, false, "could not be reached"},
	} {
		for _, protocol := range []string{"openai", "anthropic"} {
			e := llmtest.NewEndpoint(t, llmtest.Status(max(c.code, 200), canary)).Forever()
			if c.code == 0 {
				e.Close()
			}
			var out, errs strings.Builder
			env := map[string]string{"KAOJU_MODEL_URL": e.URL, "KAOJU_MODEL": "m", "KAOJU_MODEL_KEY": canary, "KAOJU_MODEL_API": protocol, "KAOJU_LOG_LEVEL": "debug"}
			status := execute(t.Context(), []string{"doctor", "--data", filepath.Join(t.TempDir(), "none"), "--json"}, env, strings.NewReader(""), &out, &errs)
			var got struct {
				Healthy bool
				Checks  []doctor.Finding
			}
			if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
				t.Fatal(err)
			}
			told := ""
			for _, f := range got.Checks {
				if f.Check == "model endpoint" {
					told = f.Detail
				}
			}
			if got.Healthy != c.healthy || (status == exitDone) != c.healthy || !strings.Contains(told, c.says) {
				t.Errorf("%s over %s: status %d, healthy %t, %q", name, protocol, status, got.Healthy, told)
			}
			if strings.Contains(out.String()+errs.String(), canary) {
				t.Errorf("%s over %s: the key is told: %s%s", name, protocol, out.String(), errs.String())
			}
			if c.code != 0 && e.Path(0) != "/v1/models" {
				t.Errorf("%s: asked for %s", name, e.Path(0))
			}
		}
	}
}
