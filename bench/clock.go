package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime returns the processor time that the calling thread has used. The caller is locked to
// its thread.
func threadTime() time.Duration { return clock(unix.CLOCK_THREAD_CPUTIME_ID) }

// processTime returns the processor time that the whole process has used.
func processTime() time.Duration { return clock(unix.CLOCK_PROCESS_CPUTIME_ID) }

// machineLoad returns the load of the machine over the last minute.
func machineLoad() float64 {
	var s unix.Sysinfo_t
	if err := unix.Sysinfo(&s); err != nil {
		return 0
	}
	return float64(s.Loads[0]) / (1 << 16)
}

func clock(id int32) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(id, &t); err != nil {
		panic(err) // the clocks are there on every system that the benchmark builds on
	}
	return time.Duration(t.Nano())
}
