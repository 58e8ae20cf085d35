package minilm

import "golang.org/x/sys/cpu"

// levels returns what this processor can do, the best first.
func levels() []*kernels {
	out := []*kernels{scalar()}
	if x := cpu.X86; x.HasAVX2 && x.HasFMA {
		out = append([]*kernels{avx2()}, out...)
	}
	if x := cpu.X86; x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL {
		out = append([]*kernels{avx512()}, out...)
		if x.HasAVX512VNNI {
			out = append([]*kernels{vnni()}, out...)
		}
	}
	return out
}

// vnni is the level of processors that add products of bytes in one instruction.
func vnni() *kernels {
	k := avx512()
	k.name, k.columns, k.multiplyTile = "avx512-vnni", 48, multiplyVNNI
	return k
}

// avx512 is the level of the first servers with registers of 512 bits.
func avx512() *kernels {
	return &kernels{
		name: "avx512", rows: 8, columns: 24, reach: 32,
		multiplyTile: multiplyAVX512, weighTile: weighAVX512, quantiseRow: quantiseAVX512,
		geluRow: geluAVX512, softmaxRow: softmaxAVX512, normRow: normAVX512,
	}
}

// avx2 is the level of most processors of the last ten years.
func avx2() *kernels {
	return &kernels{
		name: "avx2", rows: 6, columns: 8, reach: 16,
		multiplyTile: multiplyAVX2, weighTile: weighAVX2, quantiseRow: quantiseAVX2,
		geluRow: geluAVX2, softmaxRow: softmaxAVX2, normRow: normAVX2,
	}
}

// What follows is in assembly. Lengths are multiples of lane, and not 0.

//go:noescape
func multiplyVNNI(t *tile)

//go:noescape
func multiplyAVX512(t *tile)

//go:noescape
func weighAVX512(t *tile)

//go:noescape
func quantiseAVX512(dst []uint8, src, row []float32)

//go:noescape
func geluAVX512(x []float32)

//go:noescape
func softmaxAVX512(x []float32)

//go:noescape
func normAVX512(x, y, factor, shift []float32)

//go:noescape
func multiplyAVX2(t *tile)

//go:noescape
func weighAVX2(t *tile)

//go:noescape
func quantiseAVX2(dst []uint8, src, row []float32)

//go:noescape
func geluAVX2(x []float32)

//go:noescape
func softmaxAVX2(x []float32)

//go:noescape
func normAVX2(x, y, factor, shift []float32)
