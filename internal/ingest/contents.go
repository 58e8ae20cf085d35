package ingest

import (
	"bytes"
	"context"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/failpoint"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/progress"
	"github.com/kaoju/kaoju/internal/problem"
)

// unpack stores what is in a file, to be taken in with it. drop gives those bytes up again, as far as no
// document has them; it must be called when the file is published, or is not.
func (t *task) unpack(ctx context.Context, f parse.File, v *corpus.Version, reader parse.Reader) (drop func(), err error) {
	blobs := t.worker.Blobs
	var stored []corpus.Checksum
	drop = func() {
		for _, sum := range stored {
			// What fails here is left for the sweep of a later start.
			if err := blobs.Forsake(context.WithoutCancel(ctx), sum); err != nil {
				t.worker.Log.Warn("bytes of a file inside another could not be given up", "job", t.job.ID, "error", err)
			}
			failpoint.Reach(ctx, failpoint.ContentForsaken)
		}
	}
	if v.Holds = parse.Holds(f); !v.Holds {
		return drop, nil
	}
	if reader == nil {
		reader = parse.Limits{}
	}
	if err := t.enter(ctx, StageUnpack, 0, 1); err != nil {
		return drop, err
	}
	failpoint.Reach(ctx, failpoint.ContentsOpened)
	err = reader.Contents(progress.With(ctx, t.parts(ctx, StageUnpack)), f, func(c parse.Content) error {
		content := corpus.Content{Path: c.Path, FileName: BaseName(c.Name), MediaType: c.MediaType, Code: c.Code, Detail: c.Detail}
		if c.Code == "" {
			sum, size, err := blobs.Put(ctx, bytes.NewReader(c.Data), int64(len(c.Data)))
			if err != nil {
				return err
			}
			stored = append(stored, sum)
			content.Checksum, content.Size = sum, size
			failpoint.Reach(ctx, failpoint.ContentKept)
		}
		if v.Contents = append(v.Contents, content); len(v.Contents) > corpus.MaxContents {
			return problem.New(problem.Invalid, "archive_entry_limit", "The file %q holds more than %d others.", f.Name, corpus.MaxContents)
		}
		return ctx.Err()
	})
	failpoint.Reach(ctx, failpoint.ContentsKept)
	return drop, err
}
