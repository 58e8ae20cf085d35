package reading

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"image/png"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/ocr/ocrtest"
)

// scan is a PDF document that shows a picture of the letter, and holds no text.
func scan(t *testing.T, r *Reader) parse.File {
	t.Helper()
	drawn, err := r.Pages.Picture(t.Context(), letter, 1, 1600)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(drawn.PNG))
	if err != nil {
		t.Fatal(err)
	}
	b := img.Bounds()
	grey := make([]byte, 0, b.Dx()*b.Dy())
	for y := range b.Dy() {
		for x := range b.Dx() {
			v, _, _, _ := img.At(x, y).RGBA()
			grey = append(grey, byte(v>>8))
		}
	}
	content := fmt.Sprintf("q 600 0 0 800 0 0 cm BI /W %d /H %d /CS /G /BPC 8 /F /AHx ID %s> EI Q", b.Dx(), b.Dy(), hex.EncodeToString(grey))
	data := strings.Replace(string(letter.Data), "<< /Length 44 >>\nstream\nBT /F1 12 Tf 72 700 Td (A short letter.) Tj ET", fmt.Sprintf("<< /Length %d >>\nstream\n%s", len(content), content), 1)
	return parse.File{Name: "scan.pdf", Data: []byte(data)}
}

func recognising(t *testing.T, program, languages string) *Reader {
	t.Helper()
	r := Open(Settings{
		Program: func() ([]string, error) {
			path, err := os.Executable()
			return []string{path, "well"}, err
		},
		Children: 1, Memory: 1 << 30, CPU: 10 * time.Minute, Cache: userCache(t), Log: slog.New(slog.DiscardHandler), OCR: program, Languages: languages,
	})
	t.Cleanup(func() { closes(t, r) })
	return r
}

// The process that reads files can open no others, and runs the program all the same.
func TestScannedPageIsReadByTheProgramOfTheMachine(t *testing.T) {
	r := recognising(t, ocrtest.Real(t), "chi_sim+eng")
	got, err := r.Parse(t.Context(), scan(t, r))
	if err != nil || strings.TrimSpace(got.Parsed.Text) != "A short letter." || !slices.Equal(got.Parsed.Notices, []string{"ocr_text"}) {
		t.Errorf("%q, %v, %v", got.Parsed.Text, got.Parsed.Notices, err)
	}
}

func TestWithoutAProgramAScannedPageHasNoText(t *testing.T) {
	for _, program := range []string{"", "off", "no-such-program", filepath.Join(t.TempDir(), "missing")} {
		r := recognising(t, program, "eng")
		got, err := r.Parse(t.Context(), scan(t, r))
		if err != nil || got.Parsed.Text != "" || !slices.Equal(got.Parsed.Notices, []string{parse.NoTextLayer}) {
			t.Errorf("%q: %q, %v, %v", program, got.Parsed.Text, got.Parsed.Notices, err)
		}
	}
}

func TestProgramIsNamedWithoutLinks(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "real")
	if err := os.WriteFile(real, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(real, link); runtime.GOOS == "windows" && err != nil {
		t.Skip("links take a right of their own on this system")
	} else if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	want, err := filepath.EvalSymlinks(real)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"link", "real", link, real} {
		if got := recogniser(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
