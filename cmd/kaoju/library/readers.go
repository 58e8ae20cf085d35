package library

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
)

func (c commands) listReaders(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	id := corpus.DocumentID(list[0])
	if user, _ := cmd.Flags().GetString("user"); user != "" {
		r, err := s.Desk.Reader(ctx, actor, id, access.UserID(user))
		if err != nil {
			return console.Named(err, "document "+list[0])
		}
		return c.Tell(cmd, wire.Reader(r), "%s", readerLine(wire.Reader(r)))
	}
	out := []api.Reader{}
	for after := access.UserID(""); ; {
		page, err := s.Desk.Readers(ctx, actor, id, after, 200)
		if err != nil {
			return console.Named(err, "document "+list[0])
		}
		out = append(out, wire.Each(page.Items, wire.Reader)...)
		if after = access.UserID(page.Next); after == "" {
			break
		}
	}
	if console.WantsJSON(cmd) {
		return c.PrintJSON(api.List[api.Reader]{Items: out})
	}
	for _, r := range out {
		c.Say("%s", readerLine(r))
	}
	return nil
}

// readerLine is one person with the grounds, in words.
func readerLine(r api.Reader) string {
	var through []string
	for _, g := range r.Grants {
		through = append(through, g.Principal+" ("+g.Role+")")
	}
	grants := "no grant on the knowledge base"
	if len(through) > 0 {
		grants = "through " + strings.Join(through, ", ")
	}
	if named := strings.Join(r.PolicyPrincipals, ", "); named != "" {
		grants += "; the document " + r.Policy + " " + named
	}
	if r.MayRead {
		return fmt.Sprintf("%s\t%s\t%s\t%s", r.UserID, terminal.Clean(r.DisplayName), r.Level, grants)
	}
	why := map[string]string{
		string(access.NoGrant): "nothing is granted", string(access.ByPolicy): "the document is not for this person",
		string(access.ByStatus): "this version is not in force, and the role or level for it is missing", string(access.NotActive): "there is no active user of this name",
	}[r.Obstacle]
	return fmt.Sprintf("%s\tmay not read it: %s\t%s", terminal.Clean(r.UserID), why, grants)
}
