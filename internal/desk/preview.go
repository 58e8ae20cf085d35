package desk

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/preview"
)

// Preview returns a stretch of a version as safe HTML: that of a window, or one that begins near to an
// anchor if there is one. Reading an archived version is recorded. A place that the version does not
// have is problem.Invalid "unknown_place".
func (d *Desk) Preview(ctx context.Context, actor access.Actor, id corpus.DocumentID, w preview.Window, anchor string) (preview.Fragment, error) {
	var out preview.Fragment
	err := d.content(ctx, actor, id, "preview", func(scope access.Scope, _ corpus.Document) error {
		if anchor != "" {
			text, err := d.deps.Texts.Text(ctx, scope, id)
			if err != nil {
				return err
			}
			if w, err = preview.Locate(text.Blocks, anchor); err != nil {
				return err
			}
		}
		stretch, err := d.deps.Texts.Stretch(ctx, scope, id, preview.Reach(w))
		if err != nil {
			return err
		}
		if out, err = preview.Render(stretch, w); err != nil {
			return err
		}
		if preview.InChapters(stretch.Blocks) {
			text, err := d.deps.Texts.Text(ctx, scope, id)
			if err != nil {
				return err
			}
			out.PreviousChapter, out.NextChapter = preview.Chapters(text.Blocks, out.Span)
		}
		// Rendering takes time: the right must still be there when the text leaves.
		_, err = d.deps.Catalog.Document(ctx, scope, id)
		return err
	})
	if err != nil {
		return preview.Fragment{}, err
	}
	return out, nil
}
