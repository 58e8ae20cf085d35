package parse

import "strings"

// delimiterSample is how much of a table is looked at to tell its delimiter, in bytes.
const delimiterSample = 64 << 10

// delimiterOf tells which of comma, semicolon, tab and bar divides the records into cells: the
// one under which most records have the same number of cells, and more than one. Where several
// are as good, the more cells; a table without any is one column, read with commas.
func delimiterOf(text, ext string) byte {
	best, bestShare, bestCells := byte(','), 0.0, 1
	candidates := ",;\t|"
	if ext == ".tsv" || ext == ".tab" {
		candidates, best = "\t,;|", '\t'
	}
	for i := range len(candidates) {
		cells, share := regularity(text[:min(len(text), delimiterSample)], candidates[i])
		if cells < 2 || share < 0.5 {
			continue
		}
		if share > bestShare+0.1 || share >= bestShare-0.1 && cells > bestCells {
			best, bestShare, bestCells = candidates[i], share, cells
		}
	}
	return best
}

// regularity returns the most frequent number of cells over the records of a sample, and the
// share of records that have it. Quoted cells are stepped over; the last record may be cut off and
// is not counted unless it is the only one.
func regularity(sample string, delimiter byte) (cells int, share float64) {
	counts := map[int]int{}
	records, n, quoted, fresh := 0, 1, false, true
	count := func() {
		counts[n]++
		records++
		n, fresh = 1, true
	}
	start := 0
	for i := 0; i < len(sample); i++ {
		c := sample[i]
		switch {
		case c == '"' && quoted:
			quoted = false
		case c == '"' && (fresh || i > 0 && sample[i-1] == '"'):
			quoted = true
		case quoted:
		case c == delimiter:
			n++
			fresh = true
			continue
		case c == '\n' || c == '\r':
			if strings.TrimSpace(sample[start:i]) != "" {
				count()
			}
			n, fresh, start = 1, true, i+1
			continue
		}
		fresh = false
	}
	if records == 0 {
		count()
	}
	for k, v := range counts {
		if s := float64(v) / float64(records); s > share || s == share && k > cells {
			cells, share = k, s
		}
	}
	return cells, share
}
