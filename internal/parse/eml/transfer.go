package eml

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// content returns the bytes of a part as they were before they were encoded for the way.
func (n *node) content() []byte {
	switch n.encoding {
	case "base64":
		return base64Bytes(n.body)
	case "quoted-printable":
		return quotedPrintable(n.body)
	}
	return n.body
}

// base64Bytes decodes base64, and passes over what does not belong to it. Padding may stand between
// pieces: some writers encode a file piece by piece.
func base64Bytes(data []byte) []byte {
	out := make([]byte, 0, base64.RawStdEncoding.DecodedLen(len(data)))
	var group [4]byte
	n := 0
	for _, c := range data {
		switch {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '+', c == '/':
			group[n] = c
			n++
		case c != '=':
			continue
		}
		if n == len(group) || c == '=' {
			out, n = quantum(out, group[:n]), 0
		}
	}
	return quantum(out, group[:n])
}

// quantum appends what up to four letters of base64 stand for. A single one stands for nothing.
func quantum(out, letters []byte) []byte {
	if len(letters) < 2 {
		return out
	}
	out, _ = base64.RawStdEncoding.AppendDecode(out, letters) //nolint:errcheck // only letters of the alphabet come here
	return out
}

// quotedPrintable decodes quoted-printable, and takes an equals sign that begins no code as itself.
func quotedPrintable(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for len(data) > 0 {
		line, rest, end := nextLine(data)
		ending := data[len(line) : len(data)-len(rest)]
		data = rest
		line = bytes.TrimRight(line, " \t")
		soft := bytes.HasSuffix(line, []byte("=")) && !end
		if soft {
			line = line[:len(line)-1]
		}
		for i := 0; i < len(line); i++ {
			if line[i] == '=' && i+2 < len(line) {
				hi, lo := hex(line[i+1]), hex(line[i+2])
				if hi >= 0 && lo >= 0 {
					out = append(out, byte(hi<<4|lo))
					i += 2
					continue
				}
			}
			out = append(out, line[i])
		}
		if !soft {
			out = append(out, ending...)
		}
	}
	return out
}

func hex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

// unflow joins the lines that a writer of format=flowed broke (RFC 3676): a line that ends with a space
// goes on in the next one of the same depth of quotes. With delsp that space is no text.
func unflow(text string, delsp bool) string {
	var out strings.Builder
	open, depth := false, 0
	for line := range strings.Lines(text) {
		body := strings.TrimSuffix(line, "\n")
		quotes := len(body) - len(strings.TrimLeft(body, ">"))
		rest := body[quotes:]
		rest = strings.TrimPrefix(rest, " ") // space-stuffing
		signature := rest == "-- "
		if open && (quotes != depth || signature) {
			out.WriteByte('\n')
			open = false
		}
		if !open && quotes > 0 {
			out.WriteString(strings.Repeat(">", quotes) + " ")
		}
		flows := strings.HasSuffix(rest, " ") && !signature
		if flows && delsp {
			rest = rest[:len(rest)-1]
		}
		out.WriteString(rest)
		if open, depth = flows, quotes; !open {
			out.WriteByte('\n')
		}
	}
	return out.String()
}
