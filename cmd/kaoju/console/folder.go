package console

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// Named puts what is meant in front of a "not found".
func Named(err error, what string) error {
	if problem.Is(err, problem.NotFound) {
		return outcome.New(outcome.Refused, what+": there is no such thing that you can see")
	}
	return err
}

// Either does something on the server that is named, or on the data folder.
func (c *CLI) Either(ctx context.Context, conf *setting.Config, server func(*api.Client) error, folder func(*wiring.Product, access.Actor) error) error {
	if conf.Get("server") == "" {
		return c.OnFolder(ctx, conf, false, folder)
	}
	client, err := c.Client(conf)
	if err != nil {
		return err
	}
	return server(client)
}

// Client calls the server that --server names.
func (c *CLI) Client(conf *setting.Config) (*api.Client, error) {
	if conf.Get("token") == "" {
		return nil, outcome.New(outcome.Usage, "a server needs a token: --token or KAOJU_TOKEN")
	}
	client, err := outbound.To(conf.Get("server"))
	if err != nil {
		return nil, err
	}
	return api.NewClient(client, conf.Get("server"), conf.Get("token")), nil
}

// OnFolderOf runs a command's body on a data folder that is there, whoever is in it.
func (c *CLI) OnFolderOf(ctx context.Context, conf *setting.Config, body func(*wiring.Product) error) error {
	dir := conf.Get("data")
	if _, err := os.Stat(dir); err != nil {
		return outcome.New(outcome.Refused, fmt.Sprintf("%s: there is no data folder; make one with kaoju kb create or kaoju serve, or name another with --data", dir))
	}
	s, err := wiring.Open(ctx, conf, dir, sqlite.Options{}, c.Quiet(conf))
	if err != nil {
		return err
	}
	defer s.Close()
	return body(s)
}

// OnFolder runs a command's body on the data folder. create makes a folder that does not exist.
func (c *CLI) OnFolder(ctx context.Context, conf *setting.Config, create bool, body func(*wiring.Product, access.Actor) error) error {
	act := func(s *wiring.Product) error { return c.acting(ctx, conf, s, body) }
	if !create {
		return c.OnFolderOf(ctx, conf, act)
	}
	s, err := wiring.Open(ctx, conf, conf.Get("data"), sqlite.Options{}, c.Quiet(conf))
	if err != nil {
		return err
	}
	defer s.Close()
	return act(s)
}

// acting runs a command's body as the operator.
func (c *CLI) acting(ctx context.Context, conf *setting.Config, s *wiring.Product, body func(*wiring.Product, access.Actor) error) error {
	if _, err := s.Found(ctx); err != nil {
		return err
	}
	actor, err := s.Operator(ctx, conf)
	if err != nil {
		return err
	}
	return body(s, actor)
}

// Admin makes a command on a data folder. n is the number of arguments; a negative one is the
// least.
func (c *CLI) Admin(use, short string, n int, body func(context.Context, *wiring.Product, access.Actor, *cobra.Command, []string) error) *cobra.Command {
	check := cobra.MinimumNArgs(-n)
	if n >= 0 {
		check = cobra.ExactArgs(n)
	}
	cmd := &cobra.Command{
		Use: use, Short: short, Args: Args(check),
		RunE: c.Action(func(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
			return c.OnFolder(ctx, conf, true, func(s *wiring.Product, actor access.Actor) error {
				return body(ctx, s, actor, cmd, list)
			})
		}),
	}
	setting.AddFlags(cmd, "data", "as", "tenant")
	JSONFlag(cmd)
	return cmd
}
