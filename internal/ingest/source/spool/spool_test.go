package spool_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/kaoju/kaoju/internal/ingest/source/spool"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestWhatIsKeptHasNoName(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	f, err := spool.New()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := io.WriteString(f, "差旅"); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("the folder holds %v, error %v", left, err)
	}
	text, err := io.ReadAll(io.NewSectionReader(f, 0, 100))
	if err != nil || string(text) != "差旅" {
		t.Errorf("it holds %q, error %v", text, err)
	}
}

func TestNoPlaceIsSaid(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	if _, err := spool.New(); problem.CodeOf(err) != "no_space" {
		t.Errorf("error %v", err)
	}
}
