//go:build unix

package reading

import (
	"os"
	"syscall"
)

// others reports whether anybody but this user can change what is in a folder: it is another's, or group or
// others can write to it.
func others(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int64(stat.Uid) != int64(os.Geteuid()) || info.Mode().Perm()&0o022 != 0
}
