package inquiry

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/export"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/run"
)

// DraftCommand is kaoju draft.
func DraftCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	list := &cobra.Command{Use: "list", Short: "List your drafts, newest first", Args: console.Args(cobra.NoArgs), RunE: c.Action(c.listDrafts)}
	show := &cobra.Command{Use: "show DRAFT", Short: "Print a draft of yours with its sources and checks", Args: console.Args(cobra.ExactArgs(1)), RunE: c.Action(c.showDraft)}
	out := &cobra.Command{
		Use: "export DRAFT", Short: "Write a draft of yours as Markdown, Word or PDF, with its citations as footnotes", Args: console.Args(cobra.ExactArgs(1)),
		RunE: c.Action(c.exportDraft),
	}
	exportFlags(out)
	for _, cmd := range []*cobra.Command{list, show, out} {
		setting.AddFlags(cmd, "data", "as", "tenant", "server", "token")
	}
	console.JSONFlag(list)
	console.JSONFlag(show)
	for _, cmd := range []*cobra.Command{show, out} {
		cmd.Flags().Int("version", 0, "a version; 0: the newest")
	}
	return console.Group("draft", "Drafts that you saved · 草稿", list, show, out)
}

// FeedbackCommand is kaoju feedback.
func FeedbackCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	out := c.Admin("export", "Print what people said of their answers, as JSON lines: the whole tenant's, as far as you may read it", 0, c.exportFeedback)
	return console.Group("feedback", "What people said of answers · 反馈", out)
}

func exportFlags(cmd *cobra.Command) {
	cmd.Flags().String("format", "md", "md, docx or pdf; by the name of the output, where it is not given")
	outputFlag(cmd)
}

func (c commands) listDrafts(ctx context.Context, conf *setting.Config, cmd *cobra.Command, _ []string) error {
	out := []api.DraftVersion{}
	err := c.Either(ctx, conf, func(client *api.Client) (err error) {
		all, err := api.All(ctx, client.Drafts)
		out = append(out, all...)
		return err
	}, func(s *wiring.Product, actor access.Actor) error {
		for f := (draft.Filter{Limit: 200}); ; {
			page, err := s.Desk.Drafts(ctx, actor, f)
			if err != nil {
				return err
			}
			for _, v := range page.Items {
				out = append(out, wire.DraftVersion(v))
			}
			if f.After = page.Next; f.After == "" {
				return nil
			}
		}
	})
	if err != nil {
		return err
	}
	if console.WantsJSON(cmd) {
		return c.PrintJSON(api.List[api.DraftVersion]{Items: out})
	}
	for _, d := range out {
		c.Say("%s\tv%d\t%s\t%s", d.DraftID, d.Version, d.SavedAt.Format("2006-01-02 15:04"), terminal.Clean(d.Title))
	}
	return nil
}

func (c commands) showDraft(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	version, _ := cmd.Flags().GetInt("version")
	var out api.Draft
	err := c.Either(ctx, conf, func(client *api.Client) (err error) {
		out, err = client.Draft(ctx, list[0], version)
		return err
	}, func(s *wiring.Product, actor access.Actor) error {
		v, err := s.Desk.Draft(ctx, actor, draft.ID(list[0]), version)
		if err != nil {
			return console.Named(err, "draft "+list[0])
		}
		out = wire.Draft(v)
		return wire.NameBases(ctx, s.Desk, actor, nil, out.Citations)
	})
	if err != nil {
		return err
	}
	if console.WantsJSON(cmd) {
		if err := c.PrintJSON(out); err != nil {
			return err
		}
		return recordStatus(out.Integrity)
	}
	terminal.Integrity(c.Out, out.Goal, out.Integrity)
	c.Say("%s · v%d · %s\n", out.DraftID, out.Version, terminal.Clean(out.Title))
	terminal.Answer(c.Out, out.Goal, api.Answer{Answer: out.Body, Citations: out.Citations, Checks: out.Checks, NeedsConfirmation: out.NeedsConfirmation})
	return recordStatus(out.Integrity)
}

// formatOf reads the format that a command was asked for, and its name in the HTTP interface.
func formatOf(cmd *cobra.Command) (export.Format, error) {
	name, _ := cmd.Flags().GetString("format")
	file, _ := cmd.Flags().GetString("output")
	if f := export.FormatOf(filepath.Ext(file)); f != "" && !cmd.Flags().Changed("format") {
		return f, nil
	}
	if f := export.FormatOf(name); f != "" {
		return f, nil
	}
	return "", outcome.New(outcome.Usage, name+" is no format: write md, docx or pdf")
}

func (c commands) exportDraft(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	version, _ := cmd.Flags().GetInt("version")
	return c.export(ctx, conf, cmd, exportable{
		"draft " + list[0],
		func(client *api.Client, f export.Format) (io.ReadCloser, error) {
			return client.ExportDraft(ctx, list[0], version, string(f))
		},
		func(s *wiring.Product, actor access.Actor) (export.Document, error) {
			return s.Desk.ExportDraft(ctx, actor, draft.ID(list[0]), version)
		},
	})
}

func (c commands) exportRun(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	return c.export(ctx, conf, cmd, exportable{
		"run " + list[0],
		func(client *api.Client, f export.Format) (io.ReadCloser, error) {
			return client.ExportRun(ctx, list[0], string(f))
		},
		func(s *wiring.Product, actor access.Actor) (export.Document, error) {
			return s.Desk.ExportRun(ctx, actor, run.ID(list[0]))
		},
	})
}

// exportable is what can be written as a document: by a server, or from the data folder.
type exportable struct {
	what   string
	server func(*api.Client, export.Format) (io.ReadCloser, error)
	folder func(*wiring.Product, access.Actor) (export.Document, error)
}

func (c commands) export(ctx context.Context, conf *setting.Config, cmd *cobra.Command, e exportable) error {
	f, err := formatOf(cmd)
	if err != nil {
		return err
	}
	var raw []byte
	err = c.Either(ctx, conf, func(client *api.Client) error {
		body, err := e.server(client, f)
		if err != nil {
			return err
		}
		defer body.Close()
		raw, err = io.ReadAll(body)
		return err
	}, func(s *wiring.Product, actor access.Actor) error {
		d, err := e.folder(s, actor)
		if err != nil {
			return console.Named(err, e.what)
		}
		raw, err = export.Write(d, f)
		return err
	})
	if err != nil {
		return err
	}
	return c.deliver(cmd, raw)
}

// outputFlag names the file that deliver writes.
func outputFlag(cmd *cobra.Command) {
	cmd.Flags().StringP("output", "o", "", "file to write; the standard output if it is - or not given")
}

// deliver writes what was exported to where the person wants it.
func (c commands) deliver(cmd *cobra.Command, raw []byte) error {
	file, _ := cmd.Flags().GetString("output")
	if file == "" || file == "-" {
		_, err := c.Out.Write(raw)
		return err
	}
	// What was exported is its owner's alone, until the owner says otherwise.
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		return outcome.New(outcome.Failed, errors.Unwrap(err).Error()+": "+file)
	}
	c.Note("%s: %d bytes", file, len(raw))
	return nil
}

func (c commands) exportFeedback(ctx context.Context, s *wiring.Product, actor access.Actor, _ *cobra.Command, _ []string) error {
	enc := json.NewEncoder(c.Out)
	enc.SetEscapeHTML(false)
	for f := (desk.MarkFilter{Limit: 200}); ; {
		page, err := s.Desk.AllMarks(ctx, actor, f)
		if err != nil {
			return err
		}
		for _, v := range page.Items {
			if err := enc.Encode(wire.Feedback(v)); err != nil {
				return err
			}
		}
		if f.After = page.Next; f.After == "" {
			return nil
		}
	}
}
