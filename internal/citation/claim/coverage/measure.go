package coverage

// Measure is how much of a sentence of so many words a place may lack that says the same.
type Measure struct {
	Share    float64 // of its words
	Row      int     // how many in a row: more are something that the place does not speak of
	Switches int     // how often it may go over from one sentence to another, -1 if one must say it all
}

// MeasureOf tells the measure for the size of a sentence. In a short one each word may be what it says; in a long one few words
// less say nearly the same.
func MeasureOf(size float64) Measure {
	switch {
	case size < longSaid:
		return Measure{Switches: -1}
	case size < longRun:
		return Measure{0.2, 1, -1}
	case size < veryLong:
		return Measure{0.2, 1, 2}
	}
	return Measure{0.3, 2, 2}
}

const (
	longSaid, longRun, veryLong = 8, 10, 12 // words
	// MostCarried is the share of any sentence that may be missing if it only carries the rest.
	MostCarried = 0.4
)

// LongestRow is how many words stand in a row in the sentence that they are of; two characters are one.
func LongestRow(words []Word) int {
	most, run := 0, 0
	for i, w := range words {
		if run++; i == 0 || words[i-1].At != w.At-1 {
			run = 1
		}
		if most < run {
			most = run
		}
	}
	return most
}
