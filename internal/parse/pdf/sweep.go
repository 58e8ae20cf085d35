package pdf

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"

	"github.com/klippa-app/go-pdfium"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// What every character of a page is asked is asked inside the machine, by a function of our own beside PDFium: to go in
// and out again for each answer takes longer than to find most of them. It is
//
//	sweep(text, from, to, out)
//
// and writes a record for each character of a page's text from the first up to the last:
//
//	 0  what FPDFText_GetUnicode says
//	 4  FPDFText_HasUnicodeMapError
//	 8  FPDFText_GetTextObject
//	12  FPDFText_GetLooseCharBox
//	16  the box: left, top, right, bottom
const (
	recordBytes  = 32
	sweepRecords = 1024 // of one call
)

// record is what one character was answered.
type record struct {
	unicode rune
	unknown bool // its font does not say what it stands for
	object  uint64
	boxed   bool
	box     [4]float32 // left, top, right, bottom
}

// sweeper is a sweep that runs in the memory of a machine.
type sweeper struct {
	module  api.Module
	sweep   api.Function
	out     uint64 // where it writes
	records []byte // a copy
}

// sweep asks what each character of a page's text is, up to the count, until a fault.
func (m *machine) sweep(text uint64, count int) iter.Seq[record] {
	return func(yield func(record) bool) {
		for from := 0; from < count && m.err == nil; from += sweepRecords {
			to := min(count, from+sweepRecords)
			copy(m.stack[:], []uint64{text, uint64(from), uint64(to), m.sweeper.out}) //nolint:gosec // Counted from 0.
			if err := m.sweeper.sweep.CallWithStack(context.Background(), m.stack[:]); err != nil {
				m.err = fmt.Errorf("sweep: %w", err)
				return
			}
			// Whoever takes a record may call the machine, whose memory moves when it grows.
			m.sweeper.records = append(m.sweeper.records[:0], m.bytes(m.sweeper.out, recordBytes*(to-from))...)
			for b := m.sweeper.records; len(b) > 0 && m.err == nil; b = b[recordBytes:] {
				if !yield(recordOf(b)) {
					return
				}
			}
		}
	}
}

func recordOf(b []byte) record {
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	r := record{unicode: rune(word(0)), unknown: word(4) == 1, object: uint64(word(8)), boxed: word(12) != 0} //nolint:gosec // Bits.
	for i := range r.box {
		r.box[i] = math.Float32frombits(word(16 + 4*i))
	}
	return r
}

// runtimeOf returns what a pool runs its machines in, which has no public name.
func runtimeOf(pool pdfium.Pool) (r wazero.Runtime, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errStrange, p)
		}
	}()
	return unnamed[wazero.Runtime](reflect.ValueOf(pool).Elem().FieldByName("runtime")), nil
}

// startSweeper makes a sweep ready in the memory of PDFium. PDFium's module is inside the wrapper's.
func (m *machine) startSweeper(ctx context.Context, in *running) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errStrange, p)
		}
	}()
	wrapped := m.inside.Elem().FieldByName("Module").Elem()
	module := reflect.New(wrapped.Type()).Elem()
	module.Set(wrapped)
	within := unnamed[api.Module](module.FieldByName("mod"))
	ctx = experimental.WithImportResolver(ctx, func(string) api.Module { return within })
	if m.sweeper.module, err = in.runtime.InstantiateModule(ctx, in.sweep, wazero.NewModuleConfig().WithName("")); err != nil {
		return fmt.Errorf("%w: %w", errStrange, err)
	}
	m.sweeper.sweep = m.sweeper.module.ExportedFunction("sweep")
	return nil
}

// unnamed returns the value of a field that has no public name. It panics if that is of another type.
func unnamed[T any](field reflect.Value) T {
	if field.Type() != reflect.TypeFor[T]() {
		panic("a field is " + field.Type().String())
	}
	return *(*T)(field.Addr().UnsafePointer())
}

// sweepCode is the sweep as WebAssembly. It imports the functions in the order of its records, and PDFium's memory.
func sweepCode() []byte {
	const (
		i32, function, memory                          = 0x7f, 0x60, 0x02
		block, loop, none, end, br, brIf, call         = 0x02, 0x03, 0x40, 0x0b, 0x0c, 0x0d, 0x10
		get, set, number, store, aligned, add, atLeast = 0x20, 0x21, 0x41, 0x36, 2, 0x6a, 0x4f
		text, at, to, out                              = 0, 1, 2, 3 // parameters
	)
	vector := func(items ...[]byte) []byte { return append([]byte{byte(len(items))}, slices.Concat(items...)...) }
	name := func(s string) []byte { return append([]byte{byte(len(s))}, s...) }
	section := func(id byte, content []byte) []byte {
		return append([]byte{id, byte(len(content)&0x7f | 0x80), byte(len(content) >> 7)}, content...)
	}
	imported := func(s string, kind ...byte) []byte { return append(append(name("pdfium"), name(s)...), kind...) }
	code := []byte{
		0, // locals beside the parameters
		block, none, loop, none,
		get, at, get, to, atLeast, brIf, 1,
		get, out, get, text, get, at, call, 0, store, aligned, 0,
		get, out, get, text, get, at, call, 1, store, aligned, 4,
		get, out, get, text, get, at, call, 2, store, aligned, 8,
		get, out, get, text, get, at, get, out, number, 16, add, call, 3, store, aligned, 12,
		get, at, number, 1, add, set, at,
		get, out, number, recordBytes, add, set, out,
		br, 0, end, end, end,
	}
	return slices.Concat([]byte("\x00asm\x01\x00\x00\x00"),
		section(1, vector(
			[]byte{function, 2, i32, i32, 1, i32},
			[]byte{function, 3, i32, i32, i32, 1, i32},
			[]byte{function, 4, i32, i32, i32, i32, 0})),
		section(2, vector(
			imported("FPDFText_GetUnicode", 0, 0), imported("FPDFText_HasUnicodeMapError", 0, 0),
			imported("FPDFText_GetTextObject", 0, 0), imported("FPDFText_GetLooseCharBox", 0, 1),
			imported("memory", memory, 0, 0))),
		section(3, vector([]byte{2})),
		section(7, vector(append(name("sweep"), 0, 4))),
		section(10, vector(append([]byte{byte(len(code))}, code...))),
	)
}
