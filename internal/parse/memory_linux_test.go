package parse_test

import (
	"fmt"
	"os"
	"strings"
)

// peakMemory returns the most memory that this process has held since its program began, in bytes. What the system says
// of an ended process counts what its parent held when it was started.
func peakMemory() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, line, _ := strings.Cut(string(status), "\nVmHWM:")
	var kilobytes int64
	_, _ = fmt.Sscan(line, &kilobytes)
	return kilobytes << 10
}
