package pdf

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"unicode/utf16"

	"github.com/klippa-app/go-pdfium"
)

// machine is one running PDFium with its own memory. Its functions are called as C has them: the
// wrapper's own methods register every object that they touch for good, which a page with
// thousands of glyphs can't afford, and take several times as long.
//
// After a fault inside PDFium the machine is broken: err is set, and every call returns 0.
type machine struct {
	instance  pdfium.Pdfium
	inside    reflect.Value
	functions map[string]function
	memory    memory
	stack     [16]uint64
	numbers   [6]float32
	scratch   uint64 // address of scratchBytes
	sweeper   sweeper
	err       error
}

type function interface {
	CallWithStack(ctx context.Context, stack []uint64) error
}

type memory interface {
	Read(offset, length uint32) ([]byte, bool)
	Write(offset uint32, data []byte) bool
}

const scratchBytes = 4096

var errStrange = errors.New("PDFium has an unknown shape")

func (e *Engine) machine(ctx context.Context) (*machine, error) {
	running, err := e.running()
	if err != nil {
		return nil, err
	}
	instance, err := running.pool.GetInstanceWithContext(ctx)
	if err != nil {
		return nil, fmt.Errorf("start PDFium: %w", err)
	}
	m := &machine{instance: instance, functions: map[string]function{}}
	err = m.enter()
	if err == nil {
		err = m.startSweeper(ctx, running)
	}
	if err != nil {
		return nil, errors.Join(err, m.close())
	}
	m.scratch, m.sweeper.out = m.call("malloc", scratchBytes), m.call("malloc", recordBytes*sweepRecords)
	if m.scratch == 0 || m.sweeper.out == 0 {
		return nil, errors.Join(errStrange, m.err, m.close())
	}
	return m, nil
}

// enter finds the functions and the memory behind the wrapper, whose types have no public names.
func (m *machine) enter() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errStrange, p)
		}
	}()
	m.inside = reflect.ValueOf(m.instance.GetImplementation())
	module := m.inside.Elem().FieldByName("Module")
	found, ok := module.MethodByName("Memory").Call(nil)[0].Interface().(memory)
	if !ok {
		return errStrange
	}
	m.memory = found
	return nil
}

func (m *machine) function(name string) (f function, err error) {
	if f, ok := m.functions[name]; ok {
		return f, nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %s: %v", errStrange, name, p)
		}
	}()
	f, ok := m.inside.MethodByName("Fn").Call([]reflect.Value{reflect.ValueOf(name)})[0].Interface().(function)
	if !ok {
		return nil, fmt.Errorf("%w: %s", errStrange, name)
	}
	m.functions[name] = f
	return f, nil
}

// call runs a function and returns its result, or 0.
func (m *machine) call(name string, arguments ...uint64) uint64 {
	if m.err != nil {
		return 0
	}
	f, err := m.function(name)
	if err == nil {
		copy(m.stack[:], arguments)
		// Nothing is to be found in the context of a call, which can't be stopped; there are several for each glyph.
		err = f.CallWithStack(context.Background(), m.stack[:])
	}
	if err != nil {
		m.err = fmt.Errorf("%s: %w", name, err)
		return 0
	}
	return m.stack[0]
}

// integer is call for functions that return an int.
func (m *machine) integer(name string, arguments ...uint64) int {
	return int(int32(m.call(name, arguments...))) //nolint:gosec // The upper half of the slot is not part of an int.
}

// bytes returns a view of the memory, valid until the next call.
func (m *machine) bytes(address uint64, n int) []byte {
	b, ok := m.memory.Read(uint32(address), uint32(n)) //nolint:gosec // Addresses are of 32 bits; a wrong one is refused.
	if !ok {
		return make([]byte, n)
	}
	return b
}

// floats reads n floats, six at most, from the scratch memory, where functions write what they return. They are valid until the
// next are read.
func (m *machine) floats(n int) []float32 {
	b := m.bytes(m.scratch, 4*n)
	out := m.numbers[:n]
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

// text calls a function that writes UTF-16 with a final zero into a buffer and returns its length in
// bytes; "" if that is more than a name should have.
func (m *machine) text(name string, arguments ...uint64) string {
	n := m.integer(name, append(arguments, m.scratch, scratchBytes)...)
	if n <= 2 || n > scratchBytes {
		return ""
	}
	b := m.bytes(m.scratch, n-2)
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}

// load copies data into the machine and returns its address.
func (m *machine) load(data []byte) uint64 {
	address := m.call("malloc", uint64(len(data)))
	if address == 0 || !m.memory.Write(uint32(address), data) { //nolint:gosec // Addresses are of 32 bits; a wrong one is refused.
		return 0
	}
	return address
}

func (m *machine) close() error {
	var err error
	if m.sweeper.module != nil {
		err = m.sweeper.module.Close(context.Background())
	}
	if m.err == nil {
		return errors.Join(err, m.instance.Close())
	}
	return errors.Join(err, m.instance.Kill()) // What is broken can't be asked to close itself.
}
