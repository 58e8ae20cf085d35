package console

import (
	"context"

	"github.com/kaoju/kaoju/cmd/kaoju/delivery"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/ingest/source"
	"github.com/kaoju/kaoju/internal/ingest/source/dir"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
)

// unique gives files of several folders different keys: those whose key is taken get their whole
// path. The same file named twice is taken once.
func unique(files []source.Original) []source.Original {
	taken, paths := map[string]bool{}, map[string]bool{}
	var out []source.Original
	for _, f := range files {
		if paths[f.Path] {
			continue
		}
		paths[f.Path] = true
		if taken[f.Key] {
			f.Key = f.Path
		}
		taken[f.Key] = true
		out = append(out, f)
	}
	return out
}

// Fill reads files and folders into a fresh folder, as its administrator. Files that cannot be
// read are named and left out; it fails only when none can.
func (c *CLI) Fill(ctx context.Context, s *wiring.Product, in []string) error {
	files, skipped, err := dir.List(ctx, in, dir.Rules{Supported: parse.Supported})
	if err != nil {
		return err
	}
	if _, err := s.Found(ctx); err != nil {
		return err
	}
	actor := access.Actor{Tenant: wiring.FirstTenant, User: wiring.FirstUser, Operator: true}
	const kb access.KnowledgeBaseID = "files"
	if _, err := s.Desk.CreateBase(ctx, actor, kb, "Files"); err != nil {
		return err
	}
	out := delivery.NewSummary()
	for _, f := range skipped {
		out.Fail(f.Path, f.Err)
	}
	d := s.Deliver(actor, kb, true)
	d.Tell = out.Teller(terminal.NewProgress(c.Err, len(files)))
	if err := s.Working(ctx, func() error { return d.Files(ctx, unique(files)) }); err != nil {
		return err
	}
	for _, f := range out.Failed {
		c.Note("left out: %s", terminal.Clean(f.String()))
	}
	if out.Added == 0 {
		return problem.New(problem.Invalid, "nothing_to_read", "None of the files could be read.")
	}
	return nil
}
