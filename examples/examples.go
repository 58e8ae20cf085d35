// Package examples holds the documents of a fictional company, Acme Instruments: the current
// version of each, as everybody in the company may read it. They are a folder to ask, and part of
// the demonstration.
package examples

import (
	"embed"
	"io/fs"
)

//go:embed acme
var files embed.FS

// Acme returns the documents by their paths below the folder acme.
func Acme() fs.FS {
	sub, err := fs.Sub(files, "acme")
	if err != nil {
		// The embedded tree always has this folder: the program does not build without it.
		panic(err)
	}
	return sub
}
