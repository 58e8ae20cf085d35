// Package ocrtest gives tests programs that recognise characters: the real one, and one that says what it
// was told to say.
package ocrtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/sharedtest"
)

// Real returns the path of the program on this machine. Where there is none, the test is skipped, or fails
// if KAOJU_TEST_REQUIRE holds "ocr".
func Real(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("tesseract")
	if err == nil {
		return path
	}
	if sharedtest.Demands("ocr") {
		t.Fatalf("a program that recognises characters is required: %v", err)
	}
	t.Skip("there is no tesseract on this machine (apt-get install tesseract-ocr tesseract-ocr-chi-sim)")
	return ""
}

// Word is a word that a program is told to say, in pixels.
type Word struct {
	Text                     string
	Left, Top, Width, Height int
	Confidence               int
}

// Table writes words as the program does, each on a line of its own.
func Table(words ...Word) string {
	var b strings.Builder
	b.WriteString("level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n1\t1\t0\t0\t0\t0\t0\t0\t100\t100\t-1\t\n")
	for i, w := range words {
		n := strconv.Itoa(i + 1)
		at := strings.Join([]string{strconv.Itoa(w.Left), strconv.Itoa(w.Top), strconv.Itoa(w.Width), strconv.Itoa(w.Height)}, "\t")
		b.WriteString("4\t1\t1\t1\t" + n + "\t0\t" + at + "\t-1\t\n")
		b.WriteString("5\t1\t1\t1\t" + n + "\t1\t" + at + "\t" + strconv.Itoa(w.Confidence) + "\t" + w.Text + "\n")
	}
	return b.String()
}

// Script writes a program that lists the languages eng and chi_sim and runs a piece of shell for a picture, with
// what it says in the file $SAID, the picture on its input, and a folder to leave things in as $LEFT.
func Script(t testing.TB, said, shell string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the program is a script of the shell")
	}
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	answer := write("said", said, 0o600)
	return write("program", "#!/bin/sh\nSAID='"+answer+"'\nLEFT='"+dir+"'\nif [ \"$1\" = --list-langs ]; then echo 'List of available languages (2):'; echo eng; echo chi_sim; exit 0; fi\n"+shell+"\n", 0o700)
}

// Says is a program that says the same of every picture.
func Says(t testing.TB, said string) string {
	t.Helper()
	return Script(t, said, `/bin/cat >/dev/null; /bin/cat "$SAID"`)
}
