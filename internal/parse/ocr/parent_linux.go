package ocr

import "syscall"

// withParent lets the program end with the process that started it.
func withParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
