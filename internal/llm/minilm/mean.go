package minilm

import "slices"

// Mean returns the mean vector of the model, which whoever keeps only the signs of a vector
// subtracts before: all vectors lean a little into one direction, and signs would tell it again and
// again. It is a constant of the model and never of a corpus, so that what is stored of one
// document says nothing of another.
//
// It is the mean over English passages and first sentences of six public collections (abstracts, an
// encyclopedia, a company's handbook), equally of each, made at the best level by the test of
// this package with -update. The values are rounded to six places.
func Mean() []float32 { return slices.Clone(mean[:]) }
