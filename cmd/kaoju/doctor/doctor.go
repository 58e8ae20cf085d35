// Package doctor is the command that says what is in force and whether all is well: settings, models, and everything that
// a data folder holds, against each other and against the ledger.
package doctor

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/meaning"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/reranker"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/outbound"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/recut"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// commands is what the commands of this package are given.
type commands struct{ *console.CLI }

// Finding is one thing that doctor looked at.
type Finding struct {
	Check  string `json:"check"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
}

// inForce is a setting as doctor prints it.
type inForce struct {
	Name  string         `json:"name"`
	Value string         `json:"value"`
	From  setting.Origin `json:"from"`
	Env   string         `json:"env"`
}

// Command is kaoju doctor.
func Command(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	cmd := &cobra.Command{
		Use: "doctor", Short: "Say what is in force and whether all is well · 自检", Args: console.Args(cobra.NoArgs),
		RunE: c.Action(c.doctor),
	}
	setting.AddFlags(cmd, "data")
	console.JSONFlag(cmd)
	return cmd
}

func (c commands) doctor(ctx context.Context, conf *setting.Config, cmd *cobra.Command, _ []string) error {
	set := inForceOf(conf)
	found := c.examine(ctx, conf)
	healthy := true
	for _, f := range found {
		healthy = healthy && f.OK
	}
	if console.WantsJSON(cmd) {
		if err := c.PrintJSON(map[string]any{"build": c.Build, "settings": set, "checks": found, "healthy": healthy}); err != nil {
			return err
		}
	} else {
		b := c.Build
		c.Say("kaoju %s (%s, %s)\n", b.Version, b.Go, b.Platform)
		for _, s := range set {
			c.Say("  %-16s %-32s %s", s.Name, s.Value, s.From)
		}
		c.Say("")
		for _, f := range found {
			mark := "ok  "
			if !f.OK {
				mark = "FAIL"
			}
			c.Say("  %s %-22s %s", mark, f.Check, f.Detail)
		}
	}
	if !healthy {
		return outcome.New(outcome.Failed, "")
	}
	return nil
}

// inForceOf lists the settings with where each came from. Secrets show only whether they are set.
func inForceOf(conf *setting.Config) []inForce {
	var out []inForce
	for _, s := range setting.Table {
		v := conf.Value(s.Name)
		text := v.Text
		if s.Secret && text != "" {
			text = "(set)"
		}
		from := v.From
		if from == setting.File {
			from = setting.Origin("file " + conf.File)
		}
		out = append(out, inForce{s.Name, text, from, s.Env})
	}
	return out
}

// examine looks at the data folder without changing it, but for migrations that opening applies.
func (c commands) examine(ctx context.Context, conf *setting.Config) []Finding {
	generator, err := wiring.GeneratorOf(conf)
	if err != nil {
		return []Finding{{"model", false, err.Error()}}
	}
	verifier, err := wiring.VerifierOf(conf)
	if err != nil {
		return []Finding{{"verifier", false, err.Error()}}
	}
	embedders, err := meaning.Models(conf.Meaning())
	if err != nil {
		return []Finding{{"embedding", false, err.Error()}}
	}
	ranker, err := reranker.Open(conf.Reranker(), nil)
	if err != nil {
		return []Finding{{"reranker", false, err.Error()}}
	}
	model := []Finding{
		{"embedding", true, meaning.Detail(embedders)},
		{"reranker", true, reranker.Detail(reranker.Info(ranker))},
		{"model", true, modelDetail(generator.Info())},
		{"verifier", true, verifierDetail(verifier)},
		{"limits", true, limitDetail(conf)},
		{"formats", true, strings.Join(parse.Formats(), ", ")},
		{"sign-in", true, providerDetail(conf)},
	}
	model = append(model, answers(ctx, "model endpoint", generator)...)
	model = append(model, answers(ctx, "verifier endpoint", verifier)...)
	if len(embedders) > 0 {
		vectors, err := meaning.Probe(ctx, embedders, meaning.ProbeTime)
		if err != nil {
			vectors = err.Error()
		}
		model = append(model, Finding{"embedding model", err == nil, vectors})
	}
	return append(c.examineFolder(ctx, conf), model...)
}

// answers asks the endpoint of a model, if it has one, whether it is there.
func answers(ctx context.Context, name string, model llm.Generator) []Finding {
	p, ok := model.(llm.Probed)
	if !ok {
		return nil
	}
	if err := p.Probe(ctx); err != nil {
		return []Finding{{name, false, "it does not answer as it should: " + err.Error()}}
	}
	return []Finding{{name, true, "it answers and takes the key, as far as it tells"}}
}

func (c commands) examineFolder(ctx context.Context, conf *setting.Config) []Finding {
	dir := conf.Get("data")
	if _, err := os.Stat(dir); err != nil {
		return []Finding{{"data folder", true, dir + " does not exist yet; kaoju serve or kaoju kb create makes it"}}
	}
	s, err := wiring.Open(ctx, conf, dir, sqlite.Options{}, c.Quiet(conf))
	if err != nil {
		return []Finding{{"data folder", false, err.Error()}}
	}
	defer s.Close()
	found := []Finding{{"data folder", true, dir}}
	report := func(name string, detail string, err error) {
		if err != nil {
			detail = err.Error()
		}
		found = append(found, Finding{name, err == nil, detail})
	}
	alone, err := s.Parser.Probe(ctx)
	report("files", parserDetail(alone), err)
	err = s.DB.Integrity(ctx)
	report("database", "every page and reference is sound", err)
	tenants, err := s.DB.Admin().Tenants(ctx)
	report("tenants", fmt.Sprint(tenants), err)
	for _, tenant := range tenants {
		head, err := ledger.Check(ctx, s.DB.Ledger(), string(tenant))
		if err == nil {
			err = ledger.CheckTrees(ctx, s.DB.Ledger(), s.DB.Proof(), string(tenant))
		}
		report("ledger "+string(tenant), fmt.Sprintf("%d entries, unbroken", head.Sequence), err)
		n, err := run.HoldAll(ctx, s.DB.Proof(), tenant, func(run.ID, run.Integrity) {})
		if err == nil {
			err = draft.Changed(n, draft.Tally{})
		}
		report("runs "+string(tenant), n.Told(), err)
		saved, err := draft.HoldAll(ctx, s.DB.Proof(), tenant, func(draft.ID, run.Integrity) {})
		if err == nil {
			err = draft.Changed(run.Tally{}, saved)
		}
		report("drafts "+string(tenant), saved.Told(), err)
		decided, err := s.DB.DecisionsAgree(ctx, tenant)
		report("decisions "+string(tenant), decided, err)
		texts, err := s.DB.TextsAgree(ctx, tenant)
		report("texts "+string(tenant), texts, err)
		detail, err := recut.Agree(ctx, s.DB.Recuts(), tenant)
		report("chunks "+string(tenant), detail, err)
		detail, err = retrieval.Agree(ctx, s.DB.Segments(), tenant)
		report("index "+string(tenant), detail, err)
		detail, err = retrieval.MergedAgrees(ctx, s.DB.Merged(), s.DB.Segments(), tenant)
		report("merged "+string(tenant), detail, err)
		detail, err = retrieval.VectorsAgree(ctx, s.DB.Vectors(), tenant)
		report("vectors "+string(tenant), detail, err)
	}
	return found
}

func modelDetail(model llm.Info) string {
	switch {
	case model.Host == "":
		return model.Name + ": answers are extracted by rules, nothing leaves this process"
	case model.Remote:
		return model.Name + " at " + model.Host + ": questions and passages leave this machine"
	}
	return model.Name + " at " + model.Host + ", which counts as local"
}

func verifierDetail(verifier llm.Generator) string {
	if verifier == nil {
		return "sentences are checked by rules alone"
	}
	i := verifier.Info()
	if i.Remote {
		return i.Name + " at " + i.Host + ": sentences and the excerpts they cite leave this machine"
	}
	return i.Name + " at " + i.Host + ", which counts as local"
}

func parserDetail(alone bool) string {
	if alone {
		return "read by a process of their own, which can open no connection and no file of yours"
	}
	return "read by a process of their own; this system can't keep it from files and connections"
}

func limitDetail(conf *setting.Config) string {
	l := wiring.Limits(conf)
	return fmt.Sprintf("a file: %d bytes taken in, %d bytes read as text; a run: %d searches, %d documents, %d characters of each, %s",
		conf.Number("max_file_bytes"), parse.MaxBytes, l.SearchPages, l.Documents, l.TextUnits, l.Total)
}

// providerDetail says how people sign in.
func providerDetail(conf *setting.Config) string {
	if conf.Get("oidc_issuer") == "" {
		return "with a password or a token"
	}
	strangers := "who is not linked is turned away"
	if conf.Get("oidc_create") == "yes" {
		strangers = "who is not linked becomes a member"
	}
	where := conf.Get("oidc_issuer")
	if u, err := outbound.ParseURL(where); err == nil {
		where = u.Host
	}
	return "with a password or a token, and through " + where + "; " + strangers
}
