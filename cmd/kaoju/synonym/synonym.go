// Package synonym reads files of words and synonyms, and says what of them was refused.
package synonym

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/lexicon"
	"github.com/kaoju/kaoju/internal/problem"
)

// Read returns the lines of a file, or of the standard input if it is named "-". Of one that is longer
// than a list can be it returns enough for the list to be refused.
func Read(path string, stdin io.Reader) ([]string, error) {
	in := stdin
	if path != "-" {
		f, err := os.Open(filepath.Clean(path))
		if err != nil {
			return nil, errors.New(path + ": it cannot be read")
		}
		defer f.Close() //nolint:errcheck // it was only read
		in = f
	}
	raw, err := io.ReadAll(io.LimitReader(in, 2*lexicon.MaxSize))
	if err != nil {
		return nil, errors.New(path + ": it cannot be read")
	}
	text := strings.TrimPrefix(string(raw), "\ufeff")
	if text = strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n"); text == "" {
		return []string{}, nil
	}
	return strings.Split(text, "\n"), nil
}

// Wrong names each line that was refused, by whoever refused it.
func Wrong(err error) (out []string) {
	var here *problem.Error
	if errors.As(err, &here) {
		for _, f := range here.Fields {
			out = append(out, f.Pointer+": "+f.Detail)
		}
	}
	var there *api.Problem
	if errors.As(err, &there) {
		for _, f := range there.Errors {
			out = append(out, f.Pointer+": "+f.Detail)
		}
	}
	return out
}
