// Package inquiry are the commands that ask: questions, searches, the runs that they made, how these came to what they say,
// and what was written from them.
package inquiry

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
	"github.com/kaoju/kaoju/internal/memory"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite"
)

// commands is what the commands of this package are given.
type commands struct{ *console.CLI }

// AskCommand is kaoju ask.
func AskCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	cmd := &cobra.Command{
		Use: "ask [--in PATH…] QUESTION", Short: "Answer a question with sources · 提问并给出来源",
		Long: `Answers a question with citations that name the exact place.

With --in it reads the files and folders that are named, keeps nothing and needs no server.
Without it, it asks the data folder, or with --server a running server.

Exit status: 0 answered, 1 failed, 2 usage, 3 the material does not settle the question, 4 refused.`,
		Example: `  kaoju ask --in handbook/ "How many days of notice does a resignation need?"
  kaoju ask --in examples/acme 上海住宿上限是多少`,
		Args: console.Args(cobra.MinimumNArgs(1)),
		RunE: c.Action(c.ask),
	}
	cmd.Flags().StringArray("in", nil, "file or folder to answer from; may be given more than once")
	cmd.Flags().StringSlice("kb", nil, "knowledge bases to answer from; all that you can see if left out")
	cmd.Flags().String("conversation", "", "conversation that the question belongs to, by a name of your choice or the conversation_id of an answer; a new one if left out")
	cmd.Flags().String("route", "", "how to answer, such as fixed_rag or agentic_rag; chosen by rules if left out")
	setting.AddFlags(cmd, "data", "as", "tenant", "server", "token")
	setting.AddFlags(cmd, setting.ForModels...)
	console.JSONFlag(cmd)
	return cmd
}

func (c commands) ask(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
	in, _ := cmd.Flags().GetStringArray("in")
	question := list[len(list)-1]
	if len(list) > 1 {
		// `--in a b c QUESTION` names several paths, as a shell's `--in docs/* QUESTION` does.
		if len(in) == 0 {
			return outcome.New(outcome.Usage, "ask takes one question; put it in quotes")
		}
		in = append(in, list[:len(list)-1]...)
	}
	if strings.TrimSpace(question) == "" {
		return outcome.New(outcome.Usage, "the question must not be empty")
	}
	bases, _ := cmd.Flags().GetStringSlice("kb")
	route, _ := cmd.Flags().GetString("route")
	conversation, _ := cmd.Flags().GetString("conversation")
	req := agent.Request{Goal: question, Conversation: conversation, Route: run.Route(route), Bases: baseIDs(bases)}
	var out api.Answer
	var err error
	switch {
	case len(in) > 0 && (len(bases) > 0 || conversation != "" || cmd.Flags().Changed("server") || cmd.Flags().Changed("data")):
		return outcome.New(outcome.Usage, "--in answers from files alone and keeps nothing: it goes with neither --kb nor --conversation nor --data nor --server")
	case len(in) > 0:
		out, err = c.askFiles(ctx, conf, in, req)
	case conf.Get("server") != "":
		out, err = c.askServer(ctx, conf, api.ChatRequest{Question: question, ConversationID: conversation, KnowledgeBaseIDs: bases, Route: route})
	default:
		if conversation == "" {
			req.Conversation = memory.Begin()
		}
		err = c.OnFolder(ctx, conf, false, func(s *wiring.Product, actor access.Actor) error {
			out, err = c.askHere(ctx, s, actor, req)
			return err
		})
	}
	if err != nil {
		return err
	}
	if console.WantsJSON(cmd) {
		if err := c.PrintJSON(out); err != nil {
			return err
		}
	} else {
		terminal.Answer(c.Out, question, out)
	}
	return answerStatus(out)
}

func (c commands) askServer(ctx context.Context, conf *setting.Config, req api.ChatRequest) (api.Answer, error) {
	client, err := c.Client(conf)
	if err != nil {
		return api.Answer{}, err
	}
	if err := c.TellOfServer(ctx, client, func(r terminal.Reach) terminal.Reach { return r.Asking(req.Question) }); err != nil {
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
		return outcome.New(outcome.Insufficient, "")
	case run.Refused:
		return outcome.New(outcome.Refused, "")
	}
	return outcome.New(outcome.Failed, "")
}

// answer runs a question to its end and returns the answer as the actor may see it.
func answer(ctx context.Context, s *wiring.Product, actor access.Actor, req agent.Request) (api.Answer, error) {
	id, err := s.Agent.Start(ctx, actor, req)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.Agent.Await(ctx, actor, id); err != nil {
		return api.Answer{}, err
	}
	view, err := s.Desk.Run(ctx, actor, id)
	if err != nil {
		return api.Answer{}, err
	}
	out := wire.Answer(view)
	return out, wire.NameBases(ctx, s.Desk, actor, out.Conflicts, out.Citations)
}

// askFiles answers from files through a store that is gone afterwards. Files that cannot be read
// are named and left out; it fails only when none can.
func (c commands) askFiles(ctx context.Context, conf *setting.Config, in []string, req agent.Request) (api.Answer, error) {
	folder, err := os.MkdirTemp("", "kaoju-ask-")
	if err != nil {
		return api.Answer{}, err
	}
	defer os.RemoveAll(folder)
	s, err := wiring.Open(ctx, conf, folder, sqlite.Options{Ephemeral: true}, c.Quiet(conf))
	if err != nil {
		return api.Answer{}, err
	}
	defer s.Close()
	if err := c.Fill(ctx, s, in); err != nil {
		return api.Answer{}, err
	}
	return c.askHere(ctx, s, access.Actor{Tenant: wiring.FirstTenant, User: wiring.FirstUser, Operator: true}, req)
}

func baseIDs(list []string) []access.KnowledgeBaseID {
	var out []access.KnowledgeBaseID
	for _, id := range list {
		out = append(out, access.KnowledgeBaseID(id))
	}
	return out
}

// askHere asks in this process, and says before where the text goes if it goes anywhere else.
func (c commands) askHere(ctx context.Context, s *wiring.Product, actor access.Actor, req agent.Request) (api.Answer, error) {
	if err := c.TellOfTenants(ctx, s, s.Reach().Asking(req.Goal), actor.Tenant); err != nil {
		return api.Answer{}, err
	}
	return answer(ctx, s, actor, req)
}
