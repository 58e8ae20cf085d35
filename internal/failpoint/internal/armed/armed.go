// Package armed keeps in a context what is called at fail points.
package armed

import "context"

type key struct{}

// With returns a context in which the hook is called with the name of each point.
func With(ctx context.Context, hook func(point string)) context.Context {
	return context.WithValue(ctx, key{}, hook)
}

// Of returns the hook of a context; nil if it has none.
func Of(ctx context.Context) func(point string) {
	hook, _ := ctx.Value(key{}).(func(point string))
	return hook
}
