package pdf

import (
	"bytes"
	"context"
	"regexp"
	"strconv"

	"github.com/kaoju/kaoju/internal/problem"
)

// admit looks at the bytes before PDFium does, for what PDFium would mend in silence or pay too much for.
func admit(ctx context.Context, data []byte, stream int) error {
	head := data[:min(len(data), 1024)]
	switch {
	case !bytes.Contains(head, []byte("%PDF-")):
		return problem.New(problem.Invalid, "content_mismatch", "has a name for a PDF document, but its content is not one")
	case archive(data):
		return problem.New(problem.Invalid, "content_mismatch", "is a PDF document and an archive at once")
	case boasts(data):
		return malformed("claims to hold more than its size allows")
	case deep(data):
		return malformed("nests its objects deeper than any document does")
	case circular(data):
		return malformed("has an object that is defined by itself")
	}
	return bounded(ctx, data, stream)
}

// archive reports that the bytes are a zip archive as well: readers of these begin at the end.
func archive(data []byte) bool {
	const record, comment = 22, 1<<16 - 1
	tail := data[max(0, len(data)-record-comment):]
	for at := 0; ; at++ {
		i := bytes.Index(tail[at:], []byte("PK\x05\x06"))
		if i < 0 {
			return false
		}
		at += i
		if end := tail[at:]; len(end) >= record && int(end[20])|int(end[21])<<8 == len(end)-record {
			return true
		}
	}
}

// maxNumber is the number of objects that any document can have.
const maxNumber = 8_388_607

var claim = regexp.MustCompile(`/(?:Count|Size)[ \t\r\n\f\x00]*([+-]?[0-9]{7,})`)

// boasts reports a count of pages or objects beyond the format's own limit and beyond what bytes
// could describe.
func boasts(data []byte) bool {
	for rest := data; ; {
		m := claim.FindSubmatchIndex(rest)
		if m == nil {
			return false
		}
		n, err := strconv.ParseInt(string(rest[m[2]:m[3]]), 10, 64)
		if err != nil || max(n, -n) > max(maxNumber, int64(len(data))) {
			return true
		}
		rest = rest[m[1]:]
	}
}

// maxNesting is far beyond what writers make, and what PDFium follows.
const maxNesting = 500

// deep reports arrays and dictionaries inside each other beyond maxNesting.
func deep(data []byte) bool {
	depth, lastEnd := 0, bytes.LastIndex(data, []byte("endstream")) // no end is looked for where none is left
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '[', c == '<' && i+1 < len(data) && data[i+1] == '<':
			if depth++; depth > maxNesting {
				return true
			}
		case c == ']', c == '>' && i+1 < len(data) && data[i+1] == '>':
			depth = max(0, depth-1)
		case c == '(':
			i = afterString(data, i)
		case c == 'e' && bytes.HasPrefix(data[i:], []byte("endobj")):
			depth = 0
		case c == 's' && bytes.HasPrefix(data[i:], []byte("stream")):
			if i < lastEnd {
				i += bytes.Index(data[i:], []byte("endstream")) + len("endstream") - 1
			}
			depth = 0
		}
		if i+1 < len(data) && data[i] == data[i+1] && (data[i] == '<' || data[i] == '>') {
			i++
		}
	}
	return false
}

// maxString is how far the end of a string is looked for.
const maxString = 1 << 16

// afterString returns the index of the last byte of a string that begins at i. One that is longer than
// maxString, or never ends, is passed by as far as its end was looked for: to begin again inside it
// would read every byte as often as there are brackets before it.
func afterString(data []byte, i int) int {
	end := min(len(data), i+maxString)
	open := 0
	for j := i; j < end; j++ {
		switch data[j] {
		case '\\':
			j++
		case '(':
			open++
		case ')':
			if open--; open == 0 {
				return j
			}
		}
	}
	return end - 1
}

var (
	itself = regexp.MustCompile(`^[ \t\r\n]*([0-9]{1,10})[ \t\r\n]+([0-9]{1,5})[ \t\r\n]+R[ \t\r\n]+endobj`)
	length = regexp.MustCompile(`/Length[ \t\r\n]+([0-9]{1,10})[ \t\r\n]+([0-9]{1,5})[ \t\r\n]+R\b`)
)

// circular reports an object that is a reference to itself, or a stream whose length is itself.
func circular(data []byte) bool {
	for {
		number, generation, rest := definition(data)
		if number == nil {
			return false
		}
		data = rest
		same := func(found [][]byte) bool {
			return found != nil && bytes.Equal(found[1], number) && bytes.Equal(found[2], generation)
		}
		body := data[:min(len(data), 512)]
		if same(itself.FindSubmatch(body)) {
			return true
		}
		if end := bytes.Index(body, []byte("stream")); end >= 0 && !bytes.Contains(body[:end], []byte("endobj")) && same(length.FindSubmatch(body[:end])) {
			return true
		}
	}
}

// The digits of an object's number and of its generation, at most.
const (
	numberDigits     = 10
	generationDigits = 5
)

// definition finds the first object of data: its number, its generation, and what stands after "obj"; nil if there
// is none. The word is looked for first and the numbers backwards from it, which costs a fraction of an expression
// that stops at every digit of packed data.
func definition(data []byte) (number, generation, rest []byte) {
	for at := 0; ; {
		i := bytes.Index(data[at:], []byte("obj"))
		if i < 0 {
			return nil, nil, nil
		}
		before, after := data[:at+i], data[at+i+len("obj"):]
		at += i + len("obj")
		if len(after) > 0 && (after[0] == '_' || alphanumeric(after[0])) {
			continue
		}
		before, generation = numeral(before)
		if len(generation) == 0 || len(generation) > generationDigits {
			continue
		}
		if _, number = numeral(before); len(number) > 0 {
			return number[max(0, len(number)-numberDigits):], generation, after
		}
	}
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// numeral cuts off the digits before the white space at the end of data; there are none without white space.
func numeral(data []byte) (before, digits []byte) {
	end := len(bytes.TrimRight(data, " \t\r\n"))
	from := end
	for end < len(data) && from > 0 && data[from-1] >= '0' && data[from-1] <= '9' {
		from--
	}
	return data[:from], data[from:end]
}

var measured = regexp.MustCompile(`/Length[ \t\r\n]+([0-9]{1,10})(?:[ \t\r\n]+[0-9]+[ \t\r\n]+(R))?`)

// damaged reports a stream that does not end where it says, or a document without its end: what text
// was lost there, nobody knows.
func damaged(data []byte) bool {
	if !bytes.Contains(data[max(0, len(data)-2048):], []byte("startxref")) {
		return true
	}
	for at := 0; ; {
		i := bytes.Index(data[at:], []byte("stream"))
		if i < 0 {
			return false
		}
		begin := at + i
		at = begin + len("stream")
		if bytes.HasSuffix(data[:begin], []byte("end")) {
			continue
		}
		m := measured.FindSubmatch(dictionary(data[:begin]))
		if m == nil || m[2] != nil { // its length stands elsewhere
			continue
		}
		n, err := strconv.Atoi(string(m[1]))
		body := bytes.TrimPrefix(bytes.TrimPrefix(data[at:], []byte("\r")), []byte("\n"))
		if err != nil || n > len(body) || !bytes.HasPrefix(bytes.TrimLeft(body[n:], " \t\r\n"), []byte("endstream")) {
			return true
		}
		at = len(data) - len(body) + n
	}
}
