package reading

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/ocr"
	"github.com/kaoju/kaoju/internal/parse/pdf"
	"github.com/kaoju/kaoju/internal/parse/worker"
)

// Command is the command that a process for reading files is started with, and the flags are its own.
const (
	Command     = "parse-worker"
	FolderFlag  = "compiled"
	ProgramFlag = "ocr"
	LangFlag    = "ocr-languages"
	CompileFlag = "compile"
)

// Child is what a process for reading files is told.
type Child struct {
	Memory  int64         // bytes that it may hold
	CPU     time.Duration // processor time that one file may take
	Folder  string        // where PDFium is, compiled
	Compile bool          // it compiles PDFium into that folder, and reads nothing
	// Program recognises characters on pictures, in these languages; "" for none.
	Program, Languages string
	Leave              func(status int)
}

// Serve is the whole of such a process: it reads files until its input ends.
func (c Child) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if c.Compile {
		engine := pdf.Engine{Dir: c.Folder}
		return errors.Join(engine.Warm(), engine.Close())
	}
	bounds := worker.Bounds{Memory: c.Memory, CPU: c.CPU, Leave: c.Leave}
	if c.Folder != "" {
		parse.PDF().Dir = c.Folder
		bounds.Folders = []string{c.Folder}
	}
	if c.Program != "" {
		// Half of the time is left for what else the file takes.
		parse.PDF().OCR = &ocr.Engine{Program: c.Program, Languages: c.Languages, Picture: c.CPU / 4, File: c.CPU / 2}
		bounds.Folders = append(bounds.Folders, ocr.Folders()...)
		bounds.Files = append(ocr.Files(), c.Program)
	}
	return worker.Serve(ctx, in, out, parse.Limits{}, bounds)
}
