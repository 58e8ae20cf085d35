package parse

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// hanSet is a set of the national standards' first levels: the characters in daily use.
type hanSet uint8

const (
	hanSimplified  hanSet = 1 << iota // GB 2312 level 1
	hanTraditional                    // Big5 level 1
	hanJapanese                       // JIS X 0208 level 1
)

const (
	firstHan = 0x4e00
	lastHan  = 0x9fff
)

// firstLevels is made from the code tables themselves: each standard orders its first level in
// one run of codes.
var firstLevels = sync.OnceValue(func() *[lastHan - firstHan + 1]hanSet {
	var table [lastHan - firstHan + 1]hanSet
	mark := func(set hanSet, enc encoding.Encoding, from, to int) {
		for code := from; code <= to; code++ {
			out, err := enc.NewDecoder().Bytes([]byte{byte(code >> 8), byte(code)})
			if err != nil {
				continue
			}
			if r, size := utf8.DecodeRune(out); size == len(out) && r >= firstHan && r <= lastHan {
				table[r-firstHan] |= set
			}
		}
	}
	for row := 0xb0; row <= 0xd7; row++ {
		mark(hanSimplified, simplifiedchinese.GBK, row<<8|0xa1, row<<8|0xfe)
	}
	mark(hanTraditional, traditionalchinese.Big5, 0xa440, 0xc67e)
	mark(hanJapanese, japanese.ShiftJIS, 0x889f, 0x9872)
	return &table
})

// commonHan returns the first levels that a Han character belongs to.
func commonHan(r rune) hanSet {
	if r < firstHan || r > lastHan {
		return 0
	}
	return firstLevels()[r-firstHan]
}

func isKana(r rune) bool { return r >= 0x3041 && r <= 0x30ff }

// isCJKMark reports East Asian punctuation and full-width forms, and the quotes, dashes and dots
// that are written with them.
func isCJKMark(r rune) bool {
	return r >= 0x3000 && r <= 0x303f || r >= 0xff01 && r <= 0xff5e || r == '—' || r == '…' ||
		r == '‘' || r == '’' || r == '“' || r == '”' || r == '·' || r == '￥'
}

// eastAsian picks the multi-byte encoding in which most characters above ASCII would be common
// ones. GB18030 is preferred where it is about as good as another.
func eastAsian(data []byte) (legacy, bool) {
	sample := highSample(data)
	cut := len(sample) < len(data)
	var best legacy
	top, gb := 0.0, 0.0
	for _, l := range legacies() {
		out, err := l.enc.NewDecoder().Bytes(sample)
		if err != nil {
			continue
		}
		s := score([]rune(string(out)), l, cut)
		if l.name == "gb18030" {
			gb, best, top = s, l, s
		} else if s > top+0.05 || s >= 0.9 && overrides(string(out), l.name) {
			best, top = l, s
		}
	}
	return best, top >= 0.7 && (best.name != "gb18030" || gb >= 0.7)
}

// overrides tells the encodings whose bytes are common Chinese in GB18030 as well: Japanese EUC
// by its kana, Korean EUC by syllables that reach over no more than its own rows.
func overrides(text, name string) bool {
	kana, hangul, all := 0, 0, 0
	for _, r := range text {
		if r < utf8.RuneSelf {
			continue
		}
		all++
		if isKana(r) {
			kana++
		}
		if unicode.Is(unicode.Hangul, r) {
			hangul++
		}
	}
	switch name {
	case "euc-jp":
		return kana*5 >= all
	case "euc-kr":
		return hangul >= 16 && hangul*20 >= all*19
	}
	return false
}

// score returns the share of characters above ASCII that are in common use. A sequence that does
// not decode counts five times against; a single Han character between Latin letters is an
// accented letter of another encoding.
func score(text []rune, l legacy, cut bool) float64 {
	good, all := 0, 0
	for i, r := range text {
		if r < utf8.RuneSelf {
			continue
		}
		if r == utf8.RuneError && cut && i >= len(text)-2 {
			continue
		}
		all++
		switch {
		case r == utf8.RuneError:
			good -= 5
		case wedged(text, i):
		case isCJKMark(r), commonHan(r)&l.set != 0, isKana(r) && l.name != "big5":
			good++
		case l.name == "euc-kr" && unicode.Is(unicode.Hangul, r), l.name == "gb18030" && r == '€':
			good++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(good) / float64(all)
}

func wedged(text []rune, i int) bool {
	before := i > 0 && text[i-1] < utf8.RuneSelf && wordByte(byte(text[i-1]))
	after := i+1 < len(text) && text[i+1] < utf8.RuneSelf && wordByte(byte(text[i+1]))
	wide := i > 0 && text[i-1] >= utf8.RuneSelf || i+1 < len(text) && text[i+1] >= utf8.RuneSelf
	return (before || after) && !wide
}
