package drawing

import "context"

// Work counts what it takes to draw: elements, and the points and bytes that they are made of.
type Work struct {
	Done   int
	looked int
}

// often is how much is done before somebody looks again whether it is still wanted.
const often = 10_000

// Count takes so much more down.
func (w *Work) Count(n int) { w.Done += n }

// Err is that of a context, which is looked at once in a while.
func (w *Work) Err(ctx context.Context) error {
	if w.Done-w.looked < often {
		return nil
	}
	w.looked = w.Done
	return ctx.Err()
}
