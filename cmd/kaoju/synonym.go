package main

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/synonym"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
)

func synonymCommand(c *cli) *cobra.Command {
	list := &cobra.Command{Use: "list", Short: "Print the list as a file holds it", Args: args(cobra.NoArgs), RunE: c.action(c.listSynonyms)}
	set := &cobra.Command{
		Use: "set FILE", Short: "Replace the list by the lines of a file; - reads the standard input", Args: args(cobra.ExactArgs(1)), RunE: c.action(c.setSynonyms),
		Long: `Replaces the whole list by the lines of a file. A line is one of these:

  OA, 办公自动化, office automation   names of the same: each finds the others
  NB, 本子 => 笔记本电脑              names on the left also find those on the right
  范廷颂                              a Chinese word that is kept whole
  # ...                               a remark`,
	}
	set.Flags().Int("if-version", 0, "replace this version of the list alone; 0: any")
	for _, cmd := range []*cobra.Command{list, set} {
		setting.AddFlags(cmd, "data", "as", "tenant", "server", "token")
		jsonFlag(cmd)
	}
	return group("synonyms", "A tenant's synonyms, abbreviations and own words · 同义词", list, set)
}

func (c *cli) listSynonyms(ctx context.Context, conf *setting.Config, cmd *cobra.Command, _ []string) (err error) {
	var out api.Synonyms
	if conf.Get("server") != "" {
		var client *api.Client
		if client, err = c.client(conf); err == nil {
			out, err = client.Synonyms(ctx)
		}
	} else {
		err = c.onFolder(ctx, conf, false, func(s *stack, actor access.Actor) error {
			l, err := s.desk.Lexicon(ctx, actor)
			out = wire.Synonyms(l)
			return err
		})
	}
	if err != nil {
		return named(err, "the synonyms of the tenant")
	}
	if wantsJSON(cmd) {
		return c.printJSON(out)
	}
	for _, line := range out.Lines {
		c.say("%s", terminal.Clean(line))
	}
	return nil
}

func (c *cli) setSynonyms(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	lines, err := synonym.Read(list[0], c.in)
	if err != nil {
		return exit{exitFailed, err.Error()}
	}
	version, _ := cmd.Flags().GetInt("if-version")
	if version < 0 {
		return exit{exitUsage, "--if-version must not be negative"}
	}
	var out api.Synonyms
	if conf.Get("server") != "" {
		etag, client := "", (*api.Client)(nil)
		if version > 0 {
			etag = strconv.Quote(strconv.Itoa(version))
		}
		if client, err = c.client(conf); err == nil {
			out, err = client.SetSynonyms(ctx, api.SetSynonyms{Lines: lines}, etag)
		}
	} else {
		err = c.onFolder(ctx, conf, false, func(s *stack, actor access.Actor) error {
			l, err := s.desk.SetLexicon(ctx, actor, lines, version)
			out = wire.Synonyms(l)
			return err
		})
	}
	if err != nil {
		for _, wrong := range synonym.Wrong(err) {
			c.note("%s", terminal.Clean(wrong))
		}
		return named(err, "the synonyms of the tenant")
	}
	note := ""
	if !out.Indexed {
		note = "; versions that are there are indexed with the words at the next start"
	}
	return c.tell(cmd, out, "version %d: %d lines of synonyms, %d words%s", out.LockVersion, out.Synonyms, out.Words, note)
}
