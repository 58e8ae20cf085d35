// Package vector holds what an embedding model made of chunks, and finds the nearest chunks among
// those that a search may see.
//
// A segment is immutable, belongs to one version, and is stored beside its rows. It keeps each
// vector twice: as one bit a dimension, the sign after the mean of the model was subtracted, and
// as one byte a dimension with a scale. A Set is what a server searches, a Filter the visible part
// of it. Few visible chunks are all compared by their bytes; of many, the signs choose the
// candidates first. Which of the two happens, and everything that a search returns, depends on the
// visible chunks alone. Similarities are sums of whole numbers, so that they are equal to the last
// bit on every machine and in whatever order they are added up.
package vector

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"strconv"

	"github.com/kaoju/kaoju/internal/problem"
)

// Space is what makes vectors comparable: the model that made them, and how many numbers each of
// them has. Mean is subtracted before signs are taken; it is a constant of the model, never of a
// corpus, and nil if the model has none.
type Space struct {
	Model      string
	Dimensions int
	Mean       []float32
}

// The limits of a segment; they bound what opening one can cost.
const (
	maxChunks     = 1 << 20
	maxName       = 1 << 10
	maxDimensions = 1 << 13
)

// Key names the space of a model: it differs where vectors must not be compared though the model
// goes by the same name. Dimensions are no part of it, since those of some models are known from
// their first answer on.
func (s Space) Key() string {
	if s.Mean == nil {
		return s.Model
	}
	return s.Model + "+" + strconv.FormatUint(uint64(s.mark()), 16)
}

// Same reports whether vectors of both spaces can be compared.
func (s Space) Same(o Space) bool {
	return s.Model == o.Model && s.Dimensions == o.Dimensions && s.mark() == o.mark()
}

// valid reports whether the space can be worked in.
func (s Space) valid() bool {
	return s.Model != "" && len(s.Model) <= maxName && s.Dimensions > 0 && s.Dimensions <= maxDimensions &&
		(s.Mean == nil || len(s.Mean) == s.Dimensions)
}

// mark tells spaces of one name apart whose signs were taken differently.
func (s Space) mark() uint32 {
	if s.Mean == nil {
		return 0
	}
	raw := make([]byte, 0, 4*len(s.Mean))
	for _, x := range s.Mean {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return crc32.Checksum(raw, castagnoli)
}

// words is how many words the signs of a vector take.
func (s Space) words() int { return (s.Dimensions + 63) / 64 }

// unit returns the vector at length 1. One that is not of the space, or that has no direction, is
// problem.Unavailable "embedding_malformed": a model that answers so can't be worked with.
func (s Space) unit(v []float32) ([]float64, error) {
	if !s.valid() {
		return nil, problem.New(problem.Internal, "embedding_space", "An embedding model needs a name and a number of dimensions.")
	}
	if len(v) != s.Dimensions {
		return nil, malformed("a vector has %d dimensions instead of %d", len(v), s.Dimensions)
	}
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil, malformed("a vector holds what is no number")
	}
	// Nothing that a model means is this short; dividing by it would make noise into a direction.
	if sum < 1e-12 {
		return nil, malformed("a vector has no direction")
	}
	length := math.Sqrt(sum)
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x) / length
	}
	return out, nil
}

func malformed(format string, args ...any) error {
	p := problem.New(problem.Unavailable, "embedding_malformed", format, args...)
	p.Detail = "The embedding model gave an answer that can't be used: " + p.Detail + "."
	return p
}

// signs sets one bit for each dimension in which the vector lies above the mean.
func (s Space) signs(unit []float64) []uint64 {
	out := make([]uint64, s.words())
	for i, x := range unit {
		if s.Mean != nil {
			x -= float64(s.Mean[i])
		}
		if x > 0 {
			out[i/64] |= 1 << (i % 64)
		}
	}
	return out
}

// unitScale is what a number of a query's vector is multiplied by before it is rounded. A sum of
// products with bytes stays below 2^31 in every space, since neither vector is longer than its
// scale times the root of its dimensions.
const unitScale = 1 << 14

// Query is a question's vector, ready to be compared.
type Query struct {
	space Space
	signs []uint64
	whole []int16
}

// Space returns the space that the query can be compared in.
func (q Query) Space() Space { return q.space }

// NewQuery makes a query of the vector that the space's model gave for a question.
func NewQuery(space Space, v []float32) (Query, error) {
	unit, err := space.unit(v)
	if err != nil {
		return Query{}, err
	}
	q := Query{space: space, signs: space.signs(unit), whole: make([]int16, len(unit))}
	for i, x := range unit {
		q.whole[i] = int16(math.Round(x * unitScale))
	}
	return q, nil
}
