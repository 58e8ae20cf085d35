package parse_test

import (
	"cmp"
	"context"
	"encoding/base64"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestMessagesAreFoundAtTheirPlaces(t *testing.T) {
	dir := sharedData(t)
	all, found, placed := 0, 0, 0
	for _, r := range officeRecordsOf(t, dir, "eml") {
		t.Run(r.File, func(t *testing.T) {
			f, result, err := parseFile(t, dir, r.File)
			if r.MustFail {
				failsCleanly(t, r, result, err)
				return
			}
			if err != nil {
				t.Fatalf("the message was refused: %v", err)
			}
			checkParsed(t, f, result)
			chunks := chunk.Split(result.Parsed, chunk.Options{})
			checkChunks(t, result.Parsed, chunks, 900)
			checkCovers(t, f, chunks)
			if noText := slices.Contains(result.Parsed.Notices, parse.NoTextLayer); r.NoText != noText || r.NoText && len(chunks) > 0 {
				t.Errorf("no text: %v, notices %v, %d chunks", r.NoText, result.Parsed.Notices, len(chunks))
			}
			for _, e := range r.Expect {
				all++
				text, place := met(chunks, e)
				if text {
					found++
				}
				if place {
					placed++
				} else {
					t.Errorf("%q is not at its place %v (text found: %v)", e.Text, e.Locator, text)
				}
			}
		})
	}
	t.Logf("eml: of %d expectations, %d texts found, %d at their place", all, found, placed)
	if all < 20 || placed < all {
		t.Errorf("%d of %d expectations are at their place", placed, all)
	}
}

// message reads a message that was written here.
func message(t *testing.T, data string) parse.Result {
	t.Helper()
	f := parse.File{Name: "a.eml", Data: []byte(data)}
	r, err := parse.Parse(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	checkParsed(t, f, r)
	return r
}

func TestTextOfAMessageIsReadInItsCharset(t *testing.T) {
	const text = "差旅政策：上海每晚六百五十元。"
	for charset, c := range map[string]struct {
		enc  encoding.Encoding
		text string
	}{
		"gb2312": {simplifiedchinese.GBK, text}, "GBK": {simplifiedchinese.GBK, text}, "gb18030": {simplifiedchinese.GB18030, text + "𠀀"},
		"gb2312 with more": {simplifiedchinese.GB18030, text + "𠀀"}, "cp936": {simplifiedchinese.GBK, text}, "": {simplifiedchinese.GBK, text},
		"us-ascii": {simplifiedchinese.GBK, text}, "hz-gb-2312": {simplifiedchinese.HZGB2312, text}, "utf-8": {encoding.Nop, text},
		"iso-8859-1 that is UTF-8": {encoding.Nop, text},
		"big5":                     {traditionalchinese.Big5, "差旅政策：上海每晚六百五十元。"}, "shift_jis": {japanese.ShiftJIS, "出張規定：上海は一泊六百元です。"},
		"iso-2022-jp": {japanese.ISO2022JP, "出張規定：上海は一泊六百元です。"}, "euc-kr": {korean.EUCKR, "출장 규정: 상하이는 하룻밤 육백 위안입니다."},
		"iso-8859-1": {charmap.ISO8859_1, "Übernachtung in Köln: 90 £"}, "windows-1251": {charmap.Windows1251, "Командировки"}, "koi8-r": {charmap.KOI8R, "Командировки"},
	} {
		t.Run(charset, func(t *testing.T) {
			raw, err := c.enc.NewEncoder().String(c.text)
			if err != nil {
				t.Fatal(err)
			}
			declared, _, _ := strings.Cut(charset, " ")
			if declared == "hz-gb-2312" {
				raw += "~}" // back to ASCII, which the encoder leaves out at the end
			}
			kind := "text/plain"
			if declared != "" {
				kind += "; charset=\"" + declared + "\""
			}
			word := "=?" + cmp.Or(declared, "gbk") + "?B?" + base64.StdEncoding.EncodeToString([]byte(raw)) + "?="
			if declared == "us-ascii" || strings.Contains(charset, "that is") {
				word = raw // as it is, which nobody may send and many do
			}
			r := message(t, "Subject: "+word+"\r\nContent-Type: "+kind+"\r\n\r\n"+raw+"\r\n")
			if r.Parsed.Title != c.text {
				t.Errorf("the subject is read as %q", r.Parsed.Title)
			}
			if !strings.HasSuffix(r.Parsed.Text, "\n\n"+c.text) {
				t.Errorf("the text is read as %q", r.Parsed.Text)
			}
			if r.MediaType != "message/rfc822" || r.Format != "eml" || len(r.Parsed.Notices) > 0 {
				t.Errorf("it is %s, %s, %v", r.MediaType, r.Format, r.Parsed.Notices)
			}
		})
	}
}

func TestAPageInAMessageIsReadAsPagesAre(t *testing.T) {
	page := `<html><head><title>no text</title><style>.x{display:none}</style><meta charset="gbk"></head><body><h1>差旅</h1>` +
		`<p>上海 <b>650</b> 元</p><p class="x">HIDDEN-CLASS</p><div style="display:none">HIDDEN-STYLE</div><script>HIDDEN-SCRIPT</script>` +
		`<img src="http://tracker.test/1.gif"><table><tr><th>城市</th><th>上限</th></tr><tr><td>北京</td><td>700</td></tr></table></body></html>`
	raw, err := simplifiedchinese.GBK.NewEncoder().String(page)
	if err != nil {
		t.Fatal(err)
	}
	r := message(t, "Subject: s\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n"+base64.StdEncoding.EncodeToString([]byte(raw)))
	if want := "Subject: s\n\n差旅\n\n上海 650 元\n\n城市 | 上限\n北京 | 700"; r.Parsed.Text != want {
		t.Errorf("the text is %q, want %q", r.Parsed.Text, want)
	}
	last := r.Parsed.Blocks[len(r.Parsed.Blocks)-1]
	if head := r.Parsed.Blocks[max(0, last.Head)]; last.Kind != corpus.TableRow || head.Kind != corpus.TableHead || !slices.Equal(last.HeadingPath, []string{"差旅"}) {
		t.Errorf("the row is %+v under %+v", last, head)
	}
}

func TestAChunkOfAMessageHoldsNoAttachedText(t *testing.T) {
	r := message(t, "Subject: s\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nThe plan is below.\n--x\nContent-Type: text/plain; name=plan.txt\n\nStep one.\n--x--")
	chunks := chunk.Split(r.Parsed, chunk.Options{})
	if len(chunks) != 2 || !strings.Contains(chunks[0].Text, "below") || strings.Contains(chunks[0].Text, "Step") || !slices.Equal(chunks[1].HeadingPath, []string{"plan.txt"}) {
		t.Errorf("the chunks are %+v", chunks)
	}
}

func TestTheHostileMessageIsRefused(t *testing.T) {
	dir, files := hostileUploads(t)
	seen := 0
	for _, u := range files {
		if filepath.Ext(u.File) != ".eml" {
			continue
		}
		seen++
		data, err := os.ReadFile(filepath.Join(dir, u.File))
		if err != nil {
			t.Fatal(err)
		}
		_, err = parse.Parse(context.Background(), parse.File{Name: u.File, Data: data})
		if u.Expect != "fail_parse" || problem.CodeOf(err) != u.Code || !problem.Is(err, problem.Invalid) || !strings.Contains(err.Error(), u.File) {
			t.Errorf("%s ends with %v, want %s", u.File, err, u.Code)
		}
	}
	if seen == 0 {
		t.Error("there is no hostile message")
	}
}

func TestAMessageThatIsNoneOrTooLongIsRefusedByName(t *testing.T) {
	for code, data := range map[string]string{
		"content_mismatch": "%PDF-1.7\n", "empty_document": "", "too_large": "Subject: s\n\n" + strings.Repeat("a\n", 300),
		"mime_part_limit": "Subject: s\nContent-Type: multipart/mixed; boundary=x\n\n" + strings.Repeat("--x\n\n", 1100),
	} {
		_, err := parse.Limits{Places: 200}.Parse(context.Background(), parse.File{Name: "a.eml", Data: []byte(data)})
		if problem.CodeOf(err) != code || !problem.Is(err, problem.Invalid) || strings.Count(err.Error(), "The file") != 1 || !strings.Contains(err.Error(), "a.eml") {
			t.Errorf("%s: %v", code, err)
		}
	}
}

func FuzzMail(f *testing.F) {
	f.Add([]byte("Subject: =?gbk?b?1rE=?=\nContent-Type: multipart/alternative; boundary=x\n\n--x\n\na 1\n--x\nContent-Type: text/html\n\n<p>a 2<table><tr><th>b<th>c<tr><td>d<td>e</table>\n--x--"))
	f.Add([]byte("From: a\nContent-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: message/rfc822\n\nSubject: b\n\n<c>\n--x\nContent-Type: text/plain; name=a.txt; format=flowed\n\n> d \n> e"))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzed(t, "a.eml", data) })
}
