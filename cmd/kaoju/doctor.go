package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/cmd/kaoju/meaning"
	"github.com/kaoju/kaoju/cmd/kaoju/reranker"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/internal/draft"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/recut"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// finding is one thing that doctor looked at.
type finding struct {
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

func doctorCommand(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use: "doctor", Short: "Say what is in force and whether all is well · 自检", Args: args(cobra.NoArgs),
		RunE: c.action(c.doctor),
	}
	setting.AddFlags(cmd, "data")
	jsonFlag(cmd)
	return cmd
}

func (c *cli) doctor(ctx context.Context, conf *setting.Config, cmd *cobra.Command, _ []string) error {
	set := inForceOf(conf)
	found := c.examine(ctx, conf)
	healthy := true
	for _, f := range found {
		healthy = healthy && f.OK
	}
	if wantsJSON(cmd) {
		if err := c.printJSON(map[string]any{"build": thisBuild(), "settings": set, "checks": found, "healthy": healthy}); err != nil {
			return err
		}
	} else {
		b := thisBuild()
		c.say("kaoju %s (%s, %s)\n", b.Version, b.Go, b.Platform)
		for _, s := range set {
			c.say("  %-16s %-32s %s", s.Name, s.Value, s.From)
		}
		c.say("")
		for _, f := range found {
			mark := "ok  "
			if !f.OK {
				mark = "FAIL"
			}
			c.say("  %s %-22s %s", mark, f.Check, f.Detail)
		}
	}
	if !healthy {
		return exit{exitFailed, ""}
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
func (c *cli) examine(ctx context.Context, conf *setting.Config) []finding {
	generator, err := generatorOf(conf)
	if err != nil {
		return []finding{{"model", false, err.Error()}}
	}
	verifier, err := verifierOf(conf)
	if err != nil {
		return []finding{{"verifier", false, err.Error()}}
	}
	embedders, err := meaning.Models(conf.Meaning())
	if err != nil {
		return []finding{{"embedding", false, err.Error()}}
	}
	ranker, err := reranker.Open(conf.Reranker(), nil)
	if err != nil {
		return []finding{{"reranker", false, err.Error()}}
	}
	model := []finding{
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
		model = append(model, finding{"embedding model", err == nil, vectors})
	}
	return append(c.examineFolder(ctx, conf), model...)
}

// answers asks the endpoint of a model, if it has one, whether it is there.
func answers(ctx context.Context, name string, model llm.Generator) []finding {
	p, ok := model.(llm.Probed)
	if !ok {
		return nil
	}
	if err := p.Probe(ctx); err != nil {
		return []finding{{name, false, "it does not answer as it should: " + err.Error()}}
	}
	return []finding{{name, true, "it answers and takes the key, as far as it tells"}}
}

func (c *cli) examineFolder(ctx context.Context, conf *setting.Config) []finding {
	dir := conf.Get("data")
	if _, err := os.Stat(dir); err != nil {
		return []finding{{"data folder", true, dir + " does not exist yet; kaoju serve or kaoju kb create makes it"}}
	}
	s, err := open(ctx, conf, dir, sqlite.Options{}, c.quiet(conf))
	if err != nil {
		return []finding{{"data folder", false, err.Error()}}
	}
	defer s.close()
	found := []finding{{"data folder", true, dir}}
	report := func(name string, detail string, err error) {
		if err != nil {
			detail = err.Error()
		}
		found = append(found, finding{name, err == nil, detail})
	}
	alone, err := s.parser.Probe(ctx)
	report("files", parserDetail(alone), err)
	err = s.db.Integrity(ctx)
	report("database", "every page and reference is sound", err)
	tenants, err := s.db.Admin().Tenants(ctx)
	report("tenants", fmt.Sprint(tenants), err)
	for _, tenant := range tenants {
		head, err := ledger.Check(ctx, s.db.Ledger(), string(tenant))
		if err == nil {
			err = ledger.CheckTrees(ctx, s.db.Ledger(), s.db.Proof(), string(tenant))
		}
		report("ledger "+string(tenant), fmt.Sprintf("%d entries, unbroken", head.Sequence), err)
		n, err := run.HoldAll(ctx, s.db.Proof(), tenant, func(run.ID, run.Integrity) {})
		if err == nil {
			err = draft.Changed(n, draft.Tally{})
		}
		report("runs "+string(tenant), n.Told(), err)
		saved, err := draft.HoldAll(ctx, s.db.Proof(), tenant, func(draft.ID, run.Integrity) {})
		if err == nil {
			err = draft.Changed(run.Tally{}, saved)
		}
		report("drafts "+string(tenant), saved.Told(), err)
		decided, err := s.db.DecisionsAgree(ctx, tenant)
		report("decisions "+string(tenant), decided, err)
		texts, err := s.db.TextsAgree(ctx, tenant)
		report("texts "+string(tenant), texts, err)
		detail, err := recut.Agree(ctx, s.db.Recuts(), tenant)
		report("chunks "+string(tenant), detail, err)
		detail, err = retrieval.Agree(ctx, s.db.Segments(), tenant)
		report("index "+string(tenant), detail, err)
		detail, err = retrieval.MergedAgrees(ctx, s.db.Merged(), s.db.Segments(), tenant)
		report("merged "+string(tenant), detail, err)
		detail, err = retrieval.VectorsAgree(ctx, s.db.Vectors(), tenant)
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
	l := limits(conf)
	return fmt.Sprintf("a file: %d bytes taken in, %d bytes read as text; a run: %d searches, %d documents, %d characters of each, %s",
		conf.Number("max_file_bytes"), parse.MaxBytes, l.SearchPages, l.Documents, l.TextUnits, l.Total)
}
