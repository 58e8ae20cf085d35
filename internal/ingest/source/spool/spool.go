// Package spool keeps what a source fetched while it is being read.
package spool

import (
	"errors"
	"os"

	"github.com/kaoju/kaoju/internal/problem"
)

// New makes an empty file. It has no name by the time it is returned, so that nothing is left of it
// however this process ends; closing it gives it up.
func New() (*os.File, error) {
	f, err := os.CreateTemp("", "kaoju-")
	if err == nil {
		if err = os.Remove(f.Name()); err != nil {
			err = errors.Join(err, f.Close())
		}
	}
	if err != nil {
		return nil, problem.Wrap(err, problem.Unavailable, "no_space", "There is no place for what is fetched.")
	}
	return f, nil
}
