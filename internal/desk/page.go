package desk

import (
	"context"
	"errors"
	"io"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/picture"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sketch"
)

// Pages draws pages of versions, and may keep their pictures. *picture.Album is the one.
type Pages interface {
	// Page returns a page, counted from 1, so many pixels wide; problem.NotFound if the version does not have it.
	Page(ctx context.Context, d corpus.Document, original io.Reader, number, width int) (picture.Picture, error)
	// Sketch returns a sheet of a drawing as an SVG; nil means the first one; problem.NotFound if the version has no such.
	Sketch(ctx context.Context, d corpus.Document, original io.Reader, sheet *sketch.Sheet) ([]byte, error)
	// Mark returns a picture with places on it marked.
	Mark(ctx context.Context, p picture.Picture, boxes []corpus.Box) (picture.Picture, error)
	// Forget removes every picture that is kept.
	Forget() error
}

// Page returns a picture of a page of a version. Reading an archived version is recorded. A page that
// is not there, a version without pages, and one whose original was erased are problem.NotFound.
func (d *Desk) Page(ctx context.Context, actor access.Actor, id corpus.DocumentID, number, width int) (picture.Picture, error) {
	return painted(ctx, d, actor, id, func(doc corpus.Document, original io.Reader) (picture.Picture, error) {
		return d.deps.Pages.Page(ctx, doc, original, number, width)
	})
}

// Sketch returns a sheet of a drawing as an SVG of its own; nil means the first one. The rest is as for a page.
func (d *Desk) Sketch(ctx context.Context, actor access.Actor, id corpus.DocumentID, sheet *sketch.Sheet) ([]byte, error) {
	return painted(ctx, d, actor, id, func(doc corpus.Document, original io.Reader) ([]byte, error) {
		return d.deps.Pages.Sketch(ctx, doc, original, sheet)
	})
}

// painted returns what is drawn of the original of a version for whoever may read it, before and after.
func painted[T any](ctx context.Context, d *Desk, actor access.Actor, id corpus.DocumentID, draw func(corpus.Document, io.Reader) (T, error)) (T, error) {
	var out, none T
	if d.deps.Pages == nil {
		return none, problem.Missing()
	}
	drawn := false
	err := d.content(ctx, actor, id, "pages", func(scope access.Scope, doc corpus.Document) error {
		original, err := d.deps.Blobs.Open(ctx, doc.Checksum)
		if err != nil {
			return err
		}
		defer original.Close() //nolint:errcheck // nothing was written through it
		if out, err = draw(doc, original); err != nil {
			return err
		}
		drawn = true
		// Drawing takes time: the right must still be there when the picture leaves. Whether it is says something
		// of what is kept too, so that it is asked although the reader has gone.
		_, err = d.deps.Catalog.Document(context.WithoutCancel(ctx), scope, id)
		return err
	})
	if err != nil && drawn {
		// It may have been erased while it was drawn, and its picture kept after that.
		err = errors.Join(err, d.deps.Pages.Forget())
	}
	if err != nil {
		return none, err
	}
	return out, nil
}

// MarkPage returns a picture of a page with places on it marked.
func (d *Desk) MarkPage(ctx context.Context, p picture.Picture, boxes []corpus.Box) (picture.Picture, error) {
	return d.deps.Pages.Mark(ctx, p, boxes)
}

// forgetPages removes the pictures of pages once something was erased, which may be so although erasing left
// something to be done. Those of others go too: they are made again when they are asked for.
func (d *Desk) forgetPages(err error) error {
	if d.deps.Pages == nil || err != nil && !problem.Is(err, problem.Unavailable) {
		return err
	}
	return errors.Join(err, d.deps.Pages.Forget())
}
