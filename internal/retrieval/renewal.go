package retrieval

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/problem"
)

// HeadSize is how many bytes of a segment Archive.Outdated is shown.
const HeadSize = index.HeadSize

// Stored names one version, whatever its status.
type Stored struct {
	Tenant   access.TenantID
	Document corpus.DocumentID
}

// Archive is the seam to stored segments on no person's behalf, for building them again.
type Archive interface {
	// Outdated returns the versions of all tenants whose segment the function says yes to. It is
	// shown the first HeadSize bytes of each, or all if there are fewer.
	Outdated(ctx context.Context, outdated func(head []byte) bool) ([]Stored, error)
	// Content returns the title and the chunks in order; problem.NotFound if the version is gone.
	Content(ctx context.Context, v Stored) (title string, chunks []corpus.Chunk, err error)
	// Renew puts a segment in the place of the version's. It does nothing if there is none any more.
	Renew(ctx context.Context, v Stored, segment []byte) error
}

// Renew builds the segments again that another version of the analysis made, from the rows of their
// versions, and returns how many. One that fails ends it; what was built is kept, so that the next
// call goes on. It changes no result but for the analysis, and so leaves the tenants' epochs alone.
func Renew(ctx context.Context, a Archive, lexicons Lexicons) (int, error) {
	list, err := a.Outdated(ctx, index.Outdated)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, v := range list {
		title, chunks, err := a.Content(ctx, v)
		if problem.Is(err, problem.NotFound) || err == nil && len(chunks) == 0 {
			continue
		}
		if err != nil {
			return n, err
		}
		segment, err := index.BuildWith(lexicons.of(v.Tenant), title, chunks)
		if err != nil {
			return n, err
		}
		if err := a.Renew(ctx, v, segment); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
