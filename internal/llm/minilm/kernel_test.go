package minilm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// everyLevel runs a test at each level of this processor, plain Go included.
func everyLevel(t *testing.T, test func(t *testing.T, k *kernels)) {
	for _, k := range levels() {
		t.Run(k.name, func(t *testing.T) { test(t, k) })
	}
}

// vectors draws numbers of one of several sizes, from a seed, so that they are cheap and shrink.
func vectors(rt *rapid.T, dst []float32) []float32 {
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
	size := rapid.SampledFrom([]float64{0, 1e-20, 1e-3, 1, 30, 1e4}).Draw(rt, "size")
	for i := range dst {
		dst[i] = float32(random.NormFloat64() * size)
	}
	return dst
}

// lanes draws the length of a vector.
func lanes(rt *rapid.T) int { return lane * rapid.IntRange(1, 40).Draw(rt, "lanes") }

// close reports whether two numbers are the same but for the last bits of numbers as large as size.
func closeTo(a, b, size float64) bool { return math.Abs(a-b) <= 2e-6*math.Abs(size)+1e-30 }

func TestBytesAreTheSameAtEveryLevel(t *testing.T) {
	everyLevel(t, func(t *testing.T, k *kernels) {
		in, out, rows := newFence(t, 4*lane*40), newFence(t, lane*40), newFence(t, 8)
		rapid.Check(t, func(rt *rapid.T) {
			n, after := lanes(rt), rapid.Bool().Draw(rt, "after")
			src := vectors(rt, fenced[float32](in, n, after))
			got := dense{n, fenced[uint8](out, n, after), fenced[float32](rows, 2, after)}
			k.quantise(got, src, 1)
			want := dense{n, make([]uint8, n), make([]float32, 2)}
			quantiseScalar(want.bytes, src, want.steps)
			if !slices.Equal(got.bytes, want.bytes) || !slices.Equal(got.steps, want.steps) {
				rt.Fatalf("got %v %v, want %v %v", got.steps, got.bytes, want.steps, want.bytes)
			}
		})
	})
}

func TestBytesAreNearTheirNumbers(t *testing.T) {
	everyLevel(t, func(t *testing.T, k *kernels) {
		rapid.Check(t, func(rt *rapid.T) {
			src := vectors(rt, make([]float32, lanes(rt)))
			d := dense{len(src), make([]uint8, len(src)), make([]float32, 2)}
			k.quantise(d, src, 1)
			for i, b := range d.bytes {
				back := float64(d.steps[1]) + float64(d.steps[0])*float64(b)
				if !(math.Abs(back-float64(src[i])) <= 0.501*float64(d.steps[0])+1e-6*math.Abs(float64(src[i]))) {
					rt.Fatalf("%g came back as %g with steps of %g", src[i], back, d.steps[0])
				}
			}
		})
	})
}

// product is what multiply has to make: sums of integers, and then numbers.
func product(p plain, in dense, rows int) (out, size []float64) {
	for r := range rows {
		step, least := float64(in.steps[2*r]), float64(in.steps[2*r+1])
		for c := range p.outputs {
			sum, weights := 0, 0
			for i := range p.inputs {
				w := int(int8(p.weights[i*p.outputs+c]))
				sum += int(in.bytes[r*p.inputs+i]) * w
				weights += w
			}
			scale := float64(p.scales[c])
			out = append(out, step*scale*float64(sum)+least*scale*float64(weights)+float64(p.bias[c]))
			size = append(size, math.Abs(step*scale*float64(sum))+math.Abs(least*scale*float64(weights))+math.Abs(float64(p.bias[c])))
		}
	}
	return out, size
}

// matrices draws a matrix with its scales and biases. Every extreme byte comes often.
func matrices(rt *rapid.T, inputs, outputs int) plain {
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "weights"), 2))
	p := plain{inputs, outputs, make([]byte, inputs*outputs), make([]float32, outputs), make([]float32, outputs)}
	extreme := rapid.SampledFrom([]int{0, 50, 100}).Draw(rt, "extreme")
	for i := range p.weights {
		p.weights[i] = byte(random.IntN(256))
		if random.IntN(100) < extreme {
			p.weights[i] = []byte{0x80, 0x7f, 0}[random.IntN(3)]
		}
	}
	for i := range outputs {
		p.scales[i], p.bias[i] = random.Float32()*0.01, float32(random.NormFloat64())
	}
	return p
}

func TestProductsOfBytesAreExact(t *testing.T) {
	everyLevel(t, func(t *testing.T, k *kernels) {
		const most = 512 // inputs: sums of so many products are exact in single precision
		in, out := newFence(t, (20+spare)*most), newFence(t, 4*(20+spare)*96)
		steps, weights, columns := newFence(t, 8*(20+spare)), newFence(t, most*96), newFence(t, 3*4*96)
		rapid.Check(t, func(rt *rapid.T) {
			rows, inputs := rapid.IntRange(1, 13).Draw(rt, "rows"), 4*rapid.IntRange(1, most/4).Draw(rt, "inputs")
			outputs, after := 48*rapid.IntRange(1, 2).Draw(rt, "outputs"), rapid.Bool().Draw(rt, "after")
			p := matrices(rt, inputs, outputs)
			for i := range p.scales {
				p.scales[i], p.bias[i] = 1, 0
			}
			all := (rows + k.rows - 1) / k.rows * k.rows
			d := dense{inputs, fenced[uint8](in, all*inputs, after), fenced[float32](steps, 2*all, after)}
			fill := rapid.SampledFrom([]int{1, 255, 256}).Draw(rt, "fill")
			for i := range d.bytes {
				d.bytes[i] = byte(255 - i%fill)
			}
			for r := range all {
				d.steps[2*r] = 1
			}
			m := k.pack(p)
			packed := matrix{m.inputs, m.outputs, fenced[int8](weights, len(m.weights), after), fenced[float32](columns, len(m.columns), after)}
			copy(packed.weights, m.weights)
			copy(packed.columns, m.columns)
			got := fenced[float32](out, all*outputs, after)
			k.multiply(&tile{}, got, d, rows, &packed)
			want, _ := product(p, d, rows)
			for i, w := range want {
				if float64(got[i]) != w {
					rt.Fatalf("row %d, output %d of %d × %d is %g, want %g", i/outputs, i%outputs, inputs, outputs, got[i], w)
				}
			}
		})
	})
}

func TestProductsOfBytesBecomeNumbers(t *testing.T) {
	everyLevel(t, func(t *testing.T, k *kernels) {
		rapid.Check(t, func(rt *rapid.T) {
			rows, inputs, outputs := rapid.IntRange(1, 11).Draw(rt, "rows"), lane*rapid.IntRange(1, 3).Draw(rt, "inputs"), 48*rapid.IntRange(1, 2).Draw(rt, "outputs")
			left, right := matrices(rt, inputs, outputs), matrices(rt, inputs, 2*outputs)
			d := dense{inputs, make([]uint8, (rows+spare)*inputs), make([]float32, 2*(rows+spare))}
			k.quantise(d, vectors(rt, make([]float32, rows*inputs)), rows)
			m := k.pack(left, right)
			got := make([]float32, (rows+spare)*m.outputs)
			k.multiply(&tile{}, got, d, rows, &m)
			first := 0
			for _, p := range []plain{left, right} {
				want, size := product(p, d, rows)
				for i, w := range want {
					r, c := i/p.outputs, first+i%p.outputs
					if g := float64(got[r*m.outputs+c]); !closeTo(g, w, size[i]) {
						rt.Fatalf("row %d, output %d is %g, want %g", r, c, g, w)
					}
				}
				first += p.outputs
			}
		})
	})
}

func TestMatricesOfNumbersAreMultiplied(t *testing.T) {
	everyLevel(t, func(t *testing.T, k *kernels) {
		const most = 70
		left, right, out := newFence(t, 4*90*(most+9)), newFence(t, 4*most*(3*reachAll+9)), newFence(t, 4*90*(3*reachAll+9))
		rapid.Check(t, func(rt *rapid.T) {
			rows, inputs := rapid.IntRange(1, 80).Draw(rt, "rows"), rapid.IntRange(1, most).Draw(rt, "inputs")
			columns, after := reachAll*rapid.IntRange(1, 3).Draw(rt, "columns"), rapid.Bool().Draw(rt, "after")
			all := (rows + weighRows - 1) / weighRows * weighRows
			gap := func(name string) int { return rapid.IntRange(0, 9).Draw(rt, name) }
			ls, rs, os := inputs+gap("left"), columns+gap("right"), columns+gap("out")
			l := view{vectors(rt, fenced[float32](left, (all-1)*ls+inputs, after)), ls}
			r := view{vectors(rt, fenced[float32](right, (inputs-1)*rs+columns, after)), rs}
			o := view{fenced[float32](out, (all-1)*os+columns, after), os}
			for i := range o.numbers {
				o.numbers[i] = 77
			}
			k.weigh(&tile{}, o, l, r, [3]int{rows, inputs, columns})
			for row := range rows {
				for c := range os {
					sum, size := 0.0, 0.0
					if c >= columns {
						if at := row*os + c; at < len(o.numbers) && o.numbers[at] != 77 {
							rt.Fatalf("between the rows, %d, %d was written", row, c)
						}
						continue
					}
					for i := range inputs {
						v := float64(l.numbers[row*ls+i]) * float64(r.numbers[i*rs+c])
						sum, size = sum+v, size+math.Abs(v)
					}
					if g := float64(o.numbers[row*os+c]); !closeTo(g, sum, 4*size) {
						rt.Fatalf("row %d, column %d is %g, want %g", row, c, g, sum)
					}
				}
			}
		})
	})
}
