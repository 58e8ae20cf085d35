package delivery

import (
	"cmp"
	"context"

	"github.com/kaoju/kaoju/api"
)

// within tells of the files that were in a file, and in those, when their jobs have ended. Only the end of
// the context is an error.
func (d *Delivery) within(ctx context.Context, file string, in api.Job) error {
	for _, c := range in.Contents {
		name := file + " › " + c.Path
		told := func(kind Kind) {
			d.Tell(Event{Kind: kind, File: name, In: file, DocKey: c.DocKey, Version: c.Version})
		}
		refused := func(code, detail string) {
			d.Tell(Event{Kind: Failed, File: name, In: file, DocKey: c.DocKey, Failure: &Failure{name, code, detail}})
		}
		switch {
		case c.Error != nil:
			refused(c.Error.Code, c.Error.Detail)
			continue
		case c.JobID == nil:
			told(Unchanged)
			continue
		}
		job, err := d.await(ctx, file, *c.JobID)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			why := failureOf(name, err)
			refused(why.Code, why.Detail)
			continue
		case job.State != "succeeded" && job.Error != nil:
			refused(cmp.Or(job.Error.Code, job.State), job.Error.Detail)
		case job.State != "succeeded":
			refused(job.State, "the job was cancelled.")
		case c.Version == 1:
			told(Added)
		default:
			told(NewVersion)
		}
		if err := d.within(ctx, name, job); err != nil {
			return err
		}
	}
	return nil
}
