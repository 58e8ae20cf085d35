// Package library are the commands about documents: knowledge bases, what is taken into them, versions and their fate.
package library

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/rule"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
)

// commands is what the commands of this package are given.
type commands struct{ *console.CLI }

// BaseCommand is kaoju kb.
func BaseCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	create := &cobra.Command{
		Use: "create ID", Short: "Make a knowledge base that you manage", Args: console.Args(cobra.ExactArgs(1)),
		RunE: c.Action(c.createBase),
	}
	setting.AddFlags(create, "data", "as", "tenant", "server", "token")
	create.Flags().String("name", "", "name for people; the id if left out")
	create.Flags().String("publishing", "proposal", "how later versions are published: proposal or direct")
	console.JSONFlag(create)
	list := &cobra.Command{
		Use: "list", Short: "List the knowledge bases that you can see", Args: console.Args(cobra.NoArgs),
		RunE: c.Action(c.listBases),
	}
	setting.AddFlags(list, "data", "as", "tenant", "server", "token")
	console.JSONFlag(list)
	return console.Group("kb", "Knowledge bases · 知识库", create, list)
}

func (c commands) createBase(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	name, _ := cmd.Flags().GetString("name")
	publishing, _ := cmd.Flags().GetString("publishing")
	if name == "" {
		name = list[0]
	}
	if err := rule.OneOf("proposal", "direct")(publishing); err != nil {
		return outcome.New(outcome.Usage, "--publishing "+err.Error())
	}
	var out api.KnowledgeBase
	local := func(s *wiring.Product, actor access.Actor) error {
		b, err := s.Desk.CreateBase(ctx, actor, access.KnowledgeBaseID(list[0]), name)
		if direct := access.Directly; err == nil && publishing == string(direct) {
			b, err = s.Desk.EditBase(ctx, actor, b.ID, desk.BaseChange{Publishing: &direct})
		}
		out = wire.Base(b)
		return err
	}
	var err error
	if conf.Get("server") != "" {
		out, err = c.createBaseOn(ctx, conf, api.NewKnowledgeBase{ID: list[0], Name: name}, publishing)
	} else {
		err = c.OnFolder(ctx, conf, true, local)
	}
	if err != nil {
		return err
	}
	if console.WantsJSON(cmd) {
		return c.PrintJSON(out)
	}
	c.Say("knowledge base %s (%s), publishing: %s", out.ID, out.Name, out.Publishing)
	return nil
}

func (c commands) createBaseOn(ctx context.Context, conf *setting.Config, in api.NewKnowledgeBase, publishing string) (api.KnowledgeBase, error) {
	client, err := c.Client(conf)
	if err != nil {
		return api.KnowledgeBase{}, err
	}
	out, err := client.CreateKnowledgeBase(ctx, in, "")
	if err == nil && publishing != out.Publishing {
		out, err = client.EditKnowledgeBase(ctx, out.ID, api.KnowledgeBaseChange{Publishing: &publishing}, "")
	}
	return out, err
}

// basesOn lists all knowledge bases of a server, page by page.
func (c commands) basesOn(ctx context.Context, conf *setting.Config) ([]api.KnowledgeBase, error) {
	client, err := c.Client(conf)
	if err != nil {
		return nil, err
	}
	out := []api.KnowledgeBase{}
	for page := (api.Page{}); ; {
		list, err := client.KnowledgeBases(ctx, page)
		if err != nil {
			return nil, err
		}
		out = append(out, list.Items...)
		if list.NextCursor == nil {
			return out, nil
		}
		page.Cursor = *list.NextCursor
	}
}

func (c commands) listBases(ctx context.Context, conf *setting.Config, cmd *cobra.Command, _ []string) error {
	out := []api.KnowledgeBase{}
	var err error
	if conf.Get("server") != "" {
		out, err = c.basesOn(ctx, conf)
	} else {
		err = c.OnFolder(ctx, conf, false, func(s *wiring.Product, actor access.Actor) error {
			bases, err := s.Desk.Bases(ctx, actor, "")
			for _, b := range bases {
				out = append(out, wire.Base(b))
			}
			return err
		})
	}
	if err != nil {
		return err
	}
	if console.WantsJSON(cmd) {
		return c.PrintJSON(api.List[api.KnowledgeBase]{Items: out})
	}
	for _, b := range out {
		c.Say("%s\t%s\t%s\t%s", b.ID, b.Role, b.Publishing, b.Name)
	}
	return nil
}
