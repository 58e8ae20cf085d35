package index

// lengths are those of the fields of a table of chunks. What frequencies are divided by follows from
// them: keeping that instead would take four times the memory of a search's most scattered reads.
type lengths [fields][]uint32

// tabled is up to which length the norms are at hand.
const tabled = 1024

var tables = func() (out [fields][tabled]float64) {
	for f := range out {
		for n := range out[f] {
			out[f][n] = norm(f, uint32(n))
		}
	}
	return out
}()

// norm returns what the frequencies in a field of a length are multiplied by.
func norm(field int, length uint32) float64 {
	rel := float64(float64(slope[field]*float64(length)) / pivot[field])
	return weight[field] / (1 - slope[field] + rel)
}

func makeLengths(chunks int) (out lengths) {
	for f := range out {
		out[f] = make([]uint32, chunks)
	}
	return out
}

func (l *lengths) set(i int, length [fields]uint32) {
	for f, n := range length {
		l[f][i] = n
	}
}

// of returns what a frequency in a field of a chunk counts.
func (l *lengths) of(field int, tf, ord uint32) float64 {
	if n := l[field][ord]; n < tabled {
		return float64(float64(tf) * tables[field][n])
	}
	return float64(float64(tf) * norm(field, l[field][ord]))
}

// frequency returns the weighted sum of a term's frequencies in the fields of a chunk. Most terms
// are in the body alone, and adding nothing for the other fields changes no sum.
func (l *lengths) frequency(tf [fields]uint32, ord uint32) float64 {
	if tf[title]|tf[heading] == 0 {
		return l.of(body, tf[body], ord)
	}
	x := l.of(title, tf[title], ord) + l.of(heading, tf[heading], ord)
	return x + l.of(body, tf[body], ord)
}

// saturate returns the part of a term's weight that a chunk earns. The conversions above keep the
// compiler from fusing operations, which would round differently on some machines.
func (l *lengths) saturate(tf [fields]uint32, ord uint32) float64 {
	x := l.frequency(tf, ord)
	return x / (k1 + x)
}
