package table_test

import (
	"encoding/binary"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/index/internal/table"
)

func TestValuesComeBackInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.SliceOf(rapid.Uint64Max(math.MaxInt64)).Draw(t, "numbers")
		tail := rapid.SliceOf(rapid.Byte()).Draw(t, "tail")
		var data []byte
		for _, v := range numbers {
			data = binary.AppendUvarint(data, v)
		}
		r := table.Reader{Data: append(data, tail...)}
		for _, v := range numbers {
			if got := r.Number(v); got != int(v) {
				t.Fatalf("%d, want %d", got, v)
			}
		}
		if got := r.Bytes(len(tail)); string(got) != string(tail) || r.Bad || len(r.Data) != 0 {
			t.Fatalf("%v, %+v", got, r)
		}
		if r.Bytes(1) != nil || !r.Bad {
			t.Fatal("a byte came after the end")
		}
	})
}

func TestAFaultIsTheEnd(t *testing.T) {
	for name, fault := range map[string]func(*table.Reader){
		"a number over its limit":      func(r *table.Reader) { r.Number(4) },
		"a table longer than the data": func(r *table.Reader) { r.Count(100, 2) },
		"more bytes than there are":    func(r *table.Reader) { r.Bytes(5) },
		"less bytes than none":         func(r *table.Reader) { r.Bytes(-1) },
		"a number that goes on and on": func(r *table.Reader) { r.Data = []byte{0x80, 0x80}; r.Number(math.MaxUint64) },
		"a number of more than 64 bits": func(r *table.Reader) {
			r.Data = []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1}
			r.Number(math.MaxUint64)
		},
	} {
		r := table.Reader{Data: []byte{5, 1, 1, 1}}
		fault(&r)
		if !r.Bad || r.Data != nil || r.Number(9) != 0 || r.Bytes(0) != nil || r.Count(9, 1) != 0 {
			t.Errorf("after %s: %+v", name, r)
		}
	}
	r := table.Reader{Data: []byte{1, 7, 7}}
	if n := r.Count(10, 2); n != 1 || r.Bad {
		t.Errorf("a table of one row that fits: %d, %+v", n, r)
	}
}
