package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ingest/source/dir"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/queue"
)

// summary is what `kaoju add` did with each file.
type summary struct {
	Added       int       `json:"added"`
	NewVersions int       `json:"new_versions"`
	Unchanged   int       `json:"unchanged"`
	Held        int       `json:"held"` // kept as drafts: publishing them needs a proposal
	Failed      []failure `json:"failed"`
}

// failure names a file that was not taken in, and why.
type failure struct {
	File   string `json:"file"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// String names the path, so that two files of one name are told apart, and the cause.
func (f failure) String() string {
	if strings.HasPrefix(f.Detail, f.File+":") {
		return fmt.Sprintf("%s (%s)", f.Detail, f.Code)
	}
	return fmt.Sprintf("%s: %s (%s)", f.File, f.Detail, f.Code)
}

func (s *summary) fail(file string, err error) {
	var p *problem.Error
	var w *api.Problem
	switch {
	case errors.As(err, &p):
		s.Failed = append(s.Failed, failure{file, problem.CodeOf(err), p.Detail})
	case errors.As(err, &w):
		s.Failed = append(s.Failed, failure{file, w.Code, w.Detail})
	default:
		s.Failed = append(s.Failed, failure{file, "internal", err.Error()})
	}
}

func addCommand(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use: "add PATH…", Short: "Take files and folders into a knowledge base · 把文件收入知识库",
		Long: `Takes files and folders into a knowledge base and ends when keyword search sees all of them.
Each file becomes a version of the document named by its path inside the folder; bytes that are
already there change nothing. What is attached to a message (EML) or packed in an archive (ZIP)
becomes documents of its own, under the key of that file. With --publish the versions are published, otherwise they are drafts.
With --wait vectors it ends when search by meaning sees them too.`,
		Args: args(cobra.MinimumNArgs(1)),
		RunE: c.action(c.add),
	}
	setting.AddFlags(cmd, "data", "as", "tenant", "server", "token", "workers", "max_file_bytes")
	setting.AddFlags(cmd, embeddingSettings...)
	cmd.Flags().String("wait", "words", "until what sees the files: words (keyword search), or vectors (search by meaning too)")
	cmd.Flags().String("kb", "", "knowledge base that takes the files (needed)")
	cmd.Flags().Bool("publish", false, "publish the versions")
	jsonFlag(cmd)
	return cmd
}

func (c *cli) add(ctx context.Context, conf *setting.Config, cmd *cobra.Command, paths []string) error {
	kb, _ := cmd.Flags().GetString("kb")
	publish, _ := cmd.Flags().GetBool("publish")
	wait, _ := cmd.Flags().GetString("wait")
	if wait != "words" && wait != "vectors" {
		return exit{exitUsage, "--wait is words or vectors"}
	}
	if kb == "" {
		return exit{exitUsage, "say which knowledge base takes the files: --kb ID"}
	}
	files, skipped, err := dir.List(ctx, paths, parse.Supported)
	if err != nil {
		return err
	}
	out := summary{Failed: []failure{}}
	for _, s := range skipped {
		out.fail(s.Path, s.Err)
	}
	up := corpus.Upload{KnowledgeBase: access.KnowledgeBaseID(kb), Publish: publish}
	if conf.Get("server") != "" {
		err = c.addRemote(ctx, conf, files, up, &out)
		if err == nil && wait == "vectors" {
			err = c.waitOnServer(ctx, conf)
		}
	} else {
		err = c.onFolder(ctx, conf, false, func(s *stack, actor access.Actor) error {
			if _, err := s.desk.Base(ctx, actor, up.KnowledgeBase); err != nil {
				return named(err, "knowledge base "+kb)
			}
			err := s.addFiles(ctx, actor, files, up, &out, terminal.NewFiles(c.err, len(files)))
			if err == nil && wait == "vectors" {
				err = c.catchUp(ctx, s, actor)
			}
			return err
		})
	}
	if err != nil {
		return err
	}
	return c.addDone(cmd, out)
}

// addDone prints the summary and fails if any file did.
func (c *cli) addDone(cmd *cobra.Command, out summary) error {
	if wantsJSON(cmd) {
		if err := c.printJSON(out); err != nil {
			return err
		}
	} else {
		c.say("added %d, new versions %d, unchanged %d, failed %d", out.Added, out.NewVersions, out.Unchanged, len(out.Failed))
		if out.Held > 0 {
			c.say("%d kept as drafts: this knowledge base publishes later versions by proposal", out.Held)
		}
		for _, f := range out.Failed {
			c.note("  %s", f)
		}
	}
	if len(out.Failed) > 0 {
		return exit{exitFailed, ""}
	}
	return nil
}

// named puts what is meant in front of a "not found".
func named(err error, what string) error {
	if problem.Is(err, problem.NotFound) {
		return exit{exitRefused, what + ": there is no such thing that you can see"}
	}
	return err
}

// pending is an upload whose job is under way.
type pending struct {
	file        dir.File
	reservation corpus.Reservation
}

// addFiles uploads files as the operator and works on their jobs until all have ended. A server
// on the same folder may take some of the jobs; their states tell.
func (s *stack) addFiles(ctx context.Context, actor access.Actor, files []dir.File, up corpus.Upload, out *summary, bar *terminal.Progress) error {
	work, stop := context.WithCancel(ctx)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		s.worker.Run(work, s.workers)
	}()
	defer func() { stop(); <-stopped }()
	var waiting []pending
	for _, f := range files {
		r, err := s.upload(ctx, actor, f, up)
		switch {
		case err != nil && ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			out.fail(f.Path, err)
			bar.Done(f.Key)
		case r.Unchanged:
			out.Unchanged++
			bar.Done(f.Key)
		default:
			waiting = append(waiting, pending{f, r})
		}
	}
	for _, p := range waiting {
		show := func(j queue.Job) { bar.Part(p.file.Key, j.Done, j.Total) }
		job, err := s.await(ctx, actor, p.reservation.Job, show)
		if err != nil {
			return err
		}
		out.count(p, job)
		err = out.within(p.file.Path, endedHere(job), func(id string) (ended, error) {
			job, err := s.await(ctx, actor, id, show)
			return endedHere(job), err
		})
		if err != nil {
			return err
		}
		bar.Done(p.file.Key)
	}
	return nil
}

// count adds a finished job to the summary.
func (s *summary) count(p pending, job queue.Job) {
	switch {
	case job.State == queue.Failed:
		s.Failed = append(s.Failed, failure{p.file.Path, job.Code, job.Detail})
	case job.State == queue.Cancelled:
		s.Failed = append(s.Failed, failure{p.file.Path, "cancelled", p.file.Path + ": the job was cancelled."})
	case p.reservation.Version == 1:
		s.Added++
	default:
		s.NewVersions++
	}
	if p.reservation.Held && job.State == queue.Succeeded {
		s.Held++
	}
}

func (s *stack) upload(ctx context.Context, actor access.Actor, f dir.File, up corpus.Upload) (corpus.Reservation, error) {
	body, err := dir.Open(f)
	if err != nil {
		return corpus.Reservation{}, err
	}
	defer body.Close()
	up.FileName, up.Key = f.Path, corpus.Key(f.Key)
	return s.intake.Upload(ctx, actor, up, body)
}

// await returns a job when it has ended, and shows it as it goes on.
func (s *stack) await(ctx context.Context, actor access.Actor, id string, show func(queue.Job)) (queue.Job, error) {
	for wait := time.Millisecond; ; wait = min(2*wait, 200*time.Millisecond) {
		job, err := s.desk.Job(ctx, actor, id)
		if err != nil || job.State.Final() {
			return job, err
		}
		show(job)
		select {
		case <-ctx.Done():
			return job, ctx.Err()
		case <-time.After(wait):
		}
	}
}
