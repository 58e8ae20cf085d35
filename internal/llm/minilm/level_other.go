//go:build !amd64

package minilm

// levels returns what this machine can do, the best first.
func levels() []*kernels { return []*kernels{scalar()} }
