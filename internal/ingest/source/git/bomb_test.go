package git_test

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1" //nolint:gosec // Git's own.
	"encoding/binary"
	"testing"
)

// bomb is a pack of one small file and a difference from it that says to make a thousand million bytes.
func bomb(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString("PACK")
	do(t, binary.Write(&b, binary.BigEndian, []uint32{2, 2}))
	deflated := func(data []byte) {
		w := zlib.NewWriter(&b)
		_, err := w.Write(data)
		do(t, err)
		do(t, w.Close())
	}
	base := b.Len()
	b.WriteByte(3<<4 | 10) // a file of ten bytes
	deflated(make([]byte, 10))
	delta := append([]byte{10}, binary.AppendUvarint(nil, 1_000_000_000)...)
	delta = append(delta, 0x90, 10) // copy ten bytes
	at := b.Len()
	b.WriteByte(6<<4 | byte(len(delta))) // a difference from what is some bytes before
	b.WriteByte(byte(at - base))
	deflated(delta)
	sum := sha1.Sum(b.Bytes()) //nolint:gosec // Git's own.
	b.Write(sum[:])
	return b.Bytes()
}
