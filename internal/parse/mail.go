package parse

import (
	"context"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse/eml"
	"github.com/kaoju/kaoju/internal/parse/layout"
	"github.com/kaoju/kaoju/internal/problem"
)

// FormatEML is the word of the format of e-mail messages.
const FormatEML = "eml"

// MaxMailBytes bounds a message, most of which is files.
const MaxMailBytes = 64 << 20

func readEML(ctx context.Context, l Limits, data []byte) (corpus.Parsed, error) {
	m, err := l.openMail(ctx, data)
	if err != nil {
		return corpus.Parsed{}, err
	}
	return m.Parse(ctx)
}

// openMail takes a message apart. One that was saved as UTF-16 is read as what it says.
func (l Limits) openMail(ctx context.Context, data []byte) (*eml.Message, error) {
	if head := data[:min(len(data), 2)]; strings.ContainsAny(string(head), "\x00") || strings.HasPrefix(string(head), "\xff\xfe") || strings.HasPrefix(string(head), "\xfe\xff") {
		if d, ok := decode(data, ""); ok {
			data = []byte(d.text)
		}
	}
	return eml.Open(data, eml.Options{
		Layout: l.layout(),
		Decode: decodeMail,
		Read: func(kind, text string) (corpus.Parsed, error) {
			f := byExtension("." + kind)
			p, err := f.text.parse(&source{ctx: ctx, limits: l, format: f, decoded: decoded{text: text, encoding: "utf-8"}})
			if problem.CodeOf(err) == "too_large" {
				err = layout.ErrFull
			}
			return p, err
		},
	})
}

// decodeMail decodes text of a message. Its charset is stated beside it, and seldom wrong, unless that
// is ASCII or the bytes are UTF-8; a page may state one itself.
func decodeMail(kind string, data []byte, charset string) (text string, repaired, ok bool) {
	if charset == "" && kind == "html" {
		charset = htmlCharset(data)
	}
	d, ok := decodeStated(data, mailCharset(charset))
	return d.text, d.repaired, ok && !mostlyControl(d.text)
}

func decodeStated(data []byte, charset string) (decoded, bool) {
	stated, name := declaredEncoding(charset)
	switch {
	case charset == "hz-gb-2312":
		stated, name = simplifiedchinese.HZGB2312, charset
	case charset == "us-ascii":
		stated = nil
	case name == "gbk":
		stated = simplifiedchinese.GB18030
	}
	_, damaged := damagedUTF8(data)
	switch {
	case stated == nil:
	case name == "hz-gb-2312" || strings.HasPrefix(name, "iso-2022-"): // ASCII by its bytes
	case damaged || utf8.Valid(data):
		stated = nil
	}
	if stated != nil {
		if d, ok := decodeAs(data, stated, name); ok {
			return d, true
		}
	}
	return decode(data, charset)
}

// mailCharset returns the usual name of a charset that mailers have others for.
func mailCharset(name string) string {
	name = strings.ToLower(strings.Trim(name, " \t\"'"))
	switch name {
	case "cp936", "ms936", "windows-936", "euc-cn", "x-gb18030":
		return "gb18030"
	case "cp932", "windows-932", "ms_kanji":
		return "shift_jis"
	case "cp949", "ms949", "windows-949", "uhc":
		return "euc-kr"
	case "cp950", "ms950", "windows-950", "cn-big5":
		return "big5"
	case "hz", "hz-gb-2312":
		return "hz-gb-2312"
	case "ascii", "ansi_x3.4-1968", "iso646-us", "":
		return "us-ascii"
	}
	return name
}
