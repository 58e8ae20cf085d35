package minilm

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
)

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

// BenchmarkQuestion measures a question of 12 tokens, from the text to the vector, at each level.
func BenchmarkQuestion(b *testing.B) {
	for _, k := range levels() {
		b.Run(k.name, func(b *testing.B) {
			e, question := at(k), []string{passage(12)}
			if _, err := e.Embed(context.Background(), question); err != nil {
				b.Fatal(err)
			}
			began := processor(b)
			for b.Loop() {
				if _, err := e.Embed(context.Background(), question); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processor(b)-began).Seconds()*1000/float64(b.N), "CPU-ms/question")
		})
	}
}

// BenchmarkLength measures tokens per second of processor time for texts of several lengths.
func BenchmarkLength(b *testing.B) {
	for _, length := range []int{16, 32, 64, 128, 256} {
		b.Run(strconv.Itoa(length), func(b *testing.B) {
			texts := slices.Repeat([]string{passage(length)}, 256/length)
			embed(b, texts...)
			began := processor(b)
			for b.Loop() {
				embed(b, texts...)
			}
			b.ReportMetric(float64(b.N*256)/(processor(b)-began).Seconds(), "tokens/CPU-s")
		})
	}
}

// BenchmarkLoad measures what the first use costs.
func BenchmarkLoad(b *testing.B) {
	for _, k := range levels() {
		b.Run(k.name, func(b *testing.B) {
			b.ReportAllocs()
			began := processor(b)
			for b.Loop() {
				if _, err := at(k).load(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processor(b)-began).Seconds()/float64(b.N), "CPU-s/load")
		})
	}
}
