package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/auth/oidc/oidctest"
)

// serving starts `kaoju serve` under settings and returns its address, and what ends it and
// returns all that it wrote.
func serving(t *testing.T, dir string, env map[string]string) (address string, end func() string) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	r, w := io.Pipe()
	var log, out strings.Builder
	var mu sync.Mutex
	done := make(chan int, 1)
	go func() {
		status := execute(ctx, []string{"serve", "--data", dir, "--listen", "127.0.0.1:0"}, env, strings.NewReader(""), w, &log)
		w.Close()
		done <- status
	}()
	lines := bufio.NewScanner(r)
	for address == "" && lines.Scan() {
		out.WriteString(lines.Text())
		address = addressIn.FindString(lines.Text())
	}
	go func() {
		mu.Lock()
		defer mu.Unlock()
		_, _ = io.Copy(&out, r)
	}()
	var once sync.Once
	end = func() string {
		once.Do(func() {
			stop()
			select {
			case status := <-done:
				if status != exitDone {
					t.Errorf("the server ended with status %d: %s", status, log.String())
				}
			case <-time.After(30 * time.Second):
				t.Error("the server did not stop")
			}
		})
		mu.Lock()
		defer mu.Unlock()
		return out.String() + log.String()
	}
	t.Cleanup(func() { end() })
	if address == "" {
		t.Fatalf("the server did not say where it is: %s", log.String())
	}
	return address, end
}

func TestTheServerLetsPeopleInThroughItsProvider(t *testing.T) {
	idp, dir := oidctest.New(t), t.TempDir()
	env := map[string]string{
		"KAOJU_OIDC_ISSUER": idp.URL, "KAOJU_OIDC_CLIENT_ID": oidctest.ClientID, "KAOJU_OIDC_CLIENT_SECRET": oidctest.Secret, "KAOJU_OIDC_CREATE": "yes",
		"KAOJU_OIDC_GROUPS": "/kb/readers=readers", "KAOJU_OIDC_ROLES": "/kb/admins=knowledge_admin", "KAOJU_OIDC_NAME": "公司账号",
	}
	if status, _, errs := kaoju(t, "group", "set", "readers", "--data", dir); status != exitDone {
		t.Fatal(errs)
	}
	idp.Person["groups"] = []string{"/kb/readers", "/kb/admins"}
	address, end := serving(t, dir, env)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	get := func(path string) (int, string) {
		t.Helper()
		resp, err := browser.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		raw, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(raw)
	}
	if status, body := get("/api/sign-in"); status != http.StatusOK || !strings.Contains(body, "公司账号") || strings.Contains(body, idp.URL) {
		t.Errorf("%d %s", status, body)
	}
	var me struct {
		UserID string   `json:"user_id"`
		Roles  []string `json:"roles"`
		Groups []string `json:"groups"`
	}
	status, body := get("/auth/oidc/login?return=/api/me")
	if err := json.Unmarshal([]byte(body), &me); err != nil || status != http.StatusOK || len(me.Roles) != 2 || len(me.Groups) != 1 || me.Groups[0] != "readers" {
		t.Fatalf("%d %s", status, body)
	}
	first := end()
	// The next start knows the person, and a provider that is away stops nothing else.
	address, end = serving(t, dir, env)
	idp.Stop()
	if status, body := get("/api/me"); status != http.StatusOK || !strings.Contains(body, me.UserID) {
		t.Errorf("the session after a restart: %d %s", status, body)
	}
	if status, body := get("/auth/oidc/login"); status != http.StatusServiceUnavailable || !strings.Contains(body, "provider_unavailable") {
		t.Errorf("while the provider is away: %d %s", status, body)
	}
	for name, secret := range map[string]string{"client's secret": oidctest.Secret, "ID token": idp.Tokens()[0], "subject": "subject-1"} {
		if strings.Contains(first+end(), secret) {
			t.Errorf("the server wrote the %s", name)
		}
	}
	if status, out, _ := kaoju(t, "user", "identities", me.UserID, "--data", dir, "--json"); status != exitDone || !strings.Contains(out, "subject-1") {
		t.Errorf("%d %s", status, out)
	}
	if info, err := os.Stat(filepath.Join(dir, "oidc.key")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key: %v %v", info, err)
	}
}

func TestOfManyTenantsTheProvidersIsNamed(t *testing.T) {
	env := map[string]string{"KAOJU_OIDC_ISSUER": "https://id.example", "KAOJU_OIDC_CLIENT_ID": "kaoju", "KAOJU_OIDC_CLIENT_SECRET": oidctest.Secret}
	var out, errs strings.Builder
	status := execute(t.Context(), []string{"serve", "--demo", "--data", t.TempDir(), "--listen", "127.0.0.1:0"}, env, strings.NewReader(""), &out, &errs)
	if status != exitUsage || !strings.Contains(errs.String(), "oidc_tenant") || strings.Contains(out.String()+errs.String(), oidctest.Secret) {
		t.Errorf("status %d: %s", status, errs.String())
	}
}
