package retrieval

import (
	"context"
	"fmt"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/index/vector"
)

// Agree proves that rows and index say the same: every version's segment opens, passes its checksum,
// and holds exactly the chunks that the rows count. It says in a sentence what there is.
func Agree(ctx context.Context, s Store, tenant access.TenantID) (string, error) {
	image, err := s.Image(ctx, tenant, State{}, func(corpus.DocumentID, int64) bool { return false })
	if err != nil {
		return "", err
	}
	chunks := 0
	for _, d := range image.Documents {
		if d.Chunks == 0 && d.Segment == nil {
			continue
		}
		segment, err := index.Open(d.Segment)
		if err != nil {
			return "", fmt.Errorf("the segment of %s is damaged: %w", d.Document, err)
		}
		if segment.Chunks() != d.Chunks {
			return "", fmt.Errorf("%s has %d chunks and its segment %d", d.Document, d.Chunks, segment.Chunks())
		}
		chunks += d.Chunks
	}
	return fmt.Sprintf("%d versions, %d chunks, rows and index agree", len(image.Documents), chunks), nil
}

// MergedAgrees proves that what is kept merged opens, passes its checksums, and says of the versions of
// the rows what the rows say. It says in a sentence what there is. What does not agree harms nothing
// but the time that the next server takes to start.
func MergedAgrees(ctx context.Context, m Merged, s Store, tenant access.TenantID) (string, error) {
	list, cuts, err := m.Merged(ctx, tenant)
	if err != nil {
		return "", err
	}
	image, err := s.Image(ctx, tenant, State{}, func(corpus.DocumentID, int64) bool { return true })
	if err != nil {
		return "", err
	}
	versions, size := 0, 0
	for _, k := range list {
		p, err := index.OpenPart(k.Bytes)
		if err != nil {
			return "", fmt.Errorf("merged segment %d is damaged, and the server makes it anew: %w", k.Number, err)
		}
		if !match(image, []stock{{part: p}}, cuts) {
			return "", fmt.Errorf("merged segment %d does not fit its versions, and the server makes it anew", k.Number)
		}
		versions, size = versions+len(p.Documents()), size+len(k.Bytes)
	}
	return fmt.Sprintf("%d merged segments of %d versions, %d kB", len(list), versions, size/1000), nil
}

// VectorsAgree proves that the vectors in force open and pass their checksums. It says in a sentence
// what there is, and how many versions wait for theirs.
func VectorsAgree(ctx context.Context, v Vectors, tenant access.TenantID) (string, error) {
	image, err := v.Vectors(ctx, tenant, Mark{})
	if err != nil {
		return "", err
	}
	chunks := 0
	for _, d := range image.Documents {
		segment, err := vector.Open(d.Segment)
		if err != nil {
			return "", fmt.Errorf("the vectors of %s are damaged: %w", d.Document, err)
		}
		chunks += segment.Chunks()
	}
	waiting, err := v.Waiting(ctx, tenant)
	if err != nil {
		return "", err
	}
	refused, err := v.Refused(ctx, tenant)
	if image.Mark.Model == "" {
		return fmt.Sprintf("none, %d versions wait for theirs", len(waiting)), err
	}
	return fmt.Sprintf("%d versions, %d chunks by %s, %d versions wait for theirs, of %d a passage was refused", len(image.Documents), chunks, image.Mark.Model, len(waiting), len(refused)), err
}
