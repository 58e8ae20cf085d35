package people

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/synonym"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
)

// SynonymCommand is kaoju synonyms.
func SynonymCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	list := &cobra.Command{Use: "list", Short: "Print the list as a file holds it", Args: console.Args(cobra.NoArgs), RunE: c.Action(c.listSynonyms)}
	set := &cobra.Command{
		Use: "set FILE", Short: "Replace the list by the lines of a file; - reads the standard input", Args: console.Args(cobra.ExactArgs(1)), RunE: c.Action(c.setSynonyms),
		Long: `Replaces the whole list by the lines of a file. A line is one of these:

  OA, 办公自动化, office automation   names of the same: each finds the others
  NB, 本子 => 笔记本电脑              names on the left also find those on the right
  范廷颂                              a Chinese word that is kept whole
  # ...                               a remark`,
	}
	set.Flags().Int("if-version", 0, "replace this version of the list alone; 0: any")
	for _, cmd := range []*cobra.Command{list, set} {
		setting.AddFlags(cmd, "data", "as", "tenant", "server", "token")
		console.JSONFlag(cmd)
	}
	return console.Group("synonyms", "A tenant's synonyms, abbreviations and own words · 同义词", list, set)
}

func (c commands) listSynonyms(ctx context.Context, conf *setting.Config, cmd *cobra.Command, _ []string) (err error) {
	var out api.Synonyms
	if conf.Get("server") != "" {
		var client *api.Client
		if client, err = c.Client(conf); err == nil {
			out, err = client.Synonyms(ctx)
		}
	} else {
		err = c.OnFolder(ctx, conf, false, func(s *wiring.Product, actor access.Actor) error {
			l, err := s.Desk.Lexicon(ctx, actor)
			out = wire.Synonyms(l)
			return err
		})
	}
	if err != nil {
		return console.Named(err, "the synonyms of the tenant")
	}
	if console.WantsJSON(cmd) {
		return c.PrintJSON(out)
	}
	for _, line := range out.Lines {
		c.Say("%s", terminal.Clean(line))
	}
	return nil
}

func (c commands) setSynonyms(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	lines, err := synonym.Read(list[0], c.In)
	if err != nil {
		return outcome.New(outcome.Failed, err.Error())
	}
	version, _ := cmd.Flags().GetInt("if-version")
	if version < 0 {
		return outcome.New(outcome.Usage, "--if-version must not be negative")
	}
	var out api.Synonyms
	if conf.Get("server") != "" {
		etag, client := "", (*api.Client)(nil)
		if version > 0 {
			etag = strconv.Quote(strconv.Itoa(version))
		}
		if client, err = c.Client(conf); err == nil {
			out, err = client.SetSynonyms(ctx, api.SetSynonyms{Lines: lines}, etag)
		}
	} else {
		err = c.OnFolder(ctx, conf, false, func(s *wiring.Product, actor access.Actor) error {
			l, err := s.Desk.SetLexicon(ctx, actor, lines, version)
			out = wire.Synonyms(l)
			return err
		})
	}
	if err != nil {
		for _, wrong := range synonym.Wrong(err) {
			c.Note("%s", terminal.Clean(wrong))
		}
		return console.Named(err, "the synonyms of the tenant")
	}
	note := ""
	if !out.Indexed {
		note = "; versions that are there are indexed with the words at the next start"
	}
	return c.Tell(cmd, out, "version %d: %d lines of synonyms, %d words%s", out.LockVersion, out.Synonyms, out.Words, note)
}
