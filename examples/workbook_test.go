package examples

import (
	"flag"
	"fmt"
	"html"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/parse"
	"github.com/kaoju/kaoju/internal/parse/ooxml/ooxmltest"
)

var update = flag.Bool("update", false, "write the workbook anew")

const workbook = "support/spare-parts.xlsx"

// rows are the sheets of the workbook of spare parts, which is made of them.
var rows = map[string][][]any{
	"备件 Spare parts": {
		{"备件号 Part number", "名称 Name", "适用产品 Fits", "含税单价(元) Price in yuan", "库存地点 Kept in"},
		{"SP-AX-SEAL", "压力变送器密封圈 Seal ring", "AX-200", 36, "苏州 Suzhou"},
		{"SP-AX-LID", "接线盒盖 Terminal cover", "AX-200", 78, "苏州 Suzhou"},
		{"SP-FM-DISP", "流量计显示屏 Display module", "FM-350", 640, "苏州 Suzhou"},
		{"SP-FM-LINER", "衬里修理包 Liner repair kit", "FM-350", 915, "成都 Chengdu"},
		{"SP-RAIL-35", "导轨支架 Rail bracket", "GW-10", 24, "成都 Chengdu"},
	},
	"维修工时 Repair": {
		{"项目 Repair", "工时 Hours", "单价(元) Price in yuan"},
		{"更换密封圈 Change a seal ring", 0.5, 150},
		{"更换显示屏 Change a display", 1, 300},
	},
}

// sheet writes rows as a spreadsheet has them.
func sheet(rows [][]any) string {
	var b strings.Builder
	b.WriteString(`<cols><col min="1" max="5" width="24" customWidth="1"/></cols><sheetData>`)
	for i, row := range rows {
		fmt.Fprintf(&b, `<row r="%d">`, i+1)
		for k, cell := range row {
			ref := string(rune('A'+k)) + strconv.Itoa(i+1)
			if text, ok := cell.(string); ok {
				fmt.Fprintf(&b, `<c r="%s" t="inlineStr"><is><t>%s</t></is></c>`, ref, html.EscapeString(text))
			} else {
				fmt.Fprintf(&b, `<c r="%s"><v>%v</v></c>`, ref, cell)
			}
		}
		b.WriteString(`</row>`)
	}
	return b.String() + `</sheetData>`
}

func TestTheWorkbookIsMadeOfItsRows(t *testing.T) {
	var sheets []ooxmltest.Part
	for _, name := range []string{"备件 Spare parts", "维修工时 Repair"} {
		sheets = append(sheets, ooxmltest.Part{Name: name, Text: sheet(rows[name])})
	}
	made := ooxmltest.XLSX(t, sheets)
	if *update {
		if err := os.WriteFile("acme/"+workbook, made, 0o644); err != nil { //nolint:gosec // it is for everybody
			t.Fatal(err)
		}
	}
	stored, err := fs.ReadFile(Acme(), workbook)
	if err != nil {
		t.Fatal(err)
	}
	// What is packed may differ from one version of Go to the next; what it says may not.
	read := func(data []byte) parse.Result {
		r, err := parse.Parse(t.Context(), parse.File{Name: workbook, Data: data})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if d := cmp.Diff(read(made), read(stored)); d != "" {
		t.Errorf("the workbook says something else; review it, then run the test with -update: %s", d)
	}
}
