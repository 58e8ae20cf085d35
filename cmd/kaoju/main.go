// Command kaoju is the whole product in one binary: server, worker and command line.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/declaration"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second signal has the effect that the system gives it: the process ends at once.
	context.AfterFunc(ctx, stop)
	os.Exit(execute(ctx, os.Args[1:], environment(), os.Stdin, os.Stdout, os.Stderr))
}

// execute runs one command line and returns its exit status.
func execute(ctx context.Context, args []string, env map[string]string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := command(&console.CLI{Build: console.BuildOf(version), Env: env, In: stdin, Out: stdout, Err: stderr})
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return outcome.Done
	}
	status, message := outcome.Of(err)
	if message != "" {
		fmt.Fprintln(stderr, "kaoju: "+message)
	}
	return status
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
