package coverage

import (
	"slices"
	"strings"
	"sync"

	"github.com/kaoju/kaoju/internal/analysis"
)

// persons are words for those of whom a rule may speak; one that names none of them speaks to whoever works in the place.
const persons = `employee manager supervisor director head visitor guest intern contractor customer client supplier vendor provider buyer seller tenant landlord member owner
user student child adult administrator engineer technician driver applicant candidate mentor team department company party company board committee`

var personTerms = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, t := range analysis.Query(persons) {
		if t.Of < 0 {
			out[common(t.Term)] = true
		}
	}
	return out
})

// hanPersons are the characters in which words for such persons end.
const hanPersons = "员者方客商司部理管监生民户师长总"

// Unaddressed takes from the words that some texts lack those for the employees to whom a rule is addressed, where the texts
// name nobody: "Report a lost device", 须在五日内提交.
func Unaddressed(lacking []Word, held ...Text) []Word {
	if !slices.ContainsFunc(lacking, Word.addressed) || slices.ContainsFunc(held, Text.namesSomebody) {
		return lacking
	}
	return slices.DeleteFunc(slices.Clone(lacking), Word.addressed)
}

// addressed reports whether a word is one for employees, or a character of one.
func (w Word) addressed() bool {
	return w.Term == employee() || w.Term == "员" || w.Term == "工"
}

func (t Text) namesSomebody() bool {
	return slices.ContainsFunc(t.list, func(w Word) bool { return personTerms()[w.Term] || strings.Contains(hanPersons, w.Term) })
}

// employee is the word that stands for all of those who work in a place.
var employee = sync.OnceValue(func() string { return common(analysis.Query("employee")[0].Term) })
