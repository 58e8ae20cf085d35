package minilm

import (
	"context"
	"math"
)

// scratch is the memory of one forward pass. It is made for a number of rows, and used by one
// pass at a time.
type scratch struct {
	tile              tile
	rows              []float32 // the tokens
	heads             []float32 // queries, keys and values
	mixed, added      []float32 // what attention made; what is added to the tokens
	inner             []float32
	narrow, wide      dense
	scores, transpose []float32
}

// memory returns scratch for as many tokens in all, in texts of at most longest.
func (n *network) memory(rows, longest int) *scratch {
	rows += spare
	columns := (longest + reachAll - 1) / reachAll * reachAll
	steps := make([]float32, 2*rows)
	return &scratch{
		rows: make([]float32, rows*n.width), heads: make([]float32, rows*3*n.width),
		mixed: make([]float32, rows*n.width), added: make([]float32, rows*n.width),
		inner:  make([]float32, rows*n.inner),
		narrow: dense{n.width, make([]uint8, rows*n.width), steps},
		wide:   dense{n.inner, make([]uint8, rows*n.inner), steps},
		scores: make([]float32, (longest+spare)*columns), transpose: make([]float32, headWidth*columns),
	}
}

// embed returns a vector of length 1 for each text, given as tokens. All tokens go through the
// matrices together; only attention keeps the texts apart, so nothing is padded and no text has
// an influence on another's vector.
func (n *network) embed(ctx context.Context, s *scratch, texts [][]int32) ([][]float32, error) {
	total := n.enter(s, texts)
	for i := range n.layers {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n.pass(s, &n.layers[i], texts, total)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	first := 0
	for i, ids := range texts {
		out[i] = n.pool(s.rows[first*n.width : (first+len(ids))*n.width])
		first += len(ids)
	}
	return out, nil
}

// enter looks the tokens up and returns how many there are.
func (n *network) enter(s *scratch, texts [][]int32) int {
	row := 0
	for _, ids := range texts {
		for position, id := range ids {
			word, place := s.rows[row*n.width:(row+1)*n.width], s.added[row*n.width:(row+1)*n.width]
			n.words.row(word, int(id))
			n.positions.row(place, position)
			for i, v := range n.kind {
				place[i] += v
			}
			row++
		}
	}
	n.norm(s.rows, s.added, n.entry, row)
	return row
}

// row writes one row of the table as numbers.
func (t table) row(dst []float32, at int) {
	scale := t.scales[at]
	src := t.rows[at*len(dst) : (at+1)*len(dst)]
	for i := range dst {
		dst[i] = float32(int8(src[i])) * scale
	}
}

// pass runs the tokens through one layer.
func (n *network) pass(s *scratch, l *layer, texts [][]int32, total int) {
	n.quantise(s.narrow, s.rows, total)
	n.multiply(&s.tile, s.heads, s.narrow, total, &l.attend)
	first := 0
	for _, ids := range texts {
		n.attention(s, first, len(ids))
		first += len(ids)
	}
	n.quantise(s.narrow, s.mixed, total)
	n.multiply(&s.tile, s.added, s.narrow, total, &l.join)
	n.norm(s.rows, s.added, l.joined, total)

	n.quantise(s.narrow, s.rows, total)
	n.multiply(&s.tile, s.inner, s.narrow, total, &l.widen)
	n.gelu(s.inner[:total*n.inner])
	n.quantise(s.wide, s.inner, total)
	n.multiply(&s.tile, s.added, s.wide, total, &l.narrow)
	n.norm(s.rows, s.added, l.leaving, total)
}

// attention mixes the values of the tokens of one text, which begins at a row and has as many.
// The tiles write a few rows into the next text's place, which is filled after it.
func (n *network) attention(s *scratch, first, count int) {
	stride := 3 * n.width
	columns := (count + reachAll - 1) / reachAll * reachAll
	padded := (count + lane - 1) / lane * lane
	heads := s.heads[first*stride:]
	for head := range n.heads {
		queries := view{heads[head*headWidth:], stride}
		keys, values := heads[n.width+head*headWidth:], view{heads[2*n.width+head*headWidth:], stride}
		// Columns beyond the text keep what they held; their scores are not read.
		transposed := s.transpose[:headWidth*columns]
		for t := range count {
			for i, v := range keys[t*stride:][:headWidth] {
				transposed[i*columns+t] = v
			}
		}
		scores := view{s.scores, columns}
		n.weigh(&s.tile, scores, queries, view{transposed, columns}, [3]int{count, headWidth, columns})
		for t := range count {
			row := s.scores[t*columns:][:padded]
			for i := count; i < padded; i++ {
				row[i] = -math.MaxFloat32
			}
			n.softmax(row)
		}
		n.weigh(&s.tile, view{s.mixed[first*n.width+head*headWidth:], n.width}, scores, values, [3]int{count, count, headWidth})
	}
}

// pool returns the mean of the rows at length 1.
func (n *network) pool(rows []float32) []float32 {
	out := make([]float32, n.width)
	for ; len(rows) > 0; rows = rows[n.width:] {
		for i, v := range rows[:n.width] {
			out[i] += v
		}
	}
	squares := 0.0
	for _, v := range out {
		squares += float64(v) * float64(v)
	}
	scale := float32(1 / math.Sqrt(max(squares, math.SmallestNonzeroFloat64)))
	for i := range out {
		out[i] *= scale
	}
	return out
}
