package minilm

import "fmt"

// kernels is the arithmetic of the model at one level of the processor: plain Go, or assembly.
// The products of bytes are sums of integers, which are the same at every level.
//
// Lengths of vectors are multiples of lane. Kernels read and write nothing beyond what they are
// given; what they are given is checked by the methods of this file, which are the only callers.
type kernels struct {
	name string
	// rows and columns are the size of a tile of multiply, reach the columns of a tile of weigh,
	// whose rows are weighRows at every level.
	rows, columns, reach int

	multiplyTile func(*tile)
	weighTile    func(*tile)
	quantiseRow  func(dst []uint8, src []float32, row []float32)
	geluRow      func(x []float32)
	softmaxRow   func(x []float32)
	normRow      func(x, y, factor, shift []float32)
}

// lane is what lengths of vectors are multiples of; reachAll is a multiple of every reach, and
// spare how many rows beyond the last a tile may touch, at every level.
const (
	lane      = 16
	reachAll  = 32
	weighRows = 6
	spare     = 8
)

// tile is one call of multiply or of weigh. Strides count elements.
type tile struct {
	out       []float32
	outStride int
	inputs    int // length of the sums

	// What multiply takes: rows of bytes, inputs apart, with step and least for each; a panel of
	// weights and what stands beside it.
	bytes   []uint8
	rows    []float32
	weights []int8
	columns []float32

	// What weigh takes: left has a row for each row of out, right one for each input.
	left, right             []float32
	leftStride, rightStride int
}

// dense is rows of numbers as bytes: number = least + step × byte, with step and least for each.
type dense struct {
	width int
	bytes []uint8
	steps []float32
}

// multiply sets rows of out to rows × m + bias. It writes up to spare-1 more rows than rows, with
// nothing that means anything.
func (k *kernels) multiply(t *tile, out []float32, in dense, rows int, m *matrix) {
	if in.width != m.inputs || m.outputs%k.columns != 0 || m.inputs%4 != 0 {
		panic(fmt.Sprintf("minilm: %d numbers a row for a matrix of %d × %d", in.width, m.inputs, m.outputs))
	}
	for first := 0; first < m.outputs; first += k.columns {
		t.weights = m.weights[first*m.inputs : (first+k.columns)*m.inputs]
		t.columns = m.columns[3*first : 3*(first+k.columns)]
		for row := 0; row < rows; row += k.rows {
			t.inputs, t.outStride = m.inputs, m.outputs
			t.bytes = in.bytes[row*in.width : (row+k.rows)*in.width]
			t.rows = in.steps[2*row : 2*(row+k.rows)]
			t.out = out[row*m.outputs+first : (row+k.rows-1)*m.outputs+first+k.columns]
			k.multiplyTile(t)
		}
	}
}

// view is a matrix in a larger one: its rows are stride apart.
type view struct {
	numbers []float32
	stride  int
}

// weigh sets out to left × right, where right has inputs rows and columns columns, a multiple of
// the level's reach. It writes up to weighRows-1 more rows than rows, from as many rows of left.
func (k *kernels) weigh(t *tile, out, left, right view, size [3]int) {
	rows, inputs, columns := size[0], size[1], size[2]
	if columns%k.reach != 0 || inputs < 1 {
		panic(fmt.Sprintf("minilm: tiles of %d do not make %d columns of %d", k.reach, columns, inputs))
	}
	t.inputs, t.outStride, t.leftStride, t.rightStride = inputs, out.stride, left.stride, right.stride
	for first := 0; first < columns; first += k.reach {
		t.right = right.numbers[first : (inputs-1)*right.stride+first+k.reach]
		for row := 0; row < rows; row += weighRows {
			t.left = left.numbers[row*left.stride : (row+weighRows-1)*left.stride+inputs]
			t.out = out.numbers[row*out.stride+first : (row+weighRows-1)*out.stride+first+k.reach]
			k.weighTile(t)
		}
	}
}

// quantise turns rows of numbers into bytes between the least and the largest of each.
func (k *kernels) quantise(out dense, in []float32, rows int) {
	for r := range rows {
		src := in[r*out.width : (r+1)*out.width]
		whole(len(src))
		k.quantiseRow(out.bytes[r*out.width:(r+1)*out.width], src, out.steps[2*r:2*r+2])
	}
}

// gelu applies the activation to every number.
func (k *kernels) gelu(x []float32) {
	whole(len(x))
	k.geluRow(x)
}

// softmax turns scores into weights that sum to 1.
func (k *kernels) softmax(x []float32) {
	whole(len(x))
	k.softmaxRow(x)
}

// norm adds rows of y to those of x and normalises the sums, in place.
func (k *kernels) norm(x, y []float32, g gain, rows int) {
	width := len(g.factor)
	whole(width)
	for r := range rows {
		k.normRow(x[r*width:(r+1)*width], y[r*width:(r+1)*width], g.factor, g.shift[:width])
	}
}

func whole(n int) {
	if n == 0 || n%lane != 0 {
		panic(fmt.Sprintf("minilm: a vector of %d numbers is no multiple of %d", n, lane))
	}
}
