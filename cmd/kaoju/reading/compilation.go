package reading

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"sync"
)

// compilation is PDFium compiled by a process of its own, which takes its memory along when it ends.
type compilation struct {
	command func(context.Context) (*exec.Cmd, error)
	log     *slog.Logger

	once   sync.Once
	life   context.Context
	cancel context.CancelFunc
	done   chan struct{} // closed when the process has ended, however it did
}

func newCompilation(command func(context.Context) (*exec.Cmd, error), log *slog.Logger) *compilation {
	c := &compilation{command: command, log: log, done: make(chan struct{})}
	c.life, c.cancel = context.WithCancel(context.Background())
	return c
}

// begin starts the process, the first time that it is called.
func (c *compilation) begin() {
	c.once.Do(func() {
		go func() {
			defer close(c.done)
			if err := c.run(); err != nil && c.life.Err() == nil {
				c.log.Warn("the reader of PDF documents could not be compiled ahead", "error", err)
			}
		}()
	})
}

// run compiles, or finds that what is in the folder is good: then it takes a fraction of a second.
func (c *compilation) run() error {
	command, err := c.command(c.life)
	if err != nil {
		return err
	}
	_, err = command.Output()
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		said := bytes.TrimSpace(ended.Stderr)
		err = fmt.Errorf("%w: %s", err, said[max(0, len(said)-maxSaid):])
	}
	return err
}

// maxSaid bounds what the log has of a process that failed: the end of what it said.
const maxSaid = 1000

// wait begins if that is still to be done, and returns when the process has ended. A file is read even
// if it failed: it costs time, since the child compiles then. The error is the context's.
func (c *compilation) wait(ctx context.Context) error {
	c.begin()
	select {
	case <-c.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// end ends the process if it still runs, and waits for it.
func (c *compilation) end() {
	c.cancel()
	c.once.Do(func() { close(c.done) })
	<-c.done
}
