package inquiry

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// SearchCommand is kaoju search.
func SearchCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	cmd := &cobra.Command{
		Use: "search QUERY", Short: "Find passages in what you may read · 搜索",
		Args: console.Args(cobra.ExactArgs(1)), RunE: c.Action(c.search),
	}
	setting.AddFlags(cmd, "data", "as", "tenant", "server", "token")
	setting.AddFlags(cmd, setting.ForEmbedding...)
	setting.AddFlags(cmd, setting.ForReranking...)
	cmd.Flags().StringSlice("kb", nil, "knowledge bases to search; all that you can see if left out")
	cmd.Flags().String("doc-key", "", "search one document only")
	cmd.Flags().Int("limit", 10, "hits to show, at most 50")
	console.JSONFlag(cmd)
	return cmd
}

func (c commands) search(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	bases, _ := cmd.Flags().GetStringSlice("kb")
	key, _ := cmd.Flags().GetString("doc-key")
	limit, _ := cmd.Flags().GetInt("limit")
	if limit < 1 {
		return outcome.New(outcome.Usage, "--limit must be at least 1")
	}
	limit = min(limit, 50)
	var out api.SearchResult
	var err error
	if conf.Get("server") != "" {
		var client *api.Client
		if client, err = c.Client(conf); err == nil {
			err = c.TellOfServer(ctx, client, func(r terminal.Reach) terminal.Reach { return r.Searching(list[0]) })
		}
		if err == nil {
			out, err = client.Search(ctx, api.SearchRequest{Query: list[0], KnowledgeBaseIDs: bases, DocKey: key, Limit: limit})
		}
	} else {
		err = c.OnFolder(ctx, conf, false, func(s *wiring.Product, actor access.Actor) error {
			if err := c.TellOfTenants(ctx, s, s.Reach().Searching(list[0]), actor.Tenant); err != nil {
				return err
			}
			result, err := s.Desk.Search(ctx, actor, access.Request{Bases: baseIDs(bases), DocKey: key}, retrieval.Query{Text: list[0], Limit: limit})
			out = wire.SearchResult(result)
			return err
		})
	}
	if err != nil {
		return err
	}
	if console.WantsJSON(cmd) {
		return c.PrintJSON(out)
	}
	w := terminal.WordsFor(list[0])
	for i, h := range out.Items {
		c.Say("%d. %s · %s · %s %d · %s", i+1, terminal.Clean(h.Title), terminal.Clean(h.DocKey), w.Version, h.Version, terminal.Place(w, h.Locator))
		c.Say("   %s", terminal.Clean(strings.Join(strings.Fields(h.Snippet), " ")))
		if len(out.Legs) > 1 {
			c.Say("   %s", terminal.Ranks(w, h.Ranks))
		}
	}
	for _, s := range out.Skipped {
		if why := terminal.Skipped(w, s); why != "" {
			c.Note("%s", why)
		}
	}
	if len(out.Items) == 0 {
		c.Note("未找到相关资料。 · No relevant material was found.")
	}
	return nil
}
