package parse_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
)

// pdfUpload is one hostile file and how its import has to end.
type pdfUpload struct {
	File   string   `json:"file"`
	Expect string   `json:"expect"`
	Code   string   `json:"code"`
	Must   []string `json:"must"`
}

// childFile names the file that a child process of this test has to read.
const childFile = "KAOJU_TEST_PDF"

// goodPDF is a document of one page.
const goodPDF = "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n" +
	"3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] >>\nendobj\ntrailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n0\n%%EOF\n"

// TestChildReadsOneFile is the child process of the test below: it prints how the reading ended, how its first
// page was drawn, whether a page of another document was drawn after it, and the most memory that it held.
func TestChildReadsOneFile(t *testing.T) {
	path := os.Getenv(childFile)
	if path == "" {
		t.Skip("only a child process of another test reads a file here")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := parse.Parse(t.Context(), parse.File{Name: filepath.Base(path), Data: data})
	code := ""
	if err != nil {
		code = problem.CodeOf(err)
	}
	hidden := strings.Contains(strings.ToLower(r.Parsed.Text), "instruction") // what hidden text of these files says
	fmt.Printf("ended %q %q %q %t\n", code, strings.Join(r.Parsed.Notices, ","), r.Parsed.Text[:min(len(r.Parsed.Text), 200)], hidden)
	_, err = parse.Limits{}.Picture(t.Context(), parse.File{Name: "hostile.pdf", Data: data}, 1, 1200)
	if code = ""; err != nil {
		code = problem.CodeOf(err)
	}
	_, next := parse.Limits{}.Picture(t.Context(), parse.File{Name: "good.pdf", Data: []byte(goodPDF)}, 1, 1200)
	fmt.Printf("drawn %q %t\npeak %d\n", code, next == nil, peakMemory())
}

// TestHostileUploadsOfPDFEndAsTheyMust reads each file in a process of its own, within the time and
// the memory that one file may take.
func TestHostileUploadsOfPDFEndAsTheyMust(t *testing.T) {
	folder := filepath.Join(sharedData(t), "..", "..", "security")
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 to make the files with")
	}
	dir := t.TempDir()
	if out, err := exec.Command(python, filepath.Join(copied(t, folder), "gen_uploads.py"), dir).CombinedOutput(); err != nil {
		t.Fatalf("the files could not be made: %v %s", err, out)
	}
	var all struct {
		Files  []pdfUpload `json:"files"`
		Limits struct {
			Wall int `json:"wall_s"`
			RSS  int `json:"rss_mb"`
		} `json:"limits"`
	}
	b, err := os.ReadFile(filepath.Join(folder, "uploads.json"))
	if err == nil {
		err = json.Unmarshal(b, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, u := range all.Files {
		if !strings.HasSuffix(u.File, ".pdf") {
			continue
		}
		n++
		t.Run(u.File, func(t *testing.T) {
			child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestChildReadsOneFile$", "-test.v", fmt.Sprintf("-test.timeout=%ds", all.Limits.Wall))
			child.Env = append(os.Environ(), childFile+"="+filepath.Join(dir, u.File), "GOMEMLIMIT=256MiB")
			child.WaitDelay = time.Second
			out, err := child.CombinedOutput()
			if err != nil {
				t.Fatalf("the child ended with %v: %s", err, out)
			}
			var peak int64
			if _, err := fmt.Sscanf(string(out[max(0, bytes.Index(out, []byte("peak "))):]), "peak %d", &peak); err != nil || (runtime.GOOS == "linux" && peak == 0) {
				t.Errorf("how much memory it took is not known: %v", err)
			}
			if !detecting && peak > int64(all.Limits.RSS)<<20 {
				t.Errorf("it took %d MB of memory", peak>>20)
			}
			judge(t, u, string(out))
		})
	}
	if n == 0 {
		t.Error("there is no file of the format")
	}
}

func judge(t *testing.T, u pdfUpload, out string) {
	t.Helper()
	i := strings.Index(out, "ended ")
	if i < 0 {
		t.Fatalf("the child said %q", out)
	}
	var code, notices, text, drawn string
	next, hidden := false, false
	if _, err := fmt.Sscanf(out[max(0, strings.Index(out, "drawn ")):], "drawn %q %t", &drawn, &next); err != nil || !next {
		t.Errorf("its page ended with %q, and the next page was drawn: %t (%v)", drawn, next, err)
	}
	if _, err := fmt.Sscanf(out[i:], "ended %q %q %q %t", &code, &notices, &text, &hidden); err != nil {
		t.Fatalf("the child said %q: %v", out, err)
	}
	either := slices.ContainsFunc(u.Must, func(m string) bool { return strings.Contains(m, "or accept_text") })
	if code != "" && drawn != code && drawn != "page_unreadable" {
		t.Errorf("a page of it ended with %q, though it was refused with %s", drawn, code)
	}
	switch {
	case u.Expect == "accept_text" || either && code == "":
		if code != "" {
			t.Errorf("it was refused with %s", code)
		}
	case u.Expect == "accept_cut":
		if code != "" || !strings.Contains(notices, u.Code) {
			t.Errorf("it ended with %q and the notices %q, want %s", code, notices, u.Code)
		}
	case code != u.Code:
		t.Errorf("it ended with %q, want %s", code, u.Code)
	}
	if hidden {
		t.Errorf("hidden text was read, in %q …", text)
	}
}

// copied returns a folder with the generator in it, since it writes beside itself.
func copied(t *testing.T, from string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(from, "gen_uploads.py"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "gen_uploads.py"), b, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}
