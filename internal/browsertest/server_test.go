package browsertest

import (
	"bufio"
	"bytes"
	"context"
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

// built is the program, built once for all tests.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "kaoju-browser")
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "kaoju")
	out, err := exec.Command("go", "build", "-o", binary, "../../cmd/kaoju").CombinedOutput()
	if err != nil {
		os.Stderr.Write(out)
	}
	return binary, err
})

func TestMain(m *testing.M) {
	status := m.Run()
	closeBrowser()
	if binary, err := built(); err == nil && status >= 0 {
		_ = os.RemoveAll(filepath.Dir(binary))
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
	s := &server{t: t, dir: filepath.Join(t.TempDir(), "data"), tokens: map[string]string{}, env: env, log: &bytes.Buffer{}}
	args := []string{"--demo"}
	if bare {
		args = nil
	}
	s.start("127.0.0.1:0", args...)
	t.Cleanup(s.stop)
	return s
}

func (s *server) start(listen string, args ...string) {
	s.t.Helper()
	binary, err := built()
	if err != nil {
		s.t.Fatalf("the program cannot be built: %v", err)
	}
	s.cmd = exec.Command(binary, append([]string{"serve", "--data", s.dir, "--listen", listen}, args...)...)
	s.cmd.Env = append([]string{"HOME=" + s.t.TempDir(), "PATH=" + os.Getenv("PATH")}, s.env...)
	s.cmd.Stderr = s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.greeting(out)
	s.ready()
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

func (s *server) ready() {
	s.t.Helper()
	client := &http.Client{Timeout: 5 * time.Second}
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); {
		if res, err := client.Get(s.url + "/readyz"); err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return
			}
		}
		if s.cmd.ProcessState != nil {
			break
		}
	}
	s.t.Fatalf("the server is not ready: %s", s.log)
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
