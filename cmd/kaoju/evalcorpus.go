package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/delivery"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/demo"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/eval/report"
	"github.com/kaoju/kaoju/internal/eval/trial"
	"github.com/kaoju/kaoju/internal/ingest/source/dir"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// onCorpus opens what an evaluation is about: the data folder, or a folder that is filled for it
// and gone afterwards.
func (c *cli) onCorpus(ctx context.Context, conf *setting.Config, e evaluation, body func(*stack, trial.Options) error) error {
	if !e.demo && len(e.in) == 0 {
		return c.onFolder(ctx, conf, false, func(s *stack, actor access.Actor) error {
			return body(s, trial.Options{Tenant: actor.Tenant, As: actor.User, Changes: e.changes})
		})
	}
	folder, err := os.MkdirTemp("", "kaoju-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	s, err := open(ctx, conf, folder, sqlite.Options{Ephemeral: true}, c.quiet(conf))
	if err != nil {
		return err
	}
	defer s.close()
	if e.demo {
		if _, err := s.demo(ctx, folder); err != nil {
			return err
		}
		c.tellOfText(s.meaning.Info())
		if err := s.meaning.Drain(ctx); err != nil {
			return err
		}
		return body(s, trial.Options{
			Tenant: access.TenantID(conf.Or("tenant", string(demo.Acme))), As: access.UserID(conf.Or("as", "alice")), Changes: true,
		})
	}
	if err := c.fill(ctx, s, e.in); err != nil {
		return err
	}
	c.tellOfText(s.meaning.Info())
	if err := s.meaning.Drain(ctx); err != nil {
		return err
	}
	return body(s, trial.Options{Tenant: firstTenant, As: firstUser, Changes: true})
}

// product gives an evaluation what it needs of the product.
func (s *stack) product() trial.Product {
	return trial.Product{
		Runner: s.agent, Reader: s.desk, Proposer: s.desk, Upload: s.publish,
		Scripted: func(model llm.Generator) (trial.Runner, func()) {
			deps := s.loop
			deps.Generator, deps.Rules = model, nil
			a := agent.New(deps)
			return a, a.Close
		},
		Tenants: s.db.Admin().Tenants, Directory: s.db.Directory(), Finder: s.searcher, Catalog: s.db.Catalog(), Texts: s.db.Texts(),
		Blobs: s.db.Blobs(), Originals: s.parser, Journal: s.db.Journal(), Events: s.db.Events(), Ledger: s.db.Ledger(),
	}
}

// publish takes one original in and returns when it is published.
func (s *stack) publish(ctx context.Context, actor access.Actor, up corpus.Upload, body []byte) error {
	r, err := s.intake.Upload(ctx, actor, up, bytes.NewReader(body))
	if err != nil || r.Job == "" {
		return err
	}
	if err := s.worker.Drain(ctx); err != nil {
		return err
	}
	job, err := s.desk.Job(ctx, actor, r.Job)
	switch {
	case err != nil:
		return err
	case job.State != queue.Succeeded:
		return problem.New(problem.Invalid, job.Code, "%s", job.Detail)
	case r.Held:
		return problem.New(problem.Conflict, "proposal_required", "The version stays a draft: the knowledge base publishes by proposal.")
	}
	return nil
}

// keep stores a result with each tenant that its cases are about, and returns the earlier ones of
// the same name in the tenant of the command, for the chart.
func (s *stack) keep(ctx context.Context, o trial.Options, r eval.Result) ([]eval.Result, error) {
	var history []eval.Result
	list, _, err := s.db.Results().Results(ctx, o.Tenant, eval.Filter{Limit: 50})
	if err != nil {
		return nil, err
	}
	for _, earlier := range list {
		if earlier.Name == r.Name && earlier.File == r.File {
			history = append(history, earlier)
		}
	}
	tenants, err := s.db.Admin().Tenants(ctx)
	if err != nil {
		return nil, err
	}
	known := map[access.TenantID]bool{}
	for _, t := range tenants {
		known[t] = true
	}
	for _, tenant := range r.Tenants() {
		if !known[tenant] {
			continue // A case that names a tenant which is not there fell short; nobody is to be told.
		}
		// Who asks by default in one tenant is nobody in another: what ran is the command.
		if err := s.db.Results().Keep(ctx, tenant, access.Operator, r.Of(tenant)); err != nil {
			return nil, err
		}
	}
	return history, nil
}

// readBaseline reads a result that --json wrote.
func readBaseline(path string) (eval.Result, error) {
	raw, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		return eval.Result{}, exit{exitUsage, path + ": the baseline cannot be read"}
	}
	var r eval.Result
	if json.Unmarshal(raw, &r) != nil || r.Format != 1 || r.ID == "" || len(r.Cases) == 0 {
		return eval.Result{}, exit{exitUsage, path + ": this is no result that kaoju eval --json wrote"}
	}
	return r, nil
}

func (c *cli) listEvals(ctx context.Context, conf *setting.Config, cmd *cobra.Command, _ []string) error {
	limit, _ := cmd.Flags().GetInt("limit")
	if limit < 1 {
		return exit{exitUsage, "--limit must be at least 1"}
	}
	return c.onFolder(ctx, conf, false, func(s *stack, actor access.Actor) error {
		list, _, err := s.db.Results().Results(ctx, actor.Tenant, eval.Filter{Limit: min(limit, 200)})
		if err != nil {
			return err
		}
		if wantsJSON(cmd) {
			if list == nil {
				list = []eval.Result{}
			}
			return c.printJSON(map[string]any{"items": list})
		}
		if len(list) == 0 {
			c.note("还没有评测结果。 · No evaluation was kept yet: kaoju eval FILE")
			return nil
		}
		return report.List(c.out, list, list[0].Language)
	})
}

func (c *cli) showEval(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	return c.onFolder(ctx, conf, false, func(s *stack, actor access.Actor) error {
		r, err := s.db.Results().Result(ctx, actor.Tenant, list[0])
		if err != nil {
			return named(err, fmt.Sprintf("evaluation %s", list[0]))
		}
		return c.writeReport(cmd, eval.Report{Result: r, Short: r.Short(nil)}, nil)
	})
}

// fill reads files and folders into a fresh folder, as its administrator. Files that cannot be
// read are named and left out; it fails only when none can.
func (c *cli) fill(ctx context.Context, s *stack, in []string) error {
	files, skipped, err := dir.List(ctx, in, dir.Rules{Supported: parse.Supported})
	if err != nil {
		return err
	}
	if _, err := s.found(ctx); err != nil {
		return err
	}
	actor := access.Actor{Tenant: firstTenant, User: firstUser, Operator: true}
	const kb access.KnowledgeBaseID = "files"
	if _, err := s.desk.CreateBase(ctx, actor, kb, "Files"); err != nil {
		return err
	}
	out := delivery.NewSummary()
	for _, f := range skipped {
		out.Fail(f.Path, f.Err)
	}
	d := s.deliver(actor, kb, true)
	d.Tell = out.Teller(terminal.NewProgress(c.err, len(files)))
	if err := s.working(ctx, func() error { return d.Files(ctx, unique(files)) }); err != nil {
		return err
	}
	for _, f := range out.Failed {
		c.note("left out: %s", terminal.Clean(f.String()))
	}
	if out.Added == 0 {
		return problem.New(problem.Invalid, "nothing_to_read", "None of the files could be read.")
	}
	return nil
}
