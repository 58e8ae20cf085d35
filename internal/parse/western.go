package parse

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/text/encoding/charmap"
)

// singleByte decodes text of mostly ASCII as Windows-1252, or another single-byte encoding if
// the detector is sure of one.
func singleByte(data []byte) (decoded, bool) {
	sample := highSample(data)
	if charset := detected(sample); charset != "" {
		enc, name := declaredEncoding(charset)
		if enc != nil && !multiByte(name) && name != "windows-1252" {
			if d, ok := decodeAs(data, enc, name); ok && letters(d.text) {
				return d, true
			}
		}
	}
	if !western(sample) {
		return decoded{}, false
	}
	return decodeAs(data, charmap.Windows1252, "windows-1252")
}

// detected returns the detector's answer if it is sure, the first in the alphabet where several
// are as likely: the detector itself gives them in an order that changes from run to run.
func detected(sample []byte) string {
	all, err := chardet.NewTextDetector().DetectAll(sample)
	if err != nil {
		return ""
	}
	best := chardet.Result{Confidence: 49}
	for _, r := range all {
		if r.Language == "ro" && !romanian(sample) {
			continue
		}
		if r.Confidence > best.Confidence || r.Confidence == best.Confidence && r.Charset < best.Charset {
			best = r
		}
	}
	return best.Charset
}

// romanian reports whether a sample in ISO 8859-2 or Windows-1250 has a letter that Romanian has and few others have. The
// detector takes French and Italian words for it, which have none.
func romanian(sample []byte) bool {
	return slices.ContainsFunc(sample, func(b byte) bool { return strings.IndexByte("\xe3\xc3\xba\xaa\xfe\xde", b) >= 0 })
}

// letters reports that most characters above ASCII are letters.
func letters(text string) bool {
	n, all := 0, 0
	for _, r := range text {
		if r >= utf8.RuneSelf {
			all++
			if unicode.IsLetter(r) {
				n++
			}
		}
	}
	return n*10 >= all*8
}

// western reports whether high bytes stand where Windows-1252 text has them: accented letters
// beside letters, and typographic marks, in text that is otherwise ASCII.
func western(sample []byte) bool {
	good, high := 0, 0
	for i, b := range sample {
		if b < 0x80 {
			continue
		}
		high++
		r := charmap.Windows1252.DecodeByte(b)
		switch {
		case unicode.IsLetter(r):
			if i > 0 && wordByte(sample[i-1]) || i+1 < len(sample) && wordByte(sample[i+1]) || alone(sample, i) {
				good++
			}
		case r >= 0x2010 || strings.ContainsRune("\u00a0¡£¥§©«®°±²³´µ·º»¼½¾¿×÷", r):
			if !alone(sample, i) || len(sample) < 8 || i == 0 || sample[i-1] < 0x80 {
				good++
			}
		}
	}
	return good*10 >= high*9 && high*5 <= len(sample)*2
}

func wordByte(b byte) bool {
	return b|0x20 >= 'a' && b|0x20 <= 'z'
}

// alone reports that no ASCII letter or high byte stands beside the byte, as in "à la".
func alone(sample []byte, i int) bool {
	plain := func(b byte) bool { return b < 0x80 && !wordByte(b) }
	return (i == 0 || plain(sample[i-1])) && (i+1 == len(sample) || plain(sample[i+1]))
}
