package pdf

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode/utf16"
)

// objects are the numbered objects of a file on its way. The first failure stays.
type objects struct {
	out    bytes.Buffer
	places []int // where object i+1 begins; 0: it was promised only
	packer *zlib.Writer
	err    error
}

// promise takes a number for an object that is written later.
func (w *objects) promise() int {
	w.places = append(w.places, 0)
	return len(w.places)
}

func (w *objects) put(number int, body string) {
	w.places[number-1] = w.out.Len()
	fmt.Fprintf(&w.out, "%d 0 obj\n%s\nendobj\n", number, body)
}

func (w *objects) add(body string) int {
	n := w.promise()
	w.put(n, body)
	return n
}

// stream adds a stream, packed.
func (w *objects) stream(keys string, raw []byte) int {
	var b bytes.Buffer
	if w.packer == nil {
		w.packer = zlib.NewWriter(&b)
	}
	w.packer.Reset(&b)
	if _, err := w.packer.Write(raw); err != nil {
		w.err = err
	}
	if err := w.packer.Close(); err != nil {
		w.err = err
	}
	return w.add(fmt.Sprintf("<</Filter/FlateDecode/Length %d%s>>stream\n%s\nendstream", b.Len(), keys, b.Bytes()))
}

// end writes the table of the objects and what names the first of them.
func (w *objects) end(root, info int) ([]byte, error) {
	if w.err != nil {
		return nil, w.err
	}
	id := fmt.Sprintf("%X", sha256.Sum256(w.out.Bytes()))[:32]
	at := w.out.Len()
	fmt.Fprintf(&w.out, "xref\n0 %d\n0000000000 65535 f \n", len(w.places)+1)
	for _, p := range w.places {
		fmt.Fprintf(&w.out, "%010d 00000 n \n", p)
	}
	fmt.Fprintf(&w.out, "trailer\n<</Size %d/Root %d 0 R/Info %d 0 R/ID[<%s><%s>]>>\nstartxref\n%d\n%%%%EOF\n", len(w.places)+1, root, info, id, id, at)
	return w.out.Bytes(), nil
}

// words writes a text that is no part of a page.
func words(text string) string {
	var b strings.Builder
	b.WriteString("<FEFF")
	for _, u := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&b, "%04X", u)
	}
	return b.String() + ">"
}
