package coverage

import "testing"

func TestLongerSentencesMayLackMore(t *testing.T) {
	last := MeasureOf(0)
	for size := range 40 {
		m := MeasureOf(float64(size))
		if m.Share < last.Share || m.Row < last.Row || m.Switches < last.Switches {
			t.Errorf("a sentence of %d words may lack less than a shorter one: %+v after %+v", size, m, last)
		}
		last = m
	}
	if last.Share > 0.3 || last.Row > 2 {
		t.Errorf("%+v is no bound", last)
	}
}

func TestWordsInARowStandBesideEachOther(t *testing.T) {
	for _, c := range []struct {
		at   []int
		want int
	}{{nil, 0}, {[]int{4}, 1}, {[]int{1, 3, 5}, 1}, {[]int{1, 2, 4, 5, 6}, 3}} {
		var words []Word
		for _, at := range c.at {
			words = append(words, Word{At: at})
		}
		if got := LongestRow(words); got != c.want {
			t.Errorf("%v: %d in a row, want %d", c.at, got, c.want)
		}
	}
}
