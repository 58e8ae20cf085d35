// Package dxftest writes DXF drawings for tests. It shares no code with what reads them.
package dxftest

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Tags writes pairs of group codes and values: an even number of arguments.
func Tags(pairs ...any) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		fmt.Fprintf(&b, "%3d\n%v\n", pairs[i], pairs[i+1])
	}
	return b.String()
}

// Section writes a section around what it is given.
func Section(name string, parts ...string) string {
	return Tags(0, "SECTION", 2, name) + strings.Join(parts, "") + Tags(0, "ENDSEC")
}

// Drawing writes a drawing of the entities, with sections before them.
func Drawing(entities string, sections ...string) string {
	return strings.Join(sections, "") + Section("ENTITIES", entities) + Tags(0, "EOF")
}

// Header declares a version and an encoding.
func Header(version, page string) string {
	return Section("HEADER", Tags(9, "$ACADVER", 1, version, 9, "$DWGCODEPAGE", 3, page))
}

// Text writes a text at a point, of height 1.
func Text(handle, layer, text string, x, y float64, more ...any) string {
	return Tags(0, "TEXT", 5, handle, 8, layer, 10, x, 20, y, 40, 1, 1, text) + Tags(more...)
}

// Block writes a block around its entities.
func Block(name string, entities ...string) string {
	return Tags(0, "BLOCK", 8, "0", 2, name, 70, 0, 10, 0, 20, 0, 3, name) + strings.Join(entities, "") + Tags(0, "ENDBLK")
}

// Insert shows a block at a point.
func Insert(layer, block string, x, y float64, more ...any) string {
	return Tags(0, "INSERT", 5, "I", 8, layer, 2, block, 10, x, 20, y) + Tags(more...)
}

// Layer writes a layer with its flags and its colour.
func Layer(name string, flags, colour int) string {
	return Tags(0, "LAYER", 2, name, 70, flags, 62, colour)
}

// Tables writes the table of layers.
func Tables(layers ...string) string {
	return Section("TABLES", Tags(0, "TABLE", 2, "LAYER"), strings.Join(layers, ""), Tags(0, "ENDTAB"))
}

// Binary writes a drawing in binary form, with codes of two bytes. It knows the codes that the other
// functions here write.
func Binary(text string) []byte {
	out := []byte("AutoCAD Binary DXF\r\n\x1a\x00")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		code, err := strconv.Atoi(strings.TrimSpace(lines[i]))
		if err != nil {
			panic(err)
		}
		out = binary.LittleEndian.AppendUint16(out, uint16(code)) //nolint:gosec // codes of tests are small
		value := lines[i+1]
		number, _ := strconv.ParseFloat(value, 64)
		switch {
		case code >= 10 && code < 60:
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(number))
		case code >= 60 && code < 80:
			out = binary.LittleEndian.AppendUint16(out, uint16(int16(number))) //nolint:gosec // as above
		default:
			out = append(append(out, value...), 0)
		}
	}
	return out
}
