// Package ocr reads what stands on a picture, by a program of the machine that recognises characters:
// tesseract, or one that takes the same arguments. The program gets a picture and nothing else: no file,
// no environment, a bounded time. Without a program, nothing is recognised.
package ocr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Engine runs the program. The zero value has none. It is safe for concurrent use, and must not be copied.
type Engine struct {
	// Program is the path of the program; "" for none.
	Program string
	// Languages are those to look for, as the program names them, joined by "+". Those that are not
	// installed are left out.
	Languages string
	// Picture and File bound the time by the clock for one picture and for all of one file; default 60 s.
	Picture, File time.Duration

	mu        sync.Mutex
	asked     int
	languages string // that are installed
}

// The bounds of what the program may say.
const (
	mostOutput  = 16 << 20
	defaultTime = 60 * time.Second
	listTime    = 10 * time.Second
)

// ErrFailed says that the program could not read a picture, or not in time.
var ErrFailed = errors.New("the picture was not recognised")

// FileTime is how long the pictures of one file may take.
func (e *Engine) FileTime() time.Duration {
	if e.File <= 0 {
		return defaultTime
	}
	return e.File
}

// mostAsked bounds how often a program that does not tell its languages is asked for them.
const mostAsked = 3

// Ready reports whether pictures can be read: there is a program, and it knows one of the languages. It asks
// the program until it has told, a few times at most: that it could not be started now says little of later.
func (e *Engine) Ready(ctx context.Context) bool {
	if e == nil || e.Program == "" {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.asked < mostAsked {
		out, err := e.run(ctx, listTime, nil, "--list-langs")
		if ctx.Err() != nil {
			return false // which says nothing of the program
		}
		if e.asked++; err == nil {
			e.asked = mostAsked
			e.languages = installed(e.Languages, string(out))
		}
	}
	return e.languages != ""
}

// installed returns the languages that are wanted and there. Each stands on a line of its own.
func installed(wanted, list string) string {
	var there []string
	for line := range strings.Lines(list) {
		there = append(there, strings.TrimSpace(line))
	}
	var out []string
	for _, l := range strings.Split(wanted, "+") {
		if l != "" && slices.Contains(there, l) && !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return strings.Join(out, "+")
}

// Words reads a picture, given as a PNG file, of so many pixels to an inch. It returns the words in the
// order of reading. ErrFailed is an error of the picture or the program, any other one that of the context.
func (e *Engine) Words(ctx context.Context, picture []byte, perInch int) ([]Word, error) {
	if !e.Ready(ctx) {
		return nil, errors.Join(ErrFailed, ctx.Err())
	}
	limit := e.Picture
	if limit <= 0 {
		limit = defaultTime
	}
	out, err := e.run(ctx, limit, picture, "-", "-", "-l", e.languages, "--dpi", strconv.Itoa(perInch), "-c", "tessedit_create_tsv=1")
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrFailed, err)
	}
	return table(string(out))
}

// run runs the program to its end and returns what it printed.
func (e *Engine) run(ctx context.Context, limit time.Duration, in []byte, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	cmd := exec.CommandContext(ctx, e.Program, args...)
	cmd.Env = []string{"LC_ALL=C", "OMP_THREAD_LIMIT=1"}
	out, complaints := bounded{stop: stop}, bounded{stop: stop}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &complaints
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = withParent()
	if err := cmd.Run(); err != nil {
		return nil, errors.Join(err, context.Cause(ctx))
	}
	return out.kept.Bytes(), nil
}

// bounded keeps what is written to it up to a bound; beyond, it stops the program.
type bounded struct {
	kept bytes.Buffer // in a field of its own, as what it could do by itself knows no bound
	stop context.CancelCauseFunc
}

var errTooMuch = errors.New("the program says too much")

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if b.kept.Len()+len(p) > mostOutput {
		b.stop(errTooMuch)
		return 0, errTooMuch
	}
	return b.kept.Write(p)
}
