package claim

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// longSentences are sentences of which a writer may make one as long as wanted.
var longSentences = []struct{ name, sentence, piece string }{
	{"numbers", "The hall seats 300 guests and the terrace seats 60 guests.", "the hall seats 200 guests and the terrace seats 40 guests, "},
	{"Chinese numbers", "礼堂可容纳300人，露台可容纳60人。", "礼堂可容纳200人，露台可容纳40人；"},
	{"no numbers", "The hall is closed on Sunday.", "the hall is open and the terrace is not open, "},
	{"leaning", "The hall is closed on Sunday.", "It is open. "},
	{"headings", "The hall is closed on Sunday.", "Opening hours\n\n"},
	{"periods", "场地租金按月支付。", "场地租金每月600元，押金每年上调3%，"},
}

// ofSize is a text of a piece again and again.
func ofSize(piece string, size int) string { return strings.Repeat(piece, size/len(piece)+1) }

func BenchmarkJudgeOneLongSentence(b *testing.B) {
	for _, l := range longSentences {
		for _, size := range []int{10_000, 100_000} {
			text := ofSize(l.piece, size)
			b.Run(fmt.Sprintf("%s/%d", l.name, size), func(b *testing.B) {
				for b.Loop() {
					judgeWhole(l.sentence, text)
				}
			})
		}
	}
}

// judgeWhole holds a sentence against a text, and reads all its places, which not each sentence asks for.
func judgeWhole(sentence, text string) {
	s := NewSource(text)
	Judge(sentence, []*Source{s})
	s.Places()
}

// allocated is how many bytes a function allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestWorkGrowsAsTheTextDoes counts what is copied and not how long it takes: ten times the text may not copy twenty times as much.
func TestWorkGrowsAsTheTextDoes(t *testing.T) {
	Figures(t)
	for _, l := range longSentences {
		t.Run(l.name, func(t *testing.T) {
			work := func(size int) uint64 {
				text := ofSize(l.piece, size)
				return allocated(func() { judgeWhole(l.sentence, text) })
			}
			work(1_000) // what is made once
			if few, many := work(2_000), work(20_000); many > 20*few {
				t.Errorf("20 kB copy %d bytes, 2 kB %d: %.1f times as much", many, few, float64(many)/float64(few))
			}
		})
	}
}
