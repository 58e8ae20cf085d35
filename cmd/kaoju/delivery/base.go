package delivery

import (
	"context"
	"io"
	"time"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/queue"
)

// Base is the knowledge base that takes the files, as whoever brings them sees it.
type Base interface {
	// Documents lists the newest version of each key that the filter selects, all of them.
	Documents(ctx context.Context, f api.DocumentFilter) ([]api.Document, error)
	// Upload takes one file in.
	Upload(ctx context.Context, up Upload, body io.Reader) (Receipt, error)
	// Job returns the state of a job.
	Job(ctx context.Context, id string) (api.Job, error)
	// Waiting returns the proposals to archive that wait for a decision, by their documents; none where
	// archiving needs no proposal.
	Waiting(ctx context.Context) (map[string]string, error)
	// Archive takes a version out of force, or proposes to, and returns the proposal's id in that case.
	Archive(ctx context.Context, document string) (proposal string, err error)
}

// Upload is a file on its way.
type Upload struct {
	FileName  string
	MediaType string // as whoever gave it says, "" if that is not said
	Key       string
	Publish   bool
	Source    string // "" for a file that was named itself
	Place     string // in the source
	Adopt     bool   // the source is to have the key though all its versions came another way
	URI       string // where the original is, "" if that is not said
}

// Receipt is what an upload was given.
type Receipt struct {
	Document  string
	Version   int
	Job       string // "" when Unchanged
	Unchanged bool
	Held      bool
	Published bool // an unchanged draft was published
}

// await returns a job when it has ended, and shows how far it is.
func (d *Delivery) await(ctx context.Context, file, id string) (api.Job, error) {
	for wait := time.Millisecond; ; wait = min(2*wait, 200*time.Millisecond) {
		job, err := d.Base.Job(ctx, id)
		if err != nil || queue.State(job.State).Final() {
			return job, err
		}
		if d.Part != nil {
			d.Part(file, job.Done, job.Total)
		}
		select {
		case <-ctx.Done():
			return job, ctx.Err()
		case <-time.After(wait):
		}
	}
}
