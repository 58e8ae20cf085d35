package main

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/ingest/source"
	"github.com/kaoju/kaoju/internal/memory"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite"
)

func askCommand(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use: "ask [--in PATH…] QUESTION", Short: "Answer a question with sources · 提问并给出来源",
		Long: `Answers a question with citations that name the exact place.

With --in it reads the files and folders that are named, keeps nothing and needs no server.
Without it, it asks the data folder, or with --server a running server.

Exit status: 0 answered, 1 failed, 2 usage, 3 the material does not settle the question, 4 refused.`,
		Example: `  kaoju ask --in handbook/ "How many days of notice does a resignation need?"
  kaoju ask --in examples/acme 上海住宿上限是多少`,
		Args: args(cobra.MinimumNArgs(1)),
		RunE: c.action(c.ask),
	}
	cmd.Flags().StringArray("in", nil, "file or folder to answer from; may be given more than once")
	cmd.Flags().StringSlice("kb", nil, "knowledge bases to answer from; all that you can see if left out")
	cmd.Flags().String("conversation", "", "conversation that the question belongs to, by a name of your choice or the conversation_id of an answer; a new one if left out")
	cmd.Flags().String("route", "", "how to answer, such as fixed_rag or agentic_rag; chosen by rules if left out")
	setting.AddFlags(cmd, "data", "as", "tenant", "server", "token")
	setting.AddFlags(cmd, modelSettings...)
	jsonFlag(cmd)
	return cmd
}

func (c *cli) ask(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	in, _ := cmd.Flags().GetStringArray("in")
	question := list[len(list)-1]
	if len(list) > 1 {
		// `--in a b c QUESTION` names several paths, as a shell's `--in docs/* QUESTION` does.
		if len(in) == 0 {
			return exit{exitUsage, "ask takes one question; put it in quotes"}
		}
		in = append(in, list[:len(list)-1]...)
	}
	if strings.TrimSpace(question) == "" {
		return exit{exitUsage, "the question must not be empty"}
	}
	bases, _ := cmd.Flags().GetStringSlice("kb")
	route, _ := cmd.Flags().GetString("route")
	conversation, _ := cmd.Flags().GetString("conversation")
	req := agent.Request{Goal: question, Conversation: conversation, Route: run.Route(route), Bases: baseIDs(bases)}
	var answer api.Answer
	var err error
	switch {
	case len(in) > 0 && (len(bases) > 0 || conversation != "" || cmd.Flags().Changed("server") || cmd.Flags().Changed("data")):
		return exit{exitUsage, "--in answers from files alone and keeps nothing: it goes with neither --kb nor --conversation nor --data nor --server"}
	case len(in) > 0:
		answer, err = c.askFiles(ctx, conf, in, req)
	case conf.Get("server") != "":
		answer, err = c.askServer(ctx, conf, api.ChatRequest{Question: question, ConversationID: conversation, KnowledgeBaseIDs: bases, Route: route})
	default:
		if conversation == "" {
			req.Conversation = memory.Begin()
		}
		err = c.onFolder(ctx, conf, false, func(s *stack, actor access.Actor) error {
			answer, err = c.askHere(ctx, s, actor, req)
			return err
		})
	}
	if err != nil {
		return err
	}
	if wantsJSON(cmd) {
		if err := c.printJSON(answer); err != nil {
			return err
		}
	} else {
		terminal.Answer(c.out, question, answer)
	}
	return answerStatus(answer)
}

func (c *cli) askServer(ctx context.Context, conf *setting.Config, req api.ChatRequest) (api.Answer, error) {
	client, err := c.client(conf)
	if err != nil {
		return api.Answer{}, err
	}
	if err := c.tellOfServer(ctx, client, func(r terminal.Reach) terminal.Reach { return r.Asking(req.Question) }); err != nil {
		return api.Answer{}, err
	}
	return client.Chat(ctx, req, "")
}

// answerStatus maps the end of a run to the exit status of a command.
func answerStatus(a api.Answer) error {
	switch run.State(a.State) {
	case run.Completed, run.AwaitingReview:
		return nil
	case run.InsufficientEvidence:
		return exit{exitInsufficient, ""}
	case run.Refused:
		return exit{exitRefused, ""}
	}
	return exit{exitFailed, ""}
}

// ask runs a question to its end and returns the answer as the actor may see it.
func (s *stack) ask(ctx context.Context, actor access.Actor, req agent.Request) (api.Answer, error) {
	id, err := s.agent.Start(ctx, actor, req)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.agent.Await(ctx, actor, id); err != nil {
		return api.Answer{}, err
	}
	view, err := s.desk.Run(ctx, actor, id)
	if err != nil {
		return api.Answer{}, err
	}
	out := wire.Answer(view)
	return out, wire.NameBases(ctx, s.desk, actor, out.Conflicts, out.Citations)
}

// askFiles answers from files through a store that is gone afterwards. Files that cannot be read
// are named and left out; it fails only when none can.
func (c *cli) askFiles(ctx context.Context, conf *setting.Config, in []string, req agent.Request) (api.Answer, error) {
	folder, err := os.MkdirTemp("", "kaoju-ask-")
	if err != nil {
		return api.Answer{}, err
	}
	defer os.RemoveAll(folder)
	s, err := open(ctx, conf, folder, sqlite.Options{Ephemeral: true}, c.quiet(conf))
	if err != nil {
		return api.Answer{}, err
	}
	defer s.close()
	if err := c.fill(ctx, s, in); err != nil {
		return api.Answer{}, err
	}
	return c.askHere(ctx, s, access.Actor{Tenant: firstTenant, User: firstUser, Operator: true}, req)
}

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

func baseIDs(list []string) []access.KnowledgeBaseID {
	var out []access.KnowledgeBaseID
	for _, id := range list {
		out = append(out, access.KnowledgeBaseID(id))
	}
	return out
}
