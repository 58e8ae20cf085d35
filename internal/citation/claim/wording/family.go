package wording

// The measures by which two words are of one family: both have so many letters, and so much of the
// longer one, in tenths, is their common beginning.
const (
	formLetters = 5
	formTenths  = 8
)

// Kindred reports whether most of two words is their common beginning.
func Kindred(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < formLetters {
		return false
	}
	n := 0
	for n < len(a) && a[n] == b[n] {
		n++
	}
	return 10*n >= formTenths*len(b)
}

// Inflects reports whether a term is a word long enough to be known by its family.
func (t Term) Inflects() bool {
	return t.Left == "" && t.Right == "" && len(t.Text) >= formLetters && t.Text[0] <= 'z'
}
