package minilm

import (
	"fmt"
	"math"
)

// shape is the size of a network: the model's own, or a small one in tests.
type shape struct {
	words, positions, layers, heads int
	width, inner                    int // of a token, and between the two halves of a feed-forward
}

// headWidth is the width of one head of attention. The kernels are written for it.
const headWidth = 32

// miniLM is the shape of all-MiniLM-L6-v2.
var miniLM = shape{words: 30522, positions: 512, layers: 6, heads: 12, width: Dimensions, inner: 1536}

// network is a model that is ready to run at one level of the processor. It is never changed.
type network struct {
	shape
	*kernels
	words, positions table
	kind             []float32 // what is added to every token: the first of two types of text
	entry            gain
	layers           []layer
}

// table is a matrix of one row a token or position, as bytes with a scale for each row.
type table struct {
	rows   []byte
	scales []float32
}

// gain is what follows the normalisation of a row.
type gain struct{ factor, shift []float32 }

// layer is one layer of the transformer. The matrices for queries, keys and values lie side by
// side in one.
type layer struct {
	attend, join    matrix
	widen, narrow   matrix
	joined, leaving gain
}

// readNetwork takes a network out of its file and packs its matrices for the kernels.
func readNetwork(file []byte, s shape, k *kernels) (*network, error) {
	a, err := openArchive(file)
	if err != nil {
		return nil, err
	}
	r := &reader{archive: a}
	n := &network{shape: s, kernels: k,
		words:     table{r.integers("emb.word", s.words, s.width), r.floats("emb.word.scale", s.words)},
		positions: table{r.integers("emb.pos", s.positions, s.width), r.floats("emb.pos.scale", s.positions)},
		kind:      r.floats("emb.type", 2, s.width)[:s.width],
		entry:     r.gain("emb.ln", s.width),
	}
	for i := 0; i < s.layers && r.err == nil; i++ {
		n.layers = append(n.layers, r.layer(fmt.Sprint(i, "."), s, k))
	}
	if r.err != nil {
		return nil, r.err
	}
	return n, nil
}

func (r *reader) gain(name string, width int) gain {
	return gain{r.floats(name+".w", width), r.floats(name+".b", width)}
}

func (r *reader) layer(name string, s shape, k *kernels) layer {
	query, key, value := r.plain(name+"q", s.width, s.width), r.plain(name+"k", s.width, s.width), r.plain(name+"v", s.width, s.width)
	// Scores of attention are divided by the root of the head's width, here once and for all.
	root := float32(1 / math.Sqrt(headWidth))
	for i := range query.scales {
		query.scales[i] *= root
		query.bias[i] *= root
	}
	return layer{
		attend: k.pack(query, key, value),
		join:   k.pack(r.plain(name+"o", s.width, s.width)),
		widen:  k.pack(r.plain(name+"fc1", s.width, s.inner)),
		narrow: k.pack(r.plain(name+"fc2", s.inner, s.width)),
		joined: r.gain(name+"ln1", s.width), leaving: r.gain(name+"ln2", s.width),
	}
}

// plain is a matrix as it lies in the file, input by output, with a scale for each output.
type plain struct {
	inputs, outputs int
	weights         []byte
	scales, bias    []float32
}

func (r *reader) plain(name string, inputs, outputs int) plain {
	return plain{inputs, outputs, r.integers(name+".w", inputs, outputs),
		r.floats(name+".w.scale", outputs), r.floats(name+".b", outputs)}
}

// matrix is packed for a kernel: panels of as many outputs as the kernel makes at a time; in a
// panel four inputs together, output by output. Beside each panel stand for its outputs the scales,
// the sums of the scaled weights, and the biases.
type matrix struct {
	inputs, outputs int
	weights         []int8
	columns         []float32
}

// pack puts matrices of the same inputs side by side and packs them.
func (k *kernels) pack(parts ...plain) matrix {
	m := matrix{inputs: parts[0].inputs}
	for _, p := range parts {
		m.outputs += p.outputs
	}
	m.weights = make([]int8, m.inputs*m.outputs)
	m.columns = make([]float32, 3*m.outputs)
	first := 0
	for _, p := range parts {
		for column := range p.outputs {
			k.packColumn(&m, first+column, p, column)
		}
		first += p.outputs
	}
	return m
}

// packColumn packs one output of p as the output at of m.
func (k *kernels) packColumn(m *matrix, at int, p plain, column int) {
	panel, inside := at/k.columns, at%k.columns
	weights := m.weights[panel*k.columns*m.inputs:][:k.columns*m.inputs]
	sum := 0
	for i := range m.inputs {
		w := int8(p.weights[i*p.outputs+column])
		weights[i/4*k.columns*4+inside*4+i%4] = w
		sum += int(w)
	}
	beside := m.columns[3*panel*k.columns:][:3*k.columns]
	beside[inside] = p.scales[column]
	beside[k.columns+inside] = p.scales[column] * float32(sum)
	beside[2*k.columns+inside] = p.bias[column]
}
