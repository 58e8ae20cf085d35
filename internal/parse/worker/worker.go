// Package worker parses files in child processes.
//
// The bytes of strangers are read by nobody but a child: a process of the same binary that holds no
// key, no connection and no data folder, can open neither files nor connections where the system has
// Landlock, works in an empty folder, and ends when it takes more memory or processor time than one
// file may. A Pool keeps a few of them, each for many files in
// turn. What a file can do at worst is to end its child, which is then that file's error; the next
// file is read by another one.
package worker

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sketch"
)

// The defaults of Options.
const (
	DefaultMemory = 512 << 20
	DefaultCPU    = 2 * time.Minute
	DefaultOutput = 256 << 20
	DefaultFiles  = 500
)

// Options say how a Pool works. A zero field means its default.
type Options struct {
	// Command starts a child: a program that calls Serve, and its arguments. It is asked for once,
	// when the first file comes.
	Command func() ([]string, error)
	// Prepare is called before a file goes to a child, and may wait until what the child needs for it is
	// there; other files are read meanwhile. nil means that there is nothing to prepare.
	Prepare func(ctx context.Context, f parse.File) error
	// Children bounds how many files are read at the same time; default 1.
	Children int
	// Memory bounds the bytes that a child holds, and CPU the processor time that it takes for one
	// file. The child is told both; a child that grew beyond half of Memory is replaced after the file.
	Memory int64
	CPU    time.Duration
	// Output bounds the bytes of one answer of a child.
	Output int64
	// Files is after how many files a child is replaced.
	Files int
	// Folder is where the empty folder is made in which children work; "" means the system's for temporary
	// files. Whoever owns it removes what a killed process left there.
	Folder string
	// Log is told why children ended; nil means nobody. It is told no word of any file.
	Log *slog.Logger
}

// Pool is a parse.Reader and a parse.Painter over child processes. It is safe for concurrent use.
type Pool struct {
	options Options
	slots   chan struct{}

	mu      sync.Mutex
	idle    []*child
	command []string
	folder  string // where children work, made with the first of them
	closed  bool
}

var _ Hand = (*Pool)(nil)

// New makes a pool. No child is started before the first file.
func New(o Options) *Pool {
	o.Children = max(1, o.Children)
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	if o.CPU <= 0 {
		o.CPU = DefaultCPU
	}
	if o.Output <= 0 {
		o.Output = DefaultOutput
	}
	if o.Files <= 0 {
		o.Files = DefaultFiles
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Pool{options: o, slots: make(chan struct{}, o.Children)}
}

// Parse implements parse.Reader. Beside the errors of parse.Parse, a file that ends two children, of
// which the second was fresh, is problem.Invalid: "too_large" if they took too much memory or their
// answer was too long, "too_slow" if they took too long, otherwise "parser_failed". A pool that can't
// start a child is problem.Unavailable "parser_unavailable".
func (p *Pool) Parse(ctx context.Context, f parse.File) (parse.Result, error) {
	a, err := p.ask(ctx, f, request{Op: opParse})
	if err != nil {
		return parse.Result{}, err
	}
	return a.Result.unwire(), nil
}

// Resolve implements parse.Reader, with the errors of parse.Resolve and those of Parse.
func (p *Pool) Resolve(ctx context.Context, f parse.File, loc corpus.Locator) (string, error) {
	a, err := p.ask(ctx, f, request{Op: opResolve, Place: &place{loc}})
	if err != nil {
		return "", err
	}
	return a.Text, nil
}

// Contents implements parse.Reader. What is in a file is held whole until the child has ended with it, so
// that yield is called for each once, whatever becomes of a child.
func (p *Pool) Contents(ctx context.Context, f parse.File, yield func(parse.Content) error) error {
	a, err := p.ask(ctx, f, request{Op: opUnpack})
	if err != nil {
		return err
	}
	for _, c := range a.Contents {
		if err := yield(c); err != nil {
			return err
		}
	}
	return nil
}

// Picture implements parse.Painter. Beside its errors there are those of Parse.
func (p *Pool) Picture(ctx context.Context, f parse.File, page, width int) (parse.Picture, error) {
	a, err := p.ask(ctx, f, request{Op: opPicture, Page: page, Width: width})
	if a.Picture == nil {
		return parse.Picture{}, err
	}
	return *a.Picture, err
}

// Sketch implements parse.Painter. Beside its errors there are those of Parse.
func (p *Pool) Sketch(ctx context.Context, f parse.File, sheet *sketch.Sheet) (sketch.Sketch, error) {
	a, err := p.ask(ctx, f, request{Op: opSketch, Sheet: sheet})
	if a.Sketch == nil {
		return sketch.Sketch{}, err
	}
	return *a.Sketch, err
}

// Probe starts a child, if none waits, and reports whether it is kept from opening files and
// connections, which takes a system with Landlock. The error is that of Parse.
func (p *Pool) Probe(ctx context.Context) (alone bool, err error) {
	a, err := p.ask(ctx, parse.File{}, request{Op: opProbe})
	return a.Alone, err
}

// ask lets a child work on a file, and a fresh one if the first does not live through it.
func (p *Pool) ask(ctx context.Context, f parse.File, r request) (answer, error) {
	if p.options.Prepare != nil {
		if err := p.options.Prepare(ctx, f); err != nil {
			return answer{}, err
		}
	}
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return answer{}, context.Cause(ctx)
	}
	r.Name, r.MediaType, r.Size = f.Name, f.MediaType, len(f.Data)
	for fresh := false; ; fresh = true {
		c, err := p.take(fresh)
		if err != nil {
			return answer{}, problem.Wrap(err, problem.Unavailable, "parser_unavailable", "The process that reads files can't be started.")
		}
		fresh = fresh || c.files == 0
		a, err := c.ask(ctx, r, f.Data, p.options.Output)
		if err == nil {
			p.put(c, a)
			return a, a.Problem.error()
		}
		end := c.end(err)
		if ctx.Err() != nil {
			return answer{}, context.Cause(ctx)
		}
		p.options.Log.Warn("a parser process ended over a file", "cause", end.cause, "fresh", fresh, "where", end.where)
		if fresh {
			return answer{}, end.refusal(f.Name)
		}
	}
}

var errClosed = errors.New("the pool is closed")

// take returns a child that waits, or a new one.
func (p *Pool) take(fresh bool) (*child, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errClosed
	}
	if n := len(p.idle); n > 0 && !fresh {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return c, nil
	}
	if p.folder == "" {
		command, err := p.options.Command()
		if err != nil {
			return nil, err
		}
		folder, err := os.MkdirTemp(p.options.Folder, "kaoju-parse-")
		if err != nil {
			return nil, err
		}
		if folder, err = filepath.Abs(folder); err != nil {
			return nil, err
		}
		p.command, p.folder = command, folder
	}
	return start(p.command, p.folder, p.options)
}

// put lets a child wait for its next file, unless it has done enough.
func (p *Pool) put(c *child, a answer) {
	c.files++
	p.mu.Lock()
	keep := !p.closed && c.files < p.options.Files && a.Held <= p.options.Memory/2
	if keep {
		p.idle = append(p.idle, c)
	}
	p.mu.Unlock()
	if !keep {
		c.end(nil)
	}
}

// Close ends the children that wait, and removes their folder. It is for after the last Parse.
func (p *Pool) Close() error {
	p.mu.Lock()
	idle, folder := p.idle, p.folder
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	for _, c := range idle {
		c.end(nil)
	}
	if folder == "" {
		return nil
	}
	return os.RemoveAll(folder)
}
