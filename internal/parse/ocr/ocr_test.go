package ocr_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/parse/ocr"
	"github.com/kaoju/kaoju/internal/parse/ocr/ocrtest"
)

func TestWordsComeWithTheirBoxesAndThoseOfTheirLines(t *testing.T) {
	said := "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n" +
		"4\t1\t1\t1\t1\t0\t10\t20\t200\t30\t-1\t\n5\t1\t1\t1\t1\t1\t10\t22\t50\t20\t96.5\tPrice\n5\t1\t1\t1\t1\t2\t70\t20\t60\t30\t-1\t \n" +
		"5\t1\t1\t1\t1\t3\t70\t20\t60\t30\t12\t6\u200750\x1b\n4\t1\t1\t1\t2\t0\t10\t60\t80\t40\t-1\t\r\n5\t1\t1\t1\t2\t1\t10\t60\t40\t40\t88\t价\r\n"
	e := &ocr.Engine{Program: ocrtest.Says(t, said), Languages: "eng"}
	got, err := e.Words(t.Context(), []byte("picture"), 200)
	want := []ocr.Word{
		{Text: "Price", Box: ocr.Box{10, 22, 60, 42}, Line: ocr.Box{10, 20, 210, 50}, Confidence: 96.5},
		{Text: "650", Box: ocr.Box{70, 20, 130, 50}, Line: ocr.Box{10, 20, 210, 50}, Confidence: 12},
		{Text: "价", Box: ocr.Box{10, 60, 50, 100}, Line: ocr.Box{10, 60, 90, 100}, Confidence: 88},
	}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Error(err, d)
	}
}

func TestTheProgramGetsThePictureAndNothingElse(t *testing.T) {
	t.Setenv("KAOJU_MODEL_KEY", "secret")
	program := ocrtest.Script(t, ocrtest.Table(), `/bin/cat > "$LEFT/picture"; echo "$@" > "$LEFT/arguments"; /usr/bin/env > "$LEFT/environment"; /bin/cat "$SAID"`)
	left := func(name string) string {
		b, err := os.ReadFile(filepath.Join(filepath.Dir(program), name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	e := &ocr.Engine{Program: program, Languages: "deu+chi_sim+eng+chi_sim"}
	picture := strings.Repeat("\x89PNG", 50_000)
	if words, err := e.Words(t.Context(), []byte(picture), 150); err != nil || len(words) != 0 {
		t.Fatal(words, err)
	}
	if left("picture") != picture {
		t.Errorf("%d bytes of the picture came, of %d", len(left("picture")), len(picture))
	}
	if got := strings.TrimSpace(left("arguments")); got != "- - -l chi_sim+eng --dpi 150 -c tessedit_create_tsv=1" {
		t.Errorf("the arguments are %q", got)
	}
	for line := range strings.Lines(left("environment")) {
		name, _, _ := strings.Cut(line, "=")
		switch name {
		case "LC_ALL", "OMP_THREAD_LIMIT", "PWD", "SHLVL", "_", "OLDPWD": // the last four are the shell's own
		default:
			t.Errorf("the program knows %s", strings.TrimSpace(line))
		}
	}
}

func TestWithoutAProgramOrALanguageNothingIsReady(t *testing.T) {
	var none *ocr.Engine
	for name, e := range map[string]*ocr.Engine{
		"no engine": none, "no program": {Languages: "eng"}, "not there": {Program: "/nowhere/tesseract", Languages: "eng"},
		"no language": {Program: ocrtest.Says(t, ""), Languages: "deu+fra"}, "none wanted": {Program: ocrtest.Says(t, "")},
		"broken": {Program: ocrtest.Script(t, "", "exit 1"), Languages: "List"},
	} {
		if e.Ready(t.Context()) {
			t.Errorf("%s: it is ready", name)
		}
		if e == nil {
			continue
		}
		if words, err := e.Words(t.Context(), nil, 200); !errors.Is(err, ocr.ErrFailed) || words != nil {
			t.Errorf("%s: %v, %v", name, words, err)
		}
	}
}

func TestAContextThatEndsWhileTheProgramIsAskedSaysNothingOfIt(t *testing.T) {
	e := &ocr.Engine{Program: ocrtest.Says(t, ocrtest.Table()), Languages: "eng"}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if e.Ready(ctx) {
		t.Error("it is ready for nobody")
	}
	if !e.Ready(t.Context()) {
		t.Error("it is not ready any more")
	}
}

func TestAProgramThatCouldNotTellItsLanguagesIsAskedAgain(t *testing.T) {
	dir := t.TempDir()
	e := &ocr.Engine{Program: filepath.Join(dir, "program"), Languages: "eng"}
	if e.Ready(t.Context()) {
		t.Fatal("it is ready without a program")
	}
	if err := os.Symlink(ocrtest.Says(t, ocrtest.Table()), e.Program); err != nil {
		t.Fatal(err)
	}
	if !e.Ready(t.Context()) {
		t.Error("it is not asked again")
	}
	count := filepath.Join(dir, "count")
	broken := &ocr.Engine{Program: filepath.Join(dir, "broken"), Languages: "eng"}
	if err := os.WriteFile(broken.Program, []byte("#!/bin/sh\necho x >> "+count+"\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if broken.Ready(t.Context()) {
			t.Fatal("it is ready though it fails")
		}
	}
	if b, err := os.ReadFile(count); err != nil || strings.Count(string(b), "x") != 3 {
		t.Errorf("it was asked %q, %v", b, err)
	}
}

func TestWhatTheProgramDoesIsAnErrorOfThePicture(t *testing.T) {
	for name, shell := range map[string]string{
		"ends with an error":  `/bin/cat >/dev/null; echo words; exit 3`,
		"does not end":        `exec /bin/sleep 600`,
		"leaves one behind":   `/bin/sleep 600 & exec /bin/sleep 600`,
		"does not read":       `exit 1`,
		"says no numbers":     `printf '5\t1\t1\t1\t1\t1\tx\t0\t1\t1\t90\ta\n'`,
		"says odd numbers":    `printf '5\t1\t1\t1\t1\t1\t-4\t0\t1\t1\t90\ta\n'`,
		"says large numbers":  `printf '5\t1\t1\t1\t1\t1\t99999999\t0\t1\t1\t90\ta\n'`,
		"is more than sure":   `printf '5\t1\t1\t1\t1\t1\t0\t0\t1\t1\t900\ta\n'`,
		"is no number sure":   `printf '5\t1\t1\t1\t1\t1\t0\t0\t1\t1\tNaN\ta\n'`,
		"is sure of nonsense": `printf '5\t1\t1\t1\t1\t1\t0\t0\t1\t1\tx\ta\n'`,
		"says without end":    `while :; do printf '5\t1\t1\t1\t1\t1\t0\t0\t1\t1\t90\taaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n'; done`,
	} {
		t.Run(name, func(t *testing.T) {
			e := &ocr.Engine{Program: ocrtest.Script(t, "", shell), Languages: "eng", Picture: 400 * time.Millisecond}
			if name == "says without end" {
				e.Picture = time.Minute // it is stopped by how much it says
			}
			words, err := e.Words(t.Context(), []byte("picture"), 200)
			if !errors.Is(err, ocr.ErrFailed) || words != nil {
				t.Errorf("%v, %v", words, err)
			}
			if endless := name == "says without end"; err != nil && endless != strings.Contains(err.Error(), "says too much") {
				t.Errorf("it ends with %v", err)
			}
		})
	}
}

func TestTheContextEndsTheProgram(t *testing.T) {
	program := ocrtest.Script(t, "", `echo started > "$LEFT/started"; exec /bin/sleep 600`)
	e := &ocr.Engine{Program: program, Languages: "eng"}
	if !e.Ready(t.Context()) {
		t.Fatal("it is not ready")
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for {
			if _, err := os.Stat(filepath.Join(filepath.Dir(program), "started")); err == nil || ctx.Err() != nil {
				cancel()
				return
			}
		}
	}()
	if _, err := e.Words(ctx, []byte("picture"), 200); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
}

func TestTheRealProgramKnowsItsLanguages(t *testing.T) {
	e := &ocr.Engine{Program: ocrtest.Real(t), Languages: "chi_sim+eng+klingon"}
	if !e.Ready(t.Context()) {
		t.Error("it knows none of the languages")
	}
	if _, err := e.Words(t.Context(), bytes.Repeat([]byte("no picture"), 100), 200); !errors.Is(err, ocr.ErrFailed) {
		t.Errorf("what is no picture ends with %v", err)
	}
}

func FuzzTable(f *testing.F) {
	f.Add(ocrtest.Table(ocrtest.Word{Text: "a", Left: 1, Top: 2, Width: 3, Height: 4, Confidence: 90}))
	f.Add("5\t1\t1\t1\t1\t1\t0\t0\t1\t1\t90\ta\tb\n4\t\t\t\t\t\t1048576\t0\t0\t0\t\t")
	f.Fuzz(func(t *testing.T, said string) {
		words, err := ocr.Table(said)
		if err != nil && (!errors.Is(err, ocr.ErrFailed) || words != nil) {
			t.Fatalf("%v, %v", words, err)
		}
		for _, w := range words {
			if w.Text == "" || w.Box[0] > w.Box[2] || w.Box[1] > w.Box[3] || w.Box[0] < 0 || w.Box[1] < 0 || !(w.Confidence >= 0 && w.Confidence <= 100) {
				t.Fatalf("%+v", w)
			}
		}
	})
}
