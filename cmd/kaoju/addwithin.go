package main

import (
	"cmp"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/queue"
)

// ended is a job that has ended, of the folder at hand or of a server.
type ended struct {
	state, code, detail string
	contents            []content
}

// content is a file that was in another one.
type content struct {
	path, job, code, detail string
	version                 int
}

func endedHere(j queue.Job) ended {
	e := ended{state: string(j.State), code: j.Code, detail: j.Detail}
	for _, c := range j.Contents {
		e.contents = append(e.contents, content{path: c.Path, job: c.Job, code: c.Code, detail: c.Detail, version: c.Version})
	}
	return e
}

func endedThere(j api.Job) ended {
	e := ended{state: j.State}
	if j.Error != nil {
		e.code, e.detail = j.Error.Code, j.Error.Detail
	}
	for _, c := range j.Contents {
		in := content{path: c.Path, version: c.Version}
		if c.JobID != nil {
			in.job = *c.JobID
		}
		if c.Error != nil {
			in.code, in.detail = c.Error.Code, c.Error.Detail
		}
		e.contents = append(e.contents, in)
	}
	return e
}

// within counts the files that were in a file, and in those, when their jobs have ended.
func (s *summary) within(file string, e ended, await func(job string) (ended, error)) error {
	for _, c := range e.contents {
		name := file + " › " + c.path
		switch {
		case c.code != "":
			s.Failed = append(s.Failed, failure{name, c.code, c.detail})
			continue
		case c.job == "":
			s.Unchanged++
			continue
		}
		job, err := await(c.job)
		switch {
		case err != nil:
			return err
		case job.state != string(queue.Succeeded):
			s.Failed = append(s.Failed, failure{name, cmp.Or(job.code, job.state), cmp.Or(job.detail, "the job was cancelled.")})
		case c.version == 1:
			s.Added++
		default:
			s.NewVersions++
		}
		if err := s.within(name, job, await); err != nil {
			return err
		}
	}
	return nil
}
