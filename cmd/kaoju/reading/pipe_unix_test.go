//go:build unix

package reading

import (
	"path/filepath"
	"syscall"
	"testing"
)

// pipe makes a named pipe, whose reader waits for a writer.
func pipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
