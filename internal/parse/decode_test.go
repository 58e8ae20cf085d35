package parse_test

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	utf16 "golang.org/x/text/encoding/unicode"

	"github.com/kaoju/kaoju/internal/parse"
)

func encode(t *testing.T, enc encoding.Encoding, text string) []byte {
	t.Helper()
	if enc == nil {
		return []byte(text)
	}
	out, err := enc.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatalf("%q can't be encoded: %v", text, err)
	}
	return out
}

const (
	chinese     = "住宿费上限为每晚六百五十元。\r\n超出部分须经部门主管批准，凭发票报销。\n"
	traditional = "住宿費上限為每晚六百五十元。\n超出部分須經部門主管批准，憑發票報銷。\n"
	kana        = "宿泊費の上限は一泊六百五十元です。\n超過分は部門長の承認が必要です。\n"
	hangul      = "숙박비 한도는 일박 육백오십 위안입니다. 초과분은 부서장의 승인이 필요합니다.\n"
	german      = "Die Übernachtung kostet höchstens 650 Yuan.\nDarüber entscheidet der Geschäftsführer.\n"
	french      = "L'hôtel coûte « 650 yuans » au plus. À Shanghaï, l'été est très chaud.\n"
	russian     = "Стоимость проживания не должна превышать шестисот пятидесяти юаней за ночь.\nСверх этого решает руководитель отдела.\n"
)

func TestEncodingsAreToldApart(t *testing.T) {
	le := utf16.UTF16(utf16.LittleEndian, utf16.IgnoreBOM)
	be := utf16.UTF16(utf16.BigEndian, utf16.IgnoreBOM)
	for _, c := range []struct {
		name, mark, text, want string
		enc                    encoding.Encoding
	}{
		{"ASCII", "", "plain\n", "utf-8", nil},
		{"UTF-8", "", chinese, "utf-8", nil},
		{"UTF-8 with mark", "\xef\xbb\xbf", chinese, "utf-8", nil},
		{"UTF-16 LE with mark", "\xff\xfe", chinese, "utf-16-le", le},
		{"UTF-16 BE with mark", "\xfe\xff", chinese, "utf-16-be", be},
		{"UTF-16 LE without mark, Chinese", "", chinese, "utf-16-le", le},
		{"UTF-16 BE without mark, Chinese", "", chinese, "utf-16-be", be},
		{"UTF-16 LE without mark, English", "", "two words\n", "utf-16-le", le},
		{"UTF-16 BE without mark, English", "", "two words\n", "utf-16-be", be},
		{"UTF-16 without mark and without any NUL", "", "差旅费报销制度与住宿标准", "utf-16-le", le},
		{"GBK", "", chinese, "gbk", simplifiedchinese.GBK},
		{"GBK, six characters", "", "报销管理制度", "gbk", simplifiedchinese.GBK},
		{"GBK, two characters", "", "制度", "gbk", simplifiedchinese.GBK},
		{"GBK, a few words in English text", "", "The limit is 650 yuan (每晚上限), see chapter 3 of the travel policy.\n", "gbk", simplifiedchinese.GBK},
		{"GB18030 with a rare character", "", "姓名：㐀山。住宿标准。", "gb18030", simplifiedchinese.GB18030},
		{"GB18030 with mark", "\x84\x31\x95\x33", chinese, "gb18030", simplifiedchinese.GB18030},
		{"Big5", "", traditional, "big5", traditionalchinese.Big5},
		{"Big5, short", "", "住宿費上限", "big5", traditionalchinese.Big5},
		{"Shift JIS", "", kana, "shift_jis", japanese.ShiftJIS},
		{"Shift JIS, short", "", "これは日本語", "shift_jis", japanese.ShiftJIS},
		{"Japanese EUC", "", kana, "euc-jp", japanese.EUCJP},
		{"Korean EUC", "", hangul, "euc-kr", korean.EUCKR},
		{"Windows-1252, German", "", german, "windows-1252", charmap.Windows1252},
		{"Windows-1252, French", "", french, "windows-1252", charmap.Windows1252},
		{"Latin-1, one word", "", "café", "windows-1252", charmap.ISO8859_1},
		{"Latin-1, words that are taken for Romanian", "", "Déjà vu à la carte, naïve café. Größe", "windows-1252", charmap.ISO8859_1},
		{"Latin-2, Romanian", "", "Mâine dimineaţă mergem împreună la şcoală şi apoi la piaţă, fără grabă. Oraşul este frumos şi oamenii sînt prietenoşi; preţul biletelor nu s-a schimbat în acest an.\n", "iso-8859-2", charmap.ISO8859_2},
		{"ISO-2022-JP", "", kana, "iso-2022-jp", japanese.ISO2022JP},
		{"ISO-2022-JP beside English", "", "Subject: 会議のお知らせ (Tokyo)\n", "iso-2022-jp", japanese.ISO2022JP},
		{"Windows-1252, Portuguese capitals", "", "INFORMAÇÃO SOBRE A SOLUÇÃO\n", "windows-1252", charmap.Windows1252},
		{"Windows-1251", "", russian, "windows-1251", charmap.Windows1251},
		{"KOI8-R", "", russian, "koi8-r", charmap.KOI8R},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := append([]byte(c.mark), encode(t, c.enc, c.text)...)
			r, err := parse.Parse(context.Background(), parse.File{Name: "a.txt", Data: data})
			if err != nil {
				t.Fatal(err)
			}
			if r.Encoding != c.want || r.Parsed.Text != c.text {
				t.Errorf("read as %s: %q, want %s", r.Encoding, r.Parsed.Text, c.want)
			}
			if len(r.Parsed.Notices) != 0 {
				t.Errorf("there are notices: %v", r.Parsed.Notices)
			}
		})
	}
}

func TestBytesAreReadAsTheyWereWritten(t *testing.T) {
	// These bytes were not made by the library that reads them.
	for _, c := range []struct{ name, data, want string }{
		{"GBK", "\xd6\xd0\xce\xc4\xb1\xea\xcc\xe2", "中文标题"},
		{"Big5", "\xa4\xa4\xa4\xe5\xbc\xd0\xc3\x44", "中文標題"},
		{"Shift JIS", "\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x95\xb6", "日本語の文"},
		{"Windows-1252", "Stra\xdfe f\xfcr 5 \x80", "Straße für 5 €"},
		{"UTF-16 LE", "\xff\xfe\x2d\x4e\x87\x65", "中文"},
	} {
		r, err := parse.Parse(context.Background(), parse.File{Name: "a.txt", Data: []byte(c.data)})
		if err != nil || r.Parsed.Text != c.want {
			t.Errorf("%s: %q (%v), want %q", c.name, r.Parsed.Text, err, c.want)
		}
	}
}

func TestDeclaredCharsetOfHTMLIsUsed(t *testing.T) {
	// Rare characters alone would not be taken for Chinese.
	body := "饕餮"
	for _, head := range []string{
		`<meta charset="gbk">`, `<META http-equiv=content-type content="text/html; charset=GB2312">`,
	} {
		data := encode(t, simplifiedchinese.GBK, head+"<p>"+body+"</p>")
		r, err := parse.Parse(context.Background(), parse.File{Name: "a.html", Data: data})
		if err != nil || r.Parsed.Text != body {
			t.Errorf("%s: %q (%v)", head, r.Parsed.Text, err)
		}
	}
	data := encode(t, charmap.ISO8859_2, `<?xml version="1.0" encoding="iso-8859-2"?><p>żółć</p>`)
	if r, err := parse.Parse(context.Background(), parse.File{Name: "a.xhtml", Data: data}); err != nil || r.Parsed.Text != "żółć" {
		t.Errorf("declared in XML: %q (%v)", r.Parsed.Text, err)
	}
	wrong := []byte(`<meta charset="latin1"><p>中文</p>`)
	if r, err := parse.Parse(context.Background(), parse.File{Name: "a.html", Data: wrong}); err != nil || r.Parsed.Text != "中文" {
		t.Errorf("a wrong declaration won over valid UTF-8: %q (%v)", r.Parsed.Text, err)
	}
}

func TestLittleDamageIsRepairedAndNoticed(t *testing.T) {
	long := strings.Repeat(chinese, 10)
	for name, data := range map[string]string{
		"UTF-8 cut off at the end":  chinese[:len(chinese)-2],
		"UTF-8 with one wrong byte": long + "\xff" + chinese,
		"GBK cut off at the end":    string(encode(t, simplifiedchinese.GBK, "住宿标准是六百五十元")) + "\xd4",
	} {
		r, err := parse.Parse(context.Background(), parse.File{Name: "a.txt", Data: []byte(data)})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(r.Parsed.Notices) != 1 || r.Parsed.Notices[0] != parse.EncodingRepaired {
			t.Errorf("%s: read as %s with the notices %v", name, r.Encoding, r.Parsed.Notices)
		}
		if n := strings.Count(r.Parsed.Text, "\ufffd"); n < 1 || n > 3 {
			t.Errorf("%s: %d characters were replaced", name, n)
		}
	}
}

func TestLanguageIsToldByScript(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		"12 345 ---":                   "",
		"Travel policy of the company": "en",
		german:                         "en",
		chinese:                        "zh",
		"使用 HTTP API 上传文件 document.pdf": "zh",
		kana:    "ja",
		hangul:  "ko",
		russian: "ru",
		"A long English text that names 北京 only once": "en",
	} {
		r, err := parse.Parse(context.Background(), parse.File{Name: "a.txt", Data: []byte(text + "\n")})
		if err != nil || r.Parsed.Language != want {
			t.Errorf("%q is %q (%v), want %q", text, r.Parsed.Language, err, want)
		}
	}
	code := "# 说明\n\n见下文代码。\n\n```go\n" + strings.Repeat("func main() { return }\n", 50) + "```\n"
	r, err := parse.Parse(context.Background(), parse.File{Name: "a.md", Data: []byte(code)})
	if err != nil || r.Parsed.Language != "zh" {
		t.Errorf("Chinese prose with much code is %q (%v)", r.Parsed.Language, err)
	}
}

func TestCharsetThatIsSaidBesideATextIsUsedWhereTheTextSaysNone(t *testing.T) {
	// Rare characters alone would be taken for something else.
	rare := encode(t, simplifiedchinese.GBK, "<p>饕餮</p>")
	halves := encode(t, japanese.ShiftJIS, "<p>ﾃﾞｰﾀ齟齬</p>")
	for _, c := range []struct{ name, file, media, data, want, encoding string }{
		{"GBK", "a.html", "text/html; charset=gbk", string(rare), "饕餮", "gbk"},
		{"GBK by its other name, in another writing", "a.html", `Text/HTML;Charset="GB2312"`, string(rare), "饕餮", "gbk"},
		{"GBK as Windows calls it", "a.html", "text/html; charset=cp936", string(rare), "饕餮", "gbk"},
		{"GBK, though a character is of GB18030 alone", "a.html", "text/html; charset=gbk", string(encode(t, simplifiedchinese.GB18030, "<p>饕㐀餮</p>")), "饕㐀餮", "gb18030"},
		{"Shift JIS", "a.html", "text/html; charset=Shift_JIS", string(halves), "ﾃﾞｰﾀ齟齬", "shift_jis"},
		{"a text", "a.txt", "text/plain; charset=gbk", string(encode(t, simplifiedchinese.GBK, "饕餮")), "饕餮", "gbk"},
		{"a table", "a.csv", "text/csv; charset=shift_jis", string(encode(t, japanese.ShiftJIS, "齟齬")), "齟齬", "shift_jis"},
		{"beside a mark", "a.html", "text/html; charset=gbk", "\xef\xbb\xbf<p>中文</p>", "中文", "utf-8"},
		{"beside another mark", "a.txt", "text/plain; charset=gbk", "\xff\xfe\x2d\x4e\x87\x65", "中文", "utf-16-le"},
		{"beside what the page declares", "a.html", "text/html; charset=gbk", `<meta charset="shift_jis">` + string(halves), "ﾃﾞｰﾀ齟齬", "shift_jis"},
		{"beside what the page declares and is none", "a.html", "text/html; charset=gbk", `<meta charset="x-none">` + string(rare), "饕餮", "gbk"},
		{"beside UTF-8", "a.html", "text/html; charset=gbk", "<p>中文</p>", "中文", "utf-8"},
		{"one that the text can't be in", "a.txt", "text/plain; charset=shift_jis", string(encode(t, simplifiedchinese.GBK, chinese)), chinese, "gbk"},
		{"what servers say by default", "a.txt", "text/plain; charset=iso-8859-1", string(encode(t, simplifiedchinese.GBK, chinese)), chinese, "gbk"},
		{"none that is known", "a.txt", "text/plain; charset=x-none", string(encode(t, simplifiedchinese.GBK, chinese)), chinese, "gbk"},
		{"no media type", "a.txt", "; charset", string(encode(t, simplifiedchinese.GBK, chinese)), chinese, "gbk"},
	} {
		r, err := parse.Parse(context.Background(), parse.File{Name: c.file, MediaType: c.media, Data: []byte(c.data)})
		if err != nil || r.Parsed.Text != c.want || r.Encoding != c.encoding {
			t.Errorf("%s: %q in %s (%v), want %q in %s", c.name, r.Parsed.Text, r.Encoding, err, c.want, c.encoding)
			continue
		}
		again, err := parse.Parse(context.Background(), parse.File{MediaType: r.MediaType, Data: []byte(c.data)})
		if err != nil || again.Parsed.Text != c.want {
			t.Errorf("%s, read again as %s: %q (%v)", c.name, r.MediaType, again.Parsed.Text, err)
		}
		for _, s := range r.Parsed.Blocks[0].Segments {
			if got, err := parse.Resolve(context.Background(), parse.File{MediaType: r.MediaType, Data: []byte(c.data)}, s.Locator); err != nil || got != string([]rune(r.Parsed.Text)[s.Span.Start:s.Span.End]) {
				t.Errorf("%s: its place opens to %q (%v)", c.name, got, err)
			}
		}
	}
}
