package evaluation

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/demo"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/eval/report"
	"github.com/kaoju/kaoju/internal/eval/trial"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// onCorpus opens what an evaluation is about: the data folder, or a folder that is filled for it
// and gone afterwards.
func (c commands) onCorpus(ctx context.Context, conf *setting.Config, e evaluation, body func(*wiring.Product, trial.Options) error) error {
	if !e.demo && len(e.in) == 0 {
		return c.OnFolder(ctx, conf, false, func(s *wiring.Product, actor access.Actor) error {
			return body(s, trial.Options{Tenant: actor.Tenant, As: actor.User, Changes: e.changes})
		})
	}
	folder, err := os.MkdirTemp("", "kaoju-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	s, err := wiring.Open(ctx, conf, folder, sqlite.Options{Ephemeral: true}, c.Quiet(conf))
	if err != nil {
		return err
	}
	defer s.Close()
	if e.demo {
		if _, err := s.Demo(ctx, folder); err != nil {
			return err
		}
		c.TellOfText(s.Meaning.Info())
		if err := s.Meaning.Drain(ctx); err != nil {
			return err
		}
		return body(s, trial.Options{
			Tenant: access.TenantID(conf.Or("tenant", string(demo.Acme))), As: access.UserID(conf.Or("as", "alice")), Changes: true,
		})
	}
	if err := c.Fill(ctx, s, e.in); err != nil {
		return err
	}
	c.TellOfText(s.Meaning.Info())
	if err := s.Meaning.Drain(ctx); err != nil {
		return err
	}
	return body(s, trial.Options{Tenant: wiring.FirstTenant, As: wiring.FirstUser, Changes: true})
}

// productOf gives an evaluation what it needs of the product.
func productOf(s *wiring.Product) trial.Product {
	return trial.Product{
		Runner: s.Agent, Reader: s.Desk, Proposer: s.Desk, Upload: func(ctx context.Context, actor access.Actor, up corpus.Upload, body []byte) error {
			return publish(ctx, s, actor, up, body)
		},
		Scripted: func(model llm.Generator) (trial.Runner, func()) {
			deps := s.Loop
			deps.Generator, deps.Rules = model, nil
			a := agent.New(deps)
			return a, a.Close
		},
		Tenants: s.DB.Admin().Tenants, Directory: s.DB.Directory(), Finder: s.Searcher, Catalog: s.DB.Catalog(), Texts: s.DB.Texts(),
		Blobs: s.DB.Blobs(), Originals: s.Parser, Journal: s.DB.Journal(), Events: s.DB.Events(), Ledger: s.DB.Ledger(),
	}
}

// publish takes one original in and returns when it is published.
func publish(ctx context.Context, s *wiring.Product, actor access.Actor, up corpus.Upload, body []byte) error {
	r, err := s.Intake.Upload(ctx, actor, up, bytes.NewReader(body))
	if err != nil || r.Job == "" {
		return err
	}
	if err := s.Worker.Drain(ctx); err != nil {
		return err
	}
	job, err := s.Desk.Job(ctx, actor, r.Job)
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
func keep(ctx context.Context, s *wiring.Product, o trial.Options, r eval.Result) ([]eval.Result, error) {
	var history []eval.Result
	list, _, err := s.DB.Results().Results(ctx, o.Tenant, eval.Filter{Limit: 50})
	if err != nil {
		return nil, err
	}
	for _, earlier := range list {
		if earlier.Name == r.Name && earlier.File == r.File {
			history = append(history, earlier)
		}
	}
	tenants, err := s.DB.Admin().Tenants(ctx)
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
		if err := s.DB.Results().Keep(ctx, tenant, access.Operator, r.Of(tenant)); err != nil {
			return nil, err
		}
	}
	return history, nil
}

// readBaseline reads a result that --json wrote.
func readBaseline(path string) (eval.Result, error) {
	raw, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		return eval.Result{}, outcome.New(outcome.Usage, path+": the baseline cannot be read")
	}
	var r eval.Result
	if json.Unmarshal(raw, &r) != nil || r.Format != 1 || r.ID == "" || len(r.Cases) == 0 {
		return eval.Result{}, outcome.New(outcome.Usage, path+": this is no result that kaoju eval --json wrote")
	}
	return r, nil
}

func (c commands) listEvals(ctx context.Context, conf *setting.Config, cmd *cobra.Command, _ []string) error {
	limit, _ := cmd.Flags().GetInt("limit")
	if limit < 1 {
		return outcome.New(outcome.Usage, "--limit must be at least 1")
	}
	return c.OnFolder(ctx, conf, false, func(s *wiring.Product, actor access.Actor) error {
		list, _, err := s.DB.Results().Results(ctx, actor.Tenant, eval.Filter{Limit: min(limit, 200)})
		if err != nil {
			return err
		}
		if console.WantsJSON(cmd) {
			if list == nil {
				list = []eval.Result{}
			}
			return c.PrintJSON(map[string]any{"items": list})
		}
		if len(list) == 0 {
			c.Note("还没有评测结果。 · No evaluation was kept yet: kaoju eval FILE")
			return nil
		}
		return report.List(c.Out, list, list[0].Language)
	})
}

func (c commands) showEval(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	return c.OnFolder(ctx, conf, false, func(s *wiring.Product, actor access.Actor) error {
		r, err := s.DB.Results().Result(ctx, actor.Tenant, list[0])
		if err != nil {
			return console.Named(err, fmt.Sprintf("evaluation %s", list[0]))
		}
		return c.writeReport(cmd, eval.Report{Result: r, Short: r.Short(nil)}, nil)
	})
}
