package parse_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
)

// upload is a hostile file and what has to become of it.
type upload struct {
	File   string `json:"file"`
	Expect string `json:"expect"`
	Code   string `json:"code"`
}

// hostileUploads writes the hostile files and returns their folder. They are made by a script of the
// shared data, which needs Python.
func hostileUploads(t *testing.T) (string, []upload) {
	t.Helper()
	security := filepath.Join(filepath.Dir(filepath.Dir(sharedData(t))), "security")
	python, err := exec.LookPath("python3")
	if err != nil {
		if slices.Contains(strings.Split(os.Getenv("KAOJU_TEST_REQUIRE"), ","), "shared") {
			t.Fatalf("the hostile uploads are required, and are made with Python: %v", err)
		}
		t.Skip("there is no Python to make the hostile uploads with")
	}
	// The script writes its list beside itself, so it is run from a folder of its own.
	dir := t.TempDir()
	script, err := os.ReadFile(filepath.Join(security, "gen_uploads.py"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "gen.py"), script, 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "uploads")
	if b, err := exec.Command(python, filepath.Join(dir, "gen.py"), out).CombinedOutput(); err != nil {
		t.Fatalf("making the uploads: %v\n%s", err, b)
	}
	b, err := os.ReadFile(filepath.Join(dir, "uploads.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Files []upload `json:"files"`
	}
	if err := json.Unmarshal(b, &list); err != nil {
		t.Fatal(err)
	}
	return out, list.Files
}

// unseen are the words that a hostile file hides, and that may not turn up.
func unseen() map[string][]string {
	return map[string][]string{
		"docx_hidden_text.docx":        {"HIDDEN-INSTRUCTION", "WHITE-INSTRUCTION", "DELETED-800"},
		"docx_external_relations.docx": {"invalid", "169.254"},
		"xlsx_html_cell.xlsx":          {},
	}
}

func TestHostileOfficeFilesEndAsTheyShould(t *testing.T) {
	dir, files := hostileUploads(t)
	seen := 0
	for _, u := range files {
		ext := strings.TrimPrefix(filepath.Ext(u.File), ".")
		if !slices.Contains(append(officeFormats(), "docm", "png"), ext) {
			continue
		}
		seen++
		t.Run(u.File, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, u.File))
			if err != nil {
				t.Fatal(err)
			}
			f := parse.File{Name: u.File, Data: data}
			r, err := parse.Parse(context.Background(), f)
			switch u.Expect {
			case "reject", "fail_parse":
				want := u.Code
				if want == "unsupported_media_type" {
					want = "unknown_type" // the word of this product for it
				}
				if problem.CodeOf(err) != want || !problem.Is(err, problem.Invalid) {
					t.Errorf("it ends with %v, want %s", err, want)
				}
				return
			case "accept_cut":
				if !slices.Contains(r.Parsed.Notices, u.Code) {
					t.Errorf("the notices are %v, want %s", r.Parsed.Notices, u.Code)
				}
			}
			// Its slide is not in the show, and its text in no shape: nobody would see it.
			bare := u.File == "pptx_external_media.pptx"
			if silent := slices.Contains(r.Parsed.Notices, parse.NoTextLayer); err != nil || silent != bare || silent != (len(r.Parsed.Blocks) == 0) {
				t.Fatalf("it was read with %d blocks and the notices %v: %v", len(r.Parsed.Blocks), r.Parsed.Notices, err)
			}
			for _, word := range unseen()[u.File] {
				if strings.Contains(r.Parsed.Text, word) {
					t.Errorf("%q is in the text", word)
				}
			}
			checkParsed(t, f, r)
			checkChunks(t, r.Parsed, chunk.Split(r.Parsed, chunk.Options{}), 900)
		})
	}
	if seen < 3 {
		t.Errorf("only %d hostile files of these formats were there", seen)
	}
}
