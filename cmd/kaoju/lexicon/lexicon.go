// Package lexicon reads the operator's file of words and synonyms.
package lexicon

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/goccy/go-yaml"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// entry is what the file says of a tenant.
type entry struct {
	Words    []string   `yaml:"words"`
	Synonyms [][]string `yaml:"synonyms"`
}

// maxFile bounds the file.
const maxFile = 4 << 20

// Open reads the words and synonyms of the tenants; there are none for anybody if the path is
// empty. Whatever is wrong is an error that names the file, the tenant and the entry.
func Open(path string) (retrieval.Lexicons, error) {
	if path == "" {
		return nil, nil
	}
	lexicons, err := read(path)
	if err != nil {
		return nil, fmt.Errorf("lexicon file %s: %w", path, err)
	}
	return func(tenant access.TenantID) *analysis.Lexicon { return lexicons[tenant] }, nil
}

func read(path string) (map[access.TenantID]*analysis.Lexicon, error) {
	f, err := os.Open(filepath.Clean(path))
	if err != nil {
		return nil, errors.New("it cannot be read")
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil || len(raw) > maxFile {
		return nil, fmt.Errorf("it cannot be read, or is longer than %d bytes", maxFile)
	}
	var file map[access.TenantID]entry
	if err := yaml.NewDecoder(bytes.NewReader(raw), yaml.Strict()).Decode(&file); err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.New(yaml.FormatError(err, false, false))
	}
	out := map[access.TenantID]*analysis.Lexicon{}
	for tenant, e := range file {
		lexicon, err := analysis.NewLexicon(e.Words, e.Synonyms)
		var wrong *problem.Error
		if errors.As(err, &wrong) {
			return nil, fmt.Errorf("%s: %s", tenant, wrong.Detail)
		}
		if err != nil {
			return nil, err
		}
		out[tenant] = lexicon
	}
	return out, nil
}
