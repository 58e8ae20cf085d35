//go:build !unix

package worker

import "time"

var started = time.Now()

// processorTime returns the time since the process began, which is at least about what it takes
// where it can't be asked.
func processorTime() time.Duration { return time.Since(started) }
