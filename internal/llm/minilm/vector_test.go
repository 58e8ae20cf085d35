package minilm

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestActivationIsTheNormalIntegralTimesItsNumber(t *testing.T) {
	everyLevel(t, func(t *testing.T, k *kernels) {
		f := newFence(t, 4*lane*40)
		rapid.Check(t, func(rt *rapid.T) {
			x := vectors(rt, fenced[float32](f, lanes(rt), rapid.Bool().Draw(rt, "after")))
			before := slices.Clone(x)
			k.gelu(x)
			for i, v := range before {
				want := float64(v) * (1 + math.Erf(float64(v)/math.Sqrt2)) / 2
				if !(math.Abs(float64(x[i])-want) <= 3e-7*max(1, math.Abs(want))) { // which holds for no number, too
					rt.Fatalf("of %g it makes %g, want %g", v, x[i], want)
				}
			}
		})
	})
}

func TestActivationOfTheEndsOfTheLineIsNumber(t *testing.T) {
	everyLevel(t, func(t *testing.T, k *kernels) {
		x := make([]float32, lane)
		copy(x, []float32{0, 100, -100, math.MaxFloat32, -math.MaxFloat32, 1e16, -1e16, 1e-45, -1e-45})
		k.gelu(x)
		for i, want := range []float32{0, 100, 0, math.MaxFloat32, 0, 1e16, 0, 0, 0} {
			if !(math.Abs(float64(x[i]-want)) <= 1e-6) {
				t.Errorf("number %d became %g, want %g", i, x[i], want)
			}
		}
	})
}

func TestWeightsOfAttentionAreShares(t *testing.T) {
	everyLevel(t, func(t *testing.T, k *kernels) {
		f := newFence(t, 4*lane*40)
		rapid.Check(t, func(rt *rapid.T) {
			n := lanes(rt)
			x := vectors(rt, fenced[float32](f, n, rapid.Bool().Draw(rt, "after")))
			// What lies beyond a text has the least score that there is.
			masked := rapid.IntRange(0, lane-1).Draw(rt, "masked")
			for i := n - masked; i < n; i++ {
				x[i] = -math.MaxFloat32
			}
			before, sum := slices.Clone(x), 0.0
			for _, v := range before {
				sum += math.Exp(float64(v) - float64(slices.Max(before)))
			}
			k.softmax(x)
			for i, v := range before {
				want := math.Exp(float64(v)-float64(slices.Max(before))) / sum
				if !(math.Abs(float64(x[i])-want) <= 1e-6*want+1e-7/sum) {
					rt.Fatalf("share %d of %d is %g, want %g", i, n, x[i], want)
				}
			}
		})
	})
}

func TestRowsAreNormalised(t *testing.T) {
	everyLevel(t, func(t *testing.T, k *kernels) {
		xs, ys, fs, ss := newFence(t, 4*lane*40*3), newFence(t, 4*lane*40*3), newFence(t, 4*lane*40), newFence(t, 4*lane*40)
		rapid.Check(t, func(rt *rapid.T) {
			width, rows, after := lanes(rt), rapid.IntRange(1, 3).Draw(rt, "rows"), rapid.Bool().Draw(rt, "after")
			x, y := vectors(rt, fenced[float32](xs, rows*width, after)), vectors(rt, fenced[float32](ys, rows*width, after))
			g := gain{vectors(rt, fenced[float32](fs, width, after)), vectors(rt, fenced[float32](ss, width, after))}
			before := slices.Clone(x)
			k.norm(x, y, g, rows)
			for r := range rows {
				sums := make([]float64, width)
				mean, squares, largest := 0.0, 0.0, 0.0
				for i := range sums {
					sums[i] = float64(before[r*width+i]) + float64(y[r*width+i])
					mean += sums[i] / float64(width)
					largest = max(largest, math.Abs(sums[i]))
				}
				for _, v := range sums {
					squares += (v - mean) * (v - mean)
				}
				deviation := math.Sqrt(squares/float64(width) + 1e-12)
				for i, v := range sums {
					want := (v-mean)/deviation*float64(g.factor[i]) + float64(g.shift[i])
					size := (math.Abs(v-mean)+largest)/deviation*math.Abs(float64(g.factor[i])) + math.Abs(float64(g.shift[i]))
					if got := float64(x[r*width+i]); !closeTo(got, want, 3*size) {
						rt.Fatalf("number %d of row %d is %g, want %g", i, r, got, want)
					}
				}
			}
		})
	})
}

func TestConstantRowsBecomeTheShift(t *testing.T) {
	everyLevel(t, func(t *testing.T, k *kernels) {
		x, y, shift := make([]float32, lane), make([]float32, lane), make([]float32, lane)
		for i := range x {
			x[i], shift[i] = 3, float32(i)
		}
		k.norm(x, y, gain{slices.Repeat([]float32{1}, lane), shift}, 1)
		if !slices.Equal(x, shift) {
			t.Errorf("got %v", x)
		}
		d := dense{lane, make([]uint8, lane), make([]float32, 2)}
		k.quantise(d, slices.Repeat([]float32{-2.5}, lane), 1)
		if d.steps[0] != 0 || d.steps[1] != -2.5 || slices.Max(d.bytes) != 0 {
			t.Errorf("a constant row became %v %v", d.steps, d.bytes)
		}
	})
}

func TestKernelsRefuseWhatTheyWereNotWrittenFor(t *testing.T) {
	everyLevel(t, func(t *testing.T, k *kernels) {
		p := plain{8, 48, make([]byte, 8*48), make([]float32, 48), make([]float32, 48)}
		m := k.pack(p)
		wide := dense{8, make([]uint8, 8*spare), make([]float32, 2*spare)}
		tests := map[string]func(){
			"an activation of an odd length": func() { k.gelu(make([]float32, 17)) },
			"shares of nothing":              func() { k.softmax(nil) },
			"bytes of an odd length":         func() { k.quantise(dense{8, make([]uint8, 8), make([]float32, 2)}, make([]float32, 8), 1) },
			"bytes without room":             func() { k.quantise(dense{16, make([]uint8, 15), make([]float32, 2)}, make([]float32, 16), 1) },
			"rows of another width":          func() { k.multiply(&tile{}, make([]float32, 48*spare), dense{4, wide.bytes, wide.steps}, 1, &m) },
			"products without room":          func() { k.multiply(&tile{}, make([]float32, 48), wide, 1, &m) },
			"products of too few rows":       func() { k.multiply(&tile{}, make([]float32, 48*spare), wide, spare+1, &m) },
			"a tile cut off": func() {
				k.weigh(&tile{}, view{make([]float32, 600), 33}, view{make([]float32, 60), 2}, view{make([]float32, 90), 33}, [3]int{3, 2, 33})
			},
			"a norm with a short shift": func() {
				k.norm(make([]float32, 16), make([]float32, 16), gain{make([]float32, 16), make([]float32, 15)}, 1)
			},
		}
		for name, try := range tests {
			t.Run(name, func(t *testing.T) {
				defer func() {
					if recover() == nil {
						t.Error("it was done all the same")
					}
				}()
				try()
			})
		}
	})
}
