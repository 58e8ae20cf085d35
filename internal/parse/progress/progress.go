// Package progress lets a reader of files tell how far it is, without knowing who listens.
package progress

import "context"

type key struct{}

// With returns a context in which told is called with how many parts of a file have been read (pages,
// sheets, slides, chapters, whatever the format has) and how many there are. It is called by the goroutine that
// reads, and should return soon.
func With(ctx context.Context, told func(done, total int)) context.Context {
	return context.WithValue(ctx, key{}, told)
}

// Of returns who listens; nil if nobody does.
func Of(ctx context.Context) func(done, total int) {
	told, _ := ctx.Value(key{}).(func(done, total int))
	return told
}

// Tell says how many parts of a file have been read, and how many there are.
func Tell(ctx context.Context, done, total int) {
	if told := Of(ctx); told != nil {
		told(done, total)
	}
}
