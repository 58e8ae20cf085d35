package main

import (
	"fmt"
	"io"
)

func (r *result) print(w io.Writer)     { fmt.Fprintln(w, r.Chunks) }
func publish(results, dir string) error { return nil }
