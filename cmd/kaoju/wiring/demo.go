package wiring

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/internal/demo"
)

// demoMarker is the file that marks a folder as filled by the demonstration. It holds the tokens.
const demoMarker = "demo.env"

// DemoFolder refuses a folder that holds anything but an earlier demonstration.
func DemoFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, demoMarker)); err == nil {
		return nil
	}
	return outcome.New(outcome.Failed, fmt.Sprintf("%s is not empty and was not filled by the demonstration; name another folder with --data", dir))
}

// Demo fills a fresh folder, or finds the tokens of one that was filled, and returns the lines to
// print. The marker is written last: a folder that was only half filled is refused the next time.
func (s *Product) Demo(ctx context.Context, dir string) ([]string, error) {
	marker := filepath.Join(dir, demoMarker)
	if raw, err := os.ReadFile(filepath.Clean(marker)); err == nil {
		return strings.Split(strings.TrimSpace(string(raw)), "\n"), nil
	}
	tokens, err := demo.Seed(ctx, demo.Deps{
		Admin: s.DB.Admin(), Directory: s.DB.Directory(), Bases: s.DB.Bases(), Auth: s.DB.Auth(), Intake: s.Intake, Drain: s.Worker.Drain,
	})
	if err != nil {
		return nil, err
	}
	var lines []string
	for user, token := range tokens {
		lines = append(lines, fmt.Sprintf("export %s_TOKEN=%s", strings.ToUpper(string(user)), token))
	}
	sort.Strings(lines)
	temp := marker + ".new"
	if err := os.WriteFile(temp, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		return nil, err
	}
	return lines, os.Rename(temp, marker)
}
