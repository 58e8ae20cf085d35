package browsertest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// workshop is the folder in which the program is built; "" as long as no test asked for it.
var workshop string

// built is the program, built once for all tests.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "kaoju-browser")
	if err != nil {
		return "", err
	}
	workshop = dir
	binary := filepath.Join(dir, "kaoju")
	out, err := exec.Command("go", "build", "-o", binary, "../../cmd/kaoju").CombinedOutput()
	if err != nil {
		os.Stderr.Write(out)
	}
	return binary, err
})

// filled is a folder that the demonstration filled, made once; each test serves a copy.
var filled = sync.OnceValues(func() (string, error) {
	binary, err := built()
	if err != nil {
		return "", err
	}
	s := &server{dir: filepath.Join(filepath.Dir(binary), "demo"), log: &bytes.Buffer{}}
	if err := s.launch("127.0.0.1:0", "--demo"); err != nil {
		return "", err
	}
	defer s.stop()
	return s.dir, s.ready()
})

func TestMain(m *testing.M) {
	status := m.Run()
	closeBrowser()
	if workshop != "" {
		if err := os.RemoveAll(workshop); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	os.Exit(status)
}

// server is the program serving a folder.
type server struct {
	t      testing.TB
	url    string
	dir    string
	tokens map[string]string
	setup  string
	env    []string
	cmd    *exec.Cmd
	log    *bytes.Buffer
}

var (
	addressIn = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	tokenIn   = regexp.MustCompile(`export (\w+)_TOKEN=(\S+)`)
	setupIn   = regexp.MustCompile(`#setup=(\S+)`)
)

// serve starts the program over a fresh folder, with the demonstration unless bare.
func serve(t testing.TB, bare bool, env ...string) *server {
	t.Helper()
	s := &server{t: t, dir: filepath.Join(t.TempDir(), "data"), env: env, log: &bytes.Buffer{}}
	args := []string{"--demo"}
	if bare {
		args = nil
	} else {
		s.fill()
	}
	s.start("127.0.0.1:0", args...)
	t.Cleanup(s.stop)
	return s
}

// administered serves the demonstration with Tina, who administers Acme and may read nothing but what
// everybody there may.
func administered(t testing.TB, env ...string) *server {
	t.Helper()
	s := &server{t: t, dir: filepath.Join(t.TempDir(), "data"), env: env, log: &bytes.Buffer{}}
	s.fill()
	s.command("user", "add", "tina", "--name", "Tina", "--role", "member", "--role", "tenant_admin")
	var made struct{ Token string }
	if err := json.Unmarshal([]byte(s.command("token", "create", "--user", "tina", "--json")), &made); err != nil || made.Token == "" {
		t.Fatalf("the token of Tina: %v", err)
	}
	s.start("127.0.0.1:0", "--demo")
	s.tokens["tina"] = made.Token
	t.Cleanup(s.stop)
	return s
}

// fill copies the demonstration into the folder.
func (s *server) fill() {
	s.t.Helper()
	from, err := filled()
	if err != nil {
		s.t.Fatalf("the demonstration: %v", err)
	}
	if err := os.CopyFS(s.dir, os.DirFS(from)); err != nil {
		s.t.Fatal(err)
	}
}

// command runs the program on the folder, as whoever runs the server of Acme may.
func (s *server) command(args ...string) string {
	s.t.Helper()
	binary, err := built()
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(binary, append(args, "--data", s.dir, "--tenant", "acme", "--as", "carol")...)
	cmd.Env = append([]string{"HOME=" + filepath.Dir(binary), "PATH=" + os.Getenv("PATH")}, s.env...)
	cmd.Stderr = s.log
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("kaoju %s: %v\n%s", strings.Join(args, " "), err, s.log)
	}
	return string(out)
}

// start starts the program over the folder, or ends the test.
func (s *server) start(listen string, args ...string) {
	s.t.Helper()
	err := s.launch(listen, args...)
	if err == nil {
		err = s.ready()
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *server) launch(listen string, args ...string) error {
	binary, err := built()
	if err != nil {
		return fmt.Errorf("building the program: %w", err)
	}
	s.tokens = map[string]string{}
	s.cmd = exec.Command(binary, append([]string{"serve", "--data", s.dir, "--listen", listen}, args...)...)
	s.cmd.Env = append([]string{"HOME=" + filepath.Dir(binary), "PATH=" + os.Getenv("PATH")}, s.env...)
	s.cmd.Stderr = s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.cmd.Start(); err != nil {
		return err
	}
	s.greeting(out)
	return nil
}

// greeting reads what the program prints at its start.
func (s *server) greeting(out io.Reader) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		line := lines.Text()
		if m := tokenIn.FindStringSubmatch(line); m != nil {
			s.tokens[strings.ToLower(m[1])] = m[2]
		}
		if m := setupIn.FindStringSubmatch(line); m != nil {
			s.setup = m[1]
		}
		if m := addressIn.FindString(line); m != "" {
			s.url = m
		}
		if strings.Contains(line, "/api/chat") || strings.Contains(line, "user password admin") {
			break
		}
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
}

func (s *server) ready() error {
	client := &http.Client{Timeout: 5 * time.Second}
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		if res, err := client.Get(s.url + "/readyz"); err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
	}
	return fmt.Errorf("the server is not ready: %s", s.log)
}

func (s *server) stop() {
	if s.cmd == nil || s.cmd.Process == nil {
		return
	}
	_ = s.cmd.Process.Signal(os.Interrupt)
	done := make(chan struct{})
	go func() { _ = s.cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		_ = s.cmd.Process.Kill()
		<-done
	}
	s.cmd = nil
}

// kill ends the program as a power cut would.
func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	s.cmd = nil
}

// call asks the server as somebody, beside the browser.
func (s *server) call(who, method, path, body string, headers ...string) (int, string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.tokens[who])
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := (&http.Client{Timeout: 30 * time.Second}).Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return res.StatusCode, string(text)
}
