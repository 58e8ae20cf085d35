// Package serve is the command that runs the server: the HTTP interface, sign-in, and the work that goes on beside requests.
package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/reranker"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/httpapi"
	"github.com/kaoju/kaoju/internal/llm/rules"
	"github.com/kaoju/kaoju/internal/sqlite"
	"github.com/kaoju/kaoju/internal/web"
)

// commands is what the commands of this package are given.
type commands struct{ *console.CLI }

// Command is kaoju serve.
func Command(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	cmd := &cobra.Command{
		Use: "serve", Short: "Run the server · 启动服务", Args: console.Args(cobra.NoArgs),
		Long: `Runs the server over a data folder: HTTP interface, ingestion and runs.

With --demo an empty data folder is filled with fictional documents first, and tokens for its
users are printed. A folder that the demonstration filled is served as it is.`,
		RunE: c.Action(c.serve),
	}
	setting.AddFlags(cmd, setting.ForModels...)
	setting.AddFlags(cmd, "data", "listen", "max_file_bytes", "workers", "runs", "run_tokens", "token_rate", "tenant_rate",
		"secure_cookie", "tools_file", "confirm_sensitive", "log_level")
	cmd.Flags().Bool("demo", false, "fill an empty data folder with demonstration data")
	return cmd
}

func (c commands) serve(ctx context.Context, conf *setting.Config, cmd *cobra.Command, _ []string) error {
	withDemo, _ := cmd.Flags().GetBool("demo")
	dir := conf.Get("data")
	if withDemo {
		if err := wiring.DemoFolder(dir); err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", conf.Get("listen"))
	if err != nil {
		return outcome.New(outcome.Failed, fmt.Sprintf("listen on %s: %v", conf.Get("listen"), err))
	}
	defer listener.Close()
	s, err := wiring.Open(ctx, conf, dir, sqlite.Options{Serve: true}, c.Logger(conf))
	if err != nil {
		return err
	}
	defer s.Close()
	srv := &server{Product: s, version: c.Build.Version}
	if err := c.greet(ctx, conf, srv, withDemo, listener.Addr().String()); err != nil {
		return err
	}
	if err := srv.federate(ctx, conf, listener.Addr().String()); err != nil {
		return err
	}
	pages, err := web.Pages()
	if err != nil {
		return err
	}
	return srv.run(ctx, conf, listener, pages)
}

// server is the product while it serves: with how people sign in, and what may be told of the program.
type server struct {
	*wiring.Product
	setup    *auth.Setup      // of the first administrator's password; nil if there is none
	provider *auth.Federation // through which people sign in; nil if none is set
	version  string
}

// watch ends runs whose worker is gone, here or in another process on the folder, soon after their
// lease has run out.
func (s *server) watch(ctx context.Context) {
	tick := time.NewTicker(5 * time.Second)
	defer tick.Stop()
	s.Agent.Watch(ctx, tick.C)
}

// expire ends proposals whose time is over, without any request.
func (s *server) expire(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		if _, err := s.DB.Approvals().Expire(ctx); err != nil && ctx.Err() == nil {
			s.Log.Error("proposals could not be looked through", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// recover carries out approved calls that nobody works on: first those that an earlier process left.
func (s *server) recover(ctx context.Context, left []approval.Task) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		if n := s.Actions.Recover(ctx, left); n > 0 {
			s.Log.Warn("approved calls were taken up again", "tasks", n)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		var err error
		if left, err = s.Actions.Due(ctx, time.Now()); err != nil && ctx.Err() == nil {
			s.Log.Error("approved calls could not be looked through", "error", err)
		}
	}
}

// greet prepares a fresh folder and prints how to begin.
func (c commands) greet(ctx context.Context, conf *setting.Config, s *server, withDemo bool, address string) error {
	url := "http://" + address
	if withDemo {
		lines, err := s.Demo(ctx, conf.Get("data"))
		if err != nil {
			return err
		}
		for _, l := range lines {
			c.Say("%s", l)
		}
		c.Say("\n%s", demoHint(url, lines))
		return nil
	}
	fresh, err := s.Found(ctx)
	if err != nil {
		return err
	}
	c.Say("Kaoju serves %s at %s", conf.Get("data"), url)
	if fresh {
		c.Say("A token for its administrator: kaoju token create --user admin --data %s", conf.Get("data"))
	}
	return c.firstPassword(ctx, conf, s, url)
}

// firstPassword opens the one-time setup of the first administrator, who has no password until
// one is set. On a folder with other tenants, or where the administrator has one, it does nothing.
func (c commands) firstPassword(ctx context.Context, conf *setting.Config, s *server, url string) error {
	tenants, err := s.DB.Admin().Tenants(ctx)
	if err != nil || len(tenants) != 1 || tenants[0] != wiring.FirstTenant {
		return err
	}
	var secret string
	s.setup, secret, err = auth.OpenSetup(ctx, s.Gate, filepath.Join(conf.Get("data"), "setup.token"), wiring.FirstTenant, wiring.FirstUser)
	if err != nil {
		return err
	}
	if secret != "" {
		c.Say("Set its password once · 首次设置密码: %s/#setup=%s", url, secret)
		c.Say("                   or · 或: kaoju user password admin --data %s", conf.Get("data"))
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
func (s *server) run(ctx context.Context, conf *setting.Config, listener net.Listener, pages map[string]http.Handler) error {
	// This is the only server on the folder: before it serves anybody, every call that is under way
	// has lost its worker.
	left, err := s.Actions.Due(ctx, time.Now().AddDate(1, 0, 0))
	if err != nil {
		return err
	}
	if err := s.Meaning.Want(ctx, s.DB); err != nil {
		return err
	}
	if err := s.Recut.Want(ctx); err != nil {
		return err
	}
	tenants, err := s.DB.Admin().Tenants(ctx)
	if err != nil {
		return err
	}
	work, stop := context.WithCancel(ctx)
	defer stop()
	var background sync.WaitGroup
	background.Go(func() { s.Index.Keep(work, tenants) })
	background.Go(func() { s.Worker.Run(work, s.Workers) })
	background.Go(func() { s.Meaning.Run(work) })
	background.Go(func() { s.Recut.Run(work) })
	background.Go(func() { s.watch(work) })
	background.Go(func() { s.expire(work) })
	background.Go(func() { s.recover(work, left) })
	server := &http.Server{
		Handler: s.handler(conf, listener.Addr(), pages), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		BaseContext: func(net.Listener) context.Context { return work },
	}
	s.Parser.Warm()
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	s.Log.Info("ready", "address", listener.Addr().String(), "model", s.Model.Name, "embedding", s.Meaning.Info().Name, "version", s.version)
	select {
	case err = <-failed:
	case <-ctx.Done():
		stop()
		s.Actions.Close() // A call under way would hold up what waits for it, here and in requests.
		patience, release := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer release()
		if server.Shutdown(patience) != nil {
			server.Close()
		}
	}
	stop()
	s.Actions.Close()
	background.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func (s *server) handler(conf *setting.Config, address net.Addr, pages map[string]http.Handler) http.Handler {
	var hosts []string
	if tcp, ok := address.(*net.TCPAddr); ok && tcp.IP.IsLoopback() {
		hosts = httpapi.Loopback()
	}
	return httpapi.New(httpapi.Deps{
		Gate: s.Gate, Setup: s.setup, Federation: s.provider, Desk: s.Desk, Runner: s.Agent, Intake: s.Intake, Requests: s.DB.Requests(), Log: s.Log, Version: s.version,
		Model: s.Model, Fallback: rules.New().Info(), ModelHealth: s.Health, Verifier: s.Verifier, Reranker: reranker.Info(s.Searcher.Reranking), Embedding: s.Meaning.Describe, Chunking: s.chunking,
		Limits: wiring.Limits(conf), UploadBytes: int64(conf.Number("max_file_bytes")), Ready: s.DB.Ready, Hosts: hosts,
		Spool: s.DB.Spool(), Pages: pages, SecureCookie: conf.Get("secure_cookie") == "yes",
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
