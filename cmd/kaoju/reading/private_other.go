//go:build !unix

package reading

import "os"

// others reports whether anybody but this user can change what is in a folder. Here the folder for caches is
// within the user's own profile, whose access list it has.
func others(os.FileInfo) bool { return false }
