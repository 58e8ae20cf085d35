//go:build !unix

package minilm

import (
	"testing"
	"time"
)

// started is when the clock of processor began.
var started = time.Now()

// fence is plain memory where pages can't be protected.
type fence struct{}

func newFence(testing.TB, int) *fence { return &fence{} }

func fenced[T uint8 | int8 | float32](_ *fence, n int, _ bool) []T { return make([]T, n) }

// processor returns time on the clock, where what was spent computing is not told.
func processor(testing.TB) time.Duration { return time.Since(started) }
