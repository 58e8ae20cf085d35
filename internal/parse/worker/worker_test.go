package worker_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/dxf/dxftest"
	"github.com/kaoju/kaoju/internal/parse/epub/epubtest"
	"github.com/kaoju/kaoju/internal/parse/worker"
	"github.com/kaoju/kaoju/internal/problem"
)

// texts are files with everything that has to come through: places of all kinds, notices, encodings.
var texts = []parse.File{
	{Name: "travel.md", Data: []byte("# 差旅\n\n## 住宿\n\n上海每晚 650 元。\n\n| 城市 | 元 |\n|---|---|\n| 北京 | 700 |\n\n```go\nx := 1\n```\n")},
	{Name: "a.csv", Data: []byte("名称,数量\n泵,3\n阀,\"4\n5\"\n")},
	{Name: "a.html", Data: []byte("<html><title>T</title><body><h1>A</h1><p>one <b>two</b></p><ul><li>x</ul></body></html>")},
	{Name: "a.txt", Data: []byte("\xc4\xe3\xba\xc3\xa3\xac\xca\xc0\xbd\xe7\xa1\xa3")},
	{Name: "plan.dxf", Data: []byte(dxftest.Drawing(dxftest.Text("2A", "标注", "%%c50", 1, 2)+dxftest.Text("2B", "off", "unseen", 1, 2), dxftest.Tables(dxftest.Layer("off", 1, 7))))},
	{Name: "plan.svg", Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg"><title>T</title><text id="a" x="1" y="20">泵<tspan x="1" y="40">B</tspan></text><text opacity="0">unseen</text></svg>`)},
	{Name: "blank.txt", Data: []byte("  \n")},
	{MediaType: "text/markdown", Data: []byte("no name")},
}

func TestAChildReadsWhatThisProcessReads(t *testing.T) {
	p, _ := pool(t, worker.Options{})
	book := epubtest.Book{Title: "书", Pages: []epubtest.Page{{Name: "1.xhtml", Body: "<h1>第一章</h1><p>正文。</p>"}, {Name: "n.xhtml", Body: "<p>Note.</p>", Aside: true}}}
	for _, f := range append(texts, parse.File{Name: "a.epub", Data: book.Bytes(t)}) {
		want, err := parse.Parse(t.Context(), f)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		got, err := p.Parse(t.Context(), f)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-here +there):\n%s", f.Name, diff)
		}
		places := 0
		for _, b := range want.Parsed.Blocks {
			for _, s := range b.Segments {
				there, err := p.Resolve(t.Context(), f, s.Locator)
				here, _ := parse.Resolve(t.Context(), f, s.Locator)
				if err != nil || there != here {
					t.Errorf("%s at %+v: %q, %v, want %q", f.Name, s.Locator, there, err, here)
				}
				places++
			}
		}
		if places == 0 && f.Name != "blank.txt" {
			t.Errorf("%s has no place", f.Name)
		}
	}
}

func TestAChildRefusesInTheSameWords(t *testing.T) {
	p, log := pool(t, worker.Options{})
	for _, f := range []parse.File{
		{Name: "a.exe", Data: []byte("MZ")}, {Name: "a.md"}, {Name: "a.md", Data: []byte("PK\x03\x04")}, {Name: "b\u202e\n.txt", Data: []byte("\x7fELF\x00")},
		{Name: "bomb.svg", Data: []byte(`<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><svg>&b;</svg>`)}, {Name: "deep.svg", Data: []byte("<svg>" + strings.Repeat("<g>", 400))},
		{Name: "many.svg", Data: []byte("<svg>" + strings.Repeat("<use/>", 300_001) + "</svg>")}, {Name: "many.dxf", Data: []byte(dxftest.Drawing(strings.Repeat(dxftest.Tags(0, "INSERT", 2, "x"), 300_001)))},
		{Name: "none.dxf", Data: []byte("no drawing")}, {Name: "broken.dxf", Data: []byte("0\nSECTION\n2\nHEADER\nx\ny\n")},
	} {
		_, want := parse.Parse(t.Context(), f)
		_, got := p.Parse(t.Context(), f)
		if want == nil || got == nil || got.Error() != want.Error() || problem.CodeOf(got) != problem.CodeOf(want) || problem.KindOf(got) != problem.KindOf(want) {
			t.Errorf("%q: %v, want %v", f.Name, got, want)
		}
	}
	_, err := p.Resolve(t.Context(), file("short"), corpus.TextLocator{Format: "txt", Line: 9, Char: [2]int{90, 99}})
	if problem.CodeOf(err) != "invalid_locator" {
		t.Errorf("a place outside: %v", err)
	}
	if log.String() != "" {
		t.Errorf("a refusal is no end of a child: %s", log)
	}
}

func TestWhatAFileDoesToItsChildIsItsOwnError(t *testing.T) {
	const little, much = 300 * time.Millisecond, time.Minute
	for _, c := range []struct {
		does, code string
		cpu        time.Duration
	}{
		{"panic 机密 words", "parser_failed", much}, {"exit", "parser_failed", much}, {"babble", "parser_failed", much}, {"spin", "too_slow", little},
		{"eat", "too_large", much}, {"gulp", "too_large", much}, {"flood", "too_large", much},
	} {
		t.Run(c.does, func(t *testing.T) {
			if raced && (c.does == "eat" || c.does == "gulp") {
				t.Skip("the race detector needs memory of its own and gives up differently; the test runs without it too")
			}
			p, log := pool(t, worker.Options{Memory: enough, CPU: c.cpu, Output: 1 << 20})
			if r, err := p.Parse(t.Context(), file("before")); err != nil || r.Parsed.Text != "before" {
				t.Fatalf("before: %v", err)
			}
			_, err := p.Parse(t.Context(), file(c.does))
			if problem.CodeOf(err) != c.code || problem.KindOf(err) != problem.Invalid || !strings.Contains(err.Error(), "“a.txt”") {
				t.Errorf("%v, want %s\n%s", err, c.code, log)
			}
			if r, err := p.Parse(t.Context(), file("after")); err != nil || r.Parsed.Text != "after" {
				t.Errorf("after: %v", err)
			}
			said := log.String()
			if n := strings.Count(said, "ended over a file"); n != 2 {
				t.Errorf("%d children ended, want the one that was there and a fresh one:\n%s", n, said)
			}
			if strings.Contains(said+err.Error(), "机密") || strings.Contains(said+err.Error(), "words") {
				t.Errorf("the log tells of the file: %s", said)
			}
			if strings.HasPrefix(c.does, "panic") && !strings.Contains(said, "rogue_test.go:") {
				t.Errorf("the log does not tell where the parser failed: %s", said)
			}
		})
	}
}

func TestAFileThatAWornChildFailsOnIsReadByAFreshOne(t *testing.T) {
	p, log := pool(t, worker.Options{})
	for range 3 {
		for _, text := range []string{"ordinary", "old"} {
			r, err := p.Parse(t.Context(), file(text))
			if err != nil || text == "old" && r.Parsed.Text != "fresh" {
				t.Fatalf("%q: %q, %v\n%s", text, r.Parsed.Text, err, log)
			}
		}
	}
}

func TestAChildIsReplacedAfterItsFiles(t *testing.T) {
	p, _ := pool(t, worker.Options{Files: 3})
	var got []string
	for range 7 {
		r, err := p.Parse(t.Context(), file("count"))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r.Parsed.Text)
	}
	if diff := cmp.Diff([]string{"1", "2", "3", "1", "2", "3", "1"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestWorkEndsWithItsContext(t *testing.T) {
	p, log := pool(t, worker.Options{})
	reason := errors.New("the owner cancelled")
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := make(chan error)
	go func() {
		_, err := p.Parse(ctx, file("wait"))
		ended <- err
	}()
	// The other is waiting for the only child.
	second := make(chan error)
	go func() {
		_, err := p.Parse(ctx, file("wait"))
		second <- err
	}()
	cancel(reason)
	if err := <-ended; !errors.Is(err, reason) {
		t.Errorf("cancelled: %v", err)
	}
	if err := <-second; !errors.Is(err, reason) {
		t.Errorf("cancelled while it waited: %v", err)
	}
	if r, err := p.Parse(t.Context(), file("after")); err != nil || r.Parsed.Text != "after" {
		t.Errorf("after: %v", err)
	}
	if log.String() != "" {
		t.Errorf("what was wanted is no warning: %s", log)
	}
}

func TestAChildSeesNothingOfItsParent(t *testing.T) {
	t.Setenv("KAOJU_MODEL_KEY", "secret")
	p, _ := pool(t, worker.Options{})
	r, err := p.Parse(t.Context(), file("around"))
	if err != nil || r.Parsed.Text != "[HOME TEMP TMP TMPDIR]" {
		t.Errorf("%q, %v", r.Parsed.Text, err)
	}
}

func TestAChildReachesNothing(t *testing.T) {
	p, _ := pool(t, worker.Options{})
	alone, err := p.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !alone {
		t.Skip("this system has no Landlock")
	}
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, does := range []string{"open " + secret, "open /etc/hosts", "write", "dial " + l.Addr().String()} {
		r, err := p.Parse(t.Context(), file(does))
		if err != nil || !strings.HasSuffix(r.Parsed.Text, "permission denied") {
			t.Errorf("%s: %q, %v", does, r.Parsed.Text, err)
		}
	}
}

func TestSeveralChildrenReadAtOnce(t *testing.T) {
	p, _ := pool(t, worker.Options{Children: 3, Files: 5})
	var group sync.WaitGroup
	for i := range 12 {
		group.Go(func() {
			for k := range 4 {
				text := fmt.Sprintf("file %d of %d", k, i)
				if (i+k)%5 == 0 {
					text = "panic"
				}
				r, err := p.Parse(t.Context(), file(text))
				if text == "panic" && problem.CodeOf(err) != "parser_failed" || text != "panic" && (err != nil || r.Parsed.Text != text) {
					t.Errorf("%q: %q, %v", text, r.Parsed.Text, err)
				}
			}
		})
	}
	group.Wait()
}

func TestNothingIsLeftOfAClosedPool(t *testing.T) {
	for name, own := range map[string]bool{"the system's folder": false, "a folder of the owner's": true} {
		t.Run(name, func(t *testing.T) { leavesNothing(t, own) })
	}
}

func leavesNothing(t *testing.T, own bool) {
	temporary, options := t.TempDir(), worker.Options{}
	if own {
		t.Chdir(temporary)
		temporary, options.Folder = filepath.Join(temporary, "spool"), "spool" // as a data folder may be named
		if err := os.Mkdir(temporary, 0o700); err != nil {
			t.Fatal(err)
		}
	} else {
		t.Setenv("TMPDIR", temporary)
	}
	p, _ := pool(t, options)
	r, err := p.Parse(t.Context(), file("process"))
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(temporary, "*")); len(left) != 1 {
		t.Errorf("while it is open: %v", left)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(temporary, "*")); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	if _, err := os.Stat("/proc/" + r.Parsed.Text); err == nil {
		t.Errorf("the child %s still runs", r.Parsed.Text)
	}
	if _, err := p.Parse(t.Context(), file("late")); problem.CodeOf(err) != "parser_unavailable" || problem.KindOf(err) != problem.Unavailable {
		t.Errorf("after the end: %v", err)
	}
}

func TestAPoolWithoutAProgramSaysSo(t *testing.T) {
	for _, command := range [][]string{{filepath.Join(t.TempDir(), "none")}, nil} {
		p := worker.New(worker.Options{Command: func() ([]string, error) {
			if command == nil {
				return nil, errors.New("no program")
			}
			return command, nil
		}})
		if _, err := p.Parse(t.Context(), file("a")); problem.CodeOf(err) != "parser_unavailable" {
			t.Errorf("%v: %v", command, err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}
