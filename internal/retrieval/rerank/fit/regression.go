package main

import (
	"math"

	"github.com/kaoju/kaoju/internal/retrieval/rerank"
)

const (
	// ridge is what the square of a weight costs. It keeps features that say the same from having large
	// weights of opposite sign.
	ridge = 0.003
	// rounds and pace are those of the descent, which ends where more rounds change no figure below.
	rounds = 300
	pace   = 0.03
)

// sample is a collection's part to be fitted on.
type sample []example

// regress returns the weights under which the passages with grades are likeliest to be chosen among
// the candidates of their queries: a softmax over each query's candidates, the probabilities being
// in proportion to the grades. A collection counts by the root of its number of queries. Features
// that are not used have the weight 0. The same samples give the same weights.
func regress(samples []sample, use []int) rerank.Vector {
	rows, scale := standardised(samples, use)
	w := make([]float64, len(use))
	slope, speed := make([]float64, len(use)), make([]float64, len(use))
	for round := 1; round <= rounds; round++ {
		g := gradient(rows, w)
		for k := range w {
			// Adam, with its usual constants.
			slope[k] = 0.9*slope[k] + 0.1*g[k]
			speed[k] = 0.999*speed[k] + 0.001*g[k]*g[k]
			a, b := 1-math.Pow(0.9, float64(round)), 1-math.Pow(0.999, float64(round))
			w[k] -= pace * slope[k] / a / (math.Sqrt(speed[k]/b) + 1e-9)
		}
	}
	var out rerank.Vector
	for k, f := range use {
		out[f] = w[k] / scale[k]
	}
	return out
}

// row is a query for the regression: the candidates' features, and which share of the grades each
// candidate has.
type row struct {
	features [][]float64
	share    []float64
	weight   float64
}

// standardised takes the query's mean from each feature and divides by the deviation over all
// queries, which it returns.
func standardised(samples []sample, use []int) ([]row, []float64) {
	var rows []row
	scale := make([]float64, len(use))
	total := 0.0
	for _, s := range samples {
		for _, e := range s {
			grades := 0
			for _, g := range e.list {
				grades += g
			}
			if grades == 0 {
				continue
			}
			r := row{weight: 1 / math.Sqrt(float64(len(s)))}
			mean := make([]float64, len(use))
			for _, v := range e.vectors {
				for k, f := range use {
					mean[k] += v[f] / float64(len(e.vectors))
				}
			}
			for i, v := range e.vectors {
				x := make([]float64, len(use))
				for k, f := range use {
					x[k] = v[f] - mean[k]
					scale[k] += r.weight * x[k] * x[k]
				}
				total += r.weight
				r.features = append(r.features, x)
				r.share = append(r.share, float64(e.list[i])/float64(grades))
			}
			rows = append(rows, r)
		}
	}
	for k := range scale {
		scale[k] = math.Sqrt(scale[k]/total) + 1e-9
	}
	for _, r := range rows {
		for _, x := range r.features {
			for k := range x {
				x[k] /= scale[k]
			}
		}
	}
	return rows, scale
}

// gradient is that of the mean cost of the queries at the weights.
func gradient(rows []row, w []float64) []float64 {
	g := make([]float64, len(w))
	total := 0.0
	for _, r := range rows {
		total += r.weight
	}
	for _, r := range rows {
		p := chances(r, w)
		for i, x := range r.features {
			d := r.weight / total * (p[i] - r.share[i])
			for k := range x {
				g[k] += d * x[k]
			}
		}
	}
	for k := range g {
		g[k] += ridge * w[k]
	}
	return g
}

// chances are those of the candidates under the weights.
func chances(r row, w []float64) []float64 {
	p := make([]float64, len(r.features))
	most := math.Inf(-1)
	for i, x := range r.features {
		for k := range x {
			p[i] += w[k] * x[k]
		}
		most = max(most, p[i])
	}
	sum := 0.0
	for i := range p {
		p[i] = math.Exp(p[i] - most)
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}
