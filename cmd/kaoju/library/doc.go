package library

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/problem"
)

// DocCommand is kaoju doc.
func DocCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	list := c.Admin("list KB", "List the newest version of each document", 1, c.listDocuments)
	show := c.Admin("show ID", "Print the metadata of a version", 1, c.showDocument)
	versions := c.Admin("versions ID", "List the versions of a document", 1, c.listVersions)
	diff := c.Admin("diff FROM TO", "Compare two versions by section, with the numbers that changed", 2, c.diffVersions)
	propose := c.Admin("propose ID", "Propose to publish a version; deciding is a command of its own", 1, c.propose)
	decide := c.Admin("decide PROPOSAL approve|decline", "Decide a proposal of yours within 15 minutes", 2, c.decide)
	archive := c.Admin("archive ID", "Take a published version out of force", 1, c.archive)
	remove := c.Admin("delete ID", "Hide a version at once and for good", 1, c.deleteDocument)
	remove.Flags().Bool("erase", false, "also remove its bytes, and what runs kept of them; hashes stay")
	history := c.Admin("history ID", "Print the whole text of any version, archived ones too; it is recorded", 1, c.history)
	readers := c.Admin("readers ID", "List who may read a version, and through which grants; for tenant administrators, and everybody of themselves", 1, c.listReaders)
	readers.Flags().String("user", "", "tell of one user, and what keeps that one from reading it")
	return console.Group("doc", "Documents and their versions · 文档与版本", list, show, versions, readers, diff, propose, decide, archive, remove, history)
}

func (c commands) listDocuments(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	out := []api.Document{}
	f := corpus.Filter{KnowledgeBase: access.KnowledgeBaseID(list[0]), Newest: true, Limit: 200}
	for {
		page, err := s.Desk.Documents(ctx, actor, f, "")
		if err != nil {
			return console.Named(err, "knowledge base "+list[0])
		}
		for _, d := range page.Items {
			out = append(out, wire.Document(d))
		}
		if f.After = page.Next; f.After == "" {
			return c.printDocuments(cmd, out)
		}
	}
}

func (c commands) printDocuments(cmd *cobra.Command, list []api.Document) error {
	if console.WantsJSON(cmd) {
		return c.PrintJSON(api.List[api.Document]{Items: list})
	}
	for _, d := range list {
		c.Say("%s\t%s\tv%d\t%s\t%s", d.ID, terminal.Clean(d.DocKey), d.Version, d.Status, terminal.Clean(d.Title))
	}
	return nil
}

func (c commands) showDocument(ctx context.Context, s *wiring.Product, actor access.Actor, _ *cobra.Command, list []string) error {
	d, err := s.Desk.Document(ctx, actor, corpus.DocumentID(list[0]))
	if err != nil {
		return console.Named(err, "document "+list[0])
	}
	return c.PrintJSON(wire.Document(d))
}

func (c commands) listVersions(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	versions, err := s.Desk.Versions(ctx, actor, corpus.DocumentID(list[0]))
	if err != nil {
		return console.Named(err, "document "+list[0])
	}
	out := []api.Document{}
	for _, d := range versions {
		out = append(out, wire.Document(d))
	}
	return c.printDocuments(cmd, out)
}

func (c commands) archive(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	d, err := s.Desk.ArchiveDocument(ctx, actor, corpus.DocumentID(list[0]), 0)
	if err != nil {
		return console.Named(err, "document "+list[0])
	}
	return c.Tell(cmd, wire.Document(d), "%s is archived", d.ID)
}

func (c commands) deleteDocument(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	erase, _ := cmd.Flags().GetBool("erase")
	id, done := corpus.DocumentID(list[0]), "deleted"
	var err error
	if erase {
		done = "erased"
		err = s.Desk.EraseDocument(ctx, actor, id, 0)
	} else {
		err = s.Desk.DeleteDocument(ctx, actor, id, 0)
	}
	if err != nil {
		return console.Named(err, "document "+list[0])
	}
	return c.Tell(cmd, map[string]any{"id": id, "status": done}, "%s is %s", id, done)
}

func (c commands) propose(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	p, err := s.Desk.Propose(ctx, actor, corpus.DocumentID(list[0]))
	if err != nil {
		return console.Named(err, "document "+list[0])
	}
	return c.Tell(cmd, wire.Proposal(p), "proposal %s: publish version %d of %s in place of version %d\ndecide it until %s: kaoju doc decide %s approve",
		p.ID, p.Version, terminal.Clean(p.DocKey), p.FromVersion, p.ExpiresAt.Format("15:04:05 MST"), p.ID)
}

func (c commands) decide(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	if list[1] != "approve" && list[1] != "decline" {
		return outcome.New(outcome.Usage, fmt.Sprintf("%q is no decision: write approve or decline", list[1]))
	}
	choice := approval.Decision{Approved: list[1] == "approve", Request: "command line"}
	p, err := s.Desk.DecideOf(ctx, actor, approval.ID(list[0]), approval.Publish, choice)
	if problem.Is(err, problem.NotFound) {
		p, err = s.Desk.DecideOf(ctx, actor, approval.ID(list[0]), approval.Archive, choice)
	}
	if err != nil {
		return console.Named(err, "proposal "+list[0])
	}
	return c.Tell(cmd, wire.Proposal(p), "proposal %s: %s", p.ID, p.Status)
}

func (c commands) history(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	text, err := s.Desk.DocumentVersion(ctx, actor, corpus.DocumentID(list[0]))
	if err != nil {
		return console.Named(err, "document "+list[0])
	}
	return c.Tell(cmd, wire.DocumentVersion(text), "%s", terminal.Clean(text.Text))
}

func (c commands) diffVersions(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	found, err := s.Desk.Compare(ctx, actor, corpus.DocumentID(list[0]), corpus.DocumentID(list[1]))
	if err != nil {
		return console.Named(err, "documents "+list[0]+" and "+list[1])
	}
	d := wire.Diff(found)
	if console.WantsJSON(cmd) {
		return c.PrintJSON(d)
	}
	writeDiff(c.Out, d)
	return nil
}
