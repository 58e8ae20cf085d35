package reading

import (
	"github.com/kaoju/kaoju/internal/citation/claim/coverage"
	"github.com/kaoju/kaoju/internal/citation/claim/quantity"
)

// Asked is a claim, or a clause of one, as places are asked for it.
type Asked struct {
	coverage.Text
	Folded  string
	Numbers []quantity.Stated // what it states, which is not among its words
}

// Ask reads a folded text as it is asked for; written is the same as its writer wrote it, which tells names.
func Ask(folded, written string) Asked {
	numbers, rest := quantity.Read(folded)
	return Asked{coverage.ReadRest(folded, rest, written), folded, numbers}
}
