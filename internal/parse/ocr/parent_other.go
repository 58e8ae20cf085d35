//go:build !linux

package ocr

import "syscall"

// withParent changes nothing where the system can't do that: the program's own time bounds it.
func withParent() *syscall.SysProcAttr { return nil }
