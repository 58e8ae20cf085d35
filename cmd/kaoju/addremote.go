package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/ingest/source/dir"
	"github.com/kaoju/kaoju/internal/queue"
)

// addRemote uploads files to a server, which reads them as it can, and then waits for their jobs.
func (c *cli) addRemote(ctx context.Context, conf *setting.Config, files []dir.File, up corpus.Upload, out *summary) error {
	client, err := c.client(conf)
	if err != nil {
		return err
	}
	bar := terminal.NewFiles(c.err, len(files))
	var waiting []sent
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		answer, err := send(ctx, client, f, up, out)
		switch {
		case err != nil:
			out.fail(f.Path, err)
			bar.Done(f.Key)
		case answer.Unchanged || answer.JobID == nil:
			out.Unchanged++
			bar.Done(f.Key)
		default:
			waiting = append(waiting, sent{f, *answer.JobID, answer.Version})
		}
	}
	for _, s := range waiting {
		if err := s.end(ctx, client, out, func(j api.Job) { bar.Part(s.file.Key, j.Done, j.Total) }); err != nil {
			out.fail(s.file.Path, err)
		}
		bar.Done(s.file.Key)
	}
	return ctx.Err()
}

// sent is an upload whose job a server has under way.
type sent struct {
	file    dir.File
	job     string
	version int
}

// send uploads a file.
func send(ctx context.Context, client *api.Client, f dir.File, up corpus.Upload, out *summary) (api.Upload, error) {
	body, err := dir.Open(f)
	if err != nil {
		return api.Upload{}, err
	}
	defer body.Close()
	answer, err := client.Upload(ctx, string(up.KnowledgeBase), api.NewDocument{
		Body: body, FileName: f.Key, DocKey: f.Key, Publish: up.Publish,
	})
	var held *api.Problem
	if errors.As(err, &held) && held.Code == "proposal_required" {
		out.Held++
		return api.Upload{DocumentID: held.DocumentID, Version: held.Version, JobID: &held.JobID}, nil
	}
	return answer, err
}

// end waits for the job, and counts what became of it.
func (s sent) end(ctx context.Context, client *api.Client, out *summary, show func(api.Job)) error {
	job, err := awaitRemote(ctx, client, s.job, show)
	switch {
	case err != nil:
		return err
	case job.State != "succeeded" && job.Error != nil:
		return &api.Problem{Code: job.Error.Code, Detail: job.Error.Detail}
	case job.State != "succeeded":
		return fmt.Errorf("%s: the job ended as %s", s.file.Path, job.State)
	case s.version == 1:
		out.Added++
	default:
		out.NewVersions++
	}
	return out.within(s.file.Path, endedThere(job), func(id string) (ended, error) {
		job, err := awaitRemote(ctx, client, id, show)
		return endedThere(job), err
	})
}

// awaitRemote returns a job of a server when it has ended, and shows it as it goes on.
func awaitRemote(ctx context.Context, client *api.Client, id string, show func(api.Job)) (api.Job, error) {
	for wait := 10 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		job, err := client.Job(ctx, id)
		if err != nil || queue.State(job.State).Final() {
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
