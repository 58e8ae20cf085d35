package revision

import "github.com/kaoju/kaoju/internal/analysis"

// Likeness from which two sections or sentences count as one that changed.
const (
	likeSection = 0.5
	likePart    = 0.4 // of a paragraph or row between the same neighbours
	likeLine    = 0.3 // of a sentence between the same neighbours
	// maxPairs bounds the comparisons between two neighbours; maxLike the text that is looked at.
	maxPairs = 4096
	maxLike  = 2000
)

// alike pairs two short lists in order so that the likeness of the pairs is greatest in all. Each
// pair is at least so much alike. The caller bounds the lists.
func alike(a, b []sketch, least float64, allowed func(x, y int) bool) [][2]int {
	n, m := len(a), len(b)
	score, best := make([]float64, n*m), make([]float64, (n+1)*(m+1))
	at := func(x, y int) int { return x*(m+1) + y }
	for x := n - 1; x >= 0; x-- {
		for y := m - 1; y >= 0; y-- {
			best[at(x, y)] = max(best[at(x+1, y)], best[at(x, y+1)])
			if s := a[x].likeness(b[y]); s >= least && allowed(x, y) {
				score[x*m+y] = s
				best[at(x, y)] = max(best[at(x, y)], s+best[at(x+1, y+1)])
			}
		}
	}
	var out [][2]int
	for x, y := 0, 0; x < n && y < m; {
		switch s := score[x*m+y]; {
		case s > 0 && best[at(x, y)] == s+best[at(x+1, y+1)]:
			out = append(out, [2]int{x, y})
			x, y = x+1, y+1
		case best[at(x, y)] == best[at(x+1, y)]:
			x++
		default:
			y++
		}
	}
	return out
}

// sketch holds the pairs of neighbouring code points of a text, folded and without white space.
type sketch struct {
	pairs map[[2]rune]int
	size  int
}

func sketchOf(text []rune) sketch {
	folded := []rune(dense([]rune(analysis.Fold(string(text[:min(len(text), maxLike)])))))
	out := sketch{map[[2]rune]int{}, max(len(folded)-1, 0)}
	for i := 0; i+1 < len(folded); i++ {
		out.pairs[[2]rune{folded[i], folded[i+1]}]++
	}
	return out
}

// likeness is the share of pairs that two texts have in common, from 0 to 1.
func (s sketch) likeness(t sketch) float64 {
	if s.size+t.size == 0 {
		return 0
	}
	shared := 0
	for k, c := range s.pairs {
		shared += min(c, t.pairs[k])
	}
	return 2 * float64(shared) / float64(s.size+t.size)
}
