package minilm

import "math"

// epsilon keeps the normalisation of a constant row finite; it is the model's.
const epsilon = 1e-12

// scalar is the level that every machine has, and what the others are held against.
func scalar() *kernels {
	return &kernels{
		name: "scalar", rows: 4, columns: 4, reach: 4,
		multiplyTile: multiplyScalar, weighTile: weighScalar, quantiseRow: quantiseScalar,
		geluRow: geluScalar, softmaxRow: softmaxScalar, normRow: normScalar,
	}
}

// multiplyScalar makes four rows of four outputs. Two weights share a number of 64 bits, so that
// one multiplication does the work of two: a sum of bytes times bytes stays below 2**31 for any
// matrix of up to 2**16 inputs, and what the lower half borrows from the upper is given back by
// halves.
func multiplyScalar(t *tile) {
	n := t.inputs
	a, b, c, d := t.bytes[:n], t.bytes[n:2*n], t.bytes[2*n:3*n], t.bytes[3*n:4*n]
	var a0, a1, b0, b1, c0, c1, d0, d1 int64
	w := t.weights
	for len(w) >= 16 && len(a) >= 4 && len(b) >= 4 && len(c) >= 4 && len(d) >= 4 {
		four := (*[16]int8)(w)
		for i := range 4 {
			low, high := pair(four[i], four[4+i]), pair(four[8+i], four[12+i])
			x := int64(a[i])
			a0, a1 = a0+x*low, a1+x*high
			x = int64(b[i])
			b0, b1 = b0+x*low, b1+x*high
			x = int64(c[i])
			c0, c1 = c0+x*low, c1+x*high
			x = int64(d[i])
			d0, d1 = d0+x*low, d1+x*high
		}
		w, a, b, c, d = w[16:], a[4:], b[4:], c[4:], d[4:]
	}
	for r, sums := range [4][2]int64{{a0, a1}, {b0, b1}, {c0, c1}, {d0, d1}} {
		step, least := t.rows[2*r], t.rows[2*r+1]
		for half, sum := range sums {
			low, high := halves(sum)
			for i, sum := range [2]int32{low, high} {
				column := 2*half + i
				scale, weights, bias := t.columns[column], t.columns[4+column], t.columns[8+column]
				t.out[r*t.outStride+column] = step*(float32(sum)*scale) + (least*weights + bias)
			}
		}
	}
}

// pair puts two weights into one number.
func pair(low, high int8) int64 { return int64(low) + int64(high)<<32 }

// halves returns the two sums in a sum of pairs.
func halves(sum int64) (low, high int32) {
	low = int32(sum)
	return low, int32((sum - int64(low)) >> 32)
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
