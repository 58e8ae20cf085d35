package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/ascii85"
	"io"
	"regexp"

	"github.com/kaoju/kaoju/internal/problem"
)

// deflateRatio is the most that a byte of packed data can become.
const deflateRatio = 1032

// bounded refuses a document with a stream that says plainly that it unpacks to more than the limit. It is a first
// sieve, for a clear answer before PDFium is asked. A stream passes by it that writes its filter in another object or
// with escapes, describes itself in more than the dictionary that is looked at, or calls itself a picture: pixels are not
// unpacked to read text. What holds for all is the memory of the machine, memoryPages: a file that needs
// more loses the page or is refused. Data that can't be unpacked is no fault here: it may be encrypted, or PDFium may know
// better.
func bounded(ctx context.Context, data []byte, limit int) error {
	for at := 0; ; {
		i := bytes.Index(data[at:], []byte("stream"))
		if i < 0 {
			return nil
		}
		begin := at + i
		at = begin + len("stream")
		if bytes.HasSuffix(data[:begin], []byte("end")) {
			continue
		}
		dict := dictionary(data[:begin])
		if !bytes.Contains(dict, flate) || picture.Match(dict) {
			continue
		}
		body := bytes.TrimLeft(data[at:min(len(data), at+2)], "\r\n")
		at += min(2, len(data)-at) - len(body)
		end := bytes.Index(data[at:], []byte("endstream"))
		if end < 0 {
			end = len(data) - at
		}
		suspect := mayBurst(4*end, bytes.Count(dict, flate), limit)
		if err := ctx.Err(); suspect && err != nil {
			return err
		}
		if suspect && bursts(data[at:at+end], dict, limit) {
			return problem.New(problem.Invalid, "stream_limit", "holds a stream that unpacks to more than %d bytes", limit)
		}
		at += end
	}
}

// picture finds the entry of a dictionary that makes its stream a picture.
var picture = regexp.MustCompile(`/Subtype[\s\x00]*/Image(?:[\s\x00/<>\[\]()%]|$)`)

// flate begins the long and the short name of the filter.
var flate = []byte("/Fl")

// mayBurst reports whether data of this size can unpack to more than the limit at all. A byte of
// ASCII85 can stand for four.
func mayBurst(size, layers, limit int) bool {
	for range min(layers, maxLayers) {
		if size > limit/deflateRatio {
			return true
		}
		size *= deflateRatio
	}
	return false
}

// dictionary returns the bytes before a stream that describe it.
func dictionary(before []byte) []byte {
	const most = 2048
	before = before[max(0, len(before)-most):]
	if i := bytes.LastIndex(before, []byte(" obj")); i >= 0 {
		return before[i:]
	}
	return before
}

// bursts reports whether packed data unpacks to more than the limit, at any of its layers.
func bursts(packed []byte, dict []byte, limit int) bool {
	if bytes.Contains(dict, []byte("/ASCII85Decode")) || bytes.Contains(dict, []byte("/A85")) {
		packed, _, _ = bytes.Cut(packed, []byte("~>"))
		packed, _ = io.ReadAll(ascii85.NewDecoder(bytes.NewReader(packed))) // A fault ends it.
	}
	layers := min(bytes.Count(dict, flate), maxLayers)
	for layer := range layers {
		if len(packed) > limit {
			return true
		}
		z, err := zlib.NewReader(bytes.NewReader(packed))
		if err != nil {
			return false
		}
		var out bytes.Buffer
		to := io.Writer(&out)
		if layer == layers-1 {
			to = io.Discard // Of what no other layer reads, the size is all that counts.
		}
		n, _ := io.Copy(to, io.LimitReader(z, int64(limit)+1)) // What comes before a fault is what counts.
		if n > int64(limit) {
			return true
		}
		packed = out.Bytes()
	}
	return false
}

// maxLayers is how often one stream is unpacked; nobody packs as often.
const maxLayers = 8
