package library

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/delivery"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/rule"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ingest/source/git"
	"github.com/kaoju/kaoju/internal/outbound"
)

// AddCommand is kaoju add.
func AddCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	cmd := &cobra.Command{
		Use: "add PATH…", Short: "Take files, folders, repositories and web pages into a knowledge base · 把文件收入知识库",
		Long: `Takes files and folders into a knowledge base and ends when keyword search sees all of them.
Each file becomes a version of the document named by its path inside the folder; bytes that are
already there change nothing. What is attached to a message (EML) or packed in an archive (ZIP)
becomes documents of its own, under the key of that file. With --publish the versions are published, otherwise they are drafts.
With --wait vectors it ends when search by meaning sees them too.

A folder that was added before is compared with what it brought then: a file with the same bytes
in another place stays the document that it was, and a document whose file is gone is archived
where the knowledge base publishes directly, or with --publish on a data folder; elsewhere that is
proposed. Nothing is archived that did not come from this folder, nor when all of it is gone at
once, unless --allow-empty says that this is meant.

A Git repository is a source like a folder: git+https://HOST/PATH or git+file:///PATH, with @REF for a
branch, tag or commit, and //FOLDER for a part of it; --git takes paths and addresses as they are. So is
the address of a file on the web, whose document is archived when the server says that it is gone.
Addresses lead to the public internet alone, unless KAOJU_SOURCE_HOSTS names their host.

With --watch it goes on until it is interrupted: it takes in what changes in folders as it happens, and
asks repositories and addresses again every while (--every).

收入文件、文件夹、Git 仓库（git+https://…@分支//目录，或 --git 路径）和网址；再次收入同一来源时会同步其变化：
移动的文件保持原文档，已删除的文件对应的文档会被归档或提议归档。--watch 持续同步，直到中断。内网主机须由
KAOJU_SOURCE_HOSTS 列出才可访问。`,
		Args: console.Args(cobra.MinimumNArgs(1)),
		RunE: c.Action(c.add),
	}
	setting.AddFlags(cmd, "data", "as", "tenant", "server", "token", "workers", "max_file_bytes", "source_hosts")
	setting.AddFlags(cmd, setting.ForEmbedding...)
	cmd.Flags().String("wait", "words", "until what sees the files: words (keyword search), or vectors (search by meaning too)")
	cmd.Flags().String("kb", "", "knowledge base that takes the files (needed)")
	cmd.Flags().Bool("publish", false, "publish the versions")
	cmd.Flags().Bool("allow-empty", false, "archive documents also when everything that a source brought is gone")
	cmd.Flags().String("source", "", "name under which a source is remembered, instead of its path or address")
	cmd.Flags().Bool("git", false, "what is named are Git repositories: PATH or ADDRESS, then @REF and //FOLDER if wanted")
	cmd.Flags().Bool("adopt", false, "let a source have documents that came another way, where their keys are those of its files")
	cmd.Flags().Bool("watch", false, "go on with changes until interrupted")
	cmd.Flags().Duration("every", 5*time.Minute, "with --watch: how often to ask repositories and addresses, and to look through everything, as on network drives that tell of no change")
	console.JSONFlag(cmd)
	return cmd
}

// addition is what the command line asks for.
type addition struct {
	kb, wait, source                string
	publish, allowEmpty, watch, git bool
	adopt                           bool
	every                           time.Duration
	paths                           []string
	json                            bool
}

func additionOf(cmd *cobra.Command, paths []string) (a addition, err error) {
	flags := cmd.Flags()
	a.kb, _ = flags.GetString("kb")
	a.wait, _ = flags.GetString("wait")
	a.source, _ = flags.GetString("source")
	a.publish, _ = flags.GetBool("publish")
	a.allowEmpty, _ = flags.GetBool("allow-empty")
	a.watch, _ = flags.GetBool("watch")
	a.every, _ = flags.GetDuration("every")
	a.git, _ = flags.GetBool("git")
	a.adopt, _ = flags.GetBool("adopt")
	a.paths, a.json = paths, console.WantsJSON(cmd)
	switch {
	case a.wait != "words" && a.wait != "vectors":
		err = outcome.New(outcome.Usage, "--wait is words or vectors")
	case a.kb == "":
		err = outcome.New(outcome.Usage, "say which knowledge base takes the files: --kb ID")
	case a.every < time.Second:
		err = outcome.New(outcome.Usage, "--every is a time of at least a second, such as 5m")
	case a.source != "" && len(paths) != 1:
		err = outcome.New(outcome.Usage, "--source names one source")
	case a.watch && a.wait == "vectors":
		err = outcome.New(outcome.Usage, "--watch goes on; vectors follow by themselves, so leave --wait out")
	}
	return a, err
}

func (c commands) add(ctx context.Context, conf *setting.Config, cmd *cobra.Command, paths []string) error {
	a, err := additionOf(cmd, paths)
	if err != nil {
		return err
	}
	sources, err := c.sources(conf, a)
	if err != nil {
		return err
	}
	defer func() {
		for _, s := range sources {
			_ = s.Close() // Nothing of it is wanted any more.
		}
	}()
	if conf.Get("server") != "" {
		client, err := c.Client(conf)
		if err != nil {
			return err
		}
		d := &delivery.Delivery{Base: delivery.Server{Client: client, KB: a.kb}, Publish: a.publish, AllowEmpty: a.allowEmpty, Adopt: a.adopt}
		return c.bring(ctx, d, a, sources, func() error { return c.waitOnServer(ctx, conf) })
	}
	return c.OnFolder(ctx, conf, false, func(s *wiring.Product, actor access.Actor) error {
		if _, err := s.Desk.Base(ctx, actor, access.KnowledgeBaseID(a.kb)); err != nil {
			return console.Named(err, "knowledge base "+a.kb)
		}
		d := s.Deliver(actor, access.KnowledgeBaseID(a.kb), a.publish)
		d.AllowEmpty, d.Adopt = a.allowEmpty, a.adopt
		return s.Working(ctx, func() error {
			return c.bring(ctx, d, a, sources, func() error { return c.catchUp(ctx, s, actor) })
		})
	})
}

// sources opens what the command line names. Nothing is read or fetched yet.
func (c commands) sources(conf *setting.Config, a addition) (out []delivery.Source, err error) {
	most := int64(conf.Number("max_file_bytes"))
	r := delivery.Reach{Git: a.git, Known: a.source, MaxFile: most, Token: rule.Tokens(conf.Get("git_tokens"))}
	r.Client = outbound.New(outbound.Options{Allow: rule.Parts(conf.Get("source_hosts"), ","), MaxResponse: max(most, git.DefaultPack)})
	if conf.Get("server") == "" {
		r.Except = conf.Get("data")
	}
	named := map[string]bool{}
	for _, path := range a.paths {
		s, err := r.Open(path)
		if err != nil {
			return nil, err
		}
		if _, here := s.(delivery.Place); named[s.Name()] && !here {
			return nil, outcome.New(outcome.Usage, s.Name()+" is named twice; a repository is one source in all its states")
		}
		named[s.Name()] = true
		out = append(out, s)
	}
	return out, nil
}

// bring takes the sources in, once or until it is interrupted.
func (c commands) bring(ctx context.Context, d *delivery.Delivery, a addition, sources []delivery.Source, vectors func() error) error {
	if a.watch {
		return c.follow(ctx, d, a, sources)
	}
	out := delivery.NewSummary()
	list, total, err := d.Read(ctx, sources, &out)
	if err != nil {
		return err
	}
	bar := terminal.NewFiles(c.Err, total)
	d.Tell, d.Part = out.Teller(bar), bar.Part
	for _, l := range list {
		if err := d.Bring(ctx, l.Listing, l.Name); err != nil {
			return err
		}
	}
	if a.wait == "vectors" {
		if err := vectors(); err != nil {
			return err
		}
	}
	return c.addDone(a, out)
}

// follow keeps on until it is interrupted, which is how it is meant to end.
func (c commands) follow(ctx context.Context, d *delivery.Delivery, a addition, sources []delivery.Source) error {
	err := d.Follow(ctx, sources, a.every, func(e delivery.Event) {
		if a.json {
			_ = c.PrintLine(e) // Nobody reads any more if this fails, and the work goes on.
			return
		}
		c.Say("%s", terminal.Clean(e.String()))
	}, func(line string) { c.Note("%s", terminal.Clean(line)) })
	if ctx.Err() != nil {
		err = nil // That it was interrupted is no failure.
	}
	return err
}

// addDone prints the summary and fails if any file did.
func (c commands) addDone(a addition, out delivery.Summary) error {
	if a.json {
		if err := c.PrintJSON(out); err != nil {
			return err
		}
	} else {
		for _, line := range out.Lines() {
			c.Say("%s", terminal.Clean(line))
		}
		for _, f := range out.Failed {
			c.Note("  %s", terminal.Clean(f.String()))
		}
		for _, f := range out.LeftOut {
			c.Note("  left out: %s", terminal.Clean(f.String()))
		}
	}
	if len(out.Failed) > 0 {
		return outcome.New(outcome.Failed, "")
	}
	return nil
}
