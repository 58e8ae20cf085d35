package retrieval

import (
	"context"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/problem"
)

// HeadSize is how many bytes of a segment Archive.Outdated is shown.
const HeadSize = index.HeadSize

// Stored names one version, whatever its status, as its chunks are cut from a number of cuts on.
type Stored struct {
	Tenant   access.TenantID
	Document corpus.DocumentID
	Cut      int64
}

// Archive is the seam to stored segments on no person's behalf, for building them again.
type Archive interface {
	// Outdated returns the versions of all tenants whose segment the function says yes to. It is
	// shown the first HeadSize bytes of each, or all if there are fewer.
	Outdated(ctx context.Context, outdated func(head []byte) bool) ([]Stored, error)
	// Content returns the title and the chunks in order; problem.NotFound if the version is gone,
	// or was cut anew.
	Content(ctx context.Context, v Stored) (title string, chunks []corpus.Chunk, err error)
	// Renew puts a segment in the place of the version's. It does nothing if there is none any more, or if the
	// version was cut anew: its segment is of other chunks then.
	Renew(ctx context.Context, v Stored, segment []byte) error
}

// Vocabulary is the seam to tenants whose words changed after versions of theirs were indexed.
type Vocabulary interface {
	// Reworded returns these tenants.
	Reworded(ctx context.Context) ([]Reworded, error)
	// Indexed says that all versions of the tenant have the words of that time. What changed since
	// stays to be done.
	Indexed(ctx context.Context, r Reworded) error
}

// Reworded is a tenant whose words changed, and a number of that change.
type Reworded struct {
	Tenant  access.TenantID
	Version int
}

// Renew builds the segments again that another version of the analysis made, from the rows of their
// versions, and returns how many. One that fails ends it; what was built is kept, so that the next
// call goes on. It changes no result but for the analysis, and so leaves the tenants' epochs alone.
func Renew(ctx context.Context, a Archive, lexicons Lexicons) (int, error) {
	list, err := a.Outdated(ctx, index.Outdated)
	if err != nil {
		return 0, err
	}
	return rebuild(ctx, a, list, lexicons)
}

// Reword does for all versions of tenants whose words changed what Renew does.
func Reword(ctx context.Context, a Archive, v Vocabulary, lexicons Lexicons) (int, error) {
	changed, err := v.Reworded(ctx)
	if err != nil || len(changed) == 0 {
		return 0, err
	}
	all, err := a.Outdated(ctx, func([]byte) bool { return true })
	if err != nil {
		return 0, err
	}
	built := 0
	for _, r := range changed {
		n, err := rebuild(ctx, a, slices.DeleteFunc(slices.Clone(all), func(s Stored) bool { return s.Tenant != r.Tenant }), lexicons)
		built += n
		if err == nil {
			err = v.Indexed(ctx, r)
		}
		if err != nil {
			return built, err
		}
	}
	return built, nil
}

// rebuild makes the segments of the versions anew.
func rebuild(ctx context.Context, a Archive, list []Stored, lexicons Lexicons) (int, error) {
	n := 0
	for _, v := range list {
		title, chunks, err := a.Content(ctx, v)
		if problem.Is(err, problem.NotFound) || err == nil && len(chunks) == 0 {
			continue
		}
		if err != nil {
			return n, err
		}
		lexicon, err := lexicons.Of(ctx, v.Tenant)
		if err != nil {
			return n, err
		}
		segment, err := index.BuildWith(lexicon, title, chunks)
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
