// Package reading wires what reads files: processes of this program, and PDFium compiled for them.
package reading

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/worker"
)

// PageChildren is how many pages are drawn at the same time, and pageCPU the processor time that one may take.
const (
	PageChildren = 2
	pageCPU      = 20 * time.Second
)

// Settings say how files are read.
type Settings struct {
	// Program returns how this program is started again.
	Program func() ([]string, error)
	// Children is how many files are read at the same time.
	Children int
	// Memory and CPU are what one file may take.
	Memory int64
	CPU    time.Duration
	// Temp is where folders are made that go with the reader; "" means the system's for temporary files.
	// What a killed process left there is for its owner to remove.
	Temp string
	// Cache is the user's folder for what can be made again. Without one, compiled code is kept in a
	// folder of its own until the end.
	Cache string
	// OCR is the program that recognises characters on pictures, by its name or its path, and Languages those
	// that it looks for. Where there is no such program, nothing is recognised.
	OCR, Languages string
	Log            *slog.Logger
}

// Reader reads files in processes of their own.
type Reader struct {
	*worker.Pool
	// Pages draws pages of documents, in processes beside those that read whole files: who looks at a page does
	// not wait for them, and they do not wait for pages.
	Pages       *worker.Pool
	compilation *compilation

	mu        sync.Mutex
	folder    string // for compiled code
	temporary bool   // it goes with the reader
}

// Open makes a reader. It starts nothing.
func Open(s Settings) *Reader {
	r := &Reader{}
	r.compilation = newCompilation(func(ctx context.Context) (*exec.Cmd, error) {
		command, err := r.command(s)
		if err != nil {
			return nil, err
		}
		cmd := exec.CommandContext(ctx, command[0], append(command[1:], "--"+CompileFlag)...)
		cmd.Env = worker.Environment(r.folder)
		return cmd, nil
	}, s.Log)
	options := worker.Options{
		Command: func() ([]string, error) { return r.command(s) }, Prepare: r.prepare,
		Children: s.Children, Memory: s.Memory, CPU: s.CPU, Folder: s.Temp, Log: s.Log,
	}
	r.Pool = worker.New(options)
	options.Children, options.CPU = PageChildren, min(s.CPU, pageCPU)
	r.Pages = worker.New(options)
	return r
}

// command starts a process for reading files, which has no home of its own and is told where compiled
// code is kept.
func (r *Reader) command(s Settings) ([]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	program, err := s.Program()
	if err != nil {
		return nil, err
	}
	if r.folder == "" {
		r.folder = private(s.Cache)
	}
	if r.folder == "" {
		folder, err := os.MkdirTemp(s.Temp, "kaoju-pdfium-")
		if err == nil {
			folder, err = filepath.Abs(folder)
		}
		if err != nil {
			return nil, err
		}
		r.folder = folder
		r.temporary = true
	}
	command := append(program[:len(program):len(program)], Command, "--"+FolderFlag, r.folder)
	if ocr := recogniser(s.OCR); ocr != "" {
		command = append(command, "--"+ProgramFlag, ocr, "--"+LangFlag, s.Languages)
	}
	return command, nil
}

// Warm begins to make ready what takes long the first time on a machine, and does not wait for it.
func (r *Reader) Warm() { r.compilation.begin() }

// Close ends the processes. It is for after the last file.
func (r *Reader) Close() error {
	r.compilation.end()
	err := errors.Join(r.Pool.Close(), r.Pages.Close())
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.temporary {
		err = errors.Join(err, os.RemoveAll(r.folder))
	}
	return err
}

// prepare lets a PDF document wait until PDFium is compiled, rather than each process compile it.
func (r *Reader) prepare(ctx context.Context, f parse.File) error {
	if parse.FormatOf(f) != parse.FormatPDF {
		return nil
	}
	return r.compilation.wait(ctx)
}

// recogniser returns the path of the program itself, without links, as the process that runs it may read
// no others; "" if there is none.
func recogniser(name string) string {
	if name == "" || name == "off" {
		return ""
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return ""
	}
	if path, err = filepath.Abs(path); err != nil {
		return ""
	}
	return path
}

// private returns the folder for compiled code in the user's folder for caches; "" if there can be
// none that nobody else can write to: whoever can runs code in the processes that read files. The folder that it
// lies in must be the user's alone too, since whoever can write to that one puts another in its place.
func private(cache string) string {
	if cache == "" {
		return ""
	}
	parent := filepath.Join(cache, "kaoju")
	folder := filepath.Join(parent, "pdfium")
	if os.MkdirAll(folder, 0o700) != nil {
		return ""
	}
	for _, path := range []string{parent, folder} {
		info, err := os.Lstat(path) // a link is as good as whoever can change what it leads to
		if err != nil || !info.IsDir() || others(info) {
			return ""
		}
	}
	return folder
}
