package worker_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/progress"
	"github.com/kaoju/kaoju/internal/parse/worker"
)

// TestMain lets the test binary stand in for a child whose parser does what files tell it to.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "child" {
		serve(os.Args[2:])
		return
	}
	os.Exit(m.Run())
}

func serve(args []string) {
	set := flag.NewFlagSet("child", flag.ExitOnError)
	memory, cpu := set.Int64("memory", 0, ""), set.Duration("cpu", 0, "")
	folder, compile := set.String("folder", "", ""), set.Bool("compile", false, "")
	_ = set.Parse(args)
	parse.PDF().Dir = *folder
	if *compile {
		if err := parse.PDF().Warm(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	bounds := worker.Bounds{Memory: *memory, CPU: *cpu, Leave: os.Exit}
	if *folder != "" {
		bounds.Folders = []string{*folder}
	}
	err := worker.Serve(context.Background(), os.Stdin, os.Stdout, &rogue{}, bounds)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// rogue is a parser that does what the text of a file says.
type rogue struct {
	parse.Limits
	files int
}

func (r *rogue) Parse(ctx context.Context, f parse.File) (parse.Result, error) {
	r.files++
	order, what, _ := strings.Cut(string(f.Data), " ")
	switch order {
	case "panic":
		panic("the file says " + what)
	case "exit":
		os.Exit(0)
	case "spin":
		for n := uint64(0); ; n++ {
			sink.Store(n&1, n)
		}
	case "eat":
		var all [][]byte
		for {
			all = append(all, bytes.Repeat([]byte{1}, 8<<20))
			sink.Store("all", all)
		}
	case "gulp":
		return said(string(make([]byte, 2<<30))), nil
	case "wait":
		progress.Tell(ctx, os.Getpid(), os.Getpid())
		select {}
	case "boast":
		progress.Tell(ctx, 3, 2)
	case "babble":
		fmt.Println("something a library prints")
	case "flood":
		return said(strings.Repeat("a", 4<<20)), nil
	case "old":
		// Only a process that has read something before fails.
		if r.files > 1 {
			panic("worn out")
		}
		return said("fresh"), nil
	case "count":
		return said(fmt.Sprint(r.files)), nil
	case "process":
		return said(fmt.Sprint(os.Getpid())), nil
	case "open":
		_, err := os.ReadFile(what)
		return said(fmt.Sprint(err)), nil
	case "replace":
		return said(fmt.Sprint(os.WriteFile(what, []byte("x"), 0o600))), nil
	case "write":
		return said(fmt.Sprint(os.WriteFile("left", []byte("x"), 0o600))), nil
	case "dial":
		c, err := net.Dial("tcp", what)
		if err == nil {
			c.Close()
		}
		return said(fmt.Sprint(err)), nil
	case "around":
		var variables []string
		for _, v := range os.Environ() {
			name, _, _ := strings.Cut(v, "=")
			variables = append(variables, name)
		}
		slices.Sort(variables)
		return said(fmt.Sprint(variables)), nil
	}
	return r.Limits.Parse(ctx, f)
}

var sink sync.Map

func said(text string) parse.Result {
	return parse.Result{Parsed: corpus.Parsed{Text: text, Blocks: []corpus.Block{}}, Format: "txt"}
}

// logbook keeps what a pool says of its children.
type logbook struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logbook) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// pool opens a pool whose children are this binary, called with arguments.
func pool(t testing.TB, o worker.Options, arguments ...string) (*worker.Pool, *logbook) {
	t.Helper()
	log := new(logbook)
	o.Command = func() ([]string, error) {
		path, err := os.Executable()
		return append([]string{path, "child"}, arguments...), err
	}
	o.Log = slog.New(slog.NewTextHandler(log, nil))
	p := worker.New(o)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, log
}

func file(text string) parse.File { return parse.File{Name: "a.txt", Data: []byte(text)} }
