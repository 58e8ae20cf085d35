package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/reranker"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/demo"
	"github.com/kaoju/kaoju/internal/httpapi"
	"github.com/kaoju/kaoju/internal/llm/rules"
	"github.com/kaoju/kaoju/internal/sqlite"
	"github.com/kaoju/kaoju/internal/web"
)

func serveCommand(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use: "serve", Short: "Run the server · 启动服务", Args: args(cobra.NoArgs),
		Long: `Runs the server over a data folder: HTTP interface, ingestion and runs.

With --demo an empty data folder is filled with fictional documents first, and tokens for its
users are printed. A folder that the demonstration filled is served as it is.`,
		RunE: c.action(c.serve),
	}
	setting.AddFlags(cmd, modelSettings...)
	setting.AddFlags(cmd, "data", "listen", "max_file_bytes", "workers", "runs", "run_tokens", "token_rate", "tenant_rate",
		"secure_cookie", "tools_file", "confirm_sensitive", "log_level")
	cmd.Flags().Bool("demo", false, "fill an empty data folder with demonstration data")
	return cmd
}

func (c *cli) serve(ctx context.Context, conf *setting.Config, cmd *cobra.Command, _ []string) error {
	withDemo, _ := cmd.Flags().GetBool("demo")
	dir := conf.Get("data")
	if withDemo {
		if err := demoFolder(dir); err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", conf.Get("listen"))
	if err != nil {
		return exit{exitFailed, fmt.Sprintf("listen on %s: %v", conf.Get("listen"), err)}
	}
	defer listener.Close()
	s, err := open(ctx, conf, dir, sqlite.Options{Serve: true}, c.logger(conf))
	if err != nil {
		return err
	}
	defer s.close()
	if err := c.greet(ctx, conf, s, withDemo, listener.Addr().String()); err != nil {
		return err
	}
	if err := s.federate(ctx, conf, listener.Addr().String()); err != nil {
		return err
	}
	pages, err := web.Pages()
	if err != nil {
		return err
	}
	return s.run(ctx, conf, listener, pages)
}

// watch ends runs whose worker is gone, here or in another process on the folder, soon after their
// lease has run out.
func (s *stack) watch(ctx context.Context) {
	tick := time.NewTicker(5 * time.Second)
	defer tick.Stop()
	s.agent.Watch(ctx, tick.C)
}

// expire ends proposals whose time is over, without any request.
func (s *stack) expire(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		if _, err := s.db.Approvals().Expire(ctx); err != nil && ctx.Err() == nil {
			s.log.Error("proposals could not be looked through", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// recover carries out approved calls that nobody works on: first those that an earlier process left.
func (s *stack) recover(ctx context.Context, left []approval.Task) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		if n := s.actions.Recover(ctx, left); n > 0 {
			s.log.Warn("approved calls were taken up again", "tasks", n)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var err error
		if left, err = s.actions.Due(ctx, time.Now()); err != nil && ctx.Err() == nil {
			s.log.Error("approved calls could not be looked through", "error", err)
		}
	}
}

// greet prepares a fresh folder and prints how to begin.
func (c *cli) greet(ctx context.Context, conf *setting.Config, s *stack, withDemo bool, address string) error {
	url := "http://" + address
	if withDemo {
		lines, err := s.demo(ctx, conf.Get("data"))
		if err != nil {
			return err
		}
		for _, l := range lines {
			c.say("%s", l)
		}
		c.say("\n%s", demoHint(url, lines))
		return nil
	}
	fresh, err := s.found(ctx)
	if err != nil {
		return err
	}
	c.say("Kaoju serves %s at %s", conf.Get("data"), url)
	if fresh {
		c.say("A token for its administrator: kaoju token create --user admin --data %s", conf.Get("data"))
	}
	return c.firstPassword(ctx, conf, s, url)
}

// firstPassword opens the one-time setup of the first administrator, who has no password until
// one is set. On a folder with other tenants, or where the administrator has one, it does nothing.
func (c *cli) firstPassword(ctx context.Context, conf *setting.Config, s *stack, url string) error {
	tenants, err := s.db.Admin().Tenants(ctx)
	if err != nil || len(tenants) != 1 || tenants[0] != firstTenant {
		return err
	}
	var secret string
	s.setup, secret, err = auth.OpenSetup(ctx, s.gate, filepath.Join(conf.Get("data"), "setup.token"), firstTenant, firstUser)
	if err != nil {
		return err
	}
	if secret != "" {
		c.say("Set its password once · 首次设置密码: %s/#setup=%s", url, secret)
		c.say("                   or · 或: kaoju user password admin --data %s", conf.Get("data"))
	}
	return nil
}

// demoHint says where the demonstration is: for a browser an address for each person, whose token
// stands behind the # and so is sent to no server, and a first question for the command line.
func demoHint(url string, lines []string) string {
	var people strings.Builder
	for _, l := range lines {
		name, token, found := strings.Cut(strings.TrimPrefix(l, "export "), "_TOKEN=")
		if found && name != "" {
			fmt.Fprintf(&people, "  %-6s %s/#token=%s\n", name[:1]+strings.ToLower(name[1:]), url, token)
		}
	}
	return fmt.Sprintf(`Kaoju is at %[1]s · 考据已启动

Open it as one of its people · 以其中一人的身份打开:
%[2]s
Or ask here · 或在此提问:
  curl -s %[1]s/api/chat -H "Authorization: Bearer $ALICE_TOKEN" -H 'Content-Type: application/json' \
       -d '{"question": "上海住宿上限是多少？"}'`, url, people.String())
}

// run serves until the context ends, then lets requests finish for a while and stops.
func (s *stack) run(ctx context.Context, conf *setting.Config, listener net.Listener, pages map[string]http.Handler) error {
	// This is the only server on the folder: before it serves anybody, every call that is under way
	// has lost its worker.
	left, err := s.actions.Due(ctx, time.Now().AddDate(1, 0, 0))
	if err != nil {
		return err
	}
	if err := s.meaning.Want(ctx, s.db); err != nil {
		return err
	}
	if err := s.recut.Want(ctx); err != nil {
		return err
	}
	tenants, err := s.db.Admin().Tenants(ctx)
	if err != nil {
		return err
	}
	work, stop := context.WithCancel(ctx)
	defer stop()
	var background sync.WaitGroup
	background.Go(func() { s.index.Keep(work, tenants) })
	background.Go(func() { s.worker.Run(work, s.workers) })
	background.Go(func() { s.meaning.Run(work) })
	background.Go(func() { s.recut.Run(work) })
	background.Go(func() { s.watch(work) })
	background.Go(func() { s.expire(work) })
	background.Go(func() { s.recover(work, left) })
	server := &http.Server{
		Handler: s.handler(conf, listener.Addr(), pages), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		BaseContext: func(net.Listener) context.Context { return work },
	}
	s.parser.Warm()
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	s.log.Info("ready", "address", listener.Addr().String(), "model", s.model.Name, "embedding", s.meaning.Info().Name, "version", version)
	select {
	case err = <-failed:
	case <-ctx.Done():
		stop()
		s.actions.Close() // A call under way would hold up what waits for it, here and in requests.
		patience, release := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer release()
		if server.Shutdown(patience) != nil {
			server.Close()
		}
	}
	stop()
	s.actions.Close()
	background.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func (s *stack) handler(conf *setting.Config, address net.Addr, pages map[string]http.Handler) http.Handler {
	var hosts []string
	if tcp, ok := address.(*net.TCPAddr); ok && tcp.IP.IsLoopback() {
		hosts = httpapi.Loopback()
	}
	return httpapi.New(httpapi.Deps{
		Gate: s.gate, Setup: s.setup, Federation: s.provider, Desk: s.desk, Runner: s.agent, Intake: s.intake, Requests: s.db.Requests(), Log: s.log, Version: version,
		Model: s.model, Fallback: rules.New().Info(), ModelHealth: s.health, Verifier: s.verifier, Reranker: reranker.Info(s.searcher.Reranking), Embedding: s.meaning.Describe, Chunking: s.chunking,
		Limits: limits(conf), UploadBytes: int64(conf.Number("max_file_bytes")), Ready: s.db.Ready, Hosts: hosts,
		Spool: s.db.Spool(), Pages: pages, SecureCookie: conf.Get("secure_cookie") == "yes",
		PerCredential: perSecond(conf.Number("token_rate")), PerTenant: perSecond(conf.Number("tenant_rate")),
	})
}

// perSecond allows a number of requests a second, and as many at once. 0 limits nothing.
func perSecond(n int) auth.Rate {
	if n == 0 {
		return auth.Rate{}
	}
	return auth.Rate{Burst: n, Every: time.Second / time.Duration(n)}
}

// demoMarker is the file that marks a folder as filled by the demonstration. It holds the tokens.
const demoMarker = "demo.env"

// demoFolder refuses a folder that holds anything but an earlier demonstration.
func demoFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, demoMarker)); err == nil {
		return nil
	}
	return exit{exitFailed, fmt.Sprintf("%s is not empty and was not filled by the demonstration; name another folder with --data", dir)}
}

// demo fills a fresh folder, or finds the tokens of one that was filled, and returns the lines to
// print. The marker is written last: a folder that was only half filled is refused the next time.
func (s *stack) demo(ctx context.Context, dir string) ([]string, error) {
	marker := filepath.Join(dir, demoMarker)
	if raw, err := os.ReadFile(filepath.Clean(marker)); err == nil {
		return strings.Split(strings.TrimSpace(string(raw)), "\n"), nil
	}
	tokens, err := demo.Seed(ctx, demo.Deps{
		Admin: s.db.Admin(), Directory: s.db.Directory(), Bases: s.db.Bases(), Auth: s.db.Auth(), Intake: s.intake, Drain: s.worker.Drain,
	})
	if err != nil {
		return nil, err
	}
	var lines []string
	for user, token := range tokens {
		lines = append(lines, fmt.Sprintf("export %s_TOKEN=%s", strings.ToUpper(string(user)), token))
	}
	sort.Strings(lines)
	temp := marker + ".new"
	if err := os.WriteFile(temp, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		return nil, err
	}
	return lines, os.Rename(temp, marker)
}
