package parse_test

import (
	"context"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/chunk"
	"github.com/kaoju/kaoju/internal/parse"
)

func BenchmarkParseAndSplit(b *testing.B) {
	section := "## 住宿标准 {#x}\n\n" + strings.Repeat("国内出差每晚住宿费上限为六百五十元，超出部分由个人承担。\n", 6) + "\n| 城市 | 上限 |\n|---|---|\n| 上海 | 650 |\n\n- item one\n- item two\n\n"
	for name, data := range map[string]string{
		"a.md":   strings.Repeat(section, 2000),
		"a.txt":  strings.Repeat(section, 2000),
		"a.html": "<html><body>" + strings.Repeat("<h2>住宿标准</h2><p>国内出差每晚住宿费上限为<b>六百五十元</b>，超出部分由个人承担 &amp; 不予报销。</p><table><tr><th>城市<th>上限<tr><td>上海<td>650</table>", 5000),
		"a.csv":  "城市,上限,备注\n" + strings.Repeat("上海,650,\"每晚, 含税\"\n", 30000),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				r, err := parse.Parse(context.Background(), parse.File{Name: name, Data: []byte(data)})
				if err != nil {
					b.Fatal(err)
				}
				if len(chunk.Split(r.Parsed, chunk.Options{})) == 0 {
					b.Fatal("there are no chunks")
				}
			}
		})
	}
}
