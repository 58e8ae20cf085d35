package reading

import "slices"

// alone is the worth of a Chinese character that a text holds beside other neighbours.
const alone = 0.4

// Cover says for each term how far a vocabulary holds it: a character counts in full with one of
// its neighbours, and less alone.
func (c Claim) Cover(words map[string]bool) []float64 {
	out := make([]float64, len(c.Terms))
	for i, t := range c.Terms {
		switch {
		case t.Left == "" && t.Right == "" && words[t.Text], words[t.Left], words[t.Right]:
			out[i] = 1
		case words[t.Text]:
			out[i] = alone
		case slices.ContainsFunc(t.Turned, func(w string) bool { return words[w] }):
			out[i] = 1
		case slices.ContainsFunc(t.Forms, func(f string) bool { return words[f] }):
			out[i] = formWorth
		}
	}
	return out
}

// Share weighs what is covered. A claim without words is covered by its numbers alone.
func (c Claim) Share(covered []float64) float64 {
	if c.Weight == 0 {
		return 1
	}
	sum := 0.0
	for i, t := range c.Terms {
		if i < len(covered) {
			sum += t.Weight * covered[i]
		}
	}
	return sum / c.Weight
}

// ShareOfEnd weighs what is covered of the last third of the terms.
func (c Claim) ShareOfEnd(covered []float64) float64 {
	sum, total := 0.0, 0.0
	for i := len(c.Terms) - (len(c.Terms)+2)/3; i < len(c.Terms); i++ {
		total += c.Terms[i].Weight
		sum += c.Terms[i].Weight * covered[i]
	}
	if total == 0 {
		return 1
	}
	return sum / total
}

// Raise makes each figure of a at least that of b.
func Raise(a, b []float64) {
	for i := range b {
		a[i] = max(a[i], b[i])
	}
}
