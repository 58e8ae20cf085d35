//go:build !unix

package minilm

import "testing"

// fence is plain memory where pages can't be protected.
type fence struct{}

func newFence(testing.TB, int) *fence { return &fence{} }

func fenced[T uint8 | int8 | float32](_ *fence, n int, _ bool) []T { return make([]T, n) }
