package minilm

import "math"

// epsilon keeps the normalisation of a constant row finite; it is the model's.
const epsilon = 1e-12

// scalar is the level that every machine has, and what the others are held against.
func scalar() *kernels {
	return &kernels{
		name: "scalar", rows: 2, columns: 4, reach: 4,
		multiplyTile: multiplyScalar, weighTile: weighScalar, quantiseRow: quantiseScalar,
		geluRow: geluScalar, softmaxRow: softmaxScalar, normRow: normScalar,
	}
}

// multiplyScalar makes two rows of four outputs.
func multiplyScalar(t *tile) {
	var sums [2][4]int32
	a, b := t.bytes[:t.inputs], t.bytes[t.inputs:2*t.inputs]
	w := t.weights
	for len(a) >= 4 && len(b) >= 4 && len(w) >= 16 {
		a0, a1, a2, a3 := int32(a[0]), int32(a[1]), int32(a[2]), int32(a[3])
		b0, b1, b2, b3 := int32(b[0]), int32(b[1]), int32(b[2]), int32(b[3])
		for c := range 4 {
			v := (*[4]int8)(w[4*c:])
			w0, w1, w2, w3 := int32(v[0]), int32(v[1]), int32(v[2]), int32(v[3])
			sums[0][c] += a0*w0 + a1*w1 + a2*w2 + a3*w3
			sums[1][c] += b0*w0 + b1*w1 + b2*w2 + b3*w3
		}
		a, b, w = a[4:], b[4:], w[16:]
	}
	for r, row := range sums {
		step, least := t.rows[2*r], t.rows[2*r+1]
		for c, sum := range row {
			scale, weights, bias := t.columns[c], t.columns[4+c], t.columns[8+c]
			t.out[r*t.outStride+c] = step*(float32(sum)*scale) + (least*weights + bias)
		}
	}
}

// weighScalar makes six rows of four columns.
func weighScalar(t *tile) {
	for r := range weighRows {
		left := t.left[r*t.leftStride:][:t.inputs]
		var s0, s1, s2, s3 float32
		for i, x := range left {
			v := (*[4]float32)(t.right[i*t.rightStride:])
			s0 += x * v[0]
			s1 += x * v[1]
			s2 += x * v[2]
			s3 += x * v[3]
		}
		copy(t.out[r*t.outStride:], []float32{s0, s1, s2, s3})
	}
}

// quantiseScalar sets row to step and least.
func quantiseScalar(dst []uint8, src []float32, row []float32) {
	least, most := src[0], src[0]
	for _, x := range src {
		least, most = min(least, x), max(most, x)
	}
	row[0], row[1] = (most-least)/255, least
	inverse := float32(0)
	if most > least {
		inverse = 255 / (most - least)
	}
	for i, x := range src {
		// The conversion keeps a compiler from joining the two operations into one.
		dst[i] = uint8(min(math.RoundToEven(float64(float32((x-least)*inverse))), 255))
	}
}

func geluScalar(x []float32) {
	for i, v := range x {
		x[i] = float32(0.5 * float64(v) * math.Erfc(-float64(v)/math.Sqrt2))
	}
}

func softmaxScalar(x []float32) {
	most := x[0]
	for _, v := range x {
		most = max(most, v)
	}
	sum := 0.0
	for i, v := range x {
		e := math.Exp(float64(v - most))
		x[i] = float32(e)
		sum += e
	}
	for i := range x {
		x[i] = float32(float64(x[i]) / sum)
	}
}

func normScalar(x, y, factor, shift []float32) {
	sum := 0.0
	for i, v := range y {
		x[i] += v
		sum += float64(x[i])
	}
	mean, squares := sum/float64(len(x)), 0.0
	for _, v := range x {
		squares += (float64(v) - mean) * (float64(v) - mean)
	}
	scale := 1 / math.Sqrt(squares/float64(len(x))+epsilon)
	for i, v := range x {
		x[i] = float32((float64(v)-mean)*scale)*factor[i] + shift[i]
	}
}
