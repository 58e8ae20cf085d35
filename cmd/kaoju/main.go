// Command kaoju is the whole product in one binary: server, worker and command line.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/declaration"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/internal/problem"
)

// The exit statuses of every command.
const (
	exitDone         = 0
	exitFailed       = 1
	exitUsage        = 2
	exitInsufficient = 3
	exitRefused      = 4 // refused, or not found
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second signal has the effect that the system gives it: the process ends at once.
	context.AfterFunc(ctx, stop)
	os.Exit(execute(ctx, os.Args[1:], environment(), os.Stdin, os.Stdout, os.Stderr))
}

// exit is an error that has its own status. Its message, if any, was not printed yet.
type exit struct {
	status  int
	message string
}

func (e exit) Error() string { return e.message }

// execute runs one command line and returns its exit status.
func execute(ctx context.Context, args []string, env map[string]string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := command(&cli{env: env, in: stdin, out: stdout, err: stderr})
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	status, message := statusOf(err)
	if message != "" {
		fmt.Fprintln(stderr, "kaoju: "+message)
	}
	return status
}

// statusOf maps an error to an exit status and to the sentence that is printed.
func statusOf(err error) (int, string) {
	var e exit
	if errors.As(err, &e) {
		return e.status, e.message
	}
	if errors.Is(err, context.Canceled) {
		return exitFailed, "interrupted"
	}
	var answered *api.Problem
	if errors.As(err, &answered) {
		return answeredStatus(answered), answered.Detail
	}
	var p *problem.Error
	if !errors.As(err, &p) {
		return exitFailed, err.Error()
	}
	switch p.Kind {
	case problem.NotFound, problem.Denied:
		return exitRefused, p.Detail
	case problem.Invalid:
		if usageCodes[p.Code] {
			return exitUsage, p.Detail
		}
	case problem.Internal:
		return exitFailed, p.Error()
	}
	return exitFailed, p.Detail
}

// answeredStatus maps what a server answered to the exit status that the same command has on a
// folder.
func answeredStatus(p *api.Problem) int {
	switch {
	case p.Status == http.StatusNotFound || p.Status == http.StatusForbidden || p.Status == http.StatusUnauthorized:
		return exitRefused
	case usageCodes[p.Code]:
		return exitUsage
	}
	return exitFailed
}

// usageCodes are the refusals that are about what was typed, not about a file or a store.
var usageCodes = map[string]bool{
	"invalid_request": true, "empty_query": true, "invalid_offset": true, "invalid_id": true, "invalid_scope": true,
	"invalid_role": true, "invalid_level": true, "invalid_principal": true, "invalid_questions": true,
}

// environment returns the variables that the product reads, and no others: those of its settings,
// and those that may hold the key of a declared tool.
func environment() map[string]string {
	env := map[string]string{}
	for _, s := range setting.Table {
		if value, ok := os.LookupEnv(s.Env); ok {
			env[s.Env] = value
		}
	}
	for _, line := range os.Environ() {
		if name, value, _ := strings.Cut(line, "="); strings.HasPrefix(name, declaration.KeyPrefix) {
			env[name] = value
		}
	}
	return env
}
