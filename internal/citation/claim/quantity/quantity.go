// Package quantity reads what a text states literally, and compares it: numbers with their units and bounds, dates, times
// of day, codes.
//
// Read takes them out of a folded text. The comparisons say whether one text states what another does, whether it
// follows, and which value stands in the place of another.
package quantity

import "strings"

// Kind says what a quantity is.
type Kind uint8

// The kinds. Value is the number, in figures with a point; YYYY-MM-DD, YYYY-MM, --MM-DD or --MM of a date; the code, folded;
// HH:MM of a time of day.
const (
	Number Kind = iota
	date
	Code
	TimeOfDay
)

// Quantity is something in a sentence that must stand in the excerpt literally: a number with its
// unit, a date, or a code.
type Quantity struct {
	Kind  Kind
	Value string // as its kind is written
	Unit  string // canonical; "" if there is none that we know
}

// Stated is a quantity as a sentence states it.
type Stated struct {
	Quantity
	written string // as the text writes it; "" for dates
	Bound   Bound
	End     Bound  // of the two ends of a range: Above for the lower one, below for the upper one
	delay   delay  // of a period
	limit   bool   // a word beside it names the number a limit: it says what the bound is
	about   bool   // "about", "约"
	Denied  bool   // the text says that it is not this one: "不是650元", "not 650 yuan"
	Rate    bool   // one of a unit, of which a price or a limit is told: "per night", "每晚"
	Thing   string // of a bare number: the word behind it, which says what is counted
}

// Small reports whether a quantity is a bare number up to three, which texts give by naming the
// things or by "both" and "another" as often as by the number.
func (s Stated) Small() bool {
	return s.Kind == Number && s.Unit == "" && (s.Value == "1" || s.Value == "2" || s.Value == "3")
}

// Bound says on which side of the number a quantity lies.
type Bound uint8

// The bounds: the number itself, at least or more than it, at most or less than it.
const (
	Exactly Bound = iota
	Above
	below
)

// Side is on which side of a number something is: of a bound, or of the end of a range.
func (s Stated) Side() Bound {
	if s.Bound != Exactly {
		return s.Bound
	}
	return s.End
}

// Year reports whether a number is that of a year.
func (s Stated) Year() bool {
	return s.Kind == Number && len(s.Value) == 4 && (s.Unit == "year" || s.Unit == "" && s.Thing == "" && s.written != "" && !strings.Contains(s.written, ","))
}

// String writes a quantity as a reader knows it.
func (s Stated) String() string {
	if s.written != "" {
		return s.written
	}
	return s.Value
}
