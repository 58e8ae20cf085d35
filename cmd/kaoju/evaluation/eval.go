// Package evaluation is the command that holds the answers against a question file, and those that show what was kept of it.
package evaluation

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/eval/report"
	"github.com/kaoju/kaoju/internal/eval/trial"
)

// commands is what the commands of this package are given.
type commands struct{ *console.CLI }

// Command is kaoju eval.
func Command(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	cmd := &cobra.Command{
		Use: "eval FILE", Short: "Hold the answers against a question file · 评测",
		Long: `Runs the cases of a question file and says how many are as they have to be, in four groups:
retrieval, citation, tools and traceability.

It asks a data folder as the people whom the cases name, and keeps the result there; with --in it
reads files and folders, with --demo the demonstration, and keeps nothing. Cases that publish or
upload change a data folder for good and are run there only with --allow-changes.

docs/evaluation.md describes the question file.

Exit status: 0 every group has its minimum and nothing is worse than the baseline, 1 otherwise or
interrupted, 2 usage or a question file that is wrong.`,
		Example: `  kaoju eval examples/eval/acme.yaml --demo
  kaoju eval questions.yaml --in handbook/ --html report.html
  kaoju eval questions.yaml --as alice --min retrieval=0.9 --baseline last.json --json > now.json`,
		Args: console.Args(cobra.ExactArgs(1)), RunE: c.Action(c.evaluate),
	}
	f := cmd.Flags()
	f.StringArray("in", nil, "file or folder to evaluate on; may be given more than once")
	f.Bool("demo", false, "evaluate on the demonstration, in a folder that is gone afterwards")
	f.Bool("allow-changes", false, "run cases that publish or upload on a data folder, too")
	f.StringSlice("case", nil, "run only the cases of these ids")
	f.Int("repeat", 1, "try each case so often; it passes if every try does")
	f.Int("parallel", 4, "cases under way at the same time, at most 16")
	f.Duration("time", 2*time.Hour, "stop after this long and keep what is done")
	f.String("baseline", "", "earlier result to compare with: a file that --json wrote, or the id of a stored one")
	f.StringArray("min", nil, "GROUP=SHARE that has to pass, such as retrieval=0.9; all of it if left out")
	f.String("junit", "", "write JUnit to this file")
	f.String("html", "", "write a page with charts to this file")
	setting.AddFlags(cmd, "data", "as", "tenant", "runs")
	setting.AddFlags(cmd, setting.ForModels...)
	console.JSONFlag(cmd)
	list := &cobra.Command{Use: "list", Short: "List stored results, newest first", Args: console.Args(cobra.NoArgs), RunE: c.Action(c.listEvals)}
	show := &cobra.Command{Use: "show ID", Short: "Print a stored result", Args: console.Args(cobra.ExactArgs(1)), RunE: c.Action(c.showEval)}
	for _, sub := range []*cobra.Command{list, show} {
		setting.AddFlags(sub, "data", "as", "tenant")
		console.JSONFlag(sub)
	}
	list.Flags().Int("limit", 20, "results to list, at most 200")
	show.Flags().String("html", "", "write a page with charts to this file")
	show.Flags().String("junit", "", "write JUnit to this file")
	cmd.AddCommand(list, show)
	return cmd
}

// evaluation is what an eval command was asked for.
type evaluation struct {
	suite    eval.Suite
	file     string
	hash     string
	in       []string
	demo     bool
	changes  bool
	only     []string
	repeat   int
	parallel int
	time     time.Duration
	baseline string
	minima   []eval.Minimum
}

// evaluationOf reads flags and question file, so that a slip is told before anything is opened.
func evaluationOf(cmd *cobra.Command, path string) (evaluation, error) {
	f := cmd.Flags()
	var e evaluation
	e.in, _ = f.GetStringArray("in")
	e.demo, _ = f.GetBool("demo")
	e.changes, _ = f.GetBool("allow-changes")
	e.only, _ = f.GetStringSlice("case")
	e.repeat, _ = f.GetInt("repeat")
	e.parallel, _ = f.GetInt("parallel")
	e.time, _ = f.GetDuration("time")
	e.baseline, _ = f.GetString("baseline")
	switch {
	case len(e.in) > 0 && e.demo || (len(e.in) > 0 || e.demo) && f.Changed("data"):
		return e, outcome.New(outcome.Usage, "--in, --demo and --data each name what to evaluate: give one of them")
	case len(e.in) > 0 && (f.Changed("as") || f.Changed("tenant")):
		return e, outcome.New(outcome.Usage, "files have one reader: --in goes with neither --as nor --tenant")
	case e.repeat < 1 || e.repeat > 100:
		return e, outcome.New(outcome.Usage, "--repeat must be from 1 to 100")
	case e.parallel < 1 || e.parallel > 16:
		return e, outcome.New(outcome.Usage, "--parallel must be from 1 to 16")
	case e.time <= 0:
		return e, outcome.New(outcome.Usage, "--time must be above 0")
	}
	minima, _ := f.GetStringArray("min")
	for _, s := range minima {
		m, err := eval.ParseMinimum(s)
		if err != nil {
			return e, err
		}
		e.minima = append(e.minima, m)
	}
	raw, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		return e, outcome.New(outcome.Usage, path+": the question file cannot be read")
	}
	if e.suite, err = eval.Read(path, raw); err != nil {
		return e, err
	}
	sum := sha256.Sum256(raw)
	e.file, e.hash = filepath.Base(path), hex.EncodeToString(sum[:])
	return e, e.narrow()
}

// narrow keeps the cases that --case names.
func (e *evaluation) narrow() error {
	for _, id := range e.only {
		if !slices.ContainsFunc(e.suite.Cases, func(c eval.Case) bool { return c.ID == id }) {
			return outcome.New(outcome.Usage, fmt.Sprintf("the question file has no case %q", id))
		}
	}
	if len(e.only) > 0 {
		e.suite.Cases = slices.DeleteFunc(e.suite.Cases, func(c eval.Case) bool { return !slices.Contains(e.only, c.ID) })
	}
	return nil
}

func (c commands) evaluate(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	e, err := evaluationOf(cmd, list[0])
	if err != nil {
		return err
	}
	var earlier eval.Result
	stored := strings.HasPrefix(e.baseline, "eval_")
	if e.baseline != "" && !stored {
		if earlier, err = readBaseline(e.baseline); err != nil {
			return err
		}
	}
	return c.onCorpus(ctx, conf, e, func(s *wiring.Product, o trial.Options) error {
		if stored {
			if earlier, err = s.DB.Results().Result(ctx, o.Tenant, e.baseline); err != nil {
				return console.Named(err, "evaluation "+e.baseline)
			}
		}
		result, err := c.try(ctx, s, e, o)
		if err != nil {
			return err
		}
		out := eval.Report{Result: result, Short: result.Short(e.minima)}
		if e.baseline != "" {
			out.Baseline = earlier.ID
			out.Regressions = eval.Compare(earlier, result, func(id string) bool { return len(e.only) > 0 && !slices.Contains(e.only, id) })
		}
		return c.conclude(cmd, out, func() ([]eval.Result, error) {
			// What was done is kept also when the evaluation was interrupted.
			return keep(context.WithoutCancel(ctx), s, o, result)
		})
	})
}

// conclude keeps the result of a data folder and writes the report. A result that can't be kept is
// reported before that is told: running it again would take as long, and come to something else.
func (c commands) conclude(cmd *cobra.Command, out eval.Report, keep func() ([]eval.Result, error)) error {
	var history []eval.Result
	var kept error
	if out.Source == "data" {
		history, kept = keep()
	}
	if err := c.writeReport(cmd, out, history); err != nil {
		return err
	}
	if kept != nil {
		return kept
	}
	if !out.Passed() {
		return outcome.New(outcome.Failed, "")
	}
	return nil
}

// try runs the cases and names the result.
func (c commands) try(ctx context.Context, s *wiring.Product, e evaluation, o trial.Options) (eval.Result, error) {
	tenants := []access.TenantID{o.Tenant}
	for _, one := range e.suite.Cases {
		if one.Tenant != "" {
			tenants = append(tenants, one.Tenant)
		}
	}
	if err := c.TellOfTenants(ctx, s, s.Reach(), tenants...); err != nil {
		return eval.Result{}, err
	}
	bounded, release := context.WithTimeout(ctx, e.time)
	defer release()
	bar := terminal.NewProgress(c.Err, len(e.suite.Cases))
	o.Repeat, o.Parallel = e.repeat, e.parallel
	o.Done = func(r eval.CaseResult) { bar.Done(r.ID) }
	began := time.Now()
	result, err := trial.Run(bounded, productOf(s), e.suite, o)
	if err != nil {
		return eval.Result{}, err
	}
	result.ID, result.Version = "eval_"+strings.ToLower(rand.Text()), c.Build.Version
	result.File, result.FileHash = e.file, e.hash
	result.Engine, result.Model = string(s.Model.Engine), s.Model.Name
	result.StartedAt, result.EndedAt = began.UTC().Truncate(time.Millisecond), time.Now().UTC().Truncate(time.Millisecond)
	switch {
	case e.demo:
		result.Source = "demo"
	case len(e.in) > 0:
		result.Source = "in"
	default:
		result.Source = "data"
	}
	return result, nil
}

// writeReport prints a report and writes the files that were asked for.
func (c commands) writeReport(cmd *cobra.Command, r eval.Report, history []eval.Result) error {
	if path, _ := cmd.Flags().GetString("junit"); path != "" {
		if err := writeFile(path, func(f *os.File) error { return report.JUnit(f, r) }); err != nil {
			return err
		}
	}
	if path, _ := cmd.Flags().GetString("html"); path != "" {
		if err := writeFile(path, func(f *os.File) error { return report.Page(f, r, history) }); err != nil {
			return err
		}
	}
	if console.WantsJSON(cmd) {
		return c.PrintJSON(r)
	}
	return report.Table(c.Out, r)
}

func writeFile(path string, write func(*os.File) error) error {
	f, err := os.OpenFile(filepath.Clean(path), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return outcome.New(outcome.Failed, path+": the file cannot be written")
	}
	err = write(f)
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}
