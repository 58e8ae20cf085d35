package minilm

import (
	"encoding/binary"
	"encoding/json"
	"math"

	"github.com/kaoju/kaoju/internal/problem"
)

// malformed is the error of a model file that is not what this package was written for. The file
// is part of the program, so nobody who runs it can do anything about it.
func malformed(format string, args ...any) error {
	return problem.New(problem.Internal, "embedding_model", "The embedding model can't be used: "+format+".", args...)
}

// archive is a file of tensors in the safetensors form: the length of a JSON header, the header,
// and the bytes of the tensors in little-endian order.
type archive struct {
	tensors map[string]tensor
	data    []byte
}

type tensor struct {
	Type    string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

// openArchive reads the header. Tensors are slices of the file.
func openArchive(file []byte) (*archive, error) {
	if len(file) < 8 {
		return nil, malformed("the file of tensors ends in its first line")
	}
	n := binary.LittleEndian.Uint64(file)
	if n > uint64(len(file)-8) {
		return nil, malformed("the header of the tensors is longer than the file")
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(file[8:8+n], &raw); err != nil {
		return nil, malformed("the header of the tensors is no JSON object: %v", err)
	}
	a := &archive{tensors: map[string]tensor{}, data: file[8+n:]}
	for name, text := range raw {
		if name == "__metadata__" {
			continue
		}
		var t tensor
		if err := json.Unmarshal(text, &t); err != nil {
			return nil, malformed("the tensor %s is not described: %v", name, err)
		}
		if t.Offsets[0] < 0 || t.Offsets[1] < t.Offsets[0] || t.Offsets[1] > len(a.data) {
			return nil, malformed("the tensor %s lies outside the file", name)
		}
		a.tensors[name] = t
	}
	return a, nil
}

// bytes returns the bytes of a tensor of the type and shape that are expected.
func (a *archive) bytes(name, kind string, size int, shape ...int) ([]byte, error) {
	t, ok := a.tensors[name]
	if !ok {
		return nil, malformed("there is no tensor %s", name)
	}
	if t.Type != kind || len(t.Shape) != len(shape) {
		return nil, malformed("the tensor %s is %s %v, not %s %v", name, t.Type, t.Shape, kind, shape)
	}
	for i, n := range shape {
		if t.Shape[i] != n {
			return nil, malformed("the tensor %s is %s %v, not %s %v", name, t.Type, t.Shape, kind, shape)
		}
		size *= n
	}
	out := a.data[t.Offsets[0]:t.Offsets[1]]
	if len(out) != size {
		return nil, malformed("the tensor %s has %d bytes, not %d", name, len(out), size)
	}
	return out, nil
}

// reader takes tensors out of an archive and keeps the first error.
type reader struct {
	*archive
	err error
}

// integers returns a matrix of bytes as it lies in the file; each byte is a two's complement.
func (r *reader) integers(name string, rows, columns int) []byte {
	out, err := r.bytes(name, "I8", 1, rows, columns)
	if err != nil && r.err == nil {
		r.err = err
	}
	if err != nil {
		return make([]byte, rows*columns)
	}
	return out
}

// floats returns a copy of a tensor of numbers.
func (r *reader) floats(name string, shape ...int) []float32 {
	n := 1
	for _, k := range shape {
		n *= k
	}
	out := make([]float32, n)
	raw, err := r.bytes(name, "F32", 4, shape...)
	if err != nil {
		if r.err == nil {
			r.err = err
		}
		return out
	}
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return out
}
