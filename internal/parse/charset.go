package parse

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	utf16 "golang.org/x/text/encoding/unicode"
)

// decoded is the text of an original, without byte order mark, line ends as they were.
type decoded struct {
	text     string
	encoding string
	repaired bool // some bytes did not fit and stand as U+FFFD
}

// sampleBytes is how much of a file is looked at to tell its encoding.
const sampleBytes = 64 << 10

// decode finds the encoding and decodes. The order is: byte order mark; UTF-16 told by its NULs;
// ISO-2022-JP told by its escapes; valid UTF-8; UTF-8 with little damage; an encoding that the file declares, unless that is the
// Latin-1 that tools write by default; the East Asian encodings, by how common their characters
// would be; UTF-16 without any NUL; single-byte encodings. Small files make a statistical detector
// guess, which is why it comes last.
func decode(data []byte, declared string) (decoded, bool) {
	if d, ok := marked(data); ok {
		return d, true
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return bareUTF16(data)
	}
	if d, ok := escaped(data); ok {
		return d, true
	}
	if utf8.Valid(data) {
		return decoded{text: string(data), encoding: "utf-8"}, true
	}
	if text, ok := damagedUTF8(data); ok {
		return decoded{text: text, encoding: "utf-8", repaired: true}, true
	}
	stated, name := declaredEncoding(declared)
	if stated != nil && name != "windows-1252" {
		if name == "gbk" {
			stated, name = simplifiedchinese.GB18030, "gb18030"
		}
		if d, ok := decodeAs(data, stated, name); ok && !d.repaired {
			return gbkIfNoFourBytes(d, data), true
		}
	}
	if l, ok := eastAsian(data); ok {
		if d, ok := decodeAs(data, l.enc, l.name); ok {
			return gbkIfNoFourBytes(d, data), true
		}
	}
	if len(data) >= 16 { // fewer letters can look like Chinese by chance
		if d, ok := bareUTF16(data); ok {
			return d, true
		}
	}
	return singleByte(data)
}

// escaped decodes ISO-2022-JP, whose bytes are all ASCII: it tells by escape sequences where Japanese begins and ends.
func escaped(data []byte) (decoded, bool) {
	if !bytes.Contains(data, []byte("\x1b$B")) && !bytes.Contains(data, []byte("\x1b$@")) {
		return decoded{}, false
	}
	if bytes.IndexFunc(data, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		return decoded{}, false
	}
	d, ok := decodeAs(data, japanese.ISO2022JP, "iso-2022-jp")
	return d, ok && !d.repaired
}

// marked decodes data that begins with a byte order mark.
func marked(data []byte) (decoded, bool) {
	marks := []struct {
		mark, name string
		enc        encoding.Encoding
	}{
		{"\xef\xbb\xbf", "utf-8", nil},
		{"\xff\xfe", "utf-16-le", utf16.UTF16(utf16.LittleEndian, utf16.IgnoreBOM)},
		{"\xfe\xff", "utf-16-be", utf16.UTF16(utf16.BigEndian, utf16.IgnoreBOM)},
		{"\x84\x31\x95\x33", "gb18030", simplifiedchinese.GB18030},
	}
	for _, m := range marks {
		rest, ok := bytes.CutPrefix(data, []byte(m.mark))
		if !ok {
			continue
		}
		if m.enc != nil {
			return decodeAs(rest, m.enc, m.name)
		}
		if utf8.Valid(rest) {
			return decoded{text: string(rest), encoding: m.name}, true
		}
		text, ok := damagedUTF8(rest)
		return decoded{text: text, encoding: m.name, repaired: true}, ok
	}
	return decoded{}, false
}

// decodeAs decodes all the data. It is not ok if more than one in two hundred characters above
// ASCII did not fit (a single one is always allowed, for files that were cut off).
func decodeAs(data []byte, enc encoding.Encoding, name string) (decoded, bool) {
	out, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		return decoded{}, false
	}
	bad, high := 0, 0
	for _, r := range string(out) {
		if r == utf8.RuneError {
			bad++
		}
		if r >= utf8.RuneSelf {
			high++
		}
	}
	d := decoded{text: string(out), encoding: name, repaired: bad > 0}
	return d, bad == 0 || bad <= 1+high/200 && high > 2
}

// damagedUTF8 replaces each byte that is no UTF-8 by U+FFFD, if they are at most one for fifty
// characters above ASCII that are right, or a single piece at the very end.
func damagedUTF8(data []byte) (string, bool) {
	bad, good, cut := 0, 0, 0
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			bad++
			if !utf8.FullRune(data[i:]) {
				cut, size = 1, len(data)-i
			}
		case size > 1:
			good++
		}
		i += size
	}
	if good == 0 || (bad-cut)*50 > good || cut > 0 && good < 3 {
		return "", false
	}
	var b strings.Builder
	b.Grow(len(data) + 2*bad)
	for _, r := range string(data) {
		b.WriteRune(r)
	}
	return b.String(), true
}

func declaredEncoding(name string) (encoding.Encoding, string) {
	enc, err := htmlindex.Get(name)
	if err != nil {
		return nil, ""
	}
	canonical, err := htmlindex.Name(enc)
	if err != nil || strings.HasPrefix(canonical, "utf-") || canonical == "replacement" {
		return nil, ""
	}
	return enc, canonical
}

func multiByte(name string) bool {
	switch name {
	case "gbk", "gb18030", "big5", "shift_jis", "euc-jp", "euc-kr", "iso-2022-jp":
		return true
	}
	return false
}

// bareUTF16 decodes UTF-16 without a mark if nearly all of it would be usual characters in one
// of the two byte orders.
func bareUTF16(data []byte) (decoded, bool) {
	sample := data[:min(len(data), sampleBytes)&^1]
	orders := []struct {
		name string
		end  utf16.Endianness
	}{{"utf-16-le", utf16.LittleEndian}, {"utf-16-be", utf16.BigEndian}}
	best, share := -1, 0.9
	for i, o := range orders {
		out, err := utf16.UTF16(o.end, utf16.IgnoreBOM).NewDecoder().String(string(sample))
		if err != nil {
			continue
		}
		if s := usual(out); s >= share {
			best, share = i, s
		}
	}
	if best < 0 {
		return decoded{}, false
	}
	return decodeAs(data, utf16.UTF16(orders[best].end, utf16.IgnoreBOM), orders[best].name)
}

// usual returns the share of characters that text in a living script is made of; control
// characters count against it.
func usual(text string) float64 {
	good, all := 0, 0
	for _, r := range text {
		all++
		switch {
		case r < 0x20 && !strings.ContainsRune("\t\n\v\f\r\x1b", r) || r == utf8.RuneError:
			return 0
		case r < 0x250, isCJKMark(r), isKana(r), r >= 0x2010 && r <= 0x2027, r >= 0x370 && r < 0x700,
			unicode.Is(unicode.Hangul, r), commonHan(r) != 0:
			good++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(good) / float64(all)
}

// highSample returns a part of the data that begins at its first byte above ASCII, or a little
// before it. Cutting there never splits a character.
func highSample(data []byte) []byte {
	first := bytes.IndexFunc(data, func(r rune) bool { return r >= utf8.RuneSelf })
	first = max(0, first-16)
	return data[first:min(len(data), first+sampleBytes)]
}

// gbkIfNoFourBytes gives GB18030 text its narrower name where it has no four-byte sequence.
func gbkIfNoFourBytes(d decoded, data []byte) decoded {
	if d.encoding != "gb18030" {
		return d
	}
	for i := 0; i+1 < len(data); i++ {
		if data[i] < 0x80 {
			continue
		}
		if data[i+1] >= '0' && data[i+1] <= '9' {
			return d
		}
		i++
	}
	d.encoding = "gbk"
	return d
}

type legacy struct {
	name string
	enc  encoding.Encoding
	set  hanSet
}

func legacies() []legacy {
	return []legacy{
		{"gb18030", simplifiedchinese.GB18030, hanSimplified | hanTraditional},
		{"big5", traditionalchinese.Big5, hanTraditional},
		{"shift_jis", japanese.ShiftJIS, hanJapanese},
		{"euc-jp", japanese.EUCJP, hanJapanese},
		{"euc-kr", korean.EUCKR, 0},
	}
}
