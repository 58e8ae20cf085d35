// Package key holds the one value that lets access/unscoped make a scope without a directory.
//
// The import rules of Go keep it to packages below internal/access: nothing else can name Key.
package key

// Key proves that the caller is a package below internal/access.
type Key struct{}
