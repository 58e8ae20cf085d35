package minilm

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"time"
)

// processor returns the time that this process has spent computing.
func processor(tb testing.TB) time.Duration {
	tb.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// passage returns English of exactly so many tokens, the two that frame it included.
func passage(tokens int) string {
	const words = "the pump shall be stopped before the filter is changed and the valve must stay closed while work goes on "
	return strings.Join(strings.Fields(strings.Repeat(words, tokens/10+1))[:tokens-2], " ")
}

// BenchmarkTokens measures tokens per second of processor time at each level, and how many times
// as many as in plain Go, for chunks of 128 tokens.
func BenchmarkTokens(b *testing.B) {
	const length = 128
	texts := []string{passage(length), passage(length)}
	var plainGo float64
	all := levels()
	for i := range all {
		k := all[len(all)-1-i]
		b.Run(k.name, func(b *testing.B) {
			e := at(k)
			if _, err := e.Embed(context.Background(), texts); err != nil {
				b.Fatal(err)
			}
			began := processor(b)
			for b.Loop() {
				if _, err := e.Embed(context.Background(), texts); err != nil {
					b.Fatal(err)
				}
			}
			rate := float64(b.N*length*len(texts)) / (processor(b) - began).Seconds()
			if k.name == "scalar" {
				plainGo = rate
			}
			b.ReportMetric(rate, "tokens/CPU-s")
			if plainGo > 0 {
				b.ReportMetric(rate/plainGo, "x-scalar")
			}
		})
	}
}
