package worker

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/progress"
)

// child is a process that reads files, seen from its parent.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *os.File
	answer *bufio.Reader
	stderr *tail
	done   chan struct{} // closed when the process has ended
	files  int           // that it has read
}

// Environment is that of a process beside this one, which has a folder for what it writes: what its system needs,
// and nothing of this process's own, where keys may stand.
func Environment(folder string) []string {
	out := []string{"TMPDIR=" + folder, "TMP=" + folder, "TEMP=" + folder, "HOME=" + folder}
	if runtime.GOOS == "windows" {
		out = append(out, `SystemRoot=C:\Windows`)
	}
	return out
}

// start starts a child in a folder.
func start(command []string, folder string, o Options) (*child, error) {
	args := append(command[1:len(command):len(command)],
		"--memory", strconv.FormatInt(o.Memory, 10), "--cpu", o.CPU.String())
	c := &child{cmd: exec.Command(command[0], args...), stderr: new(tail), done: make(chan struct{})}
	c.cmd.Dir, c.cmd.Stderr, c.cmd.Env = folder, c.stderr, Environment(folder)
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, theirs, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	c.in, c.out, c.answer, c.cmd.Stdout = in, out, bufio.NewReaderSize(out, 64<<10), theirs
	err = c.cmd.Start()
	theirs.Close()
	if err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	go func() {
		_ = c.cmd.Wait() // what it says stands in ProcessState
		close(c.done)
	}()
	return c, nil
}

// ask sends a request with the bytes of its file and waits for the answer. When the context ends,
// so does the child. After an error the child is of no use any more.
func (c *child) ask(ctx context.Context, r request, data []byte, most int64) (answer, error) {
	stop := context.AfterFunc(ctx, c.kill)
	defer stop()
	// A child that refuses to read any further has answered, or is gone: the answer tells.
	sent := send(c.in, r)
	if sent == nil {
		_, sent = c.in.Write(data)
	}
	a, err := receiveAnswer(c.answer, most, progress.Of(ctx))
	if err != nil {
		return answer{}, err
	}
	if sent == nil && a.Problem == nil && (a.Result == nil && r.Op == opParse || a.Picture == nil && r.Op == opPicture || a.Sketch == nil && r.Op == opSketch) {
		sent = errEmpty
	}
	if !stop() && sent == nil {
		sent = context.Cause(ctx) // the child ends with it, though it has answered
	}
	return a, sent
}

func (c *child) kill() { _ = c.cmd.Process.Kill() }

// ending says how a child ended over a file.
type ending struct {
	cause string // "memory", "time", "output", or what the system says
	where string // the places in our code where it was, if it said so
}

// end ends the child, over an error of ask or because it is not needed any more, and says what became
// of it. One that waits for work has nothing to finish, and is not waited for.
func (c *child) end(err error) ending {
	if !errors.Is(err, io.EOF) {
		c.kill()
	}
	// One that ended by itself says why.
	select {
	case <-c.done:
	case <-time.After(time.Second):
		c.kill()
		<-c.done
	}
	c.in.Close()
	c.out.Close()
	e := ending{cause: c.cmd.ProcessState.String(), where: c.stderr.places()}
	status := c.cmd.ProcessState.ExitCode()
	switch {
	case errors.Is(err, errTooLong):
		e.cause = "output"
	case status == StatusMemory || c.stderr.has("out of memory") || c.stderr.has("cannot allocate memory"):
		e.cause = "memory"
	case status == StatusTime:
		e.cause = "time"
	}
	return e
}

// refusal is the error of the file over which a fresh child ended.
func (e ending) refusal(name string) error {
	switch e.cause {
	case "memory":
		return parse.Refuse(name, "too_large", "takes more memory to read than is allowed for one file")
	case "output":
		return parse.Refuse(name, "too_large", "holds more text and places than are allowed for one file")
	case "time":
		return parse.Refuse(name, "too_slow", "takes longer to read than is allowed for one file")
	}
	return parse.Refuse(name, "parser_failed", "can't be read: the parser failed on it")
}

// tail keeps the beginning of what a child says when it dies.
type tail struct {
	mu sync.Mutex
	b  []byte
}

// Write implements io.Writer; it takes everything and keeps the first of it.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, b[:min(len(b), 16<<10-len(t.b))]...)
	return len(b), nil
}

func (t *tail) has(text string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Contains(string(t.b), text)
}

// places returns the places in the code that a dying Go program names, innermost first. Its message
// may hold words of the file, and is left out.
func (t *tail) places() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []string
	for line := range strings.Lines(string(t.b)) {
		file, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "\t")
		if i := strings.LastIndex(file, " +0x"); ok && i > 0 && len(out) < 12 {
			out = append(out, file[strings.LastIndexByte(file[:i], '/')+1:i])
		}
	}
	return strings.Join(out, " ")
}
